import { hexagon, round2, roundPoly } from "../../art/shapes";
import type { GenialView } from "../../protocol";
import type { Point } from "../common/pointer";
import { cellsOf, pointOf, WIDTH } from "./hex";
import type { Ghost } from "./model";
import type { Cell, Colour } from "./view";

/** One half of a tile and the lines that it makes. */
export interface Half {
  cell: Cell;
  colour: Colour;
  lines: readonly { cells: Cell[] }[];
  points: number;
}

const RING = roundPoly(hexagon(8.6), 2);

interface RaysProps {
  halves: readonly Half[];
  /** A ring on each hexagon that counts; a link over each joint. */
  rings?: boolean;
  links?: boolean;
}

/** The lines that score. Symbols stay clear. */
export function Rays({ halves, rings = true, links = true }: RaysProps) {
  return (
    <>
      {halves.flatMap((half, index) =>
        half.lines.map((line, at) => (
          <g key={`${index} ${at}`}>
            {rings &&
              line.cells.map((cell, away) => {
                const { x, y } = pointOf(cell);
                return (
                  <path
                    key={cell}
                    style={{ "--away": away }}
                    class={`genial-lit genial-line-${half.colour}`}
                    d={RING}
                    transform={`translate(${x} ${y})`}
                  />
                );
              })}
            {links && <Links cells={[half.cell, ...line.cells]} colour={half.colour} />}
          </g>
        )),
      )}
    </>
  );
}

/** A short bridge over each joint of a line, from .37 to .63 of the way. */
function Links({ cells, colour }: { cells: Cell[]; colour: Colour }) {
  const path = cells
    .slice(1)
    .map((cell, index) => {
      const [from, to] = [pointOf(cells[index]!), pointOf(cell)];
      const at = (part: number) =>
        `${round2(from.x + (to.x - from.x) * part)} ${round2(from.y + (to.y - from.y) * part)}`;
      return `M${at(0.37)}L${at(0.63)}`;
    })
    .join("");
  return (
    <>
      <path class="genial-link-edge" d={path} />
      <path class={`genial-link genial-line-${colour}`} d={path} />
    </>
  );
}

interface PointsProps {
  at: Point;
  points: number;
  /** Beside the tile; else on the corner of its hexagon. */
  beside?: boolean;
}

export function Points({ at, points, beside = false }: PointsProps) {
  const [x, y] = beside ? [at.x, at.y] : [at.x + 5, at.y - 7];
  return (
    <g class="genial-points" transform={`translate(${round2(x)} ${round2(y)})`}>
      <rect x="-6" y="-4.2" width="12" height="8.4" rx="4.2" />
      <text y="2.3">+{points}</text>
    </g>
  );
}

/** Where the points of a hovering tile stand: beside it, on the side with more free cells. */
export function restOf(ghost: Ghost, { radius, symbols }: GenialView): Point {
  const [a, b] = [pointOf(ghost.first), pointOf(ghost.second)];
  const [across, down] = [(a.y - b.y) / WIDTH, (b.x - a.x) / WIDTH];
  const crowd = (side: number) =>
    cellsOf(radius).filter((cell) => {
      const at = pointOf(cell);
      const near = (from: Point) =>
        Math.hypot(at.x - from.x - across * side * 13, at.y - from.y - down * side * 13) < 9;
      return symbols[cell] && (near(a) || near(b));
    }).length;
  const up = down < 0 || (down === 0 && across > 0) ? 1 : -1;
  const side = crowd(up) <= crowd(-up) ? up : -up;
  return { x: across * side * 14.2, y: down * side * 14.2 };
}
