import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Desk } from "../types";
import type { Point } from "./pointer";

/** A model whose tile hovers over the board, as a ghost, until the move is confirmed. */
export abstract class Placing<C> {
  /** Where the ghost is. */
  readonly at = signal<C | null>(null);
  /** Whether the ghost is fixed, so that a hovering mouse does not move it. */
  readonly fixed = signal(false);
  /** The keyboard cursor. */
  readonly cursor = signal<C | null>(null);
  /** A dragged tile that is over no legal cell, in screen coordinates. */
  readonly drag = signal<Point | null>(null);
  abstract readonly desk: Pick<Desk, "may">;
  abstract readonly tile: ReadonlySignal<string | null>;

  abstract cellAt(point: Point): C | null;
  /** Put the ghost on a cell if the tile may go there; if not, say why. */
  abstract set(cell: C, fixed: boolean, hint?: boolean): boolean;
  /** A tap or a click on a cell. */
  abstract tap(cell: C): void;
  abstract place(): boolean;

  /** Put the tile back. */
  drop(): void {
    this.at.value = null;
    this.fixed.value = false;
    this.drag.value = null;
  }

  /** Put it back whenever the table has changed. */
  protected dropAtChange(view: ReadonlySignal<{ number: number }>): void {
    let { number } = view.peek();
    effect(() => {
      if (view.value.number === number) return;
      number = view.value.number;
      this.drop();
    });
  }

  /** Enter: make the move, or say why there is none. */
  enter(): boolean {
    if (this.place()) return true;
    const cell = this.cursor.value;
    if (cell === null || !this.desk.may.value) return false;
    this.tap(cell);
    return true;
  }

  /** Escape: put the tile back; where there is none, hide the cursor. */
  cancel(): void {
    if (this.tile.value === null) this.cursor.value = null;
    this.drop();
  }
}
