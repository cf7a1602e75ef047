import type { Seat } from "../../live/seat";
import type { BlockersGroupChange, BlockersView } from "../../protocol";

export const COLOURS = ["b", "y", "g", "r", "k"] as const;
export type Colour = BlockersGroupChange["colour"];
/** Row and column, such as "C7". */
export type Cell = string;
/** A colour and a face: "b7" column, "bC" row, "b#4" region, "b*" joker. Each exists once. */
export type Tile = string;

export function canMove(view: BlockersView): boolean {
  return view.legal.length > 0;
}

/** A move as the notation writes it: "b7-C7", "b7xC7", "discard b7". */
export interface Move {
  text: string;
  tile: Tile;
  /** Null for a discard. */
  cell: Cell | null;
  capture: boolean;
}

export function readMove(text: string): Move {
  if (text.startsWith("discard ")) {
    return { text, tile: text.slice("discard ".length), cell: null, capture: false };
  }
  return { text, tile: text.slice(0, -3), cell: text.slice(-2), capture: text.at(-3) === "x" };
}

export function colourOf(tile: Tile): Colour {
  return tile.charAt(0) as Colour;
}

/** What stands on a tile, without its colour: "7", "C", "#4" or "*". */
export function faceOf(tile: Tile): string {
  return tile.slice(1);
}

export function coloursOf(view: BlockersView, seat: Seat): Colour[] {
  return [...(view.options.colours[seat] ?? "")] as Colour[];
}

export function ownerOf(view: BlockersView, colour: Colour): Seat {
  return view.options.colours.findIndex((own) => own.includes(colour));
}

/** How many tiles of each colour are among these, only of those that are there. */
export function countByColour(tiles: Tile[]): [Colour, number][] {
  return COLOURS.map((colour): [Colour, number] => [
    colour,
    tiles.filter((tile) => colourOf(tile) === colour).length,
  ]).filter(([, count]) => count > 0);
}

/** The points of groups and captured tiles as they stand now. */
export function pointsOf(view: BlockersView, groups: number, captured: Tile[]): number {
  const counts = countByColour(captured).map(([, count]) => count);
  return groups + (view.options.scoring === "uptown" ? 0 : Math.max(0, ...counts));
}
