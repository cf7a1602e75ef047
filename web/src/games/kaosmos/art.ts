import { type Point, polar, roundPoly } from "../../art/shapes";
import type { Face } from "./tiles";

/** A tile is 100 × 100, with four fields of 50. A turned one is drawn from turned data, upright: so
 * neither light nor dunes turn with it. */
export const SIDES = ["N", "E", "S", "W"] as const;
export type Arm = (typeof SIDES)[number];
/** The upper left corners of the fields: NW, NE, SE, SW. */
export const CORNERS: readonly Point[] = [
  [0, 0],
  [50, 0],
  [50, 50],
  [0, 50],
];

/** A tile after some quarter turns clockwise. */
export function turned(face: Face, turns: number): Face {
  const before = (index: number) => (index - turns + 8) % 4;
  return {
    cells: face.cells.map((_, index) => face.cells[before(index)]!) as Face["cells"],
    arms: SIDES.filter((_, index) => face.arms.includes(SIDES[before(index)]!)).join(""),
  };
}

/** A number that is always the same for a tile, to choose among variants. */
export function seedOf(tile: string): number {
  return [...tile].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}

/** The same shapes in every browser, from a small generator of numbers. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const ROCKS = (() => {
  const random = generator(11);
  return Array.from({ length: 8 }, () =>
    Array.from({ length: 7 }, (_, corner) =>
      polar(0.78 + random() * 0.34, corner * 51.4 + random() * 22),
    ),
  );
})();

/** A rock: its shade, and the lit face on it. */
interface Rock {
  shade: string;
  face: string;
}

export function rock(kind: number, x: number, y: number, size: number): Rock {
  const points = ROCKS[kind % 8]!;
  const at = (part: number, dx: number, dy: number) =>
    roundPoly(
      points.map(([a, b]): Point => [x + a * size * part + dx, y + b * size * part + dy]),
      size * 0.25,
    );
  return { shade: at(1, 0, 0), face: at(0.74, -size * 0.14, -size * 0.18) };
}

const AWAY: Record<Arm, Point> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

/** Along the belt, across it, and how large. */
const PLAN: readonly (readonly [number, number, number])[] = [
  [11.5, 1.2, 3.2],
  [19.5, -1.5, 4],
  [27.5, 1.7, 2.6],
  [33.5, -0.9, 3.7],
  [41.2, 1.1, 3.2],
  [47.3, -1.1, 2.4],
];

/** The rocks of a belt from the middle of a tile to the middle of a side. */
export function beltRocks(arm: Arm, seed: number): Rock[] {
  const [ux, uy] = AWAY[arm];
  return PLAN.map(([along, across, size], index) =>
    rock(seed + index, 50 + ux * along - uy * across, 50 + uy * along + ux * across, size),
  );
}

const TO_SIDE: Record<Arm, string> = { N: "V0", E: "H100", S: "V100", W: "H0" };

/** The ground of the belts. */
export function beltBed(arms: string): string {
  return [...arms].map((arm) => `M50 50${TO_SIDE[arm as Arm]}`).join("");
}

const CUTS: readonly (readonly [number, number, Arm, string])[] = [
  [0, 1, "N", "M50 0V50"],
  [1, 2, "E", "M50 50H100"],
  [2, 3, "S", "M50 50V100"],
  [3, 0, "W", "M0 50H50"],
];

/** Where two lands meet without a belt. */
export function seams({ cells, arms }: Face): string {
  return CUTS.filter(
    ([a, b, arm]) => !arms.includes(arm) && cells[a]?.charAt(0) !== cells[b]?.charAt(0),
  )
    .map(([, , , path]) => path)
    .join("");
}

/** How many drawings there are of each land; ice is mirrored from field to field. */
export const VARIANTS: Record<string, number> = { G: 2, B: 4, O: 1, K: 4 };

export function landId(land: string, seed: number, field: number): string {
  return `k-${land}${land === "B" ? field : seed % (VARIANTS[land] ?? 1)}`;
}

/** Where the planets of a field lie, and how large. Its upper left corner always stays free. */
export const PLANETS: readonly (readonly (readonly [x: number, y: number, scale: number])[])[] = [
  [],
  [[26, 26, 1]],
  [
    [32.8, 17, 0.68],
    [17, 33.2, 0.68],
  ],
];

export const STAR = "M0-4.2Q.5-.5 4.2 0 .5.5 0 4.2-.5.5-4.2 0-.5-.5 0-4.2Z";
