import type { ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Words } from "../i18n";
import type { GameEvent, PlayView, Result, Seat } from "../live/wire";

/** What a board is given. It draws the view and says which move is wanted; it knows no rules. */
export interface Desk<V extends PlayView = PlayView> {
  readonly view: ReadonlySignal<V>;
  /** The events since the view before, for things that move. Empty after a reload. */
  readonly fresh: ReadonlySignal<GameEvent[]>;
  /** The seat at whose place we look, or null for a spectator. */
  readonly you: ReadonlySignal<Seat | null>;
  /** How the players are called, for sentences. */
  readonly names: ReadonlySignal<string[]>;
  /** The same for headings: a player without a name reads "You" at their own place. */
  readonly labels: ReadonlySignal<string[]>;
  /** What has happened so far, oldest first: events of the game, or entries of a record. */
  readonly past: ReadonlySignal<GameEvent[]>;
  /** Whether a move can be made now: it is our turn, nothing is on its way, this is no replay. */
  readonly may: ReadonlySignal<boolean>;
  /** The move that was sent and is not answered yet, to be drawn as if it were made. */
  readonly sent: ReadonlySignal<string | null>;
  /** The move that races with others' and is not settled yet: our claim at the server. */
  readonly claim: ReadonlySignal<string | null>;
  /** Seconds until the timer runs out, or null. Read it in an animation frame. */
  secondsLeft(): number | null;
  move(text: string): void;
  /** A word to the player that belongs to no rule of the server, such as why a cell is dark. */
  hint(text: string): void;
}

/** The four parts of a game's table; each gets the same two things. */
export interface PartProps<V extends PlayView, M> {
  desk: Desk<V>;
  model: M;
}

export interface GameModule<V extends PlayView = PlayView, M = unknown> {
  name: string;
  words: Words;
  /** The state of the hand: what is chosen, where the ghost is. Made once for each desk. */
  model(desk: Desk<V>): M;
  Board: ComponentType<PartProps<V, M>>;
  Hand: ComponentType<PartProps<V, M>>;
  Scores: ComponentType<PartProps<V, M>>;
  TextBoard: ComponentType<PartProps<V, M>>;
  /** Whether something is still being told on the board that a result should not cover. */
  telling?(model: M): boolean;
  /** A banner above the board that cannot be missed ('bonus', 'your last turn'), or null. */
  banner(desk: Desk<V>): string | null;
  /** One line for the history and the screen reader, with its reasons; null: not worth a word. */
  say(event: GameEvent, names: string[], you: Seat | null): string | null;
  /** The same event for the eye: may hold drawn tiles. Falls back to `say`. */
  Line?: ComponentType<{ event: GameEvent; names: string[]; you: Seat | null }>;
  /** One line for a seat in the result: its score in words. */
  score(own: Result["scores"][number], view: V): string;
  /** Who plays together, side by side; without it everybody plays for themselves. */
  sides?(view: V): Seat[][];
  /** How a game ended that was played alone, as a heading. */
  alone?(own: Result["scores"][number], view: V): string;
  /** A key that was pressed anywhere on the table page; true if it was meant for the game. */
  key?(event: KeyboardEvent, desk: Desk<V>, model: M): boolean;
  /** Those keys for whoever asks: what is pressed, and the name of the words that tell why. */
  keys?: readonly (readonly [pressed: string, words: string])[];
  /** Which sound goes with an event. */
  sound?(event: GameEvent, you: Seat | null): import("../ui/sound").Sound | null;
}
