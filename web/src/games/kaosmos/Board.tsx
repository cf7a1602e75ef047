import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { has, t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { BoardSvg } from "../common/BoardSvg";
import { DragTile } from "../common/Hand";
import { HintBadge } from "../common/Hints";
import { toBoard, usePress } from "../common/pointer";
import type { PartProps } from "../types";
import { CardArt } from "./CardArt";
import { Countdown } from "./Countdown";
import { Packet } from "./Draft";
import { dragging, type Held } from "./drag";
import {
  type Layout,
  layout,
  type Place,
  placeAt,
  type ShapeName,
  shapeOfGalaxy,
  TILE,
  windowOf,
} from "./frame";
import { Galaxies } from "./Galaxies";
import { marksOf, Overlay } from "./Marks";
import { ByChance, CardReveal } from "./Moments";
import type { Model } from "./model";
import { Face, Turned } from "./Tile";
import { Timer } from "./Timer";
import type { Galaxy, Slot } from "./view";
import { nextTo } from "./view";
import "./Board.css";

type Props = PartProps<KaosmosView, Model>;

/** The card, the timer, and below them the galaxy or the packet. */
export function Board({ desk, model }: Props) {
  const { phase } = desk.view.value;
  const counting = model.count.now.value;
  const drafting =
    phase === "draft" && !counting && model.shown.value === null && desk.you.value !== null;
  const everybody = counting
    ? counting.all
    : desk.focus !== undefined && desk.you.value === null && model.shown.value === null;
  return (
    <div class="kaosmos-board">
      <div class="kaosmos-head">
        <Card desk={desk} model={model} />
        <Timer desk={desk} model={model} />
      </div>
      <div class="kaosmos-space">
        {drafting ? (
          <Packet desk={desk} model={model} />
        ) : everybody ? (
          <Galaxies desk={desk} model={model} />
        ) : (
          <GalaxyBoard desk={desk} model={model} />
        )}
        <Countdown desk={desk} model={model} />
        <CardReveal desk={desk} model={model} />
      </div>
      <Dragged model={model} />
    </div>
  );
}

/** The Kaos card of the round, always visible; during a count, the card of that count. */
function Card({ desk, model }: Props) {
  const { options, cards } = desk.view.value;
  const round = model.count.now.value ? model.count.round.value : desk.view.value.round;
  const card = model.count.now.value ? (cards[round - 1] ?? null) : desk.view.value.card;
  return (
    <div class={card ? "kaosmos-card" : "kaosmos-card none"}>
      {card && <CardArt card={card} />}
      <p class="kaosmos-round">
        <span aria-hidden="true">{round}/5</span>
        <span class="hidden">{t("kaosmos-round", { round })}</span>
      </p>
      {card ? (
        <CardWords card={card} desk={desk} />
      ) : (
        <p class="kaosmos-card-lines muted">
          {t(options.kaos ? "kaosmos-card-soon" : "kaosmos-card-none")}
        </p>
      )}
    </div>
  );
}

/** Its name and what it changes. Where there is little room, in short; a tap tells all of it. */
function CardWords({ card, desk }: { card: string; desk: Props["desk"] }) {
  const text = t(`card-${card}-text`);
  const short = `kaosmos-short-${card}`;
  return (
    <button type="button" class="kaosmos-card-words" title={text} onClick={() => desk.hint(text)}>
      <span class="kaosmos-card-lines">
        <strong>{t(`card-${card}-name`)}</strong>{" "}
        <span class="kaosmos-card-short" aria-hidden="true">
          {has(short) ? t(short) : text}
        </span>
        <span class="kaosmos-card-text">{text}</span>
      </span>
    </button>
  );
}

function GalaxyBoard({ desk, model }: Props) {
  const view = desk.view.value;
  const svg = useRef<SVGSVGElement>(null);
  const counting = model.count.now.value;
  const seat = model.seat.value;
  const own = seat === desk.you.value && !counting;
  const counted = counting ? view.counts[seat] : undefined;
  const galaxy = counted
    ? counted.galaxy
    : own
      ? model.position.value.galaxy
      : (view.galaxies[seat] ?? {});
  const shape: ShapeName = counted ? shapeOfGalaxy(galaxy) : model.shape.value;
  const window =
    counted && shape === "free"
      ? windowOf(Object.keys(galaxy))
      : counted
        ? null
        : model.window.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a window is its four sides
  const all = useMemo(
    () => layout(shape, window),
    [shape, window?.left, window?.right, window?.top, window?.bottom],
  );
  const find = (x: number, y: number): Slot | null => {
    const point = toBoard(svg.current, { x, y });
    return point && (placeAt(all, shape, point.x, point.y)?.slot ?? null);
  };
  useLayoutEffect(() => {
    model.find = own ? find : () => null;
  });
  const open = (own && model.building.value) || (view.phase === "ingerence" && desk.may.value);

  const press = usePress<Held>({
    ...dragging(model),
    down: (event) => {
      if (!open) return null;
      const slot = find(event.clientX, event.clientY);
      const laid = slot && own ? galaxy[slot] : undefined;
      const scale = svg.current?.getScreenCTM()?.a ?? 2;
      return { tile: laid?.[0] ?? null, size: TILE * scale };
    },
    tap: (_, event) => {
      const slot = find(event.clientX, event.clientY);
      if (slot) model.tapSlot(slot);
    },
  });
  const name = desk.names.value[seat] ?? "";
  const mine = seat === desk.you.value;
  return (
    <>
      {!own && !counting && (
        <p class="kaosmos-whose">
          {mine ? t("kaosmos-galaxy-yours") : t("kaosmos-galaxy-of", { name })}
          {model.shown.value !== null && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                model.shown.value = null;
              }}
            >
              {t("kaosmos-back")}
            </button>
          )}
        </p>
      )}
      <BoardSvg
        game="kaosmos"
        svg={svg}
        box={`-3 -3 ${all.width + 6} ${all.height + 6}`}
        open={open}
        press={press}
        model={model.wheel}
        class={`kaosmos-galaxy shape-${shape}`}
      >
        {!counted && <Slots all={all} shape={shape} galaxy={galaxy} model={model} own={own} />}
        {shape === "ring" && <Hole x={1.5 * TILE} y={1.5 * TILE} />}
        {all.places.map((place, index) => {
          const laid = galaxy[place.slot];
          return (
            laid && <LaidTile key={`${laid[0]}${index}`} place={place} laid={laid} model={model} />
          );
        })}
        <Overlay all={all} marks={marksOf(desk, model, own)} galaxy={galaxy} />
        {view.phase === "ingerence" && !counting && <Target all={all} desk={desk} model={model} />}
        <ByChance all={all} model={model} />
        {own && !counting && <HintTiles all={all} desk={desk} />}
        {!counting && <Cursor all={all} model={model} />}
      </BoardSvg>
    </>
  );
}

interface SlotsProps {
  all: Layout;
  shape: ShapeName;
  galaxy: Galaxy;
  model: Model;
  own: boolean;
}

function Slots({ all, shape, galaxy, model, own }: SlotsProps) {
  const over = model.over.value;
  const chosen = own && model.building.value && model.chosen.value !== null;
  return (
    <g class={chosen ? "choosing" : ""}>
      {all.places.map((place, index) => (
        <rect
          key={index}
          class={`kaosmos-slot${over === place.slot ? " over" : ""}${place.again ? " again" : ""}`}
          x={place.x - TILE / 2 + 0.8}
          y={place.y - TILE / 2 + 0.8}
          width={TILE - 1.6}
          height={TILE - 1.6}
          rx="3.2"
        />
      ))}
      {shape !== "free" &&
        all.places
          .filter((place) => !galaxy[place.slot])
          .map((place, index) => (
            <text key={index} class="kaosmos-slot-name" x={place.x - 17} y={place.y - 12}>
              {place.slot}
            </text>
          ))}
    </g>
  );
}

function Hole({ x, y }: { x: number; y: number }) {
  return (
    <g class="kaosmos-hole" transform={`translate(${x} ${y})`} aria-hidden="true">
      <circle r="16" />
      <ellipse rx="17" ry="6" transform="rotate(-18)" />
      <circle class="kaosmos-hole-heart" r="9" />
    </g>
  );
}

function LaidTile({ place, laid, model }: { place: Place; laid: [string, number]; model: Model }) {
  const [tile, turns] = laid;
  const lifted = model.lifted.value === tile;
  const chosen = model.chosen.value === tile;
  return (
    <g
      class={`kaosmos-laid${lifted ? " lifted" : ""}${place.again ? " again" : ""}`}
      transform={`translate(${place.x} ${place.y})`}
      data-slot={place.slot}
      data-tile={tile}
      data-turns={turns}
    >
      <Turned tile={tile} turns={turns} />
      {chosen && <rect class="kaosmos-hover" x="-20.5" y="-20.5" width="41" height="41" rx="3.4" />}
    </g>
  );
}

/** The tile of the next player that will turn. */
function Target({ all, desk, model }: Props & { all: Layout }) {
  const choice = desk.view.value.choice?.split(" ")[1];
  const slot = model.choices.target.value ?? choice;
  const place = all.places.find((each) => each.slot === slot);
  if (!place || model.seat.value !== nextTo(desk.view.value, desk.you.value ?? 0)) return null;
  return (
    <g class="kaosmos-target" transform={`translate(${place.x} ${place.y})`}>
      <rect x="-19" y="-19" width="38" height="38" rx="3" />
      <circle r="11" />
      <path d="M6 0a6 6 0 1 1-1.8-4.300M4.500-8v4h-4" />
    </g>
  );
}

/** The tiles that a bot would lay next. */
function HintTiles({ all, desk }: { all: Layout; desk: Props["desk"] }) {
  return (
    <g class="hints" aria-hidden="true">
      {desk.hints.value.map(({ move }, index) => {
        const [what, tile = "", slot, turns] = move.split(" ");
        const place = all.places.find((each) => each.slot === slot && !each.again);
        if (what !== "put" || !place) return null;
        return (
          <g
            key={move}
            class={`hint-tile rank-${index + 1}`}
            transform={`translate(${place.x} ${place.y})`}
          >
            <Turned tile={tile} turns={Number(turns)} />
            <HintBadge x={-14} y={-14} rank={index + 1} />
          </g>
        );
      })}
    </g>
  );
}

function Cursor({ all, model }: { all: Layout; model: Model }) {
  const slot = model.cursor.value;
  const place = all.places.find((each) => each.slot === slot && !each.again);
  if (!place) return null;
  return (
    <rect class="cursor" x={place.x - 19.5} y={place.y - 19.5} width="39" height="39" rx="3" />
  );
}

function Dragged({ model }: { model: Model }) {
  const drag = model.drag.value;
  if (!drag) return null;
  return (
    <DragTile at={drag} size={drag.size * 1.08} box="-21 -21 42 42">
      <g transform="rotate(2.5)">
        <Face tile={drag.tile} turns={model.turnsOf(drag.tile)} />
        <rect class="kaosmos-hover" x="-20.4" y="-20.4" width="40.8" height="40.8" rx="3.2" />
      </g>
    </DragTile>
  );
}
