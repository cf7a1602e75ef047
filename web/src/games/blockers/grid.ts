import { type FieldAt, outline } from "../../art/shapes";
import type { Point } from "../common/pointer";
import { type Cell, type Colour, colourOf, faceOf, type Tile } from "./view";

export const ROWS = "ABCDEFGHI";
export const COLUMNS = "123456789";
export const CELLS: Cell[] = [...ROWS].flatMap((row) => [...COLUMNS].map((c) => row + c));

/** The symbols of the nine regions, in reading order. */
const SYMBOLS = [
  "sun",
  "heart",
  "star",
  "square",
  "diamond",
  "triangle",
  "moon",
  "spade",
  "drop",
] as const;
export type RegionSymbol = (typeof SYMBOLS)[number];

/** The side of a cell, and the space between two regions. */
const SIDE = 20;
const GAP = 2.4;
export const SPAN = 9 * SIDE + 2 * GAP;
/** The edge with the letters and numbers. */
export const EDGE = 13;

/** The middle of a row or column, from the edge of the board. */
export function middle(index: number): number {
  return (index + 0.5) * SIDE + Math.floor(index / 3) * GAP;
}

export function pointOf(cell: Cell): Point {
  return {
    x: middle(COLUMNS.indexOf(cell.charAt(1))),
    y: middle(ROWS.indexOf(cell.charAt(0))),
  };
}

/** The cell under a point, or null outside the board. */
export function cellAt({ x, y }: Point): Cell | null {
  const near = (at: number) =>
    [...COLUMNS].findIndex((_, index) => Math.abs(at - middle(index)) <= (SIDE + GAP) / 2);
  const [row, column] = [ROWS[near(y)], COLUMNS[near(x)]];
  return row && column ? row + column : null;
}

/** The cell one step away, or null at the edge. */
export function step(cell: Cell, down: number, right: number): Cell | null {
  const row = ROWS[ROWS.indexOf(cell.charAt(0)) + down];
  const column = COLUMNS[COLUMNS.indexOf(cell.charAt(1)) + right];
  return row && column ? row + column : null;
}

function neighbours(cell: Cell): Cell[] {
  const around = [step(cell, -1, 0), step(cell, 0, -1), step(cell, 0, 1), step(cell, 1, 0)];
  return around.filter((each) => each !== null);
}

/** The region of a cell, 0–8 in reading order. */
export function regionOf(cell: Cell): number {
  const row = ROWS.indexOf(cell.charAt(0));
  const column = COLUMNS.indexOf(cell.charAt(1));
  return Math.floor(row / 3) * 3 + Math.floor(column / 3);
}

export function symbolOf(cell: Cell): RegionSymbol {
  return SYMBOLS[regionOf(cell)]!;
}

/** The symbol that a tile shows, or null for a number, a letter or a joker. */
export function tileSymbol(tile: Tile): RegionSymbol | null {
  const face = faceOf(tile);
  return face.startsWith("#") ? (SYMBOLS[Number(face.slice(1)) - 1] ?? null) : null;
}

/** Whether a tile matches a cell: by column, row, region or joker. */
export function matches(tile: Tile, cell: Cell): boolean {
  const face = faceOf(tile);
  if (face === "*" || cell.includes(face)) return true;
  return tileSymbol(tile) === symbolOf(cell);
}

/** The orthogonally connected groups of these cells. */
export function groupsOf(cells: Iterable<Cell>): Cell[][] {
  const left = new Set(cells);
  const groups: Cell[][] = [];
  for (const first of left) {
    left.delete(first);
    const group = [first];
    for (const cell of group) {
      for (const next of neighbours(cell)) if (left.delete(next)) group.push(next);
    }
    groups.push(group);
  }
  return groups;
}

export function cellsOf(board: Record<Cell, Tile>, colour: Colour): Cell[] {
  return CELLS.filter((cell) => board[cell] && colourOf(board[cell]) === colour);
}

/** The parts that the group of a tile would split into without it. */
export function partsWithout(board: Record<Cell, Tile>, cell: Cell): Cell[][] {
  const tile = board[cell];
  if (!tile) return [];
  const group = groupsOf(cellsOf(board, colourOf(tile))).find((each) => each.includes(cell)) ?? [];
  return groupsOf(group.filter((each) => each !== cell));
}

function fieldOf(cell: Cell): FieldAt {
  return [ROWS.indexOf(cell.charAt(0)), COLUMNS.indexOf(cell.charAt(1))];
}

/** The outline of some cells, as they lie. */
export function cellOutline(cells: Cell[], inset: number): string {
  return outline(cells.map(fieldOf), {
    at: (row, column) => [middle(column) - SIDE / 2, middle(row) - SIDE / 2],
    size: SIDE,
    inset: () => inset,
    radius: 3.2,
  });
}
