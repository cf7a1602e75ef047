import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { BlockersEvent, BlockersGroupChange, BlockersView } from "../../protocol";
import type { Sound } from "../../ui/sound";
import type { SeatScore } from "../types";
import { colourWords, theTile, tileList } from "./words";

export function say(event: BlockersEvent, names: string[], you: Seat | null): string | null {
  const name = "seat" in event ? (names[event.seat] ?? "") : "";
  switch (event.kind) {
    case "laid": {
      const words = t("blockers-say-laid", { name, tile: theTile(event.tile), cell: event.cell });
      return [words, ...event.groups.map(change)].join(" ");
    }
    case "captured": {
      const words = t("blockers-say-captured", {
        name,
        tile: theTile(event.tile),
        cell: event.cell,
        taken: theTile(event.taken),
      });
      return [words, ...event.groups.map(change)].join(" ");
    }
    case "discarded":
      return t("blockers-say-discarded", {
        name,
        tile: theTile(event.tile),
        rack: tileList(event.rack),
      });
    case "drawn":
      return event.seat === you && event.tile
        ? t("blockers-say-drawn", { tile: theTile(event.tile) })
        : null;
    case "scored": {
      const groups = Object.values(event.groups).reduce((sum, each) => sum + each.length, 0);
      const { counted, score } = event;
      if (counted === null) return t("blockers-say-scored", { name, groups, score });
      return t("blockers-say-scored-captures", {
        name,
        groups,
        score,
        captures: event.captures[counted] ?? 0,
        colour: colourWords(counted),
      });
    }
    case "ended":
      return t(`reason-${event.result.reason}`);
    default:
      return null;
  }
}

/** What a move did to the groups of a colour. */
function change({ colour, before, after }: BlockersGroupChange): string {
  const how = after < before ? "fewer" : after > before ? "more" : "same";
  return t("blockers-say-groups", { colour: colourWords(colour), how, before, after });
}

export interface Score {
  groups: number;
  captures: Record<string, number>;
  score: number;
}

export function score(own: SeatScore, view: BlockersView): string {
  const { groups, captures, score } = own as unknown as Score;
  const all = Object.values(captures).reduce((sum, each) => sum + each, 0);
  const id = view.options.scoring === "uptown" ? "blockers-score-uptown" : "blockers-score";
  return t(id, { groups, counted: score - groups, score, captures: all });
}

export function sound(event: BlockersEvent): Sound | null {
  if (event.kind === "captured") return "capture";
  if (event.kind === "laid" || event.kind === "discarded") return "place";
  return null;
}

export function points(own: SeatScore): string {
  return String((own as unknown as Score).score);
}

export function because(first: SeatScore, second: SeatScore): string {
  const [one, two] = [first, second].map((own) => own as unknown as Score);
  const captures = (own: Score | undefined) =>
    Object.values(own?.captures ?? {}).reduce((sum, each) => sum + each, 0);
  if (one?.score !== two?.score) {
    const [groups, first] = [one?.groups ?? 0, one?.score ?? 0];
    return t("blockers-because", {
      groups,
      counted: first - groups,
      first,
      second: two?.score ?? 0,
    });
  }
  if (captures(one) === captures(two)) return t("because-shared");
  return t("blockers-because-tie", {
    same: one?.score ?? 0,
    first: captures(one),
    second: captures(two),
  });
}
