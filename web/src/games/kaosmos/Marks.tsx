import type { PartProps } from "../types";
import { signed } from "./count";
import { area, type Layout, middleOf, outline, wayAlong } from "./frame";
import type { Model } from "./model";
import type { Field, GalaxyCount, KaosmosView, Slot } from "./view";

/** What is drawn over the tiles. */
interface Marks {
  zones: { fields: Field[]; planets: number | null; points: number }[];
  way: Slot[];
  strong: boolean;
  key: string;
}

/** The live count of one's own galaxy, or the line of the count that is being told. */
export function marksOf(
  desk: PartProps<KaosmosView, Model>["desk"],
  model: Model,
  own: boolean,
): Marks | null {
  const counting = model.count.now.value;
  if (counting) {
    const lines = model.count.lines.value;
    const line = lines[counting.line];
    if (line) {
      const key = `${counting.seat} ${counting.line}`;
      return { zones: line.zones, way: line.way, strong: true, key };
    }
    const count = desk.view.value.counts[counting.seat];
    return count ? liveMarks(count.count) : null;
  }
  const live = desk.view.value.counted;
  if (!own || !live || model.outbox.pending.value.length > 0 || model.lifted.value) return null;
  return liveMarks(live);
}

/** Every zone that brings points, and the path. */
function liveMarks(live: GalaxyCount): Marks {
  return {
    zones: live.zones.filter((zone) => zone.points > 0),
    way: live.path.slots,
    strong: false,
    key: "all",
  };
}

export function Overlay({ all, marks }: { all: Layout; marks: Marks | null }) {
  if (!marks) return null;
  const way = wayAlong(all, marks.way);
  const lit = marks.zones.flatMap((zone) => zone.fields);
  return (
    <g key={marks.key} class={marks.strong ? "kaosmos-marks strong" : "kaosmos-marks"}>
      {marks.strong && lit.length > 0 && (
        <path
          class="kaosmos-veil"
          fill-rule="evenodd"
          d={`M-3-3H${all.width + 3}V${all.height + 3}H-3Z${area(all, lit)}`}
        />
      )}
      {marks.zones.map((zone, index) => (
        <g key={index}>
          <path class="kaosmos-zone-edge" d={outline(all, zone.fields)} />
          <path class="kaosmos-zone" d={outline(all, zone.fields)} />
        </g>
      ))}
      {way && <path class="kaosmos-way-edge" d={way} />}
      {way && <path class="kaosmos-way" d={way} />}
      {marks.zones.map((zone, index) => (
        <Badge key={index} all={all} zone={zone} />
      ))}
    </g>
  );
}

/** How many planets a zone has, and what it brings. */
function Badge({ all, zone }: { all: Layout; zone: Marks["zones"][number] }) {
  const at = zone.fields[0] && middleOf(all, zone.fields[0]);
  if (!at) return null;
  const text = signed(zone.points);
  return (
    <g class="kaosmos-badge" transform={`translate(${at.x} ${at.y - 7})`}>
      <rect x="-7" y="-4.5" width="14" height="9" rx="4.5" />
      <text y="2.4">{text}</text>
    </g>
  );
}
