import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import type { Placing } from "./placing";
import { dragTo, type Point, type PressProps, usePress } from "./pointer";
import "./Hand.css";

interface TileButtonProps {
  index: number;
  /** The tile in words. */
  name: string;
  on: boolean;
  open: boolean;
  class?: string;
  press: Partial<PressProps>;
  tile?: string;
  children: ComponentChildren;
}

/** One tile that can be chosen, with the digit of its key. */
export function TileButton({ index, name, on, open, press, tile, ...more }: TileButtonProps) {
  return (
    <button
      type="button"
      class={`tile${on ? " on" : ""} ${more.class ?? ""}`}
      aria-pressed={on}
      aria-label={`${index + 1}: ${name}`}
      disabled={!open}
      data-tile={tile}
      {...press}
    >
      {more.children}
      <kbd aria-hidden="true">{(index + 1) % 10}</kbd>
    </button>
  );
}

interface HandTileProps<C> extends Omit<TileButtonProps, "on" | "press"> {
  model: Placing<C>;
  /** Whether it is the chosen tile. Evaluated at each event. */
  chosen(): boolean;
  choose(): void;
  /** Whether it can be dragged to the board. */
  useful?: boolean;
}

/** A tile that is dragged to the board, or chosen for a cell. */
export function HandTile<C>(props: HandTileProps<C>) {
  const { model, chosen, choose, useful = true, ...rest } = props;
  const press = usePress<true>({
    down: () => rest.open || null,
    tap: () => {
      model.cursor.value = null;
      choose();
    },
    drag: (_, event) => {
      if (!useful) return;
      if (!chosen()) choose();
      dragTo(model, event);
    },
    drop: () => {
      model.drag.value = null;
    },
    cancel: () => {
      model.drag.value = null;
    },
    // Enter on the chosen tile places it at the cursor or the ghost.
    click: () => {
      if (!(chosen() && model.enter())) choose();
    },
  });
  return <TileButton {...rest} on={chosen()} press={press} />;
}

/** Puts the tile in hand back. It is always there, so that nothing moves when a tile is chosen. */
export function CancelButton({ open, onClick }: { open: boolean; onClick(): void }) {
  return (
    <button
      type="button"
      class="icon-button cancel-button"
      aria-label={t("cancel-tile")}
      title={t("cancel-tile")}
      disabled={!open}
      onClick={onClick}
    >
      <Icon name="close" />
    </button>
  );
}

interface DragTileProps {
  at: Point;
  /** Its width on the screen, in pixels. */
  size: number;
  box: string;
  children: ComponentChildren;
}

/** The tile under the finger. */
export function DragTile({ at, size, box, children }: DragTileProps) {
  return (
    <svg
      class="drag-tile"
      viewBox={box}
      aria-hidden="true"
      style={{
        width: `${size}px`,
        height: `${size}px`,
        transform: `translate(${at.x - size / 2}px, ${at.y - size / 2}px)`,
      }}
    >
      {children}
    </svg>
  );
}
