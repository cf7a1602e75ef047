import { useRef } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import type { PartProps } from "../types";
import { LIFT, toBoard } from "./Board";
import { Domino } from "./Domino";
import { nearest, vector } from "./hex";
import { type Model, tileWords } from "./model";
import type { GenialView } from "./view";

type Props = PartProps<GenialView, Model>;

export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (view.hand === null) return null;
  const placing = desk.may.value && view.phase === "place";
  return (
    <div class={`genial-hand${placing ? " open" : ""}`}>
      <div class="genial-tiles" role="group" aria-label={t("genial-hand")}>
        {view.hand.map((tile, index) => (
          <HandTile
            key={`${index}${tile}`}
            tile={tile}
            index={index}
            desk={desk}
            model={model}
            on={model.chosen.value === index}
          />
        ))}
      </div>
      {view.phase === "swap" && desk.may.value ? (
        <Swap desk={desk} model={model} />
      ) : (
        <Buttons desk={desk} model={model} />
      )}
      <DragTile model={model} />
    </div>
  );
}

interface HandTileProps extends Props {
  tile: string;
  index: number;
  on: boolean;
}

function HandTile({ tile, index, desk, model, on }: HandTileProps) {
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const board = () => document.querySelector<SVGSVGElement>("#genial-board");
  const open = desk.may.value && desk.view.value.phase === "place";
  const way = on ? model.way.value : 1;
  const { x, y } = vector(way);

  const down = (event: PointerEvent) => {
    if (!open || event.button !== 0) return;
    start.current = { x: event.clientX, y: event.clientY, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const from = start.current;
    if (!from) return;
    if (!from.moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 8) return;
    from.moved = true;
    if (model.chosen.value !== index) model.choose(index);
    const lift = event.pointerType === "mouse" ? 0 : LIFT;
    const point = toBoard(board(), event.clientX, event.clientY - lift);
    const cell = nearest(point, desk.view.value.radius);
    if (cell && model.set(cell, true, false)) model.drag.value = null;
    else {
      model.at.value = null;
      model.drag.value = { x: event.clientX, y: event.clientY - lift };
    }
  };
  const up = () => {
    model.drag.value = null;
    if (start.current && !start.current.moved) start.current = null;
  };
  return (
    <button
      type="button"
      class={`genial-tile${on ? " on" : ""}`}
      aria-pressed={on}
      aria-label={`${index + 1}: ${tileWords(tile)}`}
      disabled={!open}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onClick={() => {
        const dragged = start.current?.moved;
        start.current = null;
        if (!dragged) model.choose(index);
      }}
    >
      <svg viewBox={`${x / 2 - 18.5} ${y / 2 - 18.5} 37 37`} aria-hidden="true">
        <Domino tile={tile} way={way} />
      </svg>
      <kbd aria-hidden="true">{index + 1}</kbd>
    </button>
  );
}

function Buttons({ desk, model }: Props) {
  const ghost = model.ghost.value;
  const placing = desk.may.value && desk.view.value.phase === "place";
  const points = ghost ? ghost.points[0] + ghost.points[1] : 0;
  return (
    <div class="genial-buttons">
      <button
        type="button"
        class="button"
        disabled={!placing || model.chosen.value === null}
        onClick={() => model.turn(1)}
      >
        <Icon name="turn" size={20} /> {t("genial-turn")}
      </button>
      {ghost && (
        <button
          type="button"
          class="icon-button"
          aria-label={t("genial-cancel")}
          onClick={() => model.drop()}
        >
          <Icon name="close" />
        </button>
      )}
      <button
        type="button"
        class="button primary"
        disabled={!placing || !ghost?.move}
        onClick={() => model.place()}
      >
        {t("genial-place")}
        {ghost && <strong>+{points}</strong>}
      </button>
    </div>
  );
}

function Swap({ desk }: Props) {
  return (
    <div class="genial-buttons genial-swap">
      <button type="button" class="button primary" onClick={() => desk.move("swap")}>
        {t("genial-swap")}
      </button>
      <button type="button" class="button" onClick={() => desk.move("keep")}>
        {t("genial-keep")}
      </button>
    </div>
  );
}

/** The tile under the finger while it is not over the board. */
function DragTile({ model }: { model: Model }) {
  const drag = model.drag.value;
  const tile = model.tile.value;
  if (!drag || !tile) return null;
  const { x, y } = vector(model.way.value);
  return (
    <svg
      class="genial-drag"
      viewBox={`${x / 2 - 20} ${y / 2 - 20} 40 40`}
      aria-hidden="true"
      style={{ left: `${drag.x}px`, top: `${drag.y}px` }}
    >
      <Domino tile={tile} way={model.way.value} />
    </svg>
  );
}
