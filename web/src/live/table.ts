import { batch, computed, signal } from "@preact/signals";
import type {
  Command,
  GameEvent,
  Hints,
  Problem,
  ReactedFact,
  ServerMessage,
  TableEvent,
  TableFacts,
  TableView,
  Update,
} from "../protocol";
import { applyChanges } from "./changes";
import { Connection } from "./connection";

/** Facts shown as news at once, because the board does not show them. */
const NEWS = ["left", "returned", "taken-over", "handed-back", "flagged"];

/** A table as this browser knows it: what to draw, and how to act on it. */
export class LiveTable {
  readonly view = signal<TableView | null>(null);
  /** All known events, oldest first. */
  readonly history = signal<TableEvent[]>([]);
  /** Game events since the previous view, for animations. */
  readonly fresh = signal<GameEvent[]>([]);
  readonly presence = signal<boolean[]>([]);
  readonly spectators = signal(0);
  /** The server is busy, and the bots here think less long. */
  readonly hurried = signal(false);
  /** The move that was sent and not yet answered. */
  readonly sent = signal<string | null>(null);
  readonly refusal = signal<Problem | null>(null);
  /** The last news: who left, who returned. */
  readonly news = signal<TableEvent | null>(null);
  readonly reaction = signal<ReactedFact | null>(null);
  readonly connection: Connection;
  readonly link;
  readonly you = computed(() => this.view.value?.you ?? null);
  readonly play = computed(() => this.view.value?.play ?? null);
  readonly status = computed(() => statusOf(this.view.value));
  /** The moves that a bot would make in our place. */
  readonly hints = signal<Hints | null>(null);
  /** The last event that we know of. */
  private number = 0;
  /** How many decisions of ours are over. */
  private decisions = 0;
  private moves = new Map<string, string>();

  constructor(readonly slug: string) {
    this.connection = new Connection(slug, {
      held: () => ({
        last: this.number,
        at: this.view.peek()?.at ?? null,
        you: this.you.peek(),
      }),
      received: (message) => this.received(message),
    });
    this.link = this.connection.link;
  }

  ask(command: Command): void {
    this.refusal.value = null;
    const id = this.connection.ask(command);
    if (command.kind === "make") {
      this.moves.set(id, command.move);
      this.sent.value = command.move;
    }
  }

  /** Make a move, with the server's time at which it was pressed. If it ends the turn, it can be
   * undone for `hold` ms. */
  make(move: string, hold = 0): void {
    const pressed = Math.round(this.connection.now());
    this.ask({ kind: "make", move, pressed, ...(hold > 0 ? { hold } : {}) });
  }

  /** Show the moves that a bot would make, unless we have decided before they come. */
  async showHints(asked: Promise<Hints>): Promise<void> {
    const { decisions } = this;
    const hints = await asked;
    if (decisions === this.decisions) this.hints.value = hints;
  }

  close(): void {
    this.connection.close();
  }

  private received(message: ServerMessage): void {
    batch(() => {
      switch (message.t) {
        case "welcome":
          this.number = message.number;
          this.view.value = message.view;
          this.history.value = message.events;
          this.fresh.value = [];
          break;
        case "update":
          this.update(message);
          break;
        case "done":
          this.answered(message.id);
          break;
        case "refused":
          if (message.id !== null) this.answered(message.id);
          this.refusal.value = message.wait
            ? { ...message, rule: "slow-down", params: { wait: message.wait } }
            : message;
          break;
        case "presence":
          this.presence.value = message.seats;
          this.spectators.value = message.spectators;
          this.hurried.value = message.hurried;
          break;
      }
    });
  }

  private update({ number, events, changes }: Update): void {
    const view = this.view.peek();
    const from = events[0] ? events[0].number - 1 : number;
    if (view === null || from !== this.number) {
      // These changes belong to another view: request a snapshot.
      this.number = 0;
      this.connection.again();
      return;
    }
    this.number = number;
    this.view.value = applyChanges(view, changes);
    if (events.length === 0) return;
    if (events.some((event) => this.concernsUs(event))) {
      this.decisions += 1;
      this.hints.value = null;
    }
    this.history.value = [...this.history.peek(), ...events];
    const game = events.flatMap((event) => event.game);
    const undone = events.some(({ fact }) => fact.kind === "taken-back");
    if (game.length > 0 || undone) this.fresh.value = game;
    for (const event of events) {
      if (NEWS.includes(event.fact.kind)) this.news.value = event;
      if (event.fact.kind === "reacted") this.reaction.value = event.fact;
    }
  }

  /** Whether our decision is over or another one. What others draft and build meanwhile leaves it. */
  private concernsUs({ fact, game }: TableEvent): boolean {
    const you = this.you.peek();
    const concerns = (event: GameEvent) => !("seat" in event) || event.seat === you;
    return fact.kind === "taken-back" || game.some(concerns);
  }

  private answered(id: string): void {
    if (this.moves.delete(id) && this.moves.size === 0) this.sent.value = null;
  }
}

function statusOf(view: TableView | null): TableFacts["status"] {
  if (view?.result) return "over";
  if (view?.closed) return "closed";
  return view?.play ? "playing" : "waiting";
}
