import { hexagon, type Point, roundPoly } from "../../art/shapes";
import { SIZE, vector, WIDTH } from "./hex";
import { Glyph } from "./Sign";
import type { Colour, Tile } from "./view";
import "./Domino.css";

/** The outline of one piece over two neighbouring hexagons: rounded, with a waist. */
function pairPath(way: number, size: number, radius = 2.4): string {
  const { x, y } = vector(way);
  const [cos, sin] = [x / WIDTH, y / WIDTH];
  const side = hexagon(size)[1]![0];
  const waist = size * 0.465 - 0.35;
  // Where the second half lies to the right: the upper side, then the lower one.
  const upper: Point[] = [
    [0, -size],
    [side, -size / 2 + 0.2],
    [WIDTH / 2, -waist],
    [WIDTH - side, -size / 2 + 0.2],
    [WIDTH, -size],
    [WIDTH + side, -size / 2],
  ];
  const lower: Point[] = [
    [WIDTH + side, size / 2],
    [WIDTH, size],
    [WIDTH - side, size / 2 - 0.2],
    [WIDTH / 2, waist],
    [side, size / 2 - 0.2],
    [0, size],
    [-side, size / 2],
    [-side, -size / 2],
  ];
  const turned = [...upper, ...lower].map(
    ([px, py]): Point => [px * cos - py * sin, px * sin + py * cos],
  );
  return roundPoly(turned, radius);
}

const WAYS = [0, 1, 2, 3, 4, 5];
const BODY = WAYS.map((way) => pairPath(way, SIZE * 0.93));
const RIM = WAYS.map((way) => pairPath(way, SIZE * 0.87));
export const MARK = WAYS.map((way) => pairPath(way, SIZE * 0.92));

interface DominoProps {
  tile: Tile;
  way: number;
  /** How far it is lifted above the board: lifted means undecided. */
  up?: number;
}

/** A tile as one piece: the first half at 0, 0, the second in a direction. */
export function Domino({ tile, way, up = 0 }: DominoProps) {
  const { x, y } = vector(way);
  const body = BODY[way];
  const edge = 1.1 + up * 0.2;
  return (
    <>
      <path
        class={up > 0 ? "genial-shadow soft" : "genial-shadow"}
        d={body}
        transform={`translate(${up * 0.4} ${edge + 0.7 + up * 2.4})`}
      />
      <g transform={`translate(0 ${-up * 0.6})`}>
        <path class="genial-edge" d={body} transform={`translate(0 ${edge})`} />
        <path class="genial-body" d={body} />
        <path class="genial-rim" d={RIM[way]} />
        <Glyph colour={tile.charAt(0) as Colour} />
        <g transform={`translate(${x} ${y})`}>
          <Glyph colour={tile.charAt(1) as Colour} />
        </g>
      </g>
    </>
  );
}

/** A tile that lies across, in a text or a list. */
export function SmallDomino({ tile }: { tile: Tile }) {
  return (
    <svg class="genial-domino" viewBox={`-10 -10.5 ${WIDTH + 20} 23`} aria-hidden="true">
      <Domino tile={tile} way={0} />
    </svg>
  );
}

const HALF = roundPoly(hexagon(9.3), 2.4);

/** One half, where it is not known what it came with. */
export function HalfTile({ colour }: { colour: Colour }) {
  return (
    <>
      <path class="genial-edge" d={HALF} transform="translate(0 1.1)" />
      <path class="genial-body" d={HALF} />
      <Glyph colour={colour} />
    </>
  );
}

/** What tiles and tray are filled with; once on a page. */
export function Defs() {
  return (
    <>
      <linearGradient id="g-body" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="var(--slate-hi)" />
        <stop offset="1" stop-color="var(--slate)" />
      </linearGradient>
      <linearGradient id="g-rim" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#fff" stop-opacity=".55" />
        <stop offset=".5" stop-color="#fff" stop-opacity=".14" />
        <stop offset="1" stop-color="#000" stop-opacity=".35" />
      </linearGradient>
      <radialGradient id="g-cell" cx=".5" cy=".62" r=".6">
        <stop offset=".55" stop-color="var(--cell)" />
        <stop offset="1" stop-color="var(--cell-lo)" />
      </radialGradient>
      <linearGradient id="tray" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="var(--tray-hi)" />
        <stop offset="1" stop-color="var(--tray)" />
      </linearGradient>
      <filter id="g-soft" x="-40%" y="-40%" width="180%" height="180%">
        <feGaussianBlur stdDeviation="1.6" />
      </filter>
    </>
  );
}

const BITS = ["RY", "BG", "PO", "GR", "YP", "OB"];

/** A tile around its middle, to celebrate with. */
export function Bit({ index }: { index: number }) {
  return (
    <g transform={`translate(${-WIDTH / 2} 0)`}>
      <Domino tile={BITS[index % 6]!} way={0} />
    </g>
  );
}
