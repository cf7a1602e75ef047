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
  abstract readonly desk: Pick<Desk, "may" | "view" | "hints">;
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

  /** Put the tile back when the table has changed, and when hints are drawn in its stead. */
  protected dropOnNews(): void {
    const { view, hints } = this.desk;
    let [number, drawn] = [view.peek().number, hints.peek()];
    effect(() => {
      const hinted = hints.value !== drawn && hints.value.length > 0;
      const changed = view.value.number !== number;
      [number, drawn] = [view.value.number, hints.value];
      if (changed || hinted) this.drop();
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
