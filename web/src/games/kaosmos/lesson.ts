import type { KaosmosView } from "../../protocol";
import type { Lesson } from "../lesson";
import records from "./lessons.json";

export const lesson: Lesson<KaosmosView> = {
  words: { en: () => import("./learn.en.ftl?raw"), fr: () => import("./learn.fr.ftl?raw") },
  steps: [
    { id: "goal", record: records.build },
    { id: "put", judge: (move) => (move.startsWith("put ") ? "good" : "more") },
    {
      id: "turn",
      judge: (_move, events) => {
        const placed = events.find((event) => event.kind === "placed");
        return placed && placed.source === placed.slot ? "good" : "more";
      },
    },
    {
      id: "finish",
      record: records.finish,
      judge: (move) => (/^(done|grab)\b/.test(move) ? "good" : "more"),
    },
    { id: "count" },
    { id: "draft", record: records.draft, judge: () => "good" },
    {
      id: "card",
      record: records.card,
      judge: (move) => (/^(done|grab)\b/.test(move) ? "good" : "more"),
    },
    { id: "end" },
  ],
};
