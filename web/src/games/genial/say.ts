import { list, t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { GenialEvent, GenialView } from "../../protocol";
import type { Sound } from "../../ui/sound";
import type { SeatScore } from "../types";
import { tileWords } from "./model";
import { COLOURS, sides, type Track } from "./view";

export function say(event: GenialEvent, names: string[], you: Seat | null): string | null {
  const name = "seat" in event ? (names[event.seat] ?? "") : "";
  switch (event.kind) {
    case "placed":
      return t("genial-say-placed", {
        name,
        tile: tileWords(event.tile),
        first: event.first,
        second: event.second,
      });
    case "scored": {
      const parts = event.halves.filter((half) => half.points > 0);
      if (parts.length === 0) return t("genial-say-nothing");
      const said = parts.map((half) =>
        t("genial-say-half", {
          colour: t(`colour-genial-${half.colour}`),
          points: half.points,
          cells: half.lines.map((line) => line.cells.join("–")).join(", "),
        }),
      );
      return said.join(" ");
    }
    case "genial":
      return t("genial-say-genial", {
        name,
        colours: list(event.colours.map((colour) => t(`colour-genial-${colour}`))),
      });
    case "swapped":
      return t("genial-say-swapped", { name, tiles: event.shown.map(tileWords).join("; ") });
    case "kept":
      return t("genial-say-kept", { name });
    case "drawn":
      return event.seat === you && event.tiles && event.tiles.length < 6
        ? t("genial-say-drawn", { tiles: event.tiles.map(tileWords).join("; ") })
        : null;
    case "ended":
      return t(`reason-${event.result.reason}`);
    default:
      return null;
  }
}

export function score(own: SeatScore, view: GenialView): string {
  const [lowest, ...others] = sorted(own);
  if (view.options.variant === "duel") {
    return t("genial-score-duel", { won: colours(own), lowest: lowest ?? 0 });
  }
  return t("genial-score", { lowest: lowest ?? 0, others: others.join("\u00a0· ") });
}

/** The result of a solo game: the lowest marker. */
export function alone(own: SeatScore): string {
  return t("genial-alone", { lowest: sorted(own)[0] ?? 0 });
}

export function sound(event: GenialEvent): Sound | null {
  if (event.kind === "genial") return "genial";
  if (event.kind === "placed") return "place";
  if (event.kind === "scored" && event.markers.some((marker) => marker.points > 0)) return "points";
  return null;
}

/** How many colours a seat has won in a duel: those on its own side. */
function colours(own: SeatScore): number {
  return sorted(own).filter((each) => each > 0).length;
}

/** The markers of a seat, the lowest first. */
function sorted(own: SeatScore): number[] {
  const track = own as Track;
  return COLOURS.map((colour) => track[colour] ?? 0).sort((a, b) => a - b);
}

/** The lowest marker; in a duel, how many colours were won. */
export function points(own: SeatScore, view: GenialView): string {
  return String(view.options.variant === "duel" ? colours(own) : (sorted(own)[0] ?? 0));
}

export function because(one: SeatScore, two: SeatScore, view: GenialView): string {
  if (view.options.variant === "duel") {
    return t("genial-because-duel", { first: points(one, view), second: points(two, view) });
  }
  const [first, second] = [sorted(one), sorted(two)];
  const at = first.findIndex((each, index) => each !== second[index]);
  if (at < 0) return t("because-shared");
  return t(at === 0 ? "genial-because" : "genial-because-tie", {
    same: first[0] ?? 0,
    first: first[at] ?? 0,
    second: second[at] ?? 0,
  });
}

/** The lowest marker of a seat or of its team. */
export function total(view: GenialView, seat: Seat): number {
  const track = view.tracks[sides(view).findIndex((seats) => seats.includes(seat))];
  return track ? Math.min(...COLOURS.map((colour) => track[colour])) : 0;
}
