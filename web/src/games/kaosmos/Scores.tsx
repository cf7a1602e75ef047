import { LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import { PersonHead, ScoreCard, ScoreCards } from "../common/Scores";
import type { PartProps } from "../types";
import { value } from "./count";
import { sizeOf } from "./frame";
import type { Model } from "./model";
import { Sign, Small } from "./Tile";
import { COLOURS, MARKERS, nextTo } from "./view";
import "./Scores.css";

type Props = PartProps<KaosmosView, Model>;

/** Everyone's markers and galaxies, small. During a count they choose whose count is shown. */
export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  const counting = model.count.now.value !== null;
  return (
    <>
      <ScoreCards count={view.players}>
        {view.markers.map((_, seat) => (
          <Player key={seat} seat={seat} desk={desk} model={model} />
        ))}
      </ScoreCards>
      {view.counts.length === view.players && !counting && (
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
  const you = desk.you.value === seat;
  const counting = model.count.now.value;
  const markers = model.count.markersOf(seat) ?? view.markers[seat];
  if (!markers) return null;
  const colours = COLOURS.map((colour) => markers[colour]);
  const lowest = Math.min(...colours);
  const counted = counting ? view.counts[seat]?.galaxy : undefined;
  const own = you ? model.position.value.galaxy : (view.galaxies[seat] ?? {});
  const galaxy = counted ?? own;
  const bonuses = COLOURS.filter((colour) => view.bonuses[colour] === seat && !counting);
  const shown = counting !== null && !counting.all && counting.seat === seat;
  return (
    <ScoreCard acting={counting ? shown : view.actors.includes(seat)} you={you}>
      <Look seat={seat} galaxy={galaxy} desk={desk} model={model} />
      <div class="kaosmos-facts">
        <PersonHead
          desk={desk}
          seats={[seat]}
          look={LOOKS[seat] ?? 0}
          note={<Progress seat={seat} desk={desk} model={model} laid={Object.keys(own).length} />}
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
            {value(lowest + markers.star)}
          </span>
        </PersonHead>
        <ul class="kaosmos-markers">
          {MARKERS.map((marker) => {
            // Where all are equal, none is behind.
            const low =
              marker !== "star" && markers[marker] === lowest && lowest < Math.max(...colours);
            return (
              <li key={marker} class={`${marker}${low ? " low" : ""}`}>
                <Sign marker={marker} size={16} />
                <span class="hidden">{t(`colour-${marker}`)} </span>
                <b>{value(markers[marker])}</b>
                {low && <span class="hidden"> ({t("kaosmos-lowest")})</span>}
              </li>
            );
          })}
        </ul>
      </div>
      {counting && !model.moments.timeUp.value && (
        <button
          type="button"
          class="kaosmos-turn-to"
          aria-pressed={shown}
          aria-label={t("kaosmos-count-whose", { name: desk.labels.value[seat] ?? "" })}
          onClick={() => model.count.show(seat)}
        />
      )}
    </ScoreCard>
  );
}

/** A galaxy, small; a click shows it on the mat. Before the first tile there is nothing to see. */
function Look({ seat, galaxy, desk, model }: Props & LookProps) {
  const empty = Object.keys(galaxy).length === 0;
  const drafting = desk.view.value.phase === "draft";
  const mine = desk.you.value === seat;
  if (model.count.now.value) {
    return (
      <span class="kaosmos-look">
        <Small galaxy={galaxy} />
      </span>
    );
  }
  return (
    <button
      type="button"
      class={`kaosmos-look${model.shown.value === seat ? " on" : ""}${drafting ? " none" : ""}`}
      aria-label={
        mine ? t("kaosmos-galaxy-yours") : t("kaosmos-look", { name: desk.names.value[seat] ?? "" })
      }
      disabled={empty}
      onClick={() => {
        model.shown.value = mine || model.shown.value === seat ? null : seat;
      }}
    >
      <Small galaxy={galaxy} />
    </button>
  );
}

interface LookProps {
  seat: number;
  galaxy: Parameters<typeof Small>[0]["galaxy"];
}

function Bar({ part }: { part: number }) {
  return <i class="kaosmos-bar" style={{ "--part": Math.min(1, part) }} aria-hidden="true" />;
}

/** How far a seat is in this part of the round: in words, and as a bar where there is no room. */
function Progress({ seat, desk, model, laid }: Props & { seat: number; laid: number }) {
  const view = desk.view.value;
  const counting = model.count.now.value;
  if (counting) {
    if (counting.line < 0) return null;
    const waits = model.count.waits(seat);
    return (
      <span class="kaosmos-progress">
        <span class="kaosmos-word">{t(waits ? "kaosmos-next" : "kaosmos-counted")}</span>
      </span>
    );
  }
  if (view.phase === "draft") {
    const to = desk.names.value[nextTo(view, seat)] ?? "";
    const chooses = view.actors.includes(seat);
    return (
      <span
        class={`kaosmos-progress${chooses ? "" : " done"}`}
        title={t("kaosmos-passes", { name: to })}
      >
        {chooses ? (
          <span class="kaosmos-word">{t("kaosmos-chooses")}</span>
        ) : (
          <Icon name="check" size={16} />
        )}
        <span class="kaosmos-way-on"> → {to}</span>
        <Bar part={chooses ? 0 : 1} />
      </span>
    );
  }
  if (["ready", "building", "fill"].includes(view.phase)) {
    const whole = sizeOf(model.shape.value);
    const done = view.locked.includes(seat);
    return (
      <span class={`kaosmos-progress${done ? " done" : ""}`}>
        {done && <Icon name="check" size={16} />}
        <span class="kaosmos-laid-of">{done ? t("kaosmos-is-done") : `${laid}/${whole}`}</span>
        <Bar part={done ? 1 : laid / whole} />
      </span>
    );
  }
  return view.actors.includes(seat) ? (
    <span class="kaosmos-word">{t("kaosmos-chooses")}</span>
  ) : null;
}
