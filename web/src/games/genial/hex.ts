import type { Point } from "../common/pointer";
import type { Cell, Colour } from "./view";

/** Where cells lie on the screen: pointy-top hexagons, with h8 in the middle. */

export const SIZE = 10;
export const WIDTH = Math.sqrt(3) * SIZE;
const ROW = 1.5 * SIZE;

/** Steps to the neighbours as (rows, numbers), clockwise from the right. */
export const WAYS: readonly (readonly [rows: number, numbers: number])[] = [
  [0, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, 0],
  [1, 1],
];

const ROWS = "abcdefghijklmno";

export function place(cell: Cell): [row: number, number: number] {
  return [ROWS.indexOf(cell.charAt(0)) - 7, Number(cell.slice(1)) - 8];
}

export function cellAt(row: number, number: number): Cell {
  return `${ROWS[row + 7]}${number + 8}`;
}

function within(row: number, number: number, radius: number): boolean {
  return Math.max(Math.abs(row), Math.abs(number), Math.abs(row - number)) <= radius;
}

export function cellsOf(radius: number): Cell[] {
  const cells: Cell[] = [];
  for (let row = radius; row >= -radius; row--) {
    for (let number = -radius; number <= radius; number++) {
      if (within(row, number, radius)) cells.push(cellAt(row, number));
    }
  }
  return cells;
}

/** The neighbour in a direction (0–5), or null beyond the edge. */
export function step(cell: Cell, way: number, radius: number): Cell | null {
  const [row, number] = place(cell);
  const [rows, numbers] = WAYS[((way % 6) + 6) % 6]!;
  return within(row + rows, number + numbers, radius) ? cellAt(row + rows, number + numbers) : null;
}

/** The direction from a cell to its neighbour. */
export function wayTo(from: Cell, to: Cell): number {
  const [row, number] = place(from);
  const [toRow, toNumber] = place(to);
  return Math.max(
    0,
    WAYS.findIndex(([rows, numbers]) => row + rows === toRow && number + numbers === toNumber),
  );
}

export function pointOf(cell: Cell): Point {
  const [row, number] = place(cell);
  return { x: (number - row / 2) * WIDTH, y: -row * ROW };
}

/** The vector from a cell to its neighbour. */
export function vector(way: number): Point {
  const [rows, numbers] = WAYS[((way % 6) + 6) % 6]!;
  return { x: (numbers - rows / 2) * WIDTH, y: -rows * ROW };
}

/** The cell nearest to a point, or null well outside the board. */
export function nearest(point: Point, radius: number): Cell | null {
  const row = -point.y / ROW;
  let best: Cell | null = null;
  let least = SIZE * SIZE * 2.5;
  for (let r = Math.floor(row) - 1; r <= Math.floor(row) + 2; r++) {
    const number = point.x / WIDTH + r / 2;
    for (let n = Math.floor(number) - 1; n <= Math.floor(number) + 2; n++) {
      if (!within(r, n, radius)) continue;
      const at = pointOf(cellAt(r, n));
      const distance = (at.x - point.x) ** 2 + (at.y - point.y) ** 2;
      if (distance < least) {
        least = distance;
        best = cellAt(r, n);
      }
    }
  }
  return best;
}

export interface Reach {
  way: number;
  cells: Cell[];
}

/** For drawing: the same symbols in a row from a cell, in each direction but one. */
export function linesFrom(
  symbols: Record<Cell, Colour>,
  cell: Cell,
  colour: Colour,
  radius: number,
  except: number,
): Reach[] {
  const lines: Reach[] = [];
  for (let way = 0; way < 6; way++) {
    if (way === except) continue;
    const cells: Cell[] = [];
    let at = step(cell, way, radius);
    while (at !== null && symbols[at] === colour) {
      cells.push(at);
      at = step(at, way, radius);
    }
    if (cells.length > 0) lines.push({ way, cells });
  }
  return lines;
}
