import { useMemo, useRef } from "preact/hooks";
import { type Arm, beltBed, CORNERS, landId, PLANETS, STAR, seams, seedOf, turned } from "./art";
import { TILE } from "./frame";
import { TILES } from "./tiles";
import type { Colour, Galaxy, Marker, TileId } from "./view";
import "./Tile.css";

/** From the units of a drawing, 0 to 100, to those of the board around the middle of a tile. */
const TO_BOARD = `scale(${TILE / 100}) translate(-50 -50)`;

/** A tile around its middle, as it lies. */
export function Face({ tile, turns = 0 }: { tile: TileId; turns?: number }) {
  return useMemo(() => {
    const face = TILES[tile];
    if (!face) return <BackFace />;
    const { cells, arms } = turned(face, turns);
    const seed = seedOf(tile);
    const bed = beltBed(arms);
    return (
      <g transform={TO_BOARD}>
        <rect class="kaosmos-shadow" y="2.6" width="100" height="100" rx="7" />
        <rect class="kaosmos-edge" y="1.2" width="100" height="100" rx="7" />
        <g clip-path="url(#k-tile)">
          {cells.map((cell, field) => {
            const [x, y] = CORNERS[field]!;
            const id = landId(cell.charAt(0), seed + field * 3, field);
            return <use key={field} href={`#${id}`} x={x} y={y} />;
          })}
          <path class="kaosmos-seam" d={seams({ cells, arms })} />
          <path class="kaosmos-bed-edge" d={bed} />
          <path class="kaosmos-bed" d={bed} />
        </g>
        {cells.map((cell, field) => (
          <FieldPlanets key={field} cell={cell} field={field} />
        ))}
        <Rocks arms={arms} seed={seed} />
        <rect class="kaosmos-gloss" x=".6" y=".6" width="98.8" height="98.8" rx="6.4" />
      </g>
    );
  }, [tile, turns]);
}

/** The planets of a field, a little away from the middle of the tile, where belts run. */
function FieldPlanets({ cell, field }: { cell: string; field: number }) {
  const [x, y] = CORNERS[field]!;
  const [right, below] = [x > 0 ? 1.8 : -1.8, y > 0 ? 1.8 : -1.8];
  return (
    <>
      {PLANETS[Number(cell.charAt(1) || 0)]?.map(([px, py, scale]) => (
        <use
          key={px}
          href={`#k-p${cell.charAt(0)}`}
          transform={`translate(${x + px + right} ${y + py + below}) scale(${scale})`}
        />
      ))}
    </>
  );
}

interface RocksProps {
  arms: string;
  seed: number;
  /** Only the belts to these sides. */
  only?: string;
}

/** The belts of a tile, and the large rock where they meet. */
export function Rocks({ arms, seed, only = arms }: RocksProps) {
  if (!arms) return null;
  return (
    <>
      {[...arms].map(
        (arm, index) =>
          only.includes(arm) && <use key={arm} href={`#k-b${arm as Arm}${(seed + index) % 2}`} />,
      )}
      <use href={`#k-hub${seed % 2}`} />
    </>
  );
}

/** A tile as it lies. Drawn in its new way, it comes round by a quarter turn. */
export function Turned({ tile, turns }: { tile: TileId; turns: number }) {
  const before = useRef(turns);
  const moved = before.current !== turns;
  before.current = turns;
  return (
    <g key={turns} class={moved ? "kaosmos-turning" : ""}>
      <Face tile={tile} turns={turns} />
    </g>
  );
}

/** A tile on its own. */
export function TileImage({ tile, turns = 0 }: { tile: TileId; turns?: number }) {
  return (
    <svg class="kaosmos-image" viewBox="-20.8 -20.8 41.6 42.6" aria-hidden="true">
      <Turned tile={tile} turns={turns} />
    </svg>
  );
}

const ORBITS = [-28, 32, 92];

/** A tile face down, around its middle: all are alike. */
function BackFace() {
  return (
    <g class="kaosmos-back" transform={TO_BOARD}>
      <rect class="kaosmos-shadow" y="2.6" width="100" height="100" rx="7" />
      <rect class="kaosmos-edge" y="1.2" width="100" height="100" rx="7" />
      <rect width="100" height="100" rx="7" fill="url(#k-back)" />
      <rect class="kaosmos-back-rim" x="6" y="6" width="88" height="88" rx="5" />
      {ORBITS.map((turn) => (
        <ellipse
          key={turn}
          class="kaosmos-orbit"
          cx="50"
          cy="50"
          rx="33"
          ry="13"
          transform={`rotate(${turn} 50 50)`}
        />
      ))}
      <g class="kaosmos-moons">
        <circle cx="79" cy="34.5" r="3.4" />
        <circle cx="22" cy="32.5" r="2.8" />
        <circle cx="49" cy="83" r="3" />
      </g>
      <path class="kaosmos-star" transform="translate(50 50) scale(2.7)" d={STAR} />
      <rect class="kaosmos-gloss" x=".6" y=".6" width="98.8" height="98.8" rx="6.4" />
    </g>
  );
}

export function Back() {
  return (
    <svg class="kaosmos-image" viewBox="-20.8 -20.8 41.6 42.6" aria-hidden="true">
      <BackFace />
    </svg>
  );
}

/** A galaxy, small: its fields by colour. */
export function Small({ galaxy }: { galaxy: Galaxy }) {
  const slots = Object.keys(galaxy);
  let columns = slots.map((slot) => slot.charCodeAt(0) - 97);
  let rows = slots.map((slot) => Number(slot.charAt(1)) - 1);
  if (Math.max(...columns) > 4 && Math.max(...rows) === 0) {
    // A row of nine, in two lines.
    rows = columns.map((column) => Math.floor(column / 5));
    columns = columns.map((column) => column % 5);
  }
  const least = (all: number[]) => Math.min(...all, rows.length ? Number.POSITIVE_INFINITY : 0);
  const [left, top] = [
    Math.min(least(columns), Math.max(0, Math.max(...columns) - 2)),
    Math.min(least(rows), Math.max(0, Math.max(...rows) - 2)),
  ];
  const side = Math.max(3, Math.max(...columns, 0) - left + 1, Math.max(...rows, 0) - top + 1);
  const across = side * 20.4 + 5.6;
  // What is wider than high lies in the middle.
  const high = Math.max(...rows, side === 3 ? 2 : 0) - top + 1;
  const down = ((side - high) * 20.4) / 2;
  return (
    <svg class="kaosmos-small" viewBox={`-3 -3 ${across} ${across}`} aria-hidden="true">
      <rect class="kaosmos-mat" x="-3" y="-3" width={across} height={across} rx="7" />
      {slots.length === 0 && (
        <path class="kaosmos-mat-lines" d="M20 0V60M40 0V60M0 20H60M0 40H60" />
      )}
      {slots.map((slot, index) => {
        const [tile, turns] = galaxy[slot] ?? ["", 0];
        const face = TILES[tile];
        const x = ((columns[index] ?? 0) - left) * 20.4;
        const y = ((rows[index] ?? 0) - top) * 20.4 + down;
        return (
          face &&
          turned(face, turns).cells.map((cell, field) => (
            <rect
              key={`${slot}${field}`}
              class={`kaosmos-${cell.charAt(0)}`}
              x={x + CORNERS[field]![0] / 5}
              y={y + CORNERS[field]![1] / 5}
              width="9.6"
              height="9.6"
              rx="1.6"
            />
          ))
        );
      })}
    </svg>
  );
}

const LETTER: Record<Colour, string> = { green: "G", blue: "B", orange: "O" };

/** The sign of a colour or of the star. */
export function Sign({ marker, size = 20 }: { marker: Marker; size?: number }) {
  const side = `${size / 16}rem`;
  return (
    <svg class="kaosmos-sign" viewBox="-17 -17 34 34" width={side} height={side} aria-hidden="true">
      <rect
        class={`kaosmos-${marker === "star" ? "K" : LETTER[marker]}`}
        x="-17"
        y="-17"
        width="34"
        height="34"
        rx="8"
      />
      {marker === "star" ? (
        <path class="kaosmos-star" transform="scale(2.8)" d={STAR} />
      ) : (
        <use href={`#k-p${LETTER[marker]}`} transform="translate(-.4 -.8) scale(.96)" />
      )}
    </svg>
  );
}

const BITS = ["T45", "T51", "T16", "T54", "T27", "T20"];

/** A tile to celebrate with. */
export function Bit({ index }: { index: number }) {
  return (
    <g transform="scale(.75)">
      <Face tile={BITS[index % 6]!} />
    </g>
  );
}
