import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import { CancelButton, DragTile, HandTile, TurnButtons } from "../common/Hand";
import type { PartProps } from "../types";
import { Domino } from "./Domino";
import { vector } from "./hex";
import { type Model, tileWords } from "./model";
import "./Hand.css";

type Props = PartProps<GenialView, Model>;

export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (view.hand === null) return null;
  const placing = desk.may.value && view.phase === "place";
  const { drag, tile: inHand, way } = model;
  return (
    <div class={`hand${placing ? " open" : ""}`}>
      <div class="rack" role="group" aria-label={t("genial-hand")}>
        {view.hand.map((tile, index) => (
          <HandTile
            key={`${index}${tile}`}
            index={index}
            name={tileWords(tile)}
            open={placing}
            model={model}
            chosen={() => model.chosen.value === index}
            choose={() => (model.chosen.value === index ? model.turn(1) : model.choose(index))}
          >
            <Picture
              dealt={dealt(desk, index)}
              tile={tile}
              way={model.chosen.value === index ? way.value : 0}
              up={model.chosen.value === index}
            />
          </HandTile>
        ))}
      </div>
      {desk.turn.value ? (
        <TurnButtons desk={desk} />
      ) : view.phase === "swap" && desk.may.value ? (
        <Swap desk={desk} model={model} />
      ) : (
        <Buttons desk={desk} model={model} />
      )}
      {drag.value && inHand.value && (
        <DragTile at={drag.value} size={96} box={boxAround(way.value, 40)}>
          <Domino tile={inHand.value} way={way.value} up={1} />
        </DragTile>
      )}
    </div>
  );
}

/** A square with the tile in its middle, however it is turned. */
function boxAround(way: number, side: number): string {
  const { x, y } = vector(way);
  return `${x / 2 - side / 2} ${y / 2 - side / 2} ${side} ${side}`;
}

/** Whether a tile of the hand has just been drawn: new ones come last. */
function dealt({ fresh, view, you }: Props["desk"], index: number): boolean {
  const drawn = fresh.value.findLast((event) => event.kind === "drawn" && event.seat === you.value);
  const count = drawn?.kind === "drawn" ? (drawn.tiles?.length ?? 0) : 0;
  return index >= (view.value.hand?.length ?? 0) - count;
}

interface PictureProps {
  tile: string;
  way: number;
  up: boolean;
  dealt: boolean;
}

/** A tile of the hand: it lies across; the one in hand lies as it would on the board. */
function Picture({ tile, way, up, dealt }: PictureProps) {
  const { x, y } = vector(way);
  const [width, height] = [39, way % 3 === 0 ? 26 : 36];
  return (
    <svg
      class={dealt ? "dealt" : ""}
      viewBox={`${x / 2 - width / 2} ${y / 2 - height / 2 + 1} ${width} ${height}`}
      aria-hidden="true"
    >
      <g key={way} class={up ? "turning" : ""}>
        <Domino tile={tile} way={way} up={up ? 0.6 : 0} />
      </g>
    </svg>
  );
}

function Buttons({ desk, model }: Props) {
  const ghost = model.ghost.value;
  const placing = desk.may.value && desk.view.value.phase === "place";
  const points = ghost ? ghost.points[0] + ghost.points[1] : 0;
  return (
    <div class="hand-buttons">
      <button
        type="button"
        class="button"
        disabled={!placing || model.chosen.value === null}
        aria-label={t("genial-turn")}
        title={t("genial-turn-tip")}
        onClick={() => model.turn(1)}
      >
        <Icon name="turn" size={20} /> <span class="button-words">{t("genial-turn")}</span>
        <kbd aria-hidden="true">R</kbd>
      </button>
      <CancelButton open={model.chosen.value !== null} desk={desk} onClick={() => model.drop()} />
      <button
        type="button"
        class="button primary"
        disabled={!placing || !ghost?.move}
        onClick={() => model.place()}
      >
        {t("place-tile")}
        {ghost && <strong>+{points}</strong>}
      </button>
    </div>
  );
}

function Swap({ desk }: Props) {
  return (
    <div class="hand-buttons genial-swap">
      <button type="button" class="button primary" onClick={() => desk.move("swap")}>
        {t("genial-swap")}
      </button>
      <button type="button" class="button" onClick={() => desk.move("keep", true)}>
        {t("genial-keep")}
      </button>
    </div>
  );
}
