import { useRef } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../ui/Icon";
import type { PartProps } from "../types";
import { LIFT, toBoard } from "./Board";
import { cellAt } from "./grid";
import type { Model } from "./model";
import { Piece, SmallTile } from "./Sign";
import type { BlockersView, Tile } from "./view";
import { tileWords } from "./words";

type Props = PartProps<BlockersView, Model>;

export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (view.rack === null) return null;
  const two = view.options.colours.length === 2;
  return (
    <div class={`blockers-hand${desk.may.value ? " open" : ""}${two ? " two" : ""}`}>
      <div class="blockers-tiles" role="group" aria-label={t("blockers-rack")}>
        {view.rack.map((tile, index) => (
          <RackTile key={tile} tile={tile} index={index} desk={desk} model={model} />
        ))}
      </div>
      <Buttons desk={desk} model={model} />
      <DragTile model={model} />
    </div>
  );
}

interface RackTileProps extends Props {
  tile: Tile;
  index: number;
}

function RackTile({ tile, index, desk, model }: RackTileProps) {
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const board = () => document.querySelector<SVGSVGElement>("#blockers-board");
  const open = desk.may.value;
  const on = model.tile.value === tile;
  const useless = open && !model.moves.value.has(tile);
  const fits = model.fits.value.has(tile);
  const drawn = desk.fresh.value.some((event) => event.kind === "drawn" && event.tile === tile);

  const down = (event: PointerEvent) => {
    if (!open || event.button !== 0) return;
    start.current = { x: event.clientX, y: event.clientY, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const from = start.current;
    if (!from || useless) return;
    if (!from.moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 8) return;
    from.moved = true;
    if (model.tile.value !== tile) model.choose(tile);
    const lift = event.pointerType === "mouse" ? 0 : LIFT;
    const cell = cellAt(toBoard(board(), event.clientX, event.clientY - lift));
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
      class={`blockers-tile${on ? " on" : ""}${fits ? " fits" : ""}${useless ? " useless" : ""}${drawn ? " drawn" : ""}`}
      aria-pressed={on}
      aria-label={`${index + 1}: ${tileWords(tile)}`}
      disabled={!open}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onClick={(event) => {
        const dragged = start.current?.moved;
        start.current = null;
        // Enter on the chosen tile, with its ghost on the board, is meant for the ghost.
        if (event.detail === 0 && on && model.place()) return;
        if (!dragged) model.choose(tile);
      }}
    >
      <svg viewBox="-9.8 -9.8 19.6 19.6" aria-hidden="true">
        <Piece tile={tile} />
      </svg>
      <kbd aria-hidden="true">{(index + 1) % 10}</kbd>
    </button>
  );
}

function Buttons({ desk, model }: Props) {
  const { ready } = model;
  const ghost = model.ghost.value;
  const chosen = model.tile.value !== null || model.at.value !== null;
  return (
    <div class="blockers-buttons">
      <p class="blockers-effect">{advice(desk, model)}</p>
      {chosen && (
        <button
          type="button"
          class="icon-button"
          aria-label={t("blockers-cancel")}
          onClick={() => model.drop()}
        >
          <Icon name="close" />
        </button>
      )}
      <button
        type="button"
        class="button primary"
        disabled={!desk.may.value || !ready}
        onClick={() => model.place()}
      >
        {ghost?.taken
          ? t("blockers-take")
          : t(model.discarding ? "blockers-discard" : "blockers-place")}
        {ghost?.taken && <SmallTile tile={ghost.taken} size={1.4} />}
      </button>
    </div>
  );
}

/** What to do next, or what the ghost would do to one's own groups. */
function advice(desk: Props["desk"], model: Model): string {
  if (!desk.may.value) return "";
  if (model.ghost.value) return model.effectWords();
  if (model.discarding) return t("blockers-choose-discard");
  if (model.at.value !== null) return t("blockers-choose-fit", { cell: model.at.value });
  return t(model.tile.value === null ? "blockers-choose" : "blockers-choose-cell");
}

/** The tile under the finger while it is not over a cell where it may go. */
function DragTile({ model }: { model: Model }) {
  const drag = model.drag.value;
  const tile = model.tile.value;
  if (!drag || !tile) return null;
  return (
    <svg
      class="blockers-drag"
      viewBox="-9.8 -9.8 19.6 19.6"
      aria-hidden="true"
      style={{ left: `${drag.x}px`, top: `${drag.y}px` }}
    >
      <Piece tile={tile} />
    </svg>
  );
}
