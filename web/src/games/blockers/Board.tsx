import type { BlockersView } from "../../protocol";
import { useSmall } from "../../ui/screen";
import { BoardSvg } from "../common/BoardSvg";
import { useBoardPress } from "../common/pointer";
import type { PartProps } from "../types";
import {
  CELLS,
  COLUMNS,
  cellOutline,
  cellsOf,
  EDGE,
  groupsOf,
  middle,
  pointOf,
  ROWS,
  regionOf,
  SPAN,
  symbolOf,
  tileSymbol,
} from "./grid";
import { HintTiles } from "./Hints";
import { Marks, Parts } from "./Marks";
import type { Model } from "./model";
import { BlockTile, Piece, Sign } from "./Sign";
import { type Cell, COLOURS, colourOf, coloursOf, faceOf, readMove, type Tile } from "./view";
import "./Board.css";

type Props = PartProps<BlockersView, Model>;

/** The box around the tray. Where rows have no names, it has a narrow edge only. */
function boxWith(edge: number): string {
  return `${-edge - 1} ${-edge - 1} ${SPAN + edge + 7} ${SPAN + edge + 10}`;
}

export function Board({ desk, model }: Props) {
  const press = useBoardPress(model, desk.may);
  const edge = useSmall() ? 9 : EDGE;
  return (
    <BoardSvg game="blockers" box={boxWith(edge)} open={desk.may.value} press={press} cell={20}>
      <Tray edge={edge} />
      <Edges edge={edge} model={model} />
      <Grounds desk={desk} model={model} />
      <Plates desk={desk} model={model} />
      <Tiles desk={desk} model={model} />
      <Taken desk={desk} model={model} />
      <Marks desk={desk} model={model} />
      <LastRings desk={desk} model={model} />
      <Sent desk={desk} model={model} />
      {model.at.value === null && <HintTiles desk={desk} chosen={model.tile.value} />}
      <GhostTile model={model} />
      <Parts model={model} />
      <Cursor model={model} />
    </BoardSvg>
  );
}

/** The frame, and the floor in it. */
function Tray({ edge }: { edge: number }) {
  const side = SPAN + edge + 5;
  return (
    <g aria-hidden="true">
      <rect class="blockers-tray-edge" x={-edge} y={2.6 - edge} width={side} height={side} rx="8" />
      <rect class="blockers-tray" x={-edge} y={-edge} width={side} height={side} rx="8" />
      <rect
        class="blockers-tray-rim"
        x={0.7 - edge}
        y={0.7 - edge}
        width={side - 1.4}
        height={side - 1.4}
        rx="7.4"
      />
      <rect
        class="blockers-floor"
        x="-1.6"
        y="-1.6"
        width={SPAN + 3.2}
        height={SPAN + 3.2}
        rx="4"
      />
    </g>
  );
}

/** Numbers above, letters beside; the one that the chosen tile shows stands out. */
function Edges({ edge, model }: { edge: number; model: Model }) {
  const face = faceOf(model.tile.value ?? "");
  const label = (text: string, x: number, y: number) => (
    <g key={text} class={`blockers-edge${face === text ? " on" : ""}`}>
      <rect x={x - 4.6} y={y - 4} width="9.2" height="8" rx="2.6" />
      <text class="board-rim" x={x} y={y + 2.7}>
        {text}
      </text>
    </g>
  );
  const off = -edge / 2 - 0.8;
  return (
    <g aria-hidden="true">
      {[...COLUMNS].map((column, index) => label(column, middle(index), off))}
      {[...ROWS].map((row, index) => label(row, off, middle(index)))}
    </g>
  );
}

/** The table as it is, or as it was at the move that the list points at. */
function boardAt(desk: Props["desk"]): Record<Cell, Tile> {
  const pointed = desk.pointed.value;
  if (!pointed?.pinned) return desk.view.value.board;
  const board: Record<Cell, Tile> = {};
  for (const event of desk.past.value.slice(0, pointed.decision.end)) {
    if (event.kind === "laid" || event.kind === "captured") board[event.cell] = event.tile;
  }
  return board;
}

/** The cells with their symbols; those where the chosen tile may go are lit. */
function Grounds({ desk, model }: Props) {
  const targets = model.targets.value;
  const board = boardAt(desk);
  const wanted = model.tile.value === null ? model.at.value : null;
  return (
    <g class={targets.size > 0 ? "choosing" : ""}>
      {CELLS.map((cell) => {
        const { x, y } = pointOf(cell);
        const lit = (targets.has(cell) && !board[cell]) || wanted === cell;
        const state = `${lit ? " target" : ""}${board[cell] ? " taken" : ""}`;
        return (
          <g
            key={cell}
            class={`blockers-cell${regionOf(cell) % 2 ? " odd" : ""}${state}`}
            transform={`translate(${x} ${y})`}
          >
            <rect class="blockers-square" x="-9.5" y="-9.5" width="19" height="19" rx="2.6" />
            {!board[cell] && <Sign symbol={symbolOf(cell)} />}
          </g>
        );
      })}
    </g>
  );
}

/** A group lies on one plate: gaps inside it show its own colour. */
function Plates({ desk }: Props) {
  const board = boardAt(desk);
  return (
    <g aria-hidden="true">
      {COLOURS.flatMap((colour) =>
        groupsOf(cellsOf(board, colour)).map((group) => {
          const path = cellOutline(group, 0.55);
          return (
            <g key={group[0]} class={`blockers-${colour}`}>
              <path class="blockers-shadow" d={path} transform="translate(0 2.6)" />
              <path class="blockers-edge-lo" d={path} transform="translate(0 1.5)" />
              <path class="blockers-edge-lo" d={path} />
            </g>
          );
        }),
      )}
    </g>
  );
}

/** The faces; while one chooses, what cannot be captured steps back. */
function Tiles({ desk, model }: Props) {
  const board = boardAt(desk);
  const targets = model.targets.value;
  const own = coloursOf(desk.view.value, desk.you.value ?? -1);
  const back = (cell: Cell) =>
    targets.size > 0 && !targets.has(cell) && !own.includes(colourOf(board[cell] ?? ""));
  const last = desk.fresh.value.length > 0 ? model.last.value?.cell : null;
  return (
    <>
      {CELLS.filter((cell) => board[cell]).map((cell) => (
        <LaidTile
          key={cell + board[cell]}
          cell={cell}
          tile={board[cell]!}
          pop={cell === last}
          back={back(cell)}
        />
      ))}
    </>
  );
}

interface LaidProps {
  cell: Cell;
  tile: Tile;
  pop: boolean;
  back: boolean;
}

function LaidTile({ cell, tile, pop, back }: LaidProps) {
  const { x, y } = pointOf(cell);
  return (
    <g
      class={back ? "blockers-back" : ""}
      transform={`translate(${x} ${y})`}
      data-tile={cell}
      data-at={cell}
    >
      <g class={pop ? "pop" : ""}>
        <Piece tile={tile} region={tileSymbol(tile) ? null : symbolOf(cell)} />
      </g>
    </g>
  );
}

/** A captured tile goes away. */
function Taken({ desk, model }: Props) {
  const event = desk.fresh.value.findLast((each) => each.kind === "captured");
  const last = model.last.value;
  if (event?.kind !== "captured" || last?.cell !== event.cell) return null;
  const { x, y } = pointOf(event.cell);
  return (
    <g key={`${desk.view.value.number}`} transform={`translate(${x} ${y})`} aria-hidden="true">
      <g class="blockers-away" data-taken-by={event.seat}>
        <BlockTile tile={event.taken} />
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
      class={`ghost${model.fixed.value ? " fixed" : ""}${ghost.taken ? " takes" : ""}`}
      transform={`translate(${x} ${y - 1}) scale(1.06)`}
    >
      <BlockTile tile={ghost.tile} up={2} />
      <rect class="blockers-hover" x="-9.2" y="-11.2" width="18.4" height="18.4" rx="3.3" />
    </g>
  );
}

/** The tile of a pending move, drawn as if placed. */
function Sent({ desk }: Props) {
  const sent = desk.sent.value;
  const move = sent ? readMove(sent) : null;
  if (!move?.cell) return null;
  const { x, y } = pointOf(move.cell);
  return (
    <g class="sent" transform={`translate(${x} ${y})`}>
      <BlockTile tile={move.tile} />
    </g>
  );
}

/** All that others have laid since our move; or the move that the list points at. */
function LastRings({ desk, model }: Props) {
  const pointed = desk.pointed.value?.decision.events.find(
    (event) => event.kind === "laid" || event.kind === "captured",
  );
  const last = model.last.value?.cell;
  const cells = pointed && "cell" in pointed ? [pointed.cell] : sinceMine(desk);
  if (!pointed && cells.length === 0 && last) cells.push(last);
  return (
    <g class="blockers-last" aria-hidden="true">
      {cells.map((cell) => {
        const { x, y } = pointOf(cell);
        return (
          <rect
            key={cell}
            class="blockers-last-ring"
            x={x - 8}
            y={y - 8}
            width="16"
            height="16"
            rx="2.4"
            data-last={cell}
          />
        );
      })}
    </g>
  );
}

function sinceMine(desk: Props["desk"]): Cell[] {
  const { board } = desk.view.value;
  if (desk.you.value === null) return [];
  const laid = desk.past.value.filter(
    (event) => event.kind === "laid" || event.kind === "captured",
  );
  const mine = laid.findLastIndex((event) => event.seat === desk.you.value);
  return laid.slice(mine + 1).flatMap(({ cell, tile }) => (board[cell] === tile ? [cell] : []));
}

function Cursor({ model }: { model: Model }) {
  const cell = model.cursor.value;
  if (cell === null) return null;
  const { x, y } = pointOf(cell);
  return (
    <rect
      class="cursor"
      x={x - 10.2}
      y={y - 10.2}
      width="20.4"
      height="20.4"
      rx="3"
      data-cell={cell}
    />
  );
}
