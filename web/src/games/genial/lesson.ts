import type { GenialEvent, GenialScored, GenialView } from "../../protocol";
import type { Lesson } from "../lesson";
import records from "./lessons.json";
import { COLOURS } from "./view";

function scored(events: GenialEvent[]): GenialScored | undefined {
  return events.find((event) => event.kind === "scored");
}

function points(events: GenialEvent[]): number {
  return scored(events)?.halves.reduce((sum, half) => sum + half.points, 0) ?? 0;
}

export const lesson: Lesson<GenialView> = {
  words: { en: () => import("./learn.en.ftl?raw"), fr: () => import("./learn.fr.ftl?raw") },
  steps: [
    { id: "goal", record: records.first },
    {
      id: "first",
      judge: (_move, events) => (points(events) > 0 ? "good" : "first-none"),
    },
    {
      id: "line",
      record: records.line,
      judge: (_move, events) => (points(events) >= 5 ? "good" : "line-few"),
    },
    {
      id: "lowest",
      record: records.lowest,
      judge: (_move, events, view) => {
        const moved = scored(events)?.markers ?? [];
        const track = view.tracks[0];
        const before = { ...track };
        for (const marker of moved) before[marker.colour] = marker.before;
        const low = Math.min(...COLOURS.map((colour) => before[colour] ?? 0));
        const helped = moved.some((marker) => marker.before === low && marker.points > 0);
        return helped ? "good" : "lowest-other";
      },
    },
    {
      id: "bonus",
      record: records.bonus,
      judge: (_move, events) =>
        events.some((event) => event.kind === "genial") ? "good" : "bonus-not",
    },
    { id: "bonus-tile", judge: () => "good" },
    {
      id: "swap",
      record: records.swap,
      judge: () => "good",
      draws: { swap: ["GO", "OO", "PO", "GG", "BO", "GP"], keep: ["OO"] },
    },
    { id: "end" },
  ],
};
