import type { Model } from "./model";
import type { Slot, TileId } from "./view";

/** A finger moves a tile from here on. */
const FAR = 7;

/** One tile under one finger, from the tray or from the galaxy. Other fingers do not disturb it. */
export class Drag {
  private pointer: number | null = null;
  private from = { x: 0, y: 0 };
  private tile: TileId | null = null;
  private size = 0;
  private moved = false;

  constructor(private readonly model: Model) {}

  /** A finger goes down, on a tile or on nothing. `size`: of the tile to be drawn, in pixels. */
  down(event: PointerEvent, tile: TileId | null, size: number): void {
    if (event.button !== 0 || this.pointer !== null) return;
    this.pointer = event.pointerId;
    this.from = { x: event.clientX, y: event.clientY };
    this.tile = tile;
    this.size = size;
    this.moved = false;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    const { clientX: x, clientY: y } = event;
    if (!this.moved && Math.hypot(x - this.from.x, y - this.from.y) < FAR) return;
    this.moved = true;
    if (this.tile === null || !this.model.building.value) return;
    this.model.drag.value = { tile: this.tile, x, y, size: this.size };
    this.model.over.value = this.under(x, y);
  }

  /** The finger is lifted. True: it was a tap. */
  up(event: PointerEvent): boolean {
    if (event.pointerId !== this.pointer) return false;
    const dragged = this.moved && this.tile !== null && this.model.drag.value !== null;
    if (dragged && this.tile !== null) {
      this.model.dropped(this.tile, this.under(event.clientX, event.clientY));
    }
    this.pointer = null;
    return !this.moved;
  }

  /** The browser takes the finger away: nothing has happened. */
  cancel(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.moved = false;
    this.model.drag.value = null;
    this.model.over.value = null;
  }

  private under(x: number, y: number): Slot | "supply" | "aside" | null {
    const slot = this.model.find(x, y);
    if (slot) return slot;
    const part = document.elementFromPoint(x, y)?.closest(".kaosmos-aside, .part-hand");
    if (!part) return null;
    return part.classList.contains("kaosmos-aside") ? "aside" : "supply";
  }
}
