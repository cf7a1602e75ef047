import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import type { Look } from "../art/Avatar";
import type { Words } from "../i18n";
import type { Seat } from "../live/seat";
import type {
  BlockersEvent,
  GenialEvent,
  GenialView,
  HintFacts,
  KaosmosEvent,
  KaosmosView,
  PlayView,
  Result,
} from "../protocol";

/** The events of the game that has this view. */
export type EventOf<V extends PlayView> = V extends GenialView
  ? GenialEvent
  : V extends KaosmosView
    ? KaosmosEvent
    : BlockersEvent;

/** What somebody decided, and all that followed from it. */
export interface Decision<E> {
  /** Whose it was; null where chance began it. */
  seat: Seat | null;
  events: E[];
  /** How many events have happened when it is over. */
  end: number;
}

/** A decision that the list of moves shows on the board; pinned: as the table was then. */
export interface Pointed<E> {
  decision: Decision<E>;
  pinned: boolean;
}

/** Somebody at the table, as the cards of the players show them. */
export interface Person {
  /** What matters about them now: a bot's level, that they are away. */
  note: string;
  you: boolean;
  /** The time that they have left, in ms; `deadline` while it runs, on the clock of `now`. */
  clock: { left: number | null; deadline: number | null } | null;
}

/** Until when a turn can be undone (on the clock of `now`), and for how long in all, in ms; 0: until
 * its player ends it. */
export interface UndoTime {
  ends: number;
  total: number;
}

/** What the result says of a seat. */
export type SeatScore = Result["scores"][number];

/** What a board is given. It draws the view and says which move is wanted; it knows no rules. */
export interface Desk<V extends PlayView = PlayView> {
  readonly view: ReadonlySignal<V>;
  /** The events since the previous view, for animations. Empty after a reload. */
  readonly fresh: ReadonlySignal<EventOf<V>[]>;
  /** The viewer's seat, or null for a spectator. */
  readonly you: ReadonlySignal<Seat | null>;
  /** The players' names, for sentences. */
  readonly names: ReadonlySignal<string[]>;
  /** The same for headings; in a lesson one is "You" there. */
  readonly labels: ReadonlySignal<string[]>;
  /** What has happened so far, oldest first. */
  readonly past: ReadonlySignal<EventOf<V>[]>;
  readonly people: ReadonlySignal<Person[]>;
  /** The move of the list that the board shows. */
  readonly pointed: Signal<Pointed<EventOf<V>> | null>;
  /** The seat whose decision a replay shows; its board looks there. */
  readonly focus?: ReadonlySignal<Seat | null>;
  /** Whether a move can be made now: it is our turn, nothing is on its way, this is no replay. */
  readonly may: ReadonlySignal<boolean>;
  /** The move that was sent and not answered yet, drawn optimistically. */
  readonly sent: ReadonlySignal<string | null>;
  /** Our turn, while its last move can be undone; null: it is not held. */
  readonly turn: ReadonlySignal<UndoTime | null>;
  readonly undoable: ReadonlySignal<boolean>;
  undo(): void;
  endTurn(): void;
  /** What a bot would do, best first. */
  readonly hints: ReadonlySignal<HintFacts[]>;
  /** Say that we have seen the count of a round: clocks wait for it. */
  seen(): void;
  /** Who still looks at the count. */
  readonly looking: ReadonlySignal<Seat[]>;
  /** Seconds until the timer runs out, or null. Read it in an animation frame. */
  secondsLeft(): number | null;
  /** The time, in ms, on the clock of the server. */
  now(): number;
  /** Make a move. `final`: it needs no time for an undo. */
  move(text: string, final?: boolean): void;
  /** Show a hint, such as why a tile cannot go to a cell. */
  hint(text: string): void;
}

/** The props of the four components of a game's table. */
export interface PartProps<V extends PlayView, M> {
  desk: Desk<V>;
  model: M;
}

/** A number of a score. */
export interface Figure {
  /** What it counts. */
  label: string;
  /** The same, drawn. */
  sign?: ComponentChildren;
  value: number;
  /** Whether the rank depends on it first. */
  decides: boolean;
  /** How full it is, and in which colour. */
  bar?: { part: number; ink: string };
}

export interface GameModule<V extends PlayView = PlayView, M = unknown> {
  name: string;
  words: Words;
  /** The UI state: the chosen tile, the ghost. Created once per desk. */
  model(desk: Desk<V>): M;
  /** Whether the viewer has a move to make. */
  canMove(view: V): boolean;
  Board: ComponentType<PartProps<V, M>>;
  Hand: ComponentType<PartProps<V, M>>;
  Scores: ComponentType<PartProps<V, M>>;
  TextBoard: ComponentType<PartProps<V, M>>;
  /** What the tiles are filled with: gradients and filters, once on a page. */
  Defs: ComponentType;
  /** What the move in hand would do, between board and hand; null where there is none. */
  effect?(desk: Desk<V>, model: M): ComponentChildren;
  /** The colour and shape of a seat, where the game has its own. */
  look?(view: V, seat: Seat): Look;
  /** Where a tile has come down, and whose it was; null for all other events. */
  landing?(event: EventOf<V>): { seat: Seat; at: string } | null;
  /** Whether an event is the first of a decision; what follows belongs to it. */
  decides(event: EventOf<V>): boolean;
  /** What is left to play, in words. */
  left?(view: V): string;
  /** A decision in one line, drawn. */
  Move: ComponentType<{ decision: Decision<EventOf<V>>; names: string[] }>;
  /** Whether a decision begins a part of the game, such as a round: it is a heading of the list. */
  begins?(decision: Decision<EventOf<V>>): boolean;
  /** A tile in a line of text. */
  SmallTile: ComponentType<{ tile: string }>;
  /** What a seat would be ranked by if the game ended now. */
  total(view: V, seat: Seat): number;
  /** Whether the board still shows something that a result should not cover. */
  counting?(model: M): boolean;
  /** What happens at the table, where that matters more than whose turn it is, or null. */
  heading?(desk: Desk<V>, model: M): string | null;
  /** A banner above the board that cannot be missed ('bonus', 'your last turn'), or null. */
  banner(desk: Desk<V>): string | null;
  /** One line for the history and the screen reader, with reasons; null: nothing to say. */
  say(event: EventOf<V>, names: string[], you: Seat | null): string | null;
  /** The same event as a component, which may draw tiles. Falls back to `say`. */
  Line?: ComponentType<{ event: EventOf<V>; names: string[]; you: Seat | null }>;
  /** The numbers of a side's score, in columns of the result. */
  tally(own: Result["scores"][number], view: V): Figure[];
  /** One line for a seat in the result: its score in words. */
  score(own: SeatScore, view: V): string;
  /** The same, short. */
  points(own: SeatScore, view: V): string;
  /** Why the first is before the second, where a tie had to be broken. */
  because(first: SeatScore, second: SeatScore, view: V): string;
  /** A tile to celebrate with. */
  Bit: ComponentType<{ index: number }>;
  /** The teams, as lists of seats; by default everybody plays alone. */
  sides?(view: V): Seat[][];
  /** The heading of the result of a solo game. */
  alone?(own: SeatScore, view: V): string;
  /** Hold the tile of this move over its place. */
  take?(model: M, move: string): void;
  /** A key that was pressed anywhere on the table page; true if it was meant for the game. */
  key?(event: KeyboardEvent, desk: Desk<V>, model: M): boolean;
  /** The list of those keys: the key, and the id of its description. */
  keys?: readonly (readonly [pressed: string, words: string])[];
  /** Whether players take turns, which can be ended and undone. */
  turns?: boolean;
  /** Which sound goes with an event. */
  sound?(event: EventOf<V>, you: Seat | null): import("../ui/sound").Sound | null;
}
