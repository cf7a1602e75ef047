import type { BlockersView } from "../../protocol";
import type { Lesson } from "../lesson";
import records from "./lessons.json";

export const lesson: Lesson<BlockersView> = {
  words: { en: () => import("./learn.en.ftl?raw"), fr: () => import("./learn.fr.ftl?raw") },
  steps: [
    { id: "goal", record: records.first },
    { id: "first", judge: () => "good" },
    {
      id: "join",
      record: records.join,
      judge: (_move, events) => {
        const laid = events.find((event) => event.kind === "laid" || event.kind === "captured");
        const [own] = laid?.groups ?? [];
        return own && own.after < own.before ? "good" : "join-not";
      },
    },
    {
      id: "capture",
      record: records.capture,
      judge: (move) => (move.includes("x") ? "good" : "capture-not"),
    },
    { id: "protected", record: records.capture, judge: () => "good" },
    { id: "end" },
  ],
};
