import type { Seat } from "../../live/seat";
import type { GenialHalf, GenialView } from "../../protocol";
import { cellsOf, step } from "./hex.ts";

export const COLOURS = ["R", "Y", "B", "G", "P", "O"] as const;
export type Colour = GenialHalf["colour"];
export type Cell = string;
/** Two letters, such as "RB". */
export type Tile = string;
export type Track = GenialView["tracks"][number];

/** The seats of each track: one, or two partners who sit opposite each other. */
export function sides(view: GenialView): Seat[][] {
  const teams = view.options.variant === "teams";
  return view.tracks.map((_, index) => (teams ? [index, index + 2] : [index]));
}

export function canMove(view: GenialView): boolean {
  return view.viewer !== null && view.actors.includes(view.viewer);
}

/** Every move of the viewer, each once, as texts of the notation and in the order of the rules. */
export function legalMoves(view: GenialView): string[] {
  if (!canMove(view)) return [];
  if (view.phase === "swap") return ["swap", "keep"];
  const { symbols, near } = view;
  const pairs = pairsOf(view.radius).filter(
    ([a, b]) => !symbols[a] && !symbols[b] && (!near || near.includes(a) || near.includes(b)),
  );
  return [...new Set(view.hand)].sort().flatMap((tile) => {
    const moves = pairs.map(([a, b]) => `${tile} ${a} ${b}`);
    if (tile.charAt(0) === tile.charAt(1)) return moves;
    return [...moves, ...pairs.map(([a, b]) => `${tile} ${b} ${a}`)];
  });
}

/** To the right, up left and up right: each pair of neighbours is met once. */
const ONWARD = [0, 4, 5];

/** All pairs of neighbouring cells, from the lowest row upwards. */
function pairsOf(radius: number): [Cell, Cell][] {
  const cells = cellsOf(radius).sort((a, b) => a.charCodeAt(0) - b.charCodeAt(0));
  return cells.flatMap((cell) => {
    const others = ONWARD.map((way) => step(cell, way, radius)).filter((other) => other !== null);
    return others.sort().map((other): [Cell, Cell] => [cell, other]);
  });
}
