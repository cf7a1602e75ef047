import type { GameEvent, PlayView, Seat } from "../../live/wire";

export const COLOURS = ["R", "Y", "B", "G", "P", "O"] as const;
export type Colour = (typeof COLOURS)[number];
export type Cell = string;
/** Two letters, such as "RB". */
export type Tile = string;
export type Track = Record<Colour, number>;

export interface GenialView extends PlayView {
  options: { variant: "standard" | "solo" | "teams" | "duel"; adjacent: boolean };
  players: number;
  radius: number;
  symbols: Record<Cell, Colour>;
  last: [Cell, Cell] | null;
  tracks: Track[];
  hand: Tile[] | null;
  hand_counts: number[];
  bag_count: number;
  phase: "deal" | "place" | "swap" | "draw" | "over" | string;
  seat: Seat;
  bonus: number;
  turns: number;
  /** What a half of each colour would earn on each free cell. */
  points: Record<Colour, Record<Cell, number>> | null;
}

/** The seats of each track: one, or two partners who sit opposite each other. */
export function sides(view: GenialView): Seat[][] {
  const teams = view.options.variant === "teams";
  return view.tracks.map((_, index) => (teams ? [index, index + 2] : [index]));
}

export interface Line {
  direction: string;
  cells: Cell[];
}

export interface Half {
  cell: Cell;
  colour: Colour;
  lines: Line[];
  points: number;
}

export type GenialEvent =
  | { kind: "placed"; seat: Seat; tile: Tile; first: Cell; second: Cell }
  | {
      kind: "scored";
      seat: Seat;
      halves: [Half, Half];
      markers: { colour: Colour; points: number; before: number; after: number; bonus: boolean }[];
    }
  | { kind: "genial"; seat: Seat; colours: Colour[] }
  | { kind: "swapped"; seat: Seat; shown: Tile[] }
  | { kind: "kept"; seat: Seat }
  | { kind: "drawn"; seat: Seat; tiles: Tile[] | null; count: number; returned: number }
  | { kind: "now"; phase: string; seat: Seat; bonus: number; turns: number }
  | { kind: "ended"; result: { reason: string } };

export function genialEvents(events: GameEvent[]): GenialEvent[] {
  return events as unknown as GenialEvent[];
}
