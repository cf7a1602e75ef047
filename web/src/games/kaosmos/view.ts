import type { GameEvent, PlayView, Seat } from "../../live/wire";

export const COLOURS = ["green", "blue", "orange"] as const;
export type Colour = (typeof COLOURS)[number];
export const MARKERS = ["green", "blue", "orange", "star"] as const;
export type Marker = (typeof MARKERS)[number];
export type TileId = string;
export type Slot = string;
/** A quarter of a tile: its slot, and NW, NE, SE or SW. */
export type Field = [Slot, string];
export type Laid = [TileId, number];
export type Galaxy = Record<Slot, Laid>;
export type Markers = Record<Marker, number>;

export interface Zone {
  colour: Colour;
  fields: Field[];
  planets: number;
  points: number;
}

/** What a galaxy brings by itself. */
export interface GalaxyCount {
  zones: Zone[];
  constellations: Field[][];
  path: { slots: Slot[]; length: number; points: number };
  points: Markers;
  largest: Record<Colour, number>;
}

export interface Bonus {
  colour: Colour;
  own: number;
  best_of_others: number;
  won: boolean;
  points: number;
}

export interface Gain {
  reason: string;
  marker: Marker;
  points: number;
  fields: Field[];
}

export interface Change {
  step: string;
  marker: Marker;
  before: number;
  points: number;
  after: number;
  clamped: boolean;
}

/** All that a seat counted in a round. */
export interface SeatCount {
  seat: Seat;
  galaxy: Galaxy;
  count: GalaxyCount;
  bonuses: Bonus[];
  kaos: Gain[];
  changes: Change[];
  before: Markers;
  after: Markers;
}

export interface KaosmosView extends PlayView {
  players: number;
  options: { kaos: boolean; draft: boolean; seconds: number | null };
  round: number;
  direction: "left" | "right";
  /** `ready`: tiles lie face down until the timer starts; it is no phase of the rules. */
  phase: "card" | "draw" | "draft" | "ready" | "building" | "fill" | string;
  waiting: Seat[];
  glass: number | null;
  card: string | null;
  cards: string[];
  packets: number[];
  kept: number[];
  supplies: number[];
  galaxies: Galaxy[];
  aside: (TileId | null)[];
  locked: Seat[];
  bonuses: Record<Colour, Seat | null>;
  markers: Markers[];
  counts: SeatCount[];
  packet: TileId[] | null;
  supply: TileId[] | null;
  choice: string | null;
  /** What the viewer's own galaxy would bring as it lies, where the server tells. */
  counted?: GalaxyCount | null;
}

export type KaosmosEvent =
  | { kind: "round"; round: number; direction: string; phase: string }
  | { kind: "phase"; phase: string; waiting: Seat[]; glass: number | null }
  | { kind: "card"; card: string }
  | { kind: "drawn"; seat: Seat; count: number; unseen: boolean; tiles: TileId[] | null }
  | { kind: "kept"; seat: Seat; count: number; tiles: TileId[] | null }
  | { kind: "passed"; source: Seat; seat: Seat; count: number; unseen: boolean }
  | { kind: "supplied"; seat: Seat; count: number; tiles: TileId[] | null }
  | {
      kind: "placed";
      seat: Seat;
      tile: TileId;
      slot: Slot;
      turns: number;
      source: string;
      displaced: TileId | null;
    }
  | { kind: "lifted"; seat: Seat; tile: TileId; slot: Slot }
  | { kind: "aside"; seat: Seat; tile: TileId; source: string; returned: TileId | null }
  | { kind: "grabbed"; seat: Seat; colours: Colour[] }
  | { kind: "locked"; seat: Seat }
  | { kind: "time-up" }
  | { kind: "filled"; seat: Seat; taken: Slot[]; puts: [TileId, Slot, number][] }
  | { kind: "chosen"; seat: Seat; choice: string | null }
  | {
      kind: "turned";
      tiles: { by: Seat; owner: Seat; slot: Slot; tile: TileId; turns: number }[];
    }
  | { kind: "counted"; seat: Seat; round: number; count: SeatCount }
  | {
      kind: "transferred";
      seat: Seat;
      source: Colour;
      target: Colour;
      points: number;
      source_after: number;
      target_after: number;
    }
  | { kind: "ended"; result: { reason: string } };

export function kaosmosEvents(events: GameEvent[]): KaosmosEvent[] {
  return events as unknown as KaosmosEvent[];
}

/** The next player in the direction in which packets are passed in this round. */
export function nextTo(view: KaosmosView, seat: Seat): Seat {
  return (seat + (view.direction === "left" ? 1 : -1) + view.players) % view.players;
}
