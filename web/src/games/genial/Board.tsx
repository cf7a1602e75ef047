import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { moves } from "../../ui/settings";
import type { PartProps } from "../types";
import { Bridge, Domino } from "./Domino";
import { boardPath, cellsOf, hexPath, nearest, type Point, pointOf, WIDTH, wayTo } from "./hex";
import type { Ghost, Model } from "./model";
import { laidPairs } from "./pairs";
import { Chip, Sign } from "./Sign";
import { type Cell, COLOURS, type Colour, type GenialView, genialEvents, type Half } from "./view";

const CELL = hexPath(9.6);
const RING = hexPath(9.7);
/** How far above a finger the tile hovers, in screen pixels, so that it can be seen. */
export const LIFT = 34;

type Props = PartProps<GenialView, Model>;

export function Board({ desk, model }: Props) {
  const view = desk.view.value;
  const svg = useRef<SVGSVGElement>(null);
  const cells = useMemo(() => cellsOf(view.radius), [view.radius]);
  const width = (view.radius + 0.95) * 2 * WIDTH;
  const height = (view.radius + 0.95) * 2 * WIDTH * 0.868;
  const pressed = useRef<{ x: number; y: number; moved: boolean } | null>(null);

  const cellUnder = (event: PointerEvent, lift = 0): Cell | null =>
    nearest(toBoard(svg.current, event.clientX, event.clientY - lift), view.radius);

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !desk.may.value) return;
    pressed.current = { x: event.clientX, y: event.clientY, moved: false };
    svg.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const start = pressed.current;
    if (start) {
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > 10) start.moved = true;
      if (start.moved && model.tile.value !== null) {
        const cell = cellUnder(event, event.pointerType === "mouse" ? 0 : LIFT);
        if (cell) model.set(cell, true, false);
      }
    } else if (event.pointerType === "mouse" && !model.fixed.value && model.tile.value !== null) {
      const cell = cellUnder(event);
      if (!cell || !model.set(cell, false, false)) model.at.value = null;
    }
  };
  const up = (event: PointerEvent) => {
    const start = pressed.current;
    pressed.current = null;
    if (!start || start.moved) return;
    const cell = cellUnder(event);
    if (cell) model.tap(cell);
  };

  return (
    <svg
      ref={svg}
      id="genial-board"
      class={`genial-board${desk.may.value ? " open" : ""}`}
      viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
      role="application"
      aria-roledescription={t("genial-board")}
      aria-label={t("genial-board-label")}
      tabindex={0}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        pressed.current = null;
      }}
      onPointerLeave={() => {
        if (!model.fixed.value && !pressed.current) model.at.value = null;
      }}
    >
      <path class="genial-ground" d={boardPath(view.radius)} />
      <Cells cells={cells} view={view} model={model} />
      <Bridges desk={desk} model={model} />
      <Last desk={desk} model={model} />
      <Sent desk={desk} model={model} />
      <Cursor model={model} />
      <GhostLayer model={model} />
      <Celebration desk={desk} model={model} />
    </svg>
  );
}

/** From the screen to the board's own units. */
export function toBoard(svg: SVGSVGElement | null, x: number, y: number): Point {
  const matrix = svg?.getScreenCTM();
  if (!matrix) return { x: 1e6, y: 1e6 };
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}

function Cells({ cells, view, model }: { cells: Cell[]; view: GenialView; model: Model }) {
  const targets = model.targets.value;
  return (
    <g class={targets.size > 0 ? "choosing" : ""}>
      {cells.map((cell) => {
        const { x, y } = pointOf(cell);
        const colour = view.symbols[cell];
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <path
              class={`genial-cell${targets.has(cell) ? " target" : ""}${colour ? " taken" : ""}`}
              d={CELL}
            />
            {colour && <Chip colour={colour} />}
          </g>
        );
      })}
    </g>
  );
}

/** Two halves that came together are one tile. */
function Bridges({ desk }: Props) {
  const { symbols } = desk.view.value;
  return (
    <>
      {laidPairs(desk.past.value, symbols).map(([first, second]) => {
        const { x, y } = pointOf(first);
        return (
          <g key={first} transform={`translate(${x} ${y})`}>
            <Bridge way={wayTo(first, second)} />
          </g>
        );
      })}
    </>
  );
}

/** The last tile, marked; and for a moment the lines that it scored by. */
function Last({ desk }: Props) {
  const view = desk.view.value;
  const fresh = genialEvents(desk.fresh.value);
  if (!view.last) return null;
  const placed = fresh.findLast((event) => event.kind === "placed");
  const scored = fresh.findLast((event) => event.kind === "scored");
  return (
    <g class="genial-last" key={`${view.last.join()}${view.number}`}>
      {scored?.kind === "scored" &&
        scored.halves.map((half, index) => <ScoredLines key={index} half={half} />)}
      <LastTile pair={view.last} symbols={view.symbols} fresh={placed !== undefined} />
      {scored?.kind === "scored" &&
        scored.halves
          .filter((half) => half.points > 0)
          .map((half, index) => (
            <g key={index} class="genial-flash">
              <Points at={pointOf(half.cell)} points={half.points} />
            </g>
          ))}
    </g>
  );
}

interface LastProps {
  pair: [Cell, Cell];
  symbols: GenialView["symbols"];
  fresh: boolean;
}

/** A rim around the whole tile: what of the rings lies between the halves is covered by it. */
function LastTile({ pair, symbols, fresh }: LastProps) {
  const [first, second] = pair;
  const at = pointOf(first);
  const other = pointOf(second);
  const shift = `translate(${other.x - at.x} ${other.y - at.y})`;
  return (
    <g transform={`translate(${at.x} ${at.y})`}>
      <g class={fresh ? "genial-pop" : ""}>
        {["genial-last-rim", "genial-last-ring"].map((rim) => (
          <g key={rim}>
            <path class={rim} d={RING} />
            <path class={rim} d={RING} transform={shift} />
          </g>
        ))}
        <Domino tile={`${symbols[first]}${symbols[second]}`} way={wayTo(first, second)} />
      </g>
    </g>
  );
}

function ScoredLines({ half }: { half: Half }) {
  const from = pointOf(half.cell);
  return (
    <g class="genial-flash">
      {half.lines.map((line) => (
        <Ray key={line.direction} from={from} cells={line.cells} colour={half.colour} />
      ))}
    </g>
  );
}

function Ray({ from, cells, colour }: { from: Point; cells: Cell[]; colour: Colour }) {
  const to = pointOf(cells.at(-1) ?? "h8");
  return (
    <>
      <line class="genial-ray-edge" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      <line class={`genial-ray genial-${colour}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      {cells.map((cell) => {
        const { x, y } = pointOf(cell);
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <path class={`genial-lit genial-${colour}`} d={RING} />
            <Sign colour={colour} />
          </g>
        );
      })}
    </>
  );
}

function Points({ at, points }: { at: Point; points: number }) {
  return (
    <g class="genial-points" transform={`translate(${at.x + 6.2} ${at.y - 6.6})`}>
      <circle r="5" />
      <text y="2.3">{points}</text>
    </g>
  );
}

function GhostLayer({ model }: { model: Model }) {
  const ghost = model.ghost.value;
  if (!ghost) return null;
  return <GhostTile ghost={ghost} fixed={model.fixed.value} />;
}

function GhostTile({ ghost, fixed }: { ghost: Ghost; fixed: boolean }) {
  const first = pointOf(ghost.first);
  const second = pointOf(ghost.second);
  const [a, b] = [ghost.tile.charAt(0) as Colour, ghost.tile.charAt(1) as Colour];
  return (
    <g class={`genial-ghost${fixed ? " fixed" : ""}`}>
      {ghost.lines[0].map((line) => (
        <Ray key={line.way} from={first} cells={line.cells} colour={a} />
      ))}
      {ghost.lines[1].map((line) => (
        <Ray key={`s${line.way}`} from={second} cells={line.cells} colour={b} />
      ))}
      <g transform={`translate(${first.x} ${first.y})`}>
        <Domino tile={ghost.tile} way={ghost.way} />
        <path class="genial-ghost-ring" d={RING} />
      </g>
      <path class="genial-ghost-ring" d={RING} transform={`translate(${second.x} ${second.y})`} />
      <Points at={first} points={ghost.points[0]} />
      <Points at={second} points={ghost.points[1]} />
    </g>
  );
}

/** The tile that is on its way to the server, as if it lay there already. */
function Sent({ desk }: Props) {
  const view = desk.view.value;
  const [tile, first, second] = desk.sent.value?.split(" ") ?? [];
  if (!tile || !first || !second || view.symbols[first]) return null;
  const { x, y } = pointOf(first);
  return (
    <g class="genial-sent" transform={`translate(${x} ${y})`}>
      <Domino tile={tile} way={wayTo(first, second)} />
    </g>
  );
}

function Cursor({ model }: { model: Model }) {
  const cell = model.cursor.value;
  if (cell === null) return null;
  const { x, y } = pointOf(cell);
  return (
    <path
      class="genial-cursor"
      d={hexPath(10.4)}
      transform={`translate(${x} ${y})`}
      data-cell={cell}
    />
  );
}

const PARTY_MS = 2200;

/** A marker has reached the end of its track: that is worth a moment. */
function Celebration({ desk }: Props) {
  const fresh = desk.fresh.value;
  const event = genialEvents(fresh).findLast((each) => each.kind === "genial");
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
