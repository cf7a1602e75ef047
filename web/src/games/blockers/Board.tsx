import { useRef } from "preact/hooks";
import { t } from "../../i18n";
import type { PartProps } from "../types";
import {
  CELLS,
  COLUMNS,
  cellAt,
  EDGE,
  middle,
  type Point,
  pointOf,
  ROWS,
  regionOf,
  SPAN,
  step,
  symbolOf,
} from "./grid";
import { Marks, Parts } from "./Marks";
import type { Model } from "./model";
import { Piece, Sign } from "./Sign";
import {
  type BlockersView,
  blockersEvents,
  type Cell,
  type Colour,
  colourOf,
  coloursOf,
  faceOf,
  readMove,
  type Tile,
} from "./view";

/** How far above a finger the tile hovers, in screen pixels, so that it can be seen. */
export const LIFT = 34;
const BOX = `${-EDGE} ${-EDGE} ${SPAN + EDGE + 1} ${SPAN + EDGE + 1}`;

type Props = PartProps<BlockersView, Model>;

export function Board({ desk, model }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const pressed = useRef<{ x: number; y: number; moved: boolean } | null>(null);

  const cellUnder = (event: PointerEvent, lift = 0): Cell | null =>
    cellAt(toBoard(svg.current, event.clientX, event.clientY - lift));

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
      id="blockers-board"
      class={`blockers-board${desk.may.value ? " open" : ""}`}
      viewBox={BOX}
      role="application"
      aria-roledescription={t("blockers-board")}
      aria-label={t("blockers-board-label")}
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
      <rect
        class="blockers-ground"
        x="-1"
        y="-1"
        width={SPAN + 2}
        height={SPAN + 2}
        rx="3"
        aria-hidden="true"
      />
      <Edges model={model} />
      <Grounds model={model} />
      <Tiles desk={desk} model={model} />
      <Taken desk={desk} model={model} />
      <Sent desk={desk} model={model} />
      <GhostTile model={model} />
      <LastRing model={model} />
      <Marks desk={desk} model={model} />
      <Badges desk={desk} model={model} />
      <Parts model={model} />
      <Cursor model={model} />
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

/** Numbers above, letters beside; the one that the chosen tile shows stands out. */
function Edges({ model }: { model: Model }) {
  const face = faceOf(model.tile.value ?? "");
  const label = (text: string, x: number, y: number) => (
    <g key={text} class={`blockers-edge${face === text ? " on" : ""}`}>
      <rect x={x - 4} y={y - 4} width="8" height="8" rx="2" />
      <text x={x} y={y + 2.4}>
        {text}
      </text>
    </g>
  );
  return (
    <g aria-hidden="true">
      {[...COLUMNS].map((column, index) => label(column, middle(index), -EDGE / 2 - 0.6))}
      {[...ROWS].map((row, index) => label(row, -EDGE / 2 - 0.6, middle(index)))}
    </g>
  );
}

/** The cells with their symbols; those where the chosen tile may go are lit. */
function Grounds({ model }: { model: Model }) {
  const targets = model.targets.value;
  const board = model.desk.view.value.board;
  const wanted = model.tile.value === null ? model.at.value : null;
  return (
    <g class={targets.size > 0 ? "choosing" : ""}>
      {CELLS.map((cell) => {
        const { x, y } = pointOf(cell);
        const lit = (targets.has(cell) && !board[cell]) || wanted === cell;
        return (
          <g
            key={cell}
            class={`blockers-cell${regionOf(cell) % 2 ? " odd" : ""}${lit ? " target" : ""}`}
            transform={`translate(${x} ${y})`}
          >
            <rect class="blockers-square" x="-9.7" y="-9.7" width="19.4" height="19.4" rx="2" />
            {!board[cell] && <Sign symbol={symbolOf(cell)} scale={0.86} />}
          </g>
        );
      })}
    </g>
  );
}

/** The tiles, those of a group joined; while one chooses, what cannot be captured steps back. */
function Tiles({ desk, model }: Props) {
  const { board } = desk.view.value;
  const targets = model.targets.value;
  const own = coloursOf(desk.view.value, desk.you.value ?? -1);
  const last = model.last.value?.cell ?? null;
  const back = (cell: Cell) =>
    targets.size > 0 && !targets.has(cell) && !own.includes(colourOf(board[cell] ?? ""));
  const laid = CELLS.filter((cell) => board[cell]);
  const bridges = laid.flatMap((cell) => bridgesFrom(cell, board));
  const layer = (dim: boolean) => (
    <g class={dim ? "blockers-back" : ""}>
      {bridges
        .filter(([one, two]) => (back(one) || back(two)) === dim)
        .map(([one, two]) => (
          <Bridge key={one + two} one={one} two={two} colour={colourOf(board[one]!)} />
        ))}
      {laid
        .filter((cell) => cell !== last && back(cell) === dim)
        .map((cell) => (
          <LaidTile key={cell + board[cell]} cell={cell} tile={board[cell]!} />
        ))}
    </g>
  );
  return (
    <>
      {layer(true)}
      {layer(false)}
      {last && (
        <g class={back(last) ? "blockers-back" : ""} key={last + board[last]}>
          <LaidTile cell={last} tile={board[last]!} pop={desk.fresh.value.length > 0} />
        </g>
      )}
    </>
  );
}

function LaidTile({ cell, tile, pop = false }: { cell: Cell; tile: Tile; pop?: boolean }) {
  const { x, y } = pointOf(cell);
  return (
    <g transform={`translate(${x} ${y})`} data-tile={cell}>
      <g class={pop ? "blockers-pop" : ""}>
        <Piece tile={tile} />
      </g>
    </g>
  );
}

/** A tile and its neighbours of the same colour to the right and below. */
function bridgesFrom(cell: Cell, board: BlockersView["board"]): [Cell, Cell][] {
  const colour = colourOf(board[cell]!);
  return [step(cell, 0, 1), step(cell, 1, 0)].flatMap((next): [Cell, Cell][] =>
    next !== null && board[next] && colourOf(board[next]) === colour ? [[cell, next]] : [],
  );
}

/** What joins two tiles of a group. It leaves the corner free where the region's symbol is. */
function Bridge({ one, two, colour }: { one: Cell; two: Cell; colour: Colour }) {
  const [from, to] = [pointOf(one), pointOf(two)];
  const across = from.y === to.y;
  return (
    <rect
      class={`blockers-bridge blockers-${colour}`}
      x={from.x + (across ? 8 : -1.5)}
      y={from.y + (across ? -1.5 : 8)}
      width={across ? to.x - from.x - 16 : 9}
      height={across ? 9 : to.y - from.y - 16}
    />
  );
}

/** The symbol of the region, seen at the corner of every tile. */
function Badges({ desk, model }: Props) {
  const { board } = desk.view.value;
  const more = model.ghost.value?.cell ?? readMove(desk.sent.value ?? "").cell;
  return (
    <>
      {CELLS.filter((cell) => board[cell] || cell === more).map((cell) => {
        const { x, y } = pointOf(cell);
        return (
          <g
            key={cell}
            class={`blockers-badge${regionOf(cell) % 2 ? " odd" : ""}`}
            transform={`translate(${x - 6.5} ${y - 6.5})`}
          >
            <path class="blockers-badge-ground" d="M-3.4-3.4H3.7V.6A3.1 3.1 0 0 1 .6 3.7H-3.4Z" />
            <Sign symbol={symbolOf(cell)} scale={0.55} />
          </g>
        );
      })}
    </>
  );
}

/** A captured tile goes away. */
function Taken({ desk, model }: Props) {
  const event = blockersEvents(desk.fresh.value).findLast((each) => each.kind === "captured");
  const last = model.last.value;
  if (event?.kind !== "captured" || last?.cell !== event.cell) return null;
  const { x, y } = pointOf(event.cell);
  return (
    <g key={`${desk.view.value.number}`} transform={`translate(${x} ${y})`} aria-hidden="true">
      <g class="blockers-away">
        <Piece tile={event.taken} />
      </g>
    </g>
  );
}

function GhostTile({ model }: { model: Model }) {
  const ghost = model.ghost.value;
  if (!ghost) return null;
  const { x, y } = pointOf(ghost.cell);
  return (
    <g
      class={`blockers-ghost${model.fixed.value ? " fixed" : ""}${ghost.taken ? " takes" : ""}`}
      transform={`translate(${x} ${y})`}
    >
      <Piece tile={ghost.tile} />
      <rect class="blockers-ghost-ring" x="-9.6" y="-9.6" width="19.2" height="19.2" rx="3.4" />
    </g>
  );
}

/** The tile that is on its way to the server, as if it lay there already. */
function Sent({ desk }: Props) {
  const sent = desk.sent.value;
  const move = sent ? readMove(sent) : null;
  if (!move?.cell) return null;
  const { x, y } = pointOf(move.cell);
  return (
    <g class="blockers-sent" transform={`translate(${x} ${y})`}>
      <Piece tile={move.tile} />
    </g>
  );
}

function LastRing({ model }: { model: Model }) {
  const last = model.last.value;
  if (!last) return null;
  const { x, y } = pointOf(last.cell);
  return (
    <g class="blockers-last" transform={`translate(${x} ${y})`} data-last={last.cell}>
      <rect class="blockers-last-edge" x="-9.4" y="-9.4" width="18.8" height="18.8" rx="3" />
      <rect class="blockers-last-ring" x="-9.4" y="-9.4" width="18.8" height="18.8" rx="3" />
    </g>
  );
}

function Cursor({ model }: { model: Model }) {
  const cell = model.cursor.value;
  if (cell === null) return null;
  const { x, y } = pointOf(cell);
  return (
    <rect
      class="blockers-cursor"
      x={x - 10.2}
      y={y - 10.2}
      width="20.4"
      height="20.4"
      rx="3"
      data-cell={cell}
    />
  );
}
