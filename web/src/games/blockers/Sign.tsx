import type { ComponentChildren } from "preact";
import { type Look, SEAT_SHAPES } from "../../art/Avatar";
import { roundPoly, starPoints } from "../../art/shapes";
import { type RegionSymbol, tileSymbol } from "./grid";
import { type Colour, colourOf, faceOf, type Tile } from "./view";
import "./Sign.css";

function round(radius: number, x = 0, y = 0): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** Eight short beams around a disc. */
function sun(): string {
  const beams = Array.from({ length: 8 }, (_, i) => {
    const [c, s] = [Math.cos((Math.PI * i) / 4), Math.sin((Math.PI * i) / 4)];
    const at = (reach: number, side: number) =>
      `${(reach * c - side * s).toFixed(2)} ${(reach * s + side * c).toFixed(2)}`;
    return `M${at(3.1, -0.62)}L${at(4.7, -0.4)}L${at(4.7, 0.4)}L${at(3.1, 0.62)}Z`;
  });
  return round(2.1) + beams.join("");
}

const PATHS: Record<RegionSymbol, string> = {
  sun: sun(),
  heart:
    "M0 4.2C-3 1.8-4.6.2-4.6-1.7-4.6-3.2-3.5-4.2-2.2-4.2-1.2-4.2-.4-3.7 0-2.8.4-3.7 1.2-4.2 2.2-4.2 3.5-4.2 4.6-3.2 4.6-1.7 4.6.2 3 1.8 0 4.2Z",
  star: roundPoly(starPoints(5, 4.9, 2.05), 0.4),
  square: "M-3-3.7H3A.7.7 0 0 1 3.7-3V3A.7.7 0 0 1 3 3.7H-3A.7.7 0 0 1-3.7 3V-3A.7.7 0 0 1-3-3.7Z",
  diamond: roundPoly(
    [
      [0, -5],
      [3.5, 0],
      [0, 5],
      [-3.5, 0],
    ],
    0.5,
  ),
  triangle: roundPoly(
    [
      [0, -4.4],
      [4.7, 3.8],
      [-4.7, 3.8],
    ],
    0.6,
  ),
  moon: "M1.5-4.5A4.6 4.6 0 1 0 4.5 1.6 3.9 3.9 0 0 1 1.5-4.5Z",
  spade:
    "M0-4.7C1.4-2.6 4.5-.9 4.5 1.4 4.5 3 3.2 3.8 2.1 3.8 1.4 3.8.9 3.5.6 3.1L1.2 4.9H-1.2L-.6 3.1C-.9 3.5-1.4 3.8-2.1 3.8-3.2 3.8-4.5 3-4.5 1.4-4.5-.9-1.4-2.6 0-4.7Z",
  drop: "M0-4.8C2.2-1.8 3.6-.2 3.6 1.5A3.6 3.5 0 0 1-3.6 1.5C-3.6-.2-2.2-1.8 0-4.8Z",
};

/** Nine dots: a joker goes anywhere. */
const JOKER = [-3, 0, 3].flatMap((x) => [-3, 0, 3].map((y) => round(1, x, y))).join("");

/** One of the nine region symbols, about 9 units wide, around 0, 0. */
export function Sign({ symbol, scale = 1 }: { symbol: RegionSymbol; scale?: number }) {
  return <path class="blockers-sign" d={PATHS[symbol]} transform={`scale(${scale})`} />;
}

/** The look of a colour: the shape behind the face tells it as well. */
export const LOOK: Record<Colour, Look> = { b: 0, y: 1, g: 2, r: 3, k: 4 };

function Face({ tile }: { tile: Tile }) {
  const symbol = tileSymbol(tile);
  const face = faceOf(tile);
  if (symbol) return <Sign symbol={symbol} scale={0.95} />;
  if (face === "*") return <path class="blockers-sign" d={JOKER} />;
  return (
    <text class="blockers-face" y="3.35">
      {face}
    </text>
  );
}

interface PieceProps {
  tile: Tile;
  /** The symbol of its region, small in a corner, so that it is never forgotten. */
  region?: RegionSymbol | null;
}

/** The face of a tile, 17.6 units wide, around 0, 0: gradient, shape of the colour, sign, rim. */
export function Piece({ tile, region = null }: PieceProps) {
  const colour = colourOf(tile);
  return (
    <g class={`blockers-piece blockers-${colour}`}>
      <rect class="blockers-body" x="-8.8" y="-8.8" width="17.6" height="17.6" rx="3" />
      <path class="blockers-plate" d={SEAT_SHAPES[LOOK[colour]]} />
      <Face tile={tile} />
      <rect class="blockers-rim" x="-8.4" y="-8.4" width="16.8" height="16.8" rx="2.7" />
      {region && (
        <g class="blockers-region" transform="translate(6.2 6.2)">
          <Sign symbol={region} scale={0.36} />
        </g>
      )}
    </g>
  );
}

/** A tile that lies by itself: edge and shadow below its face; lifted while it is undecided. */
export function BlockTile({ tile, up = 0 }: { tile: Tile; up?: number }) {
  return (
    <g class={`blockers-${colourOf(tile)}`}>
      <rect
        class={up > 0 ? "blockers-shadow soft" : "blockers-shadow"}
        x="-9"
        y={-7 + up * 2}
        width="18"
        height="18"
        rx="3.2"
      />
      <g transform={`translate(0 ${-up})`}>
        <rect class="blockers-edge-lo" x="-9" y="-7.4" width="18" height="18" rx="3.2" />
        <Piece tile={tile} />
      </g>
    </g>
  );
}

function Small({ size, children }: { size: number; children: ComponentChildren }) {
  const side = `${size}em`;
  return (
    <svg
      class="blockers-small"
      viewBox="-10 -10 20 21.6"
      width={side}
      height={side}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** A tile in a text: its own small picture; its size in letters. */
export function SmallTile({ tile, size = 1.5 }: { tile: Tile; size?: number }) {
  return (
    <Small size={size}>
      <g class={`blockers-${colourOf(tile)}`}>
        <rect class="blockers-edge-lo" x="-9" y="-7.6" width="18" height="18" rx="3.2" />
        <Piece tile={tile} />
      </g>
    </Small>
  );
}

/** A colour in a text: a tile without a face. */
export function SmallColour({ colour, size = 1.25 }: { colour: Colour; size?: number }) {
  return (
    <Small size={size}>
      <g class={`blockers-piece blockers-${colour}`}>
        <rect class="blockers-edge-lo" x="-9" y="-7.6" width="18" height="18" rx="3.2" />
        <rect class="blockers-body" x="-8.8" y="-8.8" width="17.6" height="17.6" rx="3" />
        <path class="blockers-plate" d={SEAT_SHAPES[LOOK[colour]]} />
      </g>
    </Small>
  );
}

/** What tiles, cells and tray are filled with; once on a page. */
export function Defs() {
  return (
    <>
      {Object.entries(LOOK).map(([colour, look]) => (
        <linearGradient key={colour} id={`b-${colour}`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color={`var(--seat-${look}-hi)`} />
          <stop offset="1" stop-color={`var(--seat-${look})`} />
        </linearGradient>
      ))}
      <linearGradient id="b-rim" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#fff" stop-opacity=".75" />
        <stop offset=".4" stop-color="#fff" stop-opacity=".1" />
        <stop offset="1" stop-color="#000" stop-opacity=".25" />
      </linearGradient>
      {["cell", "cell-alt"].map((cell) => (
        <linearGradient key={cell} id={`b-${cell}`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="var(--cell-lo)" />
          <stop offset=".16" stop-color={`var(--${cell})`} />
        </linearGradient>
      ))}
      <linearGradient id="tray" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="var(--tray-hi)" />
        <stop offset="1" stop-color="var(--tray)" />
      </linearGradient>
      <filter id="b-soft" x="-40%" y="-40%" width="180%" height="180%">
        <feGaussianBlur stdDeviation="1.2" />
      </filter>
    </>
  );
}

const BITS = ["b#1", "y#3", "r#5", "g#7", "k#2", "y#8"]; // signs, no letters: they are small

/** A tile to celebrate with. */
export function Bit({ index }: { index: number }) {
  return (
    <g transform="scale(1.5)">
      <BlockTile tile={BITS[index % 6]!} />
    </g>
  );
}
