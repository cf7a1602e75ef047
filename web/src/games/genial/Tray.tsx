import { hexagon, polar, roundPoly } from "../../art/shapes";
import { cellAt, cellsOf, place, pointOf, SIZE, WIDTH } from "./hex";
import { Printed } from "./Sign";
import type { Cell, Colour } from "./view";
import "./Tray.css";

/** The six symbols that are printed on the board. */
export const PRINTED: Record<Cell, Colour> = {
  m8: "R",
  m13: "G",
  h13: "B",
  c8: "O",
  c3: "Y",
  h3: "P",
};

const CELL = roundPoly(hexagon(9.5), 1.4);

function flat(size: number): (readonly [number, number])[] {
  return Array.from({ length: 6 }, (_, corner) => polar(size, 60 * corner));
}

/** From the middle of the board to a corner of its tray; coordinates need a wider rim. */
function reach(radius: number, coordinates: boolean): number {
  return (radius + (coordinates ? 1.2 : 0.8)) * WIDTH;
}

export function boardBox(radius: number, coordinates: boolean): string {
  const corner = reach(radius, coordinates);
  const half = (corner * Math.sqrt(3)) / 2;
  return `${-corner - 1} ${-half - 1} ${corner * 2 + 2} ${half * 2 + 6}`;
}

interface TrayProps {
  radius: number;
  coordinates: boolean;
  symbols: Record<Cell, Colour>;
  targets: Set<Cell>;
}

/** The tray with its hollows, the printed symbols and the names of rows and numbers. */
export function Tray({ radius, coordinates, symbols, targets }: TrayProps) {
  const corner = reach(radius, coordinates);
  const inner = roundPoly(flat((radius + 0.66) * WIDTH), 5);
  const outer = roundPoly(flat(corner), 9);
  return (
    <>
      <path class="genial-tray-edge" d={outer} transform="translate(0 3)" />
      <path class="genial-tray" d={outer} />
      <path class="genial-tray-rim" d={roundPoly(flat(corner - 1), 8.4)} />
      <path class="genial-floor-edge" d={inner} />
      <path class="genial-floor" d={inner} transform="translate(0 1)" />
      {cellsOf(radius).map((cell) => {
        const { x, y } = pointOf(cell);
        const taken = symbols[cell] !== undefined;
        const printed = PRINTED[cell];
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <path
              class={`genial-cell${targets.has(cell) ? " target" : ""}${taken ? " taken" : ""}`}
              d={CELL}
            />
            {printed && <Printed colour={printed} />}
          </g>
        );
      })}
      {coordinates && <Coordinates radius={radius} />}
    </>
  );
}

/** Rows at their left ends, numbers at the lower right ends. */
function Coordinates({ radius }: { radius: number }) {
  const along = Array.from({ length: 2 * radius + 1 }, (_, index) => index - radius);
  return (
    <g aria-hidden="true">
      {along.map((row) => {
        const cell = cellAt(row, Math.max(-radius, row - radius));
        const { x, y } = pointOf(cell);
        return (
          <text key={row} class="board-rim" x={x - WIDTH * 0.87} y={y + 2.4}>
            {cell.charAt(0)}
          </text>
        );
      })}
      {along.map((number) => {
        const cell = cellAt(Math.max(-radius, number - radius), number);
        const { x, y } = pointOf(cell);
        return (
          <text key={number} class="board-rim" x={x + WIDTH * 0.43} y={y + SIZE * 1.36 + 1.4}>
            {place(cell)[1] + 8}
          </text>
        );
      })}
    </g>
  );
}
