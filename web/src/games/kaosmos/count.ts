import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { KaosmosEvent, KaosmosSeatCount } from "../../protocol";
import { COLOURS, type Field, type Marker, type Markers, type Slot } from "./view";

/** One line of a count: its text, points and fields. */
export interface CountLine {
  words: string;
  /** Whether the words need the colour of the marker, which a sign shows. */
  coloured?: boolean;
  marker: Marker;
  points: number;
  /** Zones to be marked, each with the number of its planets. */
  zones: { fields: Field[]; planets: number | null; points: number }[];
  way: Slot[];
}

/** The lines of a seat's count, in order. */
export function countLines({ count, bonuses, kaos, changes }: KaosmosSeatCount): CountLine[] {
  const lines: CountLine[] = [];
  for (const colour of COLOURS) {
    const zones = count.zones.filter((zone) => zone.colour === colour && zone.planets > 0);
    for (const zone of zones.filter((each) => each.points !== 0)) {
      lines.push({
        words: t("kaosmos-count-zone", { planets: zone.planets }),
        coloured: true,
        marker: colour,
        points: zone.points,
        zones: [zone],
        way: [],
      });
    }
    const small = zones.filter((each) => each.points === 0);
    if (small.length > 0) {
      lines.push({
        words: t("kaosmos-count-small", {
          count: small.length,
          planets: small.map((zone) => zone.planets).join(", "),
        }),
        coloured: true,
        marker: colour,
        points: 0,
        zones: small,
        way: [],
      });
    }
  }
  lines.push({
    words: t("kaosmos-count-path", { length: count.path.length }),
    marker: "star",
    points: count.path.points,
    zones: [],
    way: count.path.slots,
  });
  for (const bonus of bonuses) {
    const largest = count.zones.find((zone) => zone.colour === bonus.colour);
    lines.push({
      words: t(bonus.won ? "kaosmos-count-won" : "kaosmos-count-lost", {
        colour: t(`colour-${bonus.colour}`),
        own: bonus.own,
        others: bonus.best_of_others,
      }),
      marker: bonus.colour,
      points: bonus.points,
      zones: largest ? [{ ...largest, points: bonus.points }] : [],
      way: [],
    });
  }
  for (const gain of kaos) {
    lines.push({
      words: t(`kaosmos-count-${gain.reason}`, {
        colour: t(`colour-${gain.marker}`),
        count: gain.fields.length,
      }),
      marker: gain.marker,
      points: gain.points,
      zones:
        gain.fields.length > 0 ? [{ fields: gain.fields, planets: null, points: gain.points }] : [],
      way: [],
    });
  }
  for (const change of changes.filter((each) => each.clamped)) {
    lines.push({
      words: t("kaosmos-count-clamped", {
        colour: t(`colour-${change.marker}`),
        at: change.after,
      }),
      marker: change.marker,
      points: change.after - change.before - change.points,
      zones: [],
      way: [],
    });
  }
  return lines;
}

/** A line in words alone, without its sign. */
export function spoken({ words, coloured, marker }: CountLine): string {
  return coloured ? `${t(`colour-${marker}`)}${t("colon")}${words}` : words;
}

/** The markers after these lines. */
export function markersAfter(before: Markers, lines: CountLine[]): Markers {
  const markers = { ...before };
  for (const { marker, points } of lines) markers[marker] += points;
  return markers;
}

/** A number of points with its sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : value(points);
}

/** A marker, which can stand below zero, or a total. */
export function value(points: number): string {
  return points < 0 ? `−${-points}` : `${points}`;
}

/** How many tiles were placed at random for a seat in the last round. */
export function filledFor(past: KaosmosEvent[], seat: Seat): number {
  const end = past.findLastIndex((event) => event.kind === "counted");
  const begin = past.slice(0, end + 1).findLastIndex((event) => event.kind === "round");
  const laid = (event: KaosmosEvent) =>
    event.kind === "filled" && event.seat === seat ? event.puts.length : 0;
  return past.slice(begin + 1, end + 1).reduce((sum, event) => sum + laid(event), 0);
}
