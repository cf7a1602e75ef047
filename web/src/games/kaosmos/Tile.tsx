import { useMemo, useRef } from "preact/hooks";
import { TILE } from "./frame";
import { TILES } from "./tiles";
import type { Colour, Galaxy, Marker, TileId } from "./view";

const HALF = TILE / 2;
const AT = [
  [-HALF, -HALF],
  [0, -HALF],
  [0, 0],
  [-HALF, 0],
] as const;
const ARMS: Record<string, string> = {
  N: `M0 0V-${HALF}`,
  E: `M0 0H${HALF}`,
  S: `M0 0V${HALF}`,
  W: `M0 0H-${HALF}`,
};
/** A ground of its own for each colour: leaves, ice, dunes. */
const GROUNDS: Record<string, string> = {
  G: "M2.5 5.5q2-3 4 0M13.5 4.5q2-3 4 0M2.5 17.5q2-3 4 0M14 17.5q2-3 4 0",
  B: "M0 6 6 0M0 11 3 8M14 20l6-6M17 12l3-3M9 20l2.5-2.5",
  O: "M1 4.5q3.5-2.5 7 0t7 0M4 17q3.5-2.5 7 0t7 0",
};

/** A tile around its middle, without its turn. */
export function Face({ tile, plain = false }: { tile: TileId; plain?: boolean }) {
  return useMemo(() => {
    const face = TILES[tile];
    if (!face) return <rect class="kaosmos-back" x={-HALF} y={-HALF} width={TILE} height={TILE} />;
    const arms = [...face.arms].map((arm) => ARMS[arm]).join("");
    return (
      <g>
        {face.cells.map((cell, index) => {
          const [x, y] = AT[index] ?? [0, 0];
          return <Quarter key={index} cell={cell} x={x} y={y} plain={plain} />;
        })}
        <rect class="kaosmos-rim" x={-19.8} y={-19.8} width={39.6} height={39.6} />
        {arms && <path class="kaosmos-arm-edge" d={arms} />}
        {arms && <path class="kaosmos-arm" d={arms} />}
        {arms && !plain && <path class="kaosmos-rocks" d={arms} />}
      </g>
    );
  }, [tile, plain]);
}

function Quarter({ cell, x, y, plain }: { cell: string; x: number; y: number; plain: boolean }) {
  const kind = cell.charAt(0);
  const planets = Number(cell.charAt(1) || 0);
  // A little away from the middle of the tile, where asteroid lines run.
  const out = { x: x < 0 ? -1.3 : 1.3, y: y < 0 ? -1.3 : 1.3 };
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class={`kaosmos-${kind}`} width={HALF} height={HALF} />
      {!plain && GROUNDS[kind] && <path class="kaosmos-ground-lines" d={GROUNDS[kind]} />}
      {!plain && kind === "K" && <Stars />}
      {!plain && planets === 1 && <Planet kind={kind} x={10 + out.x} y={10 + out.y} r={5.2} />}
      {!plain && planets === 2 && (
        <>
          <Planet kind={kind} x={6.2 + out.x} y={13.4 + out.y} r={3.9} />
          <Planet kind={kind} x={13.8 + out.x} y={6.6 + out.y} r={3.9} />
        </>
      )}
    </g>
  );
}

interface PlanetProps {
  kind: string;
  x: number;
  y: number;
  r: number;
}

/** Planets differ by more than colour: a leaf, a ring, stripes. */
function Planet({ kind, x, y, r }: PlanetProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${r / 5})`}>
      <circle class={`kaosmos-planet kaosmos-planet-${kind}`} r="5" />
      {kind === "G" && (
        <path class="kaosmos-leaf" d="M-3 2.5C-3-2 0-3.2 3.2-3 3.2.5 1.5 3-3 2.5Z" />
      )}
      {kind === "B" && <ellipse class="kaosmos-ring" rx="6.6" ry="2" transform="rotate(-22)" />}
      {kind === "O" && <path class="kaosmos-stripes" d="M-4.5-1.6H4.5M-4.5 1.6H4.5" />}
    </g>
  );
}

function Stars() {
  return (
    <g class="kaosmos-stars">
      <path d="M4 14.5 8 6l6 3 3 7" />
      <circle cx="4" cy="14.5" r="1.5" />
      <circle cx="8" cy="6" r="1.9" />
      <circle cx="14" cy="9" r="1.5" />
      <circle cx="17" cy="16" r="1.3" />
    </g>
  );
}

/** A tile as it lies: it always turns clockwise to where it should be. */
export function Turned({ tile, turns, plain }: { tile: TileId; turns: number; plain?: boolean }) {
  const angle = useRef(turns);
  const ahead = (((turns - angle.current) % 4) + 4) % 4;
  angle.current += ahead === 3 ? -1 : ahead;
  return (
    <g class="kaosmos-turned" style={{ transform: `rotate(${angle.current * 90}deg)` }}>
      <Face tile={tile} plain={plain} />
    </g>
  );
}

/** A tile on its own. */
export function TileImage({ tile, turns = 0 }: { tile: TileId; turns?: number }) {
  return (
    <svg class="kaosmos-image" viewBox="-21 -21 42 42" aria-hidden="true">
      <Turned tile={tile} turns={turns} />
    </svg>
  );
}

/** A tile face down. */
export function Back() {
  return (
    <svg class="kaosmos-image" viewBox="-21 -21 42 42" aria-hidden="true">
      <rect class="kaosmos-back" x="-20" y="-20" width="40" height="40" rx="3" />
      <circle class="kaosmos-back-sign" r="7" />
      <ellipse class="kaosmos-back-sign" rx="14" ry="4.5" transform="rotate(-25)" />
    </svg>
  );
}

/** A galaxy, small: fields and asteroid lines. */
export function Small({ galaxy, label }: { galaxy: Galaxy; label?: string }) {
  const slots = Object.keys(galaxy);
  const columns = slots.map((slot) => slot.charCodeAt(0) - 97);
  const rows = slots.map((slot) => Number(slot.charAt(1)) - 1);
  const least = (all: number[]) => Math.min(...all, rows.length ? Number.POSITIVE_INFINITY : 0);
  const [left, top] = [
    Math.min(least(columns), Math.max(0, Math.max(...columns) - 2)),
    Math.min(least(rows), Math.max(0, Math.max(...rows) - 2)),
  ];
  const side = Math.max(3, Math.max(...columns, 0) - left + 1, Math.max(...rows, 0) - top + 1);
  return (
    <svg
      class="kaosmos-small"
      viewBox={`0 0 ${side * TILE} ${side * TILE}`}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <rect class="kaosmos-small-ground" width={side * TILE} height={side * TILE} rx="8" />
      {slots.map((slot, index) => {
        const [tile, turns] = galaxy[slot] ?? ["", 0];
        const x = ((columns[index] ?? 0) - left + 0.5) * TILE;
        const y = ((rows[index] ?? 0) - top + 0.5) * TILE;
        return (
          <g key={slot} transform={`translate(${x} ${y}) rotate(${turns * 90})`}>
            <Face tile={tile} plain />
          </g>
        );
      })}
    </svg>
  );
}

const LETTER: Record<Colour, string> = { green: "G", blue: "B", orange: "O" };

/** The sign of a colour or of the star. */
export function Sign({ marker, size = 20 }: { marker: Marker; size?: number }) {
  return (
    <svg class="kaosmos-sign" viewBox="-10 -10 20 20" width={size} height={size} aria-hidden="true">
      {marker === "star" ? (
        <>
          <rect class="kaosmos-K" x="-10" y="-10" width="20" height="20" rx="5" />
          <path
            class="kaosmos-star"
            d="M0-7.5 2.1-2.6 7.4-2.3 3.3 1.1 4.6 6.3 0 3.4-4.6 6.3-3.3 1.1-7.4-2.3-2.1-2.6Z"
          />
        </>
      ) : (
        <>
          <rect class={`kaosmos-${LETTER[marker]}`} x="-10" y="-10" width="20" height="20" rx="5" />
          <Planet kind={LETTER[marker]} x={0} y={0} r={5.5} />
        </>
      )}
    </svg>
  );
}
