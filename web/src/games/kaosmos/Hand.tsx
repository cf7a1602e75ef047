import { Avatar, LOOKS } from "../../art/Avatar";
import { list, t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import { IconButton } from "../../ui/IconButton";
import { TileButton } from "../common/Hand";
import { boardElement, usePress } from "../common/pointer";
import type { PartProps } from "../types";
import { Interference, TransferPanel } from "./CardChoices";
import { CountPanel } from "./CountPanel";
import { Draft } from "./Draft";
import { dragging, type Held } from "./drag";
import { sizeOf, TILE } from "./frame";
import { enter } from "./keys";
import { LiveCount } from "./LiveCount";
import { TimeUpPanel } from "./Moments";
import type { Model } from "./model";
import { slotOf } from "./position";
import { Back, Sign, TileImage } from "./Tile";
import { COLOURS, type Colour, type TileId } from "./view";
import { tileWords } from "./words";
import "./Hand.css";

type Props = PartProps<KaosmosView, Model>;

/** The tiles and buttons of the current phase. */
export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (model.moments.timeUp.value) return <TimeUpPanel desk={desk} model={model} />;
  if (model.count.now.value) return <CountPanel desk={desk} model={model} />;
  if (model.revealed.value && view.phase !== "draft") return <Seen desk={desk} model={model} />;
  if (desk.you.value === null) return <Bonuses desk={desk} model={model} />;
  switch (view.phase) {
    case "draft":
      return <Draft desk={desk} model={model} />;
    case "ingerence":
      return <Interference desk={desk} model={model} />;
    case "transfert":
      return <TransferPanel desk={desk} model={model} />;
    case "ready":
    case "building":
    case "fill":
      return <Build desk={desk} model={model} />;
    default:
      return null;
  }
}

/** The new card was seen. Where there is room, the tiles that wait for the timer. */
function Seen({ desk, model }: Props) {
  const count = desk.view.value.supplies[desk.you.value ?? -1] ?? 0;
  return (
    <div class="hand">
      {count > 0 && (
        <div class="kaosmos-unseen">
          <p class="kaosmos-title">{t("kaosmos-tray")}</p>
          <div class="rack" aria-hidden="true">
            {Array.from({ length: count }, (_, index) => (
              <div key={index} class="tile kaosmos-tile down">
                <Back />
              </div>
            ))}
          </div>
          <p class="muted">{t("kaosmos-face-down", { count })}</p>
        </div>
      )}
      <button type="button" class="button primary wide" onClick={() => model.moments.seenCard()}>
        {t("kaosmos-card-seen")}
      </button>
    </div>
  );
}

function Build({ desk, model }: Props) {
  const view = desk.view.value;
  const { aside } = model.position.value;
  const down = view.phase === "ready" ? (view.supplies[desk.you.value ?? 0] ?? 0) : 0;
  const short = sizeOf(model.shape.value) < down;
  const free = model.leaving.value || aside !== null || short;
  return (
    <div class={`hand${model.building.value ? " open" : ""}`}>
      <LiveCount desk={desk} model={model} />
      <div
        class={model.turnedUp.value ? "rack turned-up" : "rack"}
        role="group"
        aria-label={t("kaosmos-tray")}
      >
        {down > 0 && <span class="hidden">{t("kaosmos-face-down", { count: down })}</span>}
        {Array.from({ length: down }, (_, index) => (
          <div key={index} class="tile kaosmos-tile down">
            <Back />
          </div>
        ))}
        {model.nine.value.map((tile, index) => (
          <TrayTile key={tile} tile={tile} index={index} desk={desk} model={model} />
        ))}
        {free && <Aside desk={desk} model={model} />}
      </div>
      <Bonuses desk={desk} model={model} />
    </div>
  );
}

function TrayTile({ tile, index, model }: Props & { tile: TileId; index: number }) {
  const { galaxy, aside } = model.position.value;
  const slot = slotOf(galaxy, tile);
  const gone = slot !== null || aside === tile;
  const on = model.chosen.value === tile;
  const lifted = model.lifted.value === tile;
  const turns = model.turnsOf(tile);
  const press = usePress<Held>({
    ...dragging(model),
    down: (event) => {
      const box = (event.currentTarget as Element).getBoundingClientRect();
      const scale = boardElement()?.getScreenCTM()?.a ?? 2;
      return { tile: gone ? null : tile, size: Math.max(box.width, TILE * scale) };
    },
    tap: () => model.tapTray(tile),
    click: () => {
      if (!(on && enter(model))) model.tapTray(tile);
    },
  });
  return (
    <TileButton
      class={`kaosmos-tile${gone ? " gone" : ""}${lifted ? " lifted" : ""}`}
      index={index}
      name={`${tileWords(tile, turns)}${slot ? ` (${slot})` : ""}`}
      on={on}
      open={model.building.value}
      tile={tile}
      press={press}
    >
      {gone ? null : <TileImage tile={tile} turns={turns} />}
    </TileButton>
  );
}

/** The slot of the tile that is left out of the galaxy. */
function Aside({ model }: Props) {
  const { aside } = model.position.value;
  const chosen = model.chosen.value;
  return (
    <button
      type="button"
      class={`tile kaosmos-aside${model.over.value === "aside" ? " over" : ""}${chosen ? " call" : ""}`}
      disabled={!model.building.value}
      aria-label={
        aside ? t("kaosmos-aside-holds", { tile: tileWords(aside, 0) }) : t("kaosmos-aside")
      }
      onClick={() => {
        if (chosen) model.leave(chosen);
        else if (aside) model.chosen.value = aside;
      }}
    >
      {aside ? <TileImage tile={aside} /> : <span>{t("kaosmos-aside-short")}</span>}
    </button>
  );
}

/** The three bonus tiles, and the button to reserve them or to be done. */
function Bonuses({ desk, model }: Props) {
  if (model.warned.value && model.reserving.value && model.wanted().length > 0) {
    return <Unfinished model={model} />;
  }
  const { win, lose } = betOf(desk.view.value);
  return (
    <div class="kaosmos-finish">
      <p class="kaosmos-title">
        {t("kaosmos-bonuses")} <small>{t("kaosmos-bet", { win, lose })}</small>
      </p>
      <div class="kaosmos-bonuses" role="group" aria-label={t("kaosmos-bonuses")}>
        {COLOURS.map((colour) => (
          <BonusTile key={colour} colour={colour} desk={desk} model={model} />
        ))}
      </div>
      {desk.you.value !== null && <Finish desk={desk} model={model} />}
    </div>
  );
}

/** What a bonus tile wins or loses. */
function betOf({ card }: KaosmosView): { win: number; lose: number } {
  return card === "quitte-ou-double" ? { win: 5, lose: 4 } : { win: 3, lose: 2 };
}

/** The warning before reserving with an unfinished galaxy; a second press confirms. */
function Unfinished({ model }: { model: Model }) {
  return (
    <div class="kaosmos-finish kaosmos-unfinished">
      <p role="alert">{t("kaosmos-unfinished")}</p>
      <IconButton
        icon="close"
        label={t("kaosmos-build-on")}
        size={20}
        onClick={() => {
          model.warned.value = false;
        }}
      />
      <button type="button" class="button danger" onClick={() => model.finish()}>
        {t("kaosmos-reserve-anyway")}
      </button>
    </div>
  );
}

function Finish({ desk, model }: Props) {
  const { galaxy, finished } = model.position.value;
  const count = model.wanted().length;
  const reserve = count > 0 && model.reserving.value;
  if (finished && !reserve) return <Done desk={desk} model={model} />;
  const ready = model.building.value && model.complete.value;
  const words = () => {
    if (reserve) return t(ready ? "kaosmos-take" : "kaosmos-reserve", { count });
    return ready ? t("kaosmos-finish") : t("kaosmos-laid", { count: Object.keys(galaxy).length });
  };
  return (
    <button
      type="button"
      class="button primary"
      disabled={!ready && !reserve}
      onClick={() => model.finish()}
    >
      {words()}
    </button>
  );
}

/** After Done: who still builds, and what can still be done. */
function Done({ desk, model }: Props) {
  const waiting = desk.view.value.waiting
    .filter((seat) => seat !== desk.you.value)
    .map((seat) => desk.names.value[seat] ?? "");
  return (
    <p class="kaosmos-done" role="status">
      <Icon name="check" size={18} />
      <span>
        {waiting.length > 0
          ? t("kaosmos-done-waiting", { names: list(waiting) })
          : t("kaosmos-done")}
        {model.reserving.value && <small>{t("kaosmos-bonus-open")}</small>}
      </span>
    </p>
  );
}

function BonusTile({ colour, desk, model }: Props & { colour: Colour }) {
  const holder = desk.view.value.bonuses[colour];
  const name = holder === null ? "" : (desk.names.value[holder] ?? "");
  const { win, lose } = betOf(desk.view.value);
  const on = holder === null && model.bonus.value.includes(colour);
  const open = model.building.value || model.reserving.value;
  return (
    <button
      type="button"
      class={`toggle kaosmos-bonus${on ? " on" : ""}${holder === null ? "" : " taken"}`}
      aria-pressed={on}
      disabled={holder !== null || !open}
      aria-label={
        holder === null
          ? t("kaosmos-bonus", { colour: t(`colour-${colour}`) })
          : t("kaosmos-bonus-taken", { colour: t(`colour-${colour}`), name })
      }
      title={t("kaosmos-bet-text", { win, lose })}
      onClick={() => model.toggleBonus(colour)}
    >
      <Sign marker={colour} size={26} />
      {holder === null ? (
        <small aria-hidden="true">
          <span class="kaosmos-worth">
            +{win}/−{lose}
          </span>
          <span class="kaosmos-word">{t("kaosmos-free")}</span>
        </small>
      ) : (
        <small class="kaosmos-holder">
          <Avatar look={LOOKS[holder] ?? 0} size={16} /> <span class="kaosmos-word">{name}</span>
        </small>
      )}
    </button>
  );
}
