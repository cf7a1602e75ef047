import { type RegionSymbol, tileSymbol } from "./grid";
import { type Colour, colourOf, faceOf, type Tile } from "./view";

function round(radius: number, x = 0, y = 0): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const reach = i % 2 ? inner : outer;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(reach * Math.cos(angle)).toFixed(2)} ${(reach * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** Eight short beams around a disc. */
function sun(): string {
  const beams = Array.from({ length: 8 }, (_, i) => {
    const [c, s] = [Math.cos((Math.PI * i) / 4), Math.sin((Math.PI * i) / 4)];
    const at = (reach: number, side: number) =>
      `${(reach * c - side * s).toFixed(2)} ${(reach * s + side * c).toFixed(2)}`;
    return `M${at(3.7, -0.8)}L${at(5.7, -0.5)}L${at(5.7, 0.5)}L${at(3.7, 0.8)}Z`;
  });
  return round(2.8) + beams.join("");
}

const PATHS: Record<RegionSymbol, string> = {
  sun: sun(),
  heart:
    "M0 5C-6.6 .7-5.9-4.5-2.9-4.5-1.4-4.5 0-3.4 0-2.2 0-3.4 1.4-4.5 2.9-4.5 5.9-4.5 6.6 .7 0 5Z",
  star: star(5, 5.6, 2.3),
  square: "M-4.3-4.3H4.3V4.3H-4.3Z",
  diamond: "M0-5.7 4.1 0 0 5.7-4.1 0Z",
  triangle: "M0-4.9 5.3 4.3H-5.3Z",
  moon: "M1.6-5.2A5.3 5.3 0 1 0 5.2 2.6 4.6 4.6 0 0 1 1.6-5.2Z",
  spade:
    "M0-5.4C1.2-3.3 5.1-1.2 5.1 1.6 5.1 4.2 2.2 4.7.8 2.9.9 4 1.4 4.8 2.2 5.4H-2.2C-1.4 4.8-.9 4-.8 2.9-2.2 4.7-5.1 4.2-5.1 1.6-5.1-1.2-1.2-3.3 0-5.4Z",
  drop: "M0-5.7C1.4-3 4-.6 4 1.7A4 3.8 0 0 1-4 1.7C-4-.6-1.4-3 0-5.7Z",
};

/** Nine dots: a joker goes anywhere. */
const JOKER = [-2.8, 0, 2.8].flatMap((x) => [-2.8, 0, 2.8].map((y) => round(1.1, x, y))).join("");

/** One of the nine region symbols, about 11 units wide, around 0, 0. */
export function Sign({ symbol, scale = 1 }: { symbol: RegionSymbol; scale?: number }) {
  return <path class="blockers-sign" d={PATHS[symbol]} transform={`scale(${scale})`} />;
}

/** A different plate for each colour, so that the colour need not be seen. */
const PLATES: Record<Colour, string> = {
  b: round(6.9),
  y: "M-6.1-6.1H6.1V6.1H-6.1Z",
  g: "M-7.7 0-3.9-6.5H3.9L7.7 0 3.9 6.5H-3.9Z",
  r: "M0-8.7 8.7 0 0 8.7-8.7 0Z",
  k: "M-2.9-7H2.9L7-2.9V2.9L2.9 7H-2.9L-7 2.9V-2.9Z",
};

function Face({ tile }: { tile: Tile }) {
  const symbol = tileSymbol(tile);
  const face = faceOf(tile);
  if (symbol) return <Sign symbol={symbol} scale={0.82} />;
  if (face === "*") return <path class="blockers-sign" d={JOKER} />;
  return (
    <text class="blockers-face" y="3.7">
      {face}
    </text>
  );
}

/** A tile, 18 units wide, around 0, 0. */
export function Piece({ tile }: { tile: Tile }) {
  const colour = colourOf(tile);
  return (
    <g class={`blockers-piece blockers-${colour}`}>
      <rect class="blockers-body" x="-9" y="-9" width="18" height="18" rx="3" />
      <path class="blockers-plate" d={PLATES[colour]} />
      <Face tile={tile} />
    </g>
  );
}

/** A tile in a text: its own small picture; its size in letters. */
export function SmallTile({ tile, size = 1.5 }: { tile: Tile; size?: number }) {
  return (
    <svg
      class="blockers-small"
      viewBox="-9.6 -9.6 19.2 19.2"
      width={`${size}em`}
      height={`${size}em`}
      aria-hidden="true"
    >
      <Piece tile={tile} />
    </svg>
  );
}

/** A colour in a text: a tile without a face. */
export function SmallColour({ colour, size = 1.25 }: { colour: Colour; size?: number }) {
  return (
    <svg
      class="blockers-small"
      viewBox="-9.6 -9.6 19.2 19.2"
      width={`${size}em`}
      height={`${size}em`}
      aria-hidden="true"
    >
      <g class={`blockers-piece blockers-${colour}`}>
        <rect class="blockers-body" x="-9" y="-9" width="18" height="18" rx="3" />
        <path class="blockers-plate" d={PLATES[colour]} transform="scale(0.8)" />
      </g>
    </svg>
  );
}
