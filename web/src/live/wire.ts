/** Every message between the client and the server (protocol v1), and the views that they carry. */

export type Seat = number;

export interface SeatInfo {
  kind: "open" | "person" | "bot";
  name: string;
  level: string | null;
  ready: boolean;
  /** The person has been gone for a while. */
  away: boolean;
  /** The level of a bot that plays for a person. */
  bot: string | null;
  for_good: boolean;
  resigned: boolean;
}

/** A seat's clock: when its time is over, on the server's clock, if it runs. */
export interface SeatTime {
  left: number | null;
  deadline: number | null;
  flagged: boolean;
}

export interface ClockChoice {
  kind: "none" | "move" | "game";
  seconds?: number;
  increment?: number;
}

/** What every game's view has. Each game's folder adds its own fields. */
export interface PlayView {
  viewer: Seat | null;
  number: number;
  phase: string;
  actors: Seat[];
  legal: string[];
  result: Result | null;
}

export interface Result {
  reason: string;
  places: number[];
  scores: Record<string, unknown>[];
}

/** An event of a game, as `plain(event)` makes it. */
export interface GameEvent {
  kind: string;
  [field: string]: unknown;
}

/** What a viewer may know of a table (`match/view.py`). */
export interface TableView {
  number: number;
  at: number;
  game: string;
  /** The version of the rules that the table plays by. */
  rules: number;
  config: {
    players: number;
    options: Record<string, unknown>;
    clock: ClockChoice | null;
    public: boolean;
    /** How many seconds spectators are behind; null: there are none. */
    spectators: number | null;
    level: string;
  };
  you: Seat | null;
  host: Seat | null;
  seats: SeatInfo[];
  started_at: number | null;
  clock: SeatTime[] | null;
  /** The timer: announced, then started at its time; until then tiles lie face down. */
  glass: { starts_at: number; ends_at: number; started: boolean } | null;
  /** Our own claim that is not settled yet. */
  claim: string | null;
  can_takeback: boolean;
  takeback: { seat: Seat; agreed: Seat[]; silent: Seat[] } | null;
  result: Result | null;
  /** Who would like a rematch, and its table. */
  votes: Seat[];
  rematch: string | null;
  reactions: string[];
  /** The game's own view; null before the start. */
  play: PlayView | null;
}

export type Status = "waiting" | "playing" | "over";

export function statusOf(view: TableView): Status {
  if (view.result) return "over";
  return view.started_at === null || !view.play ? "waiting" : "playing";
}

/** One numbered event of a table. */
export interface TableEvent {
  number: number;
  at: number;
  kind: string;
  data: Record<string, unknown>;
  game?: GameEvent[];
  view?: TableView;
}

export interface Refusal {
  code: string;
  rule: string;
  params: Record<string, unknown>;
}

export type Command =
  | { c: "sit"; name: string; seat?: Seat }
  | { c: "stand" }
  | { c: "add-bot"; seat: Seat; level: string }
  | { c: "remove-bot"; seat: Seat }
  | { c: "ready"; ready: boolean }
  | { c: "begin" }
  | { c: "make"; move: string; pressed?: number }
  | { c: "resign" }
  | { c: "ask-takeback" }
  | { c: "answer-takeback"; yes: boolean }
  | { c: "ask-rematch" }
  | { c: "react"; reaction: string };

export type FromServer =
  | {
      t: "welcome";
      you: Seat | null;
      number: number;
      now: number;
      view?: TableView;
      events?: TableEvent[];
    }
  | ({ t: "event" } & TableEvent)
  | { t: "done"; id: string; number: number }
  | ({ t: "refused"; id: string; wait?: number } & Refusal)
  | { t: "presence"; seats: boolean[]; spectators: number }
  | { t: "pong"; n: number; now: number }
  | { t: "bye"; code: string; wait?: number };

export type ToServer =
  | { t: "hello"; table: string; last: number }
  | { t: "do"; id: string; command: Command }
  | { t: "ping"; n: number };
