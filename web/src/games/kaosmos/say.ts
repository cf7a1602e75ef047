import { list, t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { KaosmosEvent, KaosmosSeatCount, KaosmosView } from "../../protocol";
import type { Sound } from "../../ui/sound";
import type { SeatScore } from "../types";
import { countLines, signed, spoken } from "./count";
import { COLOURS, MARKERS, type Markers } from "./view";
import { tileWords } from "./words";

/** While all build at once, a player gets only their own moves, and who is done. */
export function say(event: KaosmosEvent, names: string[], you: Seat | null): string | null {
  const name = "seat" in event ? (names[event.seat] ?? "") : "";
  const known = "seat" in event && (you === null || event.seat === you);
  switch (event.kind) {
    case "round":
      return t("kaosmos-say-round", { round: event.round });
    case "card":
      return t("kaosmos-say-card", {
        card: t(`card-${event.card}-name`),
        text: t(`card-${event.card}-text`),
      });
    case "phase":
      if (event.phase !== "building") return null;
      return event.timer === null
        ? t("kaosmos-say-building")
        : t("kaosmos-say-timer", { count: event.timer });
    case "kept":
      return t("kaosmos-say-kept", { name, count: event.count });
    case "placed":
      return you === null
        ? t("kaosmos-say-placed", {
            name,
            tile: tileWords(event.tile, event.turns),
            slot: event.slot,
          })
        : null;
    case "lifted":
      return you === null ? t("kaosmos-say-lifted", { name, slot: event.slot }) : null;
    case "aside":
      return known ? t("kaosmos-say-aside", { name, tile: tileWords(event.tile, 0) }) : null;
    case "grabbed":
      return t("kaosmos-say-grabbed", {
        name,
        count: event.colours.length,
        colours: list(event.colours.map((colour) => t(`colour-${colour}`))),
      });
    case "locked":
      return t("kaosmos-say-locked", { name });
    case "time-up":
      return t("kaosmos-say-time");
    case "filled":
      return event.puts.length > 0
        ? t("kaosmos-say-filled", { name, count: event.puts.length })
        : null;
    case "turned":
      return event.tiles
        .map((each) =>
          t("kaosmos-say-turned", {
            name: names[each.by] ?? "",
            owner: names[each.owner] ?? "",
            slot: each.slot,
          }),
        )
        .join(" ");
    case "counted":
      return countWords(event.count, name);
    case "transferred":
      return event.points > 0
        ? t("kaosmos-say-transferred", {
            name,
            points: event.points,
            source: t(`colour-${event.source}`),
            target: t(`colour-${event.target}`),
          })
        : t("kaosmos-say-kept-points", { name });
    case "ended":
      return t(`reason-${event.result.reason}`);
    default:
      return null;
  }
}

/** The whole count of a seat, with its reasons. */
export function countWords(count: KaosmosSeatCount, name: string): string {
  const reasons = countLines(count)
    .filter((line) => line.points !== 0)
    .map((line) => `${spoken(line)} ${signed(line.points)}`);
  const markers = MARKERS.map((marker) => `${t(`colour-${marker}`)} ${count.after[marker]}`);
  return t("kaosmos-say-counted", {
    name,
    reasons: reasons.length > 0 ? reasons.join("; ") : t("kaosmos-nothing"),
    markers: markers.join(", "),
  });
}

export function score(given: SeatScore): string {
  const own = given as unknown as Markers & { score: number };
  const low = COLOURS.reduce((a, b) => (own[b] < own[a] ? b : a), "green");
  return t("kaosmos-score", {
    colour: t(`colour-${low}`),
    low: own[low],
    star: own.star,
    score: own.score,
  });
}

export function sound(event: KaosmosEvent, you: Seat | null): Sound | null {
  switch (event.kind) {
    case "placed":
    case "kept":
      return event.seat === you ? "place" : null;
    case "grabbed":
    case "counted":
      return "points";
    case "card":
    case "phase":
      return event.kind === "card" || event.phase === "building" ? "turn" : null;
    case "time-up":
      return "end";
    default:
      return null;
  }
}

export function points(own: SeatScore): string {
  return String((own as unknown as { score: number }).score);
}

/** The higher total; where it is the same, the lower star. */
export function because(one: SeatScore, two: SeatScore): string {
  const [first, second] = [one, two].map((own) => own as unknown as Markers & { score: number });
  if (first?.score !== second?.score) {
    return t("kaosmos-because", { first: first?.score ?? 0, second: second?.score ?? 0 });
  }
  if (first?.star === second?.star) return t("because-shared");
  return t("kaosmos-because-tie", {
    same: first?.score ?? 0,
    first: first?.star ?? 0,
    second: second?.star ?? 0,
  });
}

/** The lowest colour plus the star. */
export function total(view: KaosmosView, seat: Seat): number {
  const own = view.markers[seat];
  return own ? Math.min(...COLOURS.map((colour) => own[colour])) + own.star : 0;
}
