import { Avatar, LOOKS } from "../../art/Avatar";
import { list, t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import { IconButton } from "../../ui/IconButton";
import { TileButton } from "../common/Hand";
import { boardElement, usePress } from "../common/pointer";
import type { PartProps } from "../types";
import { CountPanel } from "./CountPanel";
import { dragging, type Held } from "./drag";
import { sizeOf, TILE } from "./frame";
import { enter } from "./keys";
import { TimeUpPanel } from "./Moments";
import type { Model } from "./model";
import { slotOf } from "./position";
import { Back, Sign, TileImage } from "./Tile";
import { COLOURS, type Colour, MARKERS, nextTo, type TileId } from "./view";
import { tileWords } from "./words";
import "./Hand.css";

type Props = PartProps<KaosmosView, Model>;

/** The tiles and buttons of the current phase. */
export function Hand({ desk, model }: Props) {
  const view = desk.view.value;
  if (model.moments.timeUp.value) return <TimeUpPanel desk={desk} model={model} />;
  if (model.count.now.value) return <CountPanel desk={desk} model={model} />;
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

// --- draft ------------------------------------------------------------------------------------

function Draft({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const packet = view.packet?.length ?? 0;
  const count = model.choices.picked.value.length;
  const name = desk.names.value[nextTo(view, you)] ?? "";
  const kept = view.kept[you] ?? 0;
  return (
    <div class={`hand${desk.may.value ? " open" : ""}`}>
      <div class="kaosmos-draft">
        <div class="kaosmos-backs" role="img" aria-label={t("kaosmos-kept", { count: kept })}>
          {Array.from({ length: kept }, (_, index) => (
            <Back key={index} />
          ))}
        </div>
        <p>
          {packet > 0
            ? t("kaosmos-keep-help", { count: packet - 3, name })
            : t("kaosmos-kept", { count: kept })}
          {packet === 6 && <small>{t("kaosmos-last-unseen")}</small>}
        </p>
      </div>
      <button
        type="button"
        class="button primary wide"
        disabled={!desk.may.value || count !== 3}
        onClick={() => model.choices.keep()}
      >
        {count === 3 || packet === 0
          ? t("kaosmos-keep", { name })
          : t("kaosmos-keep-more", { count: 3 - count })}
      </button>
    </div>
  );
}

// --- building ---------------------------------------------------------------------------------

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

/** The current score of one's own galaxy, if the view holds it. */
function LiveCount({ desk }: Props) {
  const counted = desk.view.value.counted;
  // Rendered before the first tile is laid, so that the layout does not shift under a finger.
  if (counted === undefined) return null;
  return (
    <>
      <p class="kaosmos-head-of" aria-hidden="true">
        {t("kaosmos-live")}
      </p>
      <ul class="kaosmos-live" aria-label={t("kaosmos-live")}>
        {MARKERS.map((marker) => {
          const points = counted?.points[marker] ?? 0;
          const size = (marker === "star" ? counted?.path.length : counted?.largest[marker]) ?? 0;
          return (
            <li key={marker} class={points > 0 ? "some" : ""}>
              <button
                type="button"
                onClick={() => desk.hint(t(`kaosmos-scale-${marker}`))}
                title={t(`kaosmos-scale-${marker}`)}
              >
                <Sign marker={marker} size={20} />
                <span class="hidden">{t(`colour-${marker}`)}</span>
                <b>+{points}</b>
                <small aria-hidden="true">({size})</small>
                <span class="hidden">
                  {t(marker === "star" ? "kaosmos-path" : "kaosmos-largest", { count: size })}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The three bonus tiles, and the button to reserve them or to be done. */
function Bonuses({ desk, model }: Props) {
  if (model.warned.value && model.reserving.value && model.wanted().length > 0) {
    return <Unfinished model={model} />;
  }
  return (
    <div class="kaosmos-finish">
      <p class="kaosmos-head-of" aria-hidden="true">
        {t("kaosmos-bonuses")}
        <small>{desk.view.value.card === "quitte-ou-double" ? "+5 / −4" : "+3 / −2"}</small>
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
      onClick={() => model.toggleBonus(colour)}
    >
      <Sign marker={colour} size={30} />
      {holder === null ? (
        <b aria-hidden="true">{on ? "✓" : open ? "+" : ""}</b>
      ) : (
        <span class="kaosmos-holder">
          <Avatar look={LOOKS[holder] ?? 0} name={name} size={22} />
        </span>
      )}
    </button>
  );
}

// --- choices that cards ask for -----------------------------------------------------------------

function Interference({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const name = desk.names.value[nextTo(view, you)] ?? "";
  const mine = view.actors.includes(you);
  return (
    <div class={`hand${desk.may.value ? " open" : ""}`}>
      <p>{mine ? t("kaosmos-interfere-help", { name }) : t("kaosmos-chosen-waiting")}</p>
      {mine && (
        <button
          type="button"
          class="button primary wide"
          disabled={!desk.may.value || model.choices.target.value === null}
          onClick={() => model.choices.interfere()}
        >
          <Icon name="turn" size={20} />{" "}
          {model.choices.target.value
            ? t("kaosmos-interfere", { slot: model.choices.target.value })
            : t("kaosmos-interfere-none")}
        </button>
      )}
    </div>
  );
}

function TransferPanel({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const wanted = model.choices.transfer.value;
  if (!view.actors.includes(you)) {
    return (
      <div class="hand">
        <p>{t("kaosmos-chosen-waiting")}</p>
      </div>
    );
  }
  const pairs = COLOURS.flatMap((source) =>
    COLOURS.filter((target) => model.choices.most(source, target) > 0).map((target) => ({
      source,
      target,
    })),
  );
  return (
    <div class="hand open">
      <p>{t("kaosmos-transfer-help")}</p>
      <div class="kaosmos-pairs" role="group" aria-label={t("kaosmos-transfer-which")}>
        {pairs.map(({ source, target }) => {
          const on = wanted?.source === source && wanted.target === target;
          return (
            <button
              key={source + target}
              type="button"
              class={on ? "toggle kaosmos-pair on" : "toggle kaosmos-pair"}
              aria-pressed={on}
              aria-label={t("kaosmos-transfer-pair", {
                source: t(`colour-${source}`),
                target: t(`colour-${target}`),
              })}
              onClick={() => {
                const most = model.choices.most(source, target);
                model.choices.transfer.value = on ? null : { source, target, points: most };
              }}
            >
              <Sign marker={source} size={24} />
              <Icon name="next" size={16} />
              <Sign marker={target} size={24} />
            </button>
          );
        })}
      </div>
      {wanted && (
        <div class="kaosmos-amounts" role="group" aria-label={t("kaosmos-transfer-points")}>
          {Array.from({ length: model.choices.most(wanted.source, wanted.target) }, (_, index) => (
            <button
              key={index}
              type="button"
              class={wanted.points === index + 1 ? "button small on" : "button small"}
              aria-pressed={wanted.points === index + 1}
              onClick={() => {
                model.choices.transfer.value = { ...wanted, points: index + 1 };
              }}
            >
              {index + 1}
            </button>
          ))}
        </div>
      )}
      <button
        type="button"
        class={wanted ? "button primary wide" : "button wide"}
        disabled={!desk.may.value}
        onClick={() => model.choices.shift()}
      >
        {wanted
          ? t("kaosmos-transfer", {
              points: wanted.points,
              source: t(`colour-${wanted.source}`),
              target: t(`colour-${wanted.target}`),
            })
          : t("kaosmos-transfer-none")}
      </button>
    </div>
  );
}
