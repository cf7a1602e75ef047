import { LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import { PersonHead, ScoreCard, ScoreCards } from "../common/Scores";
import type { PartProps } from "../types";
import { sizeOf } from "./frame";
import type { Model } from "./model";
import { Sign, Small } from "./Tile";
import { COLOURS, MARKERS, nextTo } from "./view";
import "./Scores.css";

type Props = PartProps<KaosmosView, Model>;

/** Everyone's markers and galaxies, small. */
export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  return (
    <>
      <ScoreCards count={view.players}>
        {view.markers.map((_, seat) => (
          <Player key={seat} seat={seat} desk={desk} model={model} />
        ))}
      </ScoreCards>
      {view.counts.length === view.players && !model.count.now.value && (
        <button
          type="button"
          class="button small kaosmos-recount"
          onClick={() => model.count.show(desk.you.value ?? 0)}
        >
          {t("kaosmos-recount")}
        </button>
      )}
    </>
  );
}

function Player({ seat, desk, model }: Props & { seat: number }) {
  const view = desk.view.value;
  const name = desk.labels.value[seat] ?? "";
  const you = desk.you.value === seat;
  const acting = view.actors.includes(seat);
  const markers = model.count.markersOf(seat) ?? view.markers[seat];
  if (!markers) return null;
  const lowest = Math.min(...COLOURS.map((colour) => markers[colour]));
  const counted = model.count.now.value ? view.counts[seat]?.galaxy : undefined;
  const own = you ? model.position.value.galaxy : (view.galaxies[seat] ?? {});
  const galaxy = counted ?? own;
  const bonuses = COLOURS.filter((colour) => view.bonuses[colour] === seat);
  return (
    <ScoreCard acting={acting} you={you}>
      <button
        type="button"
        class={model.shown.value === seat ? "kaosmos-look on" : "kaosmos-look"}
        aria-label={t("kaosmos-look", { name })}
        disabled={Object.keys(view.galaxies[seat] ?? {}).length === 0}
        onClick={() => {
          model.count.end();
          model.shown.value = you || model.shown.value === seat ? null : seat;
        }}
      >
        <Small galaxy={galaxy} />
      </button>
      <div class="kaosmos-facts">
        <PersonHead
          desk={desk}
          seats={[seat]}
          look={LOOKS[seat] ?? 0}
          note={
            counted ? (
              ""
            ) : (
              <Progress seat={seat} desk={desk} model={model} laid={Object.keys(galaxy).length} />
            )
          }
        >
          {bonuses.map((colour) => (
            <span key={colour}>
              <Sign marker={colour} size={16} />
              <span class="hidden">
                {t("kaosmos-has-bonus", { colour: t(`colour-${colour}`) })}
              </span>
            </span>
          ))}
          <span class="kaosmos-total">
            <span class="hidden">{t("kaosmos-total")} </span>
            {lowest + markers.star}
          </span>
        </PersonHead>
        <ul class="kaosmos-markers">
          {MARKERS.map((marker) => {
            const low = marker !== "star" && markers[marker] === lowest;
            return (
              <li key={marker} class={`${marker}${low ? " low" : ""}`}>
                <Sign marker={marker} size={16} />
                <span class="hidden">{t(`colour-${marker}`)} </span>
                <b class={low ? "decides" : ""}>{markers[marker]}</b>
                {low && <span class="hidden"> ({t("kaosmos-lowest")})</span>}
              </li>
            );
          })}
        </ul>
      </div>
    </ScoreCard>
  );
}

/** How far a seat is in this part of the round. */
function Progress({ seat, desk, model, laid }: Props & { seat: number; laid: number }) {
  const view = desk.view.value;
  if (view.phase === "draft") {
    const to = desk.names.value[nextTo(view, seat)] ?? "";
    return (
      <span class="kaosmos-progress" title={t("kaosmos-passes", { name: to })}>
        {view.actors.includes(seat) ? (
          <span class="kaosmos-word">{t("kaosmos-chooses")}</span>
        ) : (
          <Icon name="check" size={14} />
        )}
        <span class="kaosmos-way-on"> → {to.slice(0, 8)}</span>
      </span>
    );
  }
  if (["ready", "building", "fill"].includes(view.phase)) {
    if (view.locked.includes(seat)) {
      return (
        <span class="kaosmos-progress done">
          <Icon name="check" size={14} />
          <span class="hidden">{t("kaosmos-is-done")}</span>
        </span>
      );
    }
    return (
      <span class="kaosmos-progress">
        {laid}/{sizeOf(model.shape.value)}
      </span>
    );
  }
  return view.actors.includes(seat) ? (
    <span class="kaosmos-word">{t("kaosmos-chooses")}</span>
  ) : null;
}
