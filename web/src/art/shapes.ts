/** Paths that the drawings share. Lengths are in the units of the drawing. */

export type Point = readonly [x: number, y: number];

export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

export function polar(radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** The corners of a hexagon; the first is above, unless it is turned. */
export function hexagon(radius: number, turned = 0): Point[] {
  return Array.from({ length: 6 }, (_, corner) => polar(radius, 60 * corner - 90 + turned));
}

export function starPoints(points: number, outer: number, inner: number): Point[] {
  return Array.from({ length: 2 * points }, (_, corner) =>
    polar(corner % 2 ? inner : outer, (180 / points) * corner - 90),
  );
}

/** A closed path through the points, with rounded corners. */
export function roundPoly(points: readonly Point[], radius: number): string {
  const count = points.length;
  const parts = points.map(([x, y], index) => {
    const [px, py] = points[(index + count - 1) % count]!;
    const [nx, ny] = points[(index + 1) % count]!;
    const [before, after] = [Math.hypot(px - x, py - y), Math.hypot(nx - x, ny - y)];
    const cut = Math.min(radius, before / 2, after / 2);
    const from = [x + ((px - x) / before) * cut, y + ((py - y) / before) * cut].map(round2);
    const to = [x + ((nx - x) / after) * cut, y + ((ny - y) / after) * cut].map(round2);
    return `${index ? "L" : "M"}${from.join(" ")}Q${round2(x)} ${round2(y)} ${to.join(" ")}`;
  });
  return `${parts.join("")}Z`;
}

/** A square field by its row and column. */
export type FieldAt = readonly [row: number, column: number];
/** Up, right, down, left. */
export type Side = 0 | 1 | 2 | 3;

export const STEPS: readonly FieldAt[] = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

interface Edge {
  to: string;
  from: string;
  side: Side;
  row: number;
  column: number;
}

interface OutlineOptions {
  /** The upper left corner of a field. */
  at(row: number, column: number): Point;
  size: number;
  /** How far each side is pulled in. */
  inset(row: number, column: number, side: Side): number;
  radius: number;
}

/** The corners (row, column) where each side of a field begins and ends, clockwise. */
const ENDS: readonly (readonly [FieldAt, FieldAt])[] = [
  [
    [0, 0],
    [0, 1],
  ],
  [
    [0, 1],
    [1, 1],
  ],
  [
    [1, 1],
    [1, 0],
  ],
  [
    [1, 0],
    [0, 0],
  ],
];

function edgesOf(fields: readonly FieldAt[]): Map<string, Edge[]> {
  const has = new Set(fields.map(([row, column]) => `${row},${column}`));
  const edges = new Map<string, Edge[]>();
  for (const [row, column] of fields) {
    STEPS.forEach(([down, right], side) => {
      if (has.has(`${row + down},${column + right}`)) return;
      const [first, last] = ENDS[side]!;
      const from = `${row + first[0]},${column + first[1]}`;
      const to = `${row + last[0]},${column + last[1]}`;
      const edge = { from, to, side: side as Side, row, column };
      edges.set(from, [...(edges.get(from) ?? []), edge]);
    });
  }
  return edges;
}

/** The outline of some square fields: walk around them, pull each side in, round the corners. */
export function outline(fields: readonly FieldAt[], options: OutlineOptions): string {
  const edges = edgesOf(fields);
  let path = "";
  while (edges.size > 0) path += roundPoly(cornersOf(loopFrom(edges), options), options.radius);
  return path;
}

/** One loop of edges, taken out of the rest. Where fields touch at a corner it stays with one. */
function loopFrom(edges: Map<string, Edge[]>): Edge[] {
  const loop: Edge[] = [];
  let edge: Edge | undefined = edges.values().next().value?.[0];
  while (edge) {
    const now: Edge = edge;
    loop.push(now);
    const left = (edges.get(now.from) ?? []).filter((each) => each !== now);
    if (left.length > 0) edges.set(now.from, left);
    else edges.delete(now.from);
    const next = edges.get(now.to) ?? [];
    edge = next.find((each) => each.side === (now.side + 1) % 4) ?? next[0];
  }
  return loop;
}

function cornersOf(loop: Edge[], { at, size, inset }: OutlineOptions): Point[] {
  const line = ({ row, column, side }: Edge) => {
    const [x, y] = at(row, column);
    const by = inset(row, column, side);
    return [y + by, x + size - by, y + size - by, x + by][side]!;
  };
  const points: Point[] = [];
  loop.forEach((edge, index) => {
    const next = loop[(index + 1) % loop.length]!;
    const [one, two] = [line(edge), line(next)];
    const level = edge.side % 2 === 0;
    if (edge.side % 2 !== next.side % 2) points.push(level ? [two, one] : [one, two]);
    else if (Math.abs(one - two) > 0.01) {
      const [x, y] = at(next.row, next.column);
      const along = [x, y, x + size, y + size][edge.side]!;
      points.push(level ? [along, one] : [one, along], level ? [along, two] : [two, along]);
    }
  });
  return points;
}
