import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import { IconButton } from "../../ui/IconButton";
import type { Desk } from "../types";
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

interface CancelProps {
  open: boolean;
  desk: Pick<Desk, "undoable" | "undo">;
  onClick(): void;
}

/** Puts the tile in hand back; without one, undoes the last tile of this turn. It is always there,
 * so that nothing moves when a tile is chosen. */
export function CancelButton({ open, desk, onClick }: CancelProps) {
  if (!open && desk.undoable.value) {
    return (
      <IconButton
        icon="undo"
        label={t("undo")}
        class="cancel-button undo-button"
        onClick={() => desk.undo()}
      />
    );
  }
  return (
    <IconButton
      icon="close"
      label={t("cancel-tile")}
      class="cancel-button"
      disabled={!open}
      onClick={onClick}
    />
  );
}

type TurnDesk = Pick<Desk, "turn" | "undo" | "endTurn" | "now">;

/** Instead of the other buttons while our turn is held: undo, or end it. */
export function TurnButtons({ desk }: { desk: TurnDesk }) {
  return (
    <div class="hand-buttons turn-buttons">
      <button
        type="button"
        class="button undo-button"
        aria-label={t("undo")}
        title={t("undo")}
        onClick={() => desk.undo()}
      >
        <Icon name="undo" size={20} /> <span>{t("undo")}</span>
        <kbd aria-hidden="true">U</kbd>
      </button>
      {/* Not by the second press of a double one: the button stands where the tile was placed by. */}
      <button
        type="button"
        class="button primary"
        onClick={(event) => event.detail < 2 && desk.endTurn()}
      >
        <Ring desk={desk} /> {t("end-turn")}
      </button>
    </div>
  );
}

const RING = 2 * Math.PI * 9;
const RING_TICK = 100;

/** How much time is left until the turn ends by itself. */
function Ring({ desk }: { desk: TurnDesk }) {
  const { ends, total } = desk.turn.value ?? { ends: 0, total: 0 };
  const [left, setLeft] = useState(1);
  useEffect(() => {
    if (total === 0) return;
    const look = () => setLeft(Math.min(1, Math.max(0, (ends - desk.now()) / total)));
    look();
    const timer = setInterval(look, RING_TICK);
    return () => clearInterval(timer);
  }, [ends, total, desk]);
  if (total === 0) return null;
  return (
    <svg class="turn-ring" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="9" />
      <circle cx="12" cy="12" r="9" stroke-dasharray={RING} stroke-dashoffset={RING * (1 - left)} />
      <text x="12" y="15.500">
        {Math.ceil((left * total) / 1000)}
      </text>
    </svg>
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
