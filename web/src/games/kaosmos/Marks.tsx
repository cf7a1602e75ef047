import { useId } from "preact/hooks";
import type { Side } from "../../art/shapes";
import type { KaosmosGalaxyCount, KaosmosView } from "../../protocol";
import type { PartProps } from "../types";
import { seedOf, turned } from "./art";
import { signed } from "./count";
import {
  area,
  type BeltAt,
  type Layout,
  middleOf,
  outline,
  type Place,
  TILE,
  wayAlong,
} from "./frame";
import type { Model } from "./model";
import { Rocks } from "./Tile";
import { TILES } from "./tiles";
import type { Field, Galaxy, Slot } from "./view";
import "./Marks.css";

/** What is drawn over the tiles. */
interface Marks {
  zones: { fields: Field[]; planets: number | null; points: number }[];
  way: Slot[];
  strong: boolean;
  key: string;
}

/** The live count of one's own galaxy, or the current line of the count. */
export function marksOf(
  desk: PartProps<KaosmosView, Model>["desk"],
  model: Model,
  own: boolean,
): Marks | null {
  const counting = model.count.now.value;
  if (counting) {
    if (counting.line < 0) return null; // what chance has laid is being looked at
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

/** Every scoring zone, and the path. */
function liveMarks(live: KaosmosGalaxyCount): Marks {
  return {
    zones: live.zones.filter((zone) => zone.points > 0),
    way: live.path.slots,
    strong: false,
    key: "all",
  };
}

interface OverlayProps {
  all: Layout;
  marks: Marks | null;
  galaxy: Galaxy;
}

export function Overlay({ all, marks, galaxy }: OverlayProps) {
  if (!marks) return null;
  const way = wayAlong(all, marks.way);
  const lit = marks.zones.flatMap((zone) => zone.fields);
  const belt: BeltAt = (slot, corner, side) => beltAt(galaxy, slot, corner, side);
  return (
    <g key={marks.key} class={marks.strong ? "kaosmos-marks strong" : "kaosmos-marks"}>
      {marks.strong && lit.length > 0 && <Veil all={all} galaxy={galaxy} lit={lit} />}
      {way && <Glow all={all} way={way} slots={marks.way} galaxy={galaxy} />}
      {marks.zones.map((zone, index) => {
        const path = outline(all, zone.fields, belt);
        return (
          <g
            key={index}
            class={`kaosmos-tint-${landOf(galaxy, zone.fields)}${zone.points === 0 ? " small" : ""}`}
          >
            <path class="kaosmos-zone-edge" d={path} />
            <path class="kaosmos-zone" d={path} pathLength={100} />
          </g>
        );
      })}
      {marks.zones.map((zone, index) => (
        <Badge key={index} all={all} zone={zone} galaxy={galaxy} />
      ))}
    </g>
  );
}

/** Darkens the tiles, except for these fields. */
function Veil({ all, galaxy, lit }: { all: Layout; galaxy: Galaxy; lit: Field[] }) {
  const id = useId();
  return (
    <>
      <clipPath id={id}>
        {all.places
          .filter(({ slot }) => galaxy[slot])
          .map(({ x, y }, index) => (
            <rect
              key={index}
              x={x - TILE / 2}
              y={y - TILE / 2}
              width={TILE}
              height={TILE}
              rx={0.07 * TILE}
            />
          ))}
      </clipPath>
      <path
        class="kaosmos-veil"
        clip-path={`url(#${id})`}
        fill-rule="evenodd"
        d={`M0 0H${all.width}V${all.height}H0Z${area(all, lit)}`}
      />
    </>
  );
}

/** The field of a tile as it lies, such as "G2". */
function fieldOf(galaxy: Galaxy, [slot, corner]: Field): string {
  const [tile, turns] = galaxy[slot] ?? ["", 0];
  const face = TILES[tile];
  return (face && turned(face, turns).cells[FIELDS.indexOf(corner)]) ?? "K";
}

const FIELDS = ["NW", "NE", "SE", "SW"];

function landOf(galaxy: Galaxy, fields: Field[]): string {
  return fields[0] ? fieldOf(galaxy, fields[0]).charAt(0) : "K";
}

/** The belt that runs along a side of a field inside its tile. */
function beltAt(galaxy: Galaxy, slot: Slot, corner: string, side: Side): boolean {
  const [tile, turns] = galaxy[slot] ?? ["", 0];
  const face = TILES[tile];
  if (!face) return false;
  const [above, left] = [corner.startsWith("N"), corner.endsWith("W")];
  const upright = (side === 1 && left) || (side === 3 && !left);
  const level = (side === 2 && above) || (side === 0 && !above);
  if (!upright && !level) return false;
  const arm = upright ? (above ? "N" : "S") : left ? "W" : "E";
  return turned(face, turns).arms.includes(arm);
}

interface GlowProps {
  all: Layout;
  way: string;
  slots: Slot[];
  galaxy: Galaxy;
}

/** The longest path: a light along it, and its rocks in gold. */
function Glow({ all, way, slots, galaxy }: GlowProps) {
  const place = (slot: Slot | undefined) => all.places.find((each) => each.slot === slot);
  return (
    <g style={{ "--tiles": slots.length }}>
      <path class="kaosmos-glow far" d={way} pathLength={100} />
      <path class="kaosmos-glow near" d={way} pathLength={100} />
      <path class="kaosmos-glow" d={way} pathLength={100} />
      <path class="kaosmos-glow core" d={way} pathLength={100} />
      <g class="kaosmos-gold">
        {slots.map((slot, index) => {
          const at = place(slot);
          const [tile, turns] = galaxy[slot] ?? ["", 0];
          const face = TILES[tile];
          if (!at || !face) return null;
          const on = [place(slots[index - 1]), place(slots[index + 1])].flatMap((next) =>
            next ? [armTo(at, next)] : [],
          );
          return (
            <g
              key={slot}
              transform={`translate(${at.x - 20} ${at.y - 20}) scale(.4)`}
              style={{ "--at": index }}
            >
              <Rocks arms={turned(face, turns).arms} seed={seedOf(tile)} only={on.join("")} />
            </g>
          );
        })}
      </g>
    </g>
  );
}

function armTo(from: Place, to: Place): string {
  if (Math.abs(from.x - to.x) > Math.abs(from.y - to.y)) return to.x > from.x ? "E" : "W";
  return to.y > from.y ? "S" : "N";
}

interface BadgeProps {
  all: Layout;
  zone: Marks["zones"][number];
  galaxy: Galaxy;
}

/** How many planets a zone has, and its points: in an empty field, or in a free corner. */
function Badge({ all, zone, galaxy }: BadgeProps) {
  const empty = zone.fields.find((field) => fieldOf(galaxy, field).charAt(1) === "0");
  const field = empty ?? zone.fields[0];
  const at = field && middleOf(all, field);
  if (!at || !field) return null;
  // In a wide frame of any shape tiles are small; numbers are not.
  const grown = Math.min(all.width, all.height) > 4 * TILE ? 1.25 : 1;
  const kind = `kaosmos-badge kaosmos-tint-${landOf(galaxy, zone.fields)}${zone.points === 0 ? " small" : ""}`;
  if (!empty) {
    const [left, above] = [beltAt(galaxy, ...field, 3), beltAt(galaxy, ...field, 0)];
    const [x, y] = [at.x - 10 + (left ? 6.2 : 4.4), at.y - 10 + (above ? 6.2 : 4.4)];
    return (
      <g class={kind} transform={`translate(${x} ${y}) scale(${0.44 * grown})`}>
        <circle r="10" />
        <text class="kaosmos-badge-planets" y="5">
          {zone.planets ?? signed(zone.points)}
        </text>
      </g>
    );
  }
  const size = zone.planets ?? signed(zone.points);
  if (zone.planets === null || zone.points === 0) {
    return (
      <g class={kind} transform={`translate(${at.x} ${at.y}) scale(${0.42 * grown})`}>
        <circle r="12" />
        <text class="kaosmos-badge-planets" y="5.2">
          {size}
        </text>
      </g>
    );
  }
  // Two halves: how many planets, and what they score.
  return (
    <g class={kind} transform={`translate(${at.x} ${at.y}) scale(${0.42 * grown})`}>
      <rect x="-19" y="-12" width="38" height="24" rx="12" />
      <path class="kaosmos-badge-half" d="M-1-12H7A12 12 0 0 1 7 12H-1Z" />
      <text class="kaosmos-badge-planets" x="-10" y="5.2">
        {size}
      </text>
      <text class="kaosmos-badge-points" x="8" y="5.2">
        {signed(zone.points)}
      </text>
    </g>
  );
}
