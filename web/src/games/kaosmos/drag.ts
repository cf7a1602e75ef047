import { type PressHandlers, pointOf } from "../common/pointer";
import type { Model } from "./model";
import type { Slot, TileId } from "./view";

/** What was pressed: a tile with its size on the screen, or nothing that can be moved. */
export interface Held {
  tile: TileId | null;
  size: number;
}

/** A tile under a finger, from the tray or from the galaxy, is laid where it is let go. */
export function dragging(model: Model): Omit<PressHandlers<Held>, "down"> {
  return {
    drag({ tile, size }, event) {
      if (tile === null || !model.building.value) return;
      model.drag.value = { tile, size, ...pointOf(event) };
      model.over.value = under(model, event);
    },
    drop({ tile }, event) {
      if (tile !== null && model.drag.value !== null) model.dropped(tile, under(model, event));
    },
    cancel() {
      model.drag.value = null;
      model.over.value = null;
    },
  };
}

function under(model: Model, event: PointerEvent): Slot | "supply" | "aside" | null {
  const { x, y } = pointOf(event);
  const slot = model.find(x, y);
  if (slot) return slot;
  const part = document.elementFromPoint(x, y)?.closest(".kaosmos-aside, .part-hand");
  if (!part) return null;
  return part.classList.contains("kaosmos-aside") ? "aside" : "supply";
}
