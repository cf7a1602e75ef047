import type { Seat } from "../../live/seat";
import type { KaosmosChange, KaosmosView, KaosmosZone } from "../../protocol";

export const COLOURS = ["green", "blue", "orange"] as const;
export type Colour = KaosmosZone["colour"];
export const MARKERS = ["green", "blue", "orange", "star"] as const;
export type Marker = KaosmosChange["marker"];
export type TileId = string;
export type Slot = string;
/** A quarter of a tile: its slot, and NW, NE, SE or SW. */
export type Field = KaosmosZone["fields"][number];
export type Galaxy = KaosmosView["galaxies"][number];
export type Markers = KaosmosView["markers"][number];

export function canMove(view: KaosmosView): boolean {
  return view.moves !== null;
}

/** The next player in the direction in which packets are passed in this round. */
export function nextTo(view: KaosmosView, seat: Seat): Seat {
  return (seat + (view.direction === "left" ? 1 : -1) + view.players) % view.players;
}
