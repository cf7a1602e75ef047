import { useEffect, useState } from "preact/hooks";
import { hexagon, roundPoly } from "../../art/shapes";
import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { useSmall } from "../../ui/screen";
import { moves } from "../../ui/settings";
import { BoardSvg } from "../common/BoardSvg";
import { useBoardPress } from "../common/pointer";
import type { PartProps } from "../types";
import { Domino, HalfTile, MARK } from "./Domino";
import { HintTiles } from "./Hints";
import { pointOf, WIDTH, wayTo } from "./hex";
import type { Model } from "./model";
import { laidPairs, type Pair } from "./pairs";
import { type Half, Points, Rays, restOf } from "./Rays";
import { Sign } from "./Sign";
import { boardBox, PRINTED, Tray } from "./Tray";
import { COLOURS, type Colour } from "./view";
import "./Board.css";

type Props = PartProps<GenialView, Model>;

export function Board({ desk, model }: Props) {
  const view = desk.view.value;
  const press = useBoardPress(model, desk.may);
  const coordinates = !useSmall();
  const targets = model.targets.value;
  return (
    <BoardSvg
      game="genial"
      box={boardBox(view.radius, coordinates)}
      open={desk.may.value}
      press={press}
      model={model}
      cell={WIDTH}
    >
      <g class={targets.size > 0 ? "choosing" : ""}>
        <Tray
          radius={view.radius}
          coordinates={coordinates}
          symbols={view.symbols}
          targets={targets}
        />
      </g>
      <Tiles desk={desk} model={model} />
      <Last desk={desk} model={model} />
      <Pointed desk={desk} model={model} />
      <Sent desk={desk} model={model} />
      {model.at.value === null && <HintTiles desk={desk} chosen={model.tile.value} />}
      <Cursor model={model} />
      <GhostTile model={model} badges={coordinates} />
      <Celebration desk={desk} model={model} />
    </BoardSvg>
  );
}

/** All tiles that lie, and halves of which nobody knows what they came with. */
function Tiles({ desk }: Props) {
  const { symbols } = desk.view.value;
  const pairs = laidPairs(desk.past.value, symbols);
  const known = new Set(pairs.flat());
  const alone = Object.keys(symbols).filter((cell) => !known.has(cell) && !PRINTED[cell]);
  return (
    <>
      {pairs.map((pair) => (
        <g key={pair[0]} class={isAfter(desk, pair) ? "genial-later" : ""}>
          <Tile pair={pair} symbols={symbols} />
        </g>
      ))}
      {alone.map((cell) => {
        const { x, y } = pointOf(cell);
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <HalfTile colour={symbols[cell]!} />
          </g>
        );
      })}
    </>
  );
}

/** Whether a tile was laid after the move that the list of moves points at. */
function isAfter(desk: Props["desk"], [first]: Pair): boolean {
  const pointed = desk.pointed.value;
  if (!pointed?.pinned) return false;
  const later = desk.past.value.slice(pointed.decision.end);
  return later.some((event) => event.kind === "placed" && event.first === first);
}

function Tile({ pair, symbols }: { pair: Pair; symbols: GenialView["symbols"] }) {
  const [first, second] = pair;
  const { x, y } = pointOf(first);
  return (
    <g transform={`translate(${x} ${y})`} data-at={first}>
      <g>
        <Domino tile={`${symbols[first]}${symbols[second]}`} way={wayTo(first, second)} />
      </g>
    </g>
  );
}

/** The tiles since our last move, marked; and for a moment the lines that the newest scored by. */
function Last({ desk }: Props) {
  const view = desk.view.value;
  const fresh = desk.fresh.value;
  if (desk.pointed.value) return null;
  const scored = fresh.findLast((event) => event.kind === "scored");
  const placed = fresh.findLast((event) => event.kind === "placed");
  const marked = sinceMine(desk);
  if (marked.length === 0 && view.last) marked.push(view.last);
  return (
    <g class="genial-last">
      {marked.map((pair) => (
        <Mark key={pair[0]} pair={pair} />
      ))}
      {scored?.kind === "scored" && placed && (
        <g key={view.number} class="genial-flash" aria-hidden="true">
          <Rays halves={scored.halves} />
          {scored.halves
            .filter((half) => half.points > 0)
            .map((half, index) => (
              <Points key={index} at={pointOf(half.cell)} points={half.points} />
            ))}
        </g>
      )}
    </g>
  );
}

/** What others have laid since our last tile, as it still lies. */
function sinceMine(desk: Props["desk"]): [string, string][] {
  const { symbols } = desk.view.value;
  const placed = desk.past.value.filter((event) => event.kind === "placed");
  const mine = placed.findLastIndex((event) => event.seat === desk.you.value);
  if (desk.you.value === null) return [];
  return placed
    .slice(mine + 1)
    .filter((event) => symbols[event.first] && symbols[event.second])
    .map((event): [string, string] => [event.first, event.second]);
}

function Mark({ pair, strong = false }: { pair: Pair; strong?: boolean }) {
  const [first, second] = pair;
  const { x, y } = pointOf(first);
  const path = MARK[wayTo(first, second)];
  return (
    <g transform={`translate(${x} ${y})`}>
      <path class={strong ? "genial-last-ring strong" : "genial-last-ring"} d={path} />
    </g>
  );
}

/** A move of the list that the mouse is over, with what it scored. */
function Pointed({ desk }: Props) {
  const pointed = desk.pointed.value;
  if (!pointed) return null;
  const placed = pointed.decision.events.find((event) => event.kind === "placed");
  const scored = pointed.decision.events.find((event) => event.kind === "scored");
  if (placed?.kind !== "placed") return null;
  return (
    <g aria-hidden="true">
      {scored?.kind === "scored" && <Rays halves={scored.halves} />}
      <Mark pair={[placed.first, placed.second]} strong />
    </g>
  );
}

function GhostTile({ model, badges }: { model: Model; badges: boolean }) {
  const ghost = model.ghost.value;
  if (!ghost) return null;
  const at = pointOf(ghost.first);
  const halves = [0, 1].map(
    (index): Half => ({
      cell: index === 0 ? ghost.first : ghost.second,
      colour: ghost.tile.charAt(index) as Colour,
      lines: ghost.lines[index as 0 | 1],
      points: ghost.points[index as 0 | 1],
    }),
  );
  const rest = restOf(ghost, model.desk.view.value);
  return (
    <g class={`ghost${model.fixed.value ? " fixed" : ""}`}>
      <Rays halves={halves} links={false} />
      <g transform={`translate(${at.x} ${at.y - 1.2})`}>
        <g class="lifted" key={`${ghost.tile}${ghost.way}`}>
          <Domino tile={ghost.tile} way={ghost.way} up={1.6} />
          <path class="genial-hover" d={MARK[ghost.way]} transform="translate(0 -.96)" />
        </g>
      </g>
      <Rays halves={halves} rings={false} />
      {badges &&
        halves.map(({ cell, points }, index) => {
          const { x, y } = pointOf(cell);
          return (
            <Points key={index} at={{ x: x + rest.x, y: y + rest.y }} points={points} beside />
          );
        })}
    </g>
  );
}

/** The tile of a pending move, drawn as if placed. */
function Sent({ desk }: Props) {
  const view = desk.view.value;
  const [tile, first, second] = desk.sent.value?.split(" ") ?? [];
  if (!tile || !first || !second || view.symbols[first]) return null;
  const { x, y } = pointOf(first);
  return (
    <g class="sent" transform={`translate(${x} ${y})`}>
      <Domino tile={tile} way={wayTo(first, second)} />
    </g>
  );
}

const CURSOR = roundPoly(hexagon(10.4), 1.4);

function Cursor({ model }: { model: Model }) {
  const cell = model.cursor.value;
  if (cell === null) return null;
  const { x, y } = pointOf(cell);
  return <path class="cursor" d={CURSOR} transform={`translate(${x} ${y})`} data-cell={cell} />;
}

const PARTY_MS = 2200;

/** The celebration when a marker reaches the end of its track. */
function Celebration({ desk }: Props) {
  const fresh = desk.fresh.value;
  const event = fresh.findLast((each) => each.kind === "genial");
  const [over, setOver] = useState<unknown>(null);
  useEffect(() => {
    if (!event) return;
    const timer = setTimeout(() => setOver(fresh), PARTY_MS);
    return () => clearTimeout(timer);
  }, [event, fresh]);
  if (event?.kind !== "genial" || over === fresh) return null;
  const name = desk.names.value[event.seat] ?? "";
  return (
    <g class="genial-party" aria-hidden="true">
      {moves() &&
        Array.from({ length: 18 }, (_, i) => (
          <g key={i} transform={`rotate(${i * 20})`}>
            <g class={`genial-spark genial-spark-${i % 3}`}>
              <Sign colour={event.colours[i % event.colours.length] ?? COLOURS[i % 6]!} />
            </g>
          </g>
        ))}
      <g class="genial-shout">
        <rect x="-62" y="-22" width="124" height="44" rx="14" />
        <text class="genial-shout-word" y="1">
          {t("genial-shout")}
        </text>
        <text class="genial-shout-name" y="14">
          {name}
        </text>
      </g>
    </g>
  );
}
