import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import { Icon } from "../../ui/Icon";
import type { PartProps } from "../types";
import { CardArt } from "./CardArt";
import { type Layout, SHAPES, shapeOf, TILE } from "./frame";
import type { Model } from "./model";
import { TileImage } from "./Tile";
import "./Moments.css";

type Props = PartProps<KaosmosView, Model>;

/** How long a new card stays in the middle, in ms, unless it is tapped away: time to read it. */
const CARD_SHOWN = 4_000;
const A_LETTER = 50;

/** The card of the round, turned over in the middle of the table. A tap or any move puts it away. */
export function CardReveal({ desk, model }: Props) {
  const card = model.revealed.value;
  useEffect(() => {
    if (card === null) return;
    const text = t(`card-${card}-text`);
    announce(`${t(`card-${card}-name`)}. ${text}`);
    const timer = setTimeout(() => model.moments.seenCard(), CARD_SHOWN + A_LETTER * text.length);
    return () => clearTimeout(timer);
  }, [card, model]);
  if (card === null) return null;
  return (
    <button type="button" class="kaosmos-reveal" onClick={() => model.moments.seenCard()}>
      <span class="kaosmos-big-card">
        <span class="kaosmos-card-face">
          <small>{t("kaosmos-card-round", { round: desk.view.value.round })}</small>
          <CardArt card={card} />
          <strong>{t(`card-${card}-name`)}</strong>
          <span>{t(`card-${card}-text`)}</span>
          <Shape card={card} />
        </span>
      </span>
      <span class="kaosmos-reveal-on">{t("kaosmos-card-seen")}</span>
    </button>
  );
}

/** Where the drawing hides it: which places the card leaves. */
function Shape({ card }: { card: string }) {
  if (shapeOf(card) !== "ring") return null;
  const slots = SHAPES.ring.map((slot) => [slot.charCodeAt(0) - 97, Number(slot.slice(1)) - 1]);
  return (
    <svg class="kaosmos-card-shape" viewBox="0 0 30 30" aria-hidden="true">
      {slots.map(([x = 0, y = 0]) => (
        <rect
          key={`${x}${y}`}
          x={x * 10 + 0.6}
          y={y * 10 + 0.6}
          width="8.800"
          height="8.800"
          rx="1.600"
        />
      ))}
    </svg>
  );
}

/** When time is up: which tiles were placed at random, before the count begins. */
export function TimeUpPanel({ model }: Props) {
  const moment = model.moments.timeUp.value;
  if (!moment) return null;
  const count = moment.puts.length;
  return (
    <div class="hand kaosmos-time-up" role="alert">
      <p class="kaosmos-time-words">
        {moment.late && <strong>{t("kaosmos-time-up")}</strong>}
        <span>
          <Die /> {t("kaosmos-filled", { count })}
        </span>
        <small>
          {t("kaosmos-filled-how")} {count < 9 && t("kaosmos-filled-rest")}
        </small>
      </p>
      <ul class="kaosmos-time-tiles">
        {moment.puts.map(({ tile, slot, turns }) => (
          <li key={tile}>
            <TileImage tile={tile} turns={turns} />
            <span>{slot}</span>
          </li>
        ))}
      </ul>
      <button type="button" class="button primary wide" onClick={() => model.moments.seenTime()}>
        {t("kaosmos-see-count")} <Icon name="next" size={18} />
      </button>
    </div>
  );
}

function Die() {
  return (
    <svg class="kaosmos-die" viewBox="-8 -8 16 16" aria-hidden="true">
      <rect x="-7" y="-7" width="14" height="14" rx="3" />
      <circle cx="-3.500" cy="-3.500" r="1.500" />
      <circle r="1.500" />
      <circle cx="3.500" cy="3.500" r="1.500" />
    </svg>
  );
}

/** White dashes and a die on tiles that were laid at random. */
export function ByChance({ all, model }: { all: Layout; model: Model }) {
  const moment = model.moments.timeUp.value;
  if (!moment) return null;
  const half = TILE / 2;
  return (
    <g class="kaosmos-chance" aria-hidden="true">
      {moment.puts.map(({ slot }) => {
        const place = all.places.find((each) => each.slot === slot && !each.again);
        if (!place) return null;
        return (
          <g key={slot} transform={`translate(${place.x} ${place.y})`}>
            <rect x={-half + 0.6} y={-half + 0.6} width={TILE - 1.2} height={TILE - 1.2} rx="3" />
            <g transform={`translate(${3 - half} ${3 - half}) scale(.42)`}>
              <rect class="face" x="-7" y="-7" width="14" height="14" rx="3" />
              <circle cx="-3.500" cy="-3.500" r="1.500" />
              <circle r="1.500" />
              <circle cx="3.500" cy="3.500" r="1.500" />
            </g>
          </g>
        );
      })}
    </g>
  );
}
