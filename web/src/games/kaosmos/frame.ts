import { outline as outlineOf, type Side } from "../../art/shapes";
import { CARD_SHAPES } from "./tiles";
import type { Field, Galaxy, Slot } from "./view";

/** The side of a tile, in the board's own units; fields are half of it. */
export const TILE = 40;
const HALF = TILE / 2;
/** From a tile to its neighbour: there is a joint between them. */
const PITCH = TILE * 1.025;

/** How much of the empty column between two squares is left out. */
const GAP = 0.7;

export type ShapeName = "square" | "row" | "twins" | "ring" | "free";

const COLUMNS = "abcdefghi";

function slotsOf(columns: string, rows: string, without = ""): Slot[] {
  return [...rows].flatMap((row) =>
    [...columns].map((column) => column + row).filter((slot) => slot !== without),
  );
}

/** Where tiles can lie in each shape. */
export const SHAPES: Record<ShapeName, Slot[]> = {
  square: slotsOf("abc", "123"),
  row: slotsOf(COLUMNS, "1"),
  twins: slotsOf("abde", "12"),
  ring: slotsOf("abc", "123", "b2"),
  free: slotsOf(COLUMNS, "123456789"),
};

/** How many of the nine tiles complete a shape. */
export function sizeOf(shape: ShapeName): number {
  return Math.min(9, SHAPES[shape].length);
}

export function shapeOf(card: string | null): ShapeName {
  return (card === null ? "square" : (CARD_SHAPES[card] ?? "square")) as ShapeName;
}

/** The shape of a finished galaxy, derived from its slots: the card of its round may be gone. */
export function shapeOfGalaxy(galaxy: Galaxy): ShapeName {
  const slots = Object.keys(galaxy);
  const fits = (name: ShapeName) =>
    slots.length === SHAPES[name].length && slots.every((slot) => SHAPES[name].includes(slot));
  return (["square", "ring", "twins", "row"] as const).find(fits) ?? "free";
}

export function columnOf(slot: Slot): number {
  return COLUMNS.indexOf(slot.charAt(0));
}

export function rowOf(slot: Slot): number {
  return Number(slot.charAt(1)) - 1;
}

export function slotAt(column: number, row: number): Slot | null {
  return column >= 0 && row >= 0 && column < 9 && row < 9
    ? `${COLUMNS.charAt(column)}${row + 1}`
    : null;
}

/** The columns and rows that are shown, both ends included. */
export interface Window {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The middle of the free frame; it grows with the galaxy, so that there is room around it. */
const MIDDLE: Window = { left: 2, right: 6, top: 2, bottom: 6 };

export function windowAround(slots: Slot[], before: Window = MIDDLE): Window {
  const columns = slots.map(columnOf);
  const rows = slots.map(rowOf);
  return {
    left: Math.max(0, Math.min(before.left, ...columns.map((column) => column - 1))),
    right: Math.min(8, Math.max(before.right, ...columns.map((column) => column + 1))),
    top: Math.max(0, Math.min(before.top, ...rows.map((row) => row - 1))),
    bottom: Math.min(8, Math.max(before.bottom, ...rows.map((row) => row + 1))),
  };
}

/** The window that just holds a galaxy. */
export function windowOf(slots: Slot[]): Window {
  const columns = slots.map(columnOf);
  const rows = slots.map(rowOf);
  return {
    left: Math.min(...columns),
    right: Math.max(...columns),
    top: Math.min(...rows),
    bottom: Math.max(...rows),
  };
}

/** Where a slot is drawn: its middle. */
export interface Place {
  slot: Slot;
  x: number;
  y: number;
  /** The slot is drawn a second time, to show how a row continues. */
  again?: boolean;
}

export interface Layout {
  places: Place[];
  width: number;
  height: number;
}

/** Where everything is drawn. A row of nine is broken in two: its tiles are twice as large. */
export function layout(shape: ShapeName, window: Window | null): Layout {
  if (shape === "row") {
    const line = (slots: string, y: number, first: number) =>
      [...slots].map((column, index) => ({
        slot: `${column}1`,
        x: HALF + index * PITCH,
        y,
        again: index === first,
      }));
    return {
      places: [...line("abcde", HALF, -1), ...line("efghi", HALF + TILE * 1.3, 0)],
      width: 4 * PITCH + TILE,
      height: 2.3 * TILE,
    };
  }
  const slots = SHAPES[shape].filter((slot) => !window || inside(slot, window));
  const left = Math.min(...slots.map(columnOf));
  const top = Math.min(...slots.map(rowOf));
  // The two squares stand close together: the tiles are the larger.
  const across = (slot: Slot) =>
    columnOf(slot) - left - (shape === "twins" && columnOf(slot) > 2 ? GAP : 0);
  const places = slots.map((slot) => ({
    slot,
    x: HALF + across(slot) * PITCH,
    y: HALF + (rowOf(slot) - top) * PITCH,
  }));
  return {
    places,
    width: Math.max(...places.map((place) => place.x)) + HALF,
    height: Math.max(...places.map((place) => place.y)) + HALF,
  };
}

function inside(slot: Slot, window: Window): boolean {
  const [column, row] = [columnOf(slot), rowOf(slot)];
  return (
    column >= window.left && column <= window.right && row >= window.top && row <= window.bottom
  );
}

/** The place under a point; a row may be missed by a little above and below. */
export function placeAt(all: Layout, shape: ShapeName, x: number, y: number): Place | null {
  const reach = shape === "row" ? TILE * 0.65 : HALF + 2;
  let best: Place | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const place of all.places) {
    const [dx, dy] = [Math.abs(place.x - x), Math.abs(place.y - y)];
    if (dx <= HALF + 2 && dy <= reach && dx + dy < least) {
      best = place;
      least = dx + dy;
    }
  }
  return best;
}

const CORNERS: Record<string, [number, number]> = {
  NW: [0, 0],
  NE: [1, 0],
  SE: [1, 1],
  SW: [0, 1],
};

/** How far inside its fields an outline runs; beside a belt further, so that it stays in sight. */
const INSET = 1.04;
const BESIDE_BELT = 3.28;

/** Whether a belt runs along a side of a field: the board looks it up in the tile that lies there. */
export type BeltAt = (slot: Slot, corner: string, side: Side) => boolean;

/** The outline of some fields, as they are drawn: where a row is broken in two, line by line. */
export function outline(all: Layout, fields: Field[], belt: BeltAt = () => false): string {
  const broken = all.places.some((place) => place.again);
  const lines = broken ? [...new Set(all.places.map((place) => place.y))] : [null];
  return lines
    .map((y) => all.places.filter((place) => y === null || place.y === y))
    .map((places) => outlineIn(places, fields, belt))
    .join("");
}

function outlineIn(places: Place[], fields: Field[], belt: BeltAt): string {
  const at = new Map<string, { x: number; y: number; field: Field }>();
  for (const place of places) {
    for (const field of fields.filter(([slot]) => slot === place.slot)) {
      const [cx, cy] = CORNERS[field[1]] ?? [0, 0];
      const key = `${rowOf(place.slot) * 2 + cy},${columnOf(place.slot) * 2 + cx}`;
      at.set(key, { x: place.x + (cx - 1) * HALF, y: place.y + (cy - 1) * HALF, field });
    }
  }
  const cells = [...at.keys()].map((key) => key.split(",").map(Number) as [number, number]);
  return outlineOf(cells, {
    at: (row, column) => {
      const found = at.get(`${row},${column}`);
      return [found?.x ?? 0, found?.y ?? 0];
    },
    size: HALF,
    inset: (row, column, side) => {
      const field = at.get(`${row},${column}`)?.field;
      return field && belt(field[0], field[1], side) ? BESIDE_BELT : INSET;
    },
    radius: 2.4,
  });
}

/** Some fields, filled. */
export function area(all: Layout, fields: Field[]): string {
  return all.places
    .flatMap((place) =>
      fields
        .filter(([slot]) => slot === place.slot)
        .map(([, corner]) => {
          const [cx, cy] = CORNERS[corner] ?? [0, 0];
          return `M${place.x + (cx - 1) * HALF} ${place.y + (cy - 1) * HALF}h${HALF}v${HALF}h-${HALF}z`;
        }),
    )
    .join("");
}

/** The middle of a field. */
export function middleOf(all: Layout, field: Field): { x: number; y: number } | null {
  const place = all.places.find((each) => each.slot === field[0]);
  const [cx, cy] = CORNERS[field[1]] ?? [0, 0];
  return place ? { x: place.x + (cx - 0.5) * HALF, y: place.y + (cy - 0.5) * HALF } : null;
}

/** A path from tile to tile. In a broken row it continues in the next line. */
export function wayAlong(all: Layout, slots: Slot[]): string {
  const drawn = (slot: Slot) => all.places.filter((place) => place.slot === slot);
  const lines: string[] = [];
  slots.slice(1).forEach((slot, index) => {
    for (const from of drawn(slots[index] ?? "")) {
      for (const to of drawn(slot)) {
        if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < PITCH * 1.1) {
          lines.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
        }
      }
    }
  });
  return lines.join("");
}
