import { type ReadonlySignal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Placing } from "./placing";

export interface Point {
  x: number;
  y: number;
}

/** The distance from which a touch is a drag, in screen pixels. */
const FAR = 8;
/** How far above a finger the tile hovers, in screen pixels, so that it can be seen. */
const LIFT = 34;

/** Where a finger is that drags something; null for a mouse, and when none is down. */
export const finger = signal<Point | null>(null);

/** Where a tile hovers that a finger drags. */
export function lifted({ x, y }: Point): Point {
  return { x, y: y - LIFT };
}

/** Pointer handlers of one element. `T` is what was pressed. */
export interface PressHandlers<T> {
  /** What is pressed here; null: nothing, and the rest of this gesture is ignored. */
  down(event: PointerEvent): T | null;
  tap?(held: T, event: PointerEvent): void;
  drag?(held: T, event: PointerEvent): void;
  drop?(held: T, event: PointerEvent): void;
  /** The browser cancelled the gesture. */
  cancel?(): void;
  /** A mouse hovers, with no button pressed. */
  hover?(event: PointerEvent): void;
  leave?(): void;
  /** A click without a pointer: Enter on a button, a screen reader. */
  click?(): void;
}

/** One gesture, from pointer down to up. Other fingers are ignored. */
export class Press<T> {
  private pointer: number | null = null;
  private from: Point = { x: 0, y: 0 };
  private held!: T;
  private moved = false;
  /** Whether the click after this gesture was handled already. */
  private answered = false;

  constructor(public on: PressHandlers<T>) {}

  readonly props = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || this.pointer !== null) return;
      const held = this.on.down(event);
      if (held === null) return;
      this.pointer = event.pointerId;
      this.from = { x: event.clientX, y: event.clientY };
      this.held = held;
      this.moved = false;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (this.pointer === null && event.pointerType === "mouse") this.on.hover?.(event);
      if (event.pointerId !== this.pointer) return;
      const { x, y } = this.from;
      if (!this.moved && Math.hypot(event.clientX - x, event.clientY - y) < FAR) return;
      this.moved = true;
      if (event.pointerType !== "mouse") finger.value = { x: event.clientX, y: event.clientY };
      this.on.drag?.(this.held, event);
    },
    onPointerUp: (event: PointerEvent) => {
      if (event.pointerId !== this.pointer) return;
      this.pointer = null;
      finger.value = null;
      this.answered = true;
      if (this.moved) this.on.drop?.(this.held, event);
      else this.on.tap?.(this.held, event);
    },
    onPointerCancel: (event: PointerEvent) => {
      if (event.pointerId !== this.pointer) return;
      this.pointer = null;
      finger.value = null;
      this.on.cancel?.();
    },
    onPointerLeave: () => {
      if (this.pointer === null) this.on.leave?.();
    },
    onClick: (event: MouseEvent) => {
      if (event.detail === 0 || !this.answered) this.on.click?.();
      this.answered = false;
    },
  };
}

export type PressProps = Press<unknown>["props"];

/** The props of an element that can be tapped and dragged. */
export function usePress<T>(on: PressHandlers<T>): PressProps {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers are set at each render
  const press = useMemo(() => new Press(on), []);
  press.on = on;
  return press.props;
}

/** From the screen to the units of the board. */
export function toBoard(svg: SVGSVGElement | null, { x, y }: Point): Point | null {
  const matrix = svg?.getScreenCTM();
  return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : null;
}

/** Where the pointer is; `dragged`: where the tile is drawn that it drags. */
export function pointOf(event: PointerEvent, dragged = false): Point {
  const point = { x: event.clientX, y: event.clientY };
  return dragged && event.pointerType !== "mouse" ? lifted(point) : point;
}

export function boardElement(): SVGSVGElement | null {
  return document.querySelector("svg.board");
}

function cellUnder<C>(svg: SVGSVGElement | null, model: Placing<C>, point: Point): C | null {
  const at = toBoard(svg, point);
  return at && model.cellAt(at);
}

/** Two clicks of a mouse on one cell within this time place the tile, in ms. */
const DOUBLE = 350;
let clicked: { cell: unknown; at: number } = { cell: null, at: 0 };

function isDouble(event: PointerEvent, cell: unknown): boolean {
  if (event.pointerType !== "mouse") return false;
  const twice = clicked.cell === cell && event.timeStamp - clicked.at < DOUBLE;
  clicked = { cell: twice ? null : cell, at: event.timeStamp };
  return twice;
}

/** The pointer on the board of such a model. */
export function useBoardPress<C>(model: Placing<C>, may: ReadonlySignal<boolean>): PressProps {
  const under = (event: PointerEvent, dragged = false) =>
    cellUnder(event.currentTarget as SVGSVGElement, model, pointOf(event, dragged));
  return usePress<true>({
    down: () => may.value || null,
    tap: (_, event) => {
      model.cursor.value = null;
      const cell = under(event);
      if (cell === null) return;
      if (isDouble(event, cell)) model.enter();
      else model.tap(cell);
    },
    drag: (_, event) => {
      const cell = model.tile.value === null ? null : under(event, true);
      if (cell !== null) model.set(cell, true, false);
    },
    hover: (event) => {
      if (model.fixed.value || model.tile.value === null) return;
      const cell = under(event);
      if (cell === null || !model.set(cell, false, false)) model.at.value = null;
    },
    leave: () => {
      if (!model.fixed.value) model.at.value = null;
    },
  });
}

/** Drag the tile in hand: over a cell where it may go it is a ghost, elsewhere under the finger. */
export function dragTo<C>(model: Placing<C>, event: PointerEvent): void {
  const point = pointOf(event, true);
  const cell = cellUnder(boardElement(), model, point);
  if (cell !== null && model.set(cell, true, false)) model.drag.value = null;
  else {
    model.at.value = null;
    model.drag.value = point;
  }
}
