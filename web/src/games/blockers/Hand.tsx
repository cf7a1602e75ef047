import { t } from "../../i18n";
import type { BlockersView } from "../../protocol";
import { CancelButton, DragTile, HandTile, TurnButtons } from "../common/Hand";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { BlockTile, SmallTile } from "./Sign";
import type { Tile } from "./view";
import { tileWords } from "./words";
import "./Hand.css";

type Props = PartProps<BlockersView, Model>;

const BOX = "-11 -11.5 22 24";

export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (view.rack === null) return null;
  const two = view.options.colours.length === 2;
  const { drag, tile: inHand } = model;
  return (
    <div class={`hand${desk.may.value ? " open" : ""}${two ? " two" : ""}`}>
      <div class="rack" role="group" aria-label={t("blockers-rack")}>
        {view.rack.map((tile, index) => (
          <RackTile key={tile} tile={tile} index={index} desk={desk} model={model} />
        ))}
      </div>
      {desk.turn.value ? <TurnButtons desk={desk} /> : <Buttons desk={desk} model={model} />}
      {drag.value && inHand.value && (
        <DragTile at={drag.value} size={64} box={BOX}>
          <BlockTile tile={inHand.value} up={2} />
        </DragTile>
      )}
    </div>
  );
}

function RackTile({ tile, index, desk, model }: Props & { tile: Tile; index: number }) {
  const open = desk.may.value;
  const useful = !open || model.moves.value.has(tile);
  const fits = model.fits.value.has(tile);
  const drawn = desk.fresh.value.some((event) => event.kind === "drawn" && event.tile === tile);
  return (
    <HandTile
      class={`${fits ? "fits" : ""}${useful ? "" : " useless"}`}
      index={index}
      name={tileWords(tile)}
      open={open}
      useful={useful}
      model={model}
      chosen={() => model.tile.value === tile}
      choose={() => model.choose(tile)}
    >
      <svg class={drawn ? "dealt" : ""} viewBox={BOX} aria-hidden="true">
        <BlockTile tile={tile} up={model.tile.value === tile ? 1 : 0} />
      </svg>
    </HandTile>
  );
}

function Buttons({ desk, model }: Props) {
  const { ready } = model;
  const ghost = model.ghost.value;
  const chosen = model.tile.value !== null || model.at.value !== null;
  return (
    <div class="hand-buttons">
      <CancelButton open={chosen} desk={desk} onClick={() => model.drop()} />
      <button
        type="button"
        class="button primary"
        disabled={!desk.may.value || !ready}
        onClick={() => model.place()}
      >
        {ghost?.taken
          ? t("blockers-take")
          : t(model.discarding ? "blockers-discard" : "place-tile")}
        {ghost?.taken && <SmallTile tile={ghost.taken} size={1.4} />}
      </button>
    </div>
  );
}

/** What to do next, or what the ghost would do to one's own groups. */
export function advice(desk: Props["desk"], model: Model): string {
  if (!desk.may.value) return "";
  if (model.ghost.value) return model.effectWords();
  if (model.discarding) return t("blockers-choose-discard");
  if (model.at.value !== null) return t("blockers-choose-fit", { cell: model.at.value });
  if (model.tile.value === null) return t("blockers-choose");
  const moves = [...model.targets.value.values()];
  const captures = moves.filter((move) => move.capture).length;
  if (captures === 0) return t("blockers-choose-cell");
  return t(captures === moves.length ? "blockers-choose-capture" : "blockers-choose-both");
}
