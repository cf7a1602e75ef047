import { batch, computed, signal } from "@preact/signals";
import { Connection } from "./connection";
import {
  type Command,
  type FromServer,
  type GameEvent,
  type Refusal,
  type Seat,
  statusOf,
  type TableEvent,
  type TableView,
} from "./wire";

/** Events that follow each other within this many milliseconds are shown as one. */
const TOGETHER = 20;

/** What people want to hear of at once, as the game shows nothing of it. */
const NEWS = ["left", "returned", "taken-over", "handed-back", "flagged"];

/** A table as this browser knows it: what to draw, and how to act on it. */
export class LiveTable {
  readonly view = signal<TableView | null>(null);
  readonly you = signal<Seat | null>(null);
  /** All events that we have heard of, oldest first. */
  readonly history = signal<TableEvent[]>([]);
  /** What has just happened in the game, to be shown moving: the events since the view before. */
  readonly fresh = signal<GameEvent[]>([]);
  readonly presence = signal<boolean[]>([]);
  readonly spectators = signal(0);
  /** The move that was sent and not yet answered. */
  readonly sent = signal<string | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  /** The last that happened to people at the table while we looked on: who went, who came. */
  readonly news = signal<TableEvent | null>(null);
  readonly reaction = signal<{ seat: Seat; reaction: string; number: number } | null>(null);
  readonly connection: Connection;
  readonly link;
  readonly play = computed(() => this.view.value?.play ?? null);
  readonly status = computed(() => (this.view.value ? statusOf(this.view.value) : "waiting"));
  /** The last event that we know of. We begin after the first, to hear the whole history. */
  private number = 1;
  private gathered: TableEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private moves = new Map<string, string>();

  constructor(readonly slug: string) {
    this.connection = new Connection(slug, {
      last: () => this.gathered.at(-1)?.number ?? this.number,
      heard: (message) => this.heard(message),
    });
    this.link = this.connection.link;
  }

  ask(command: Command): void {
    this.refusal.value = null;
    const id = this.connection.ask(command);
    if (command.c === "make") {
      this.moves.set(id, command.move);
      this.sent.value = command.move;
    }
  }

  /** Make a move, with the server's time at which it was pressed. */
  make(move: string): void {
    this.ask({ c: "make", move, pressed: Math.round(this.connection.now()) });
  }

  close(): void {
    clearTimeout(this.timer);
    this.connection.close();
  }

  private heard(message: FromServer): void {
    batch(() => {
      switch (message.t) {
        case "welcome":
          this.welcome(message);
          break;
        case "event":
          this.gather(message);
          break;
        case "done":
          this.flush();
          this.answered(message.id);
          break;
        case "refused":
          this.flush();
          this.answered(message.id);
          this.refusal.value = message.wait
            ? { code: message.code, rule: "slow-down", params: { wait: message.wait } }
            : message;
          break;
        case "presence":
          this.presence.value = message.seats;
          this.spectators.value = message.spectators;
          break;
      }
    });
  }

  private welcome(message: Extract<FromServer, { t: "welcome" }>): void {
    this.you.value = message.you;
    if (message.events) this.take(message.events, this.view.peek() !== null);
    if (message.view) {
      this.view.value = message.view;
      this.fresh.value = [];
    }
    this.number = message.number;
    if (this.view.peek() === null) {
      // We asked for the events since the beginning, and none of them brought a view.
      this.number = 0;
      this.connection.again();
    }
  }

  /** A placement and its draw are one breath for people: what comes together is shown together. */
  private gather(event: TableEvent): void {
    this.gathered.push(event);
    this.timer ??= setTimeout(() => this.flush(), TOGETHER);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.gathered;
    this.gathered = [];
    batch(() => this.take(events));
  }

  private take(events: TableEvent[], moving = true): void {
    const news: TableEvent[] = [];
    const game: GameEvent[] = [];
    for (const event of events) {
      if (event.number <= this.number) continue;
      this.number = event.number;
      news.push(event);
      game.push(...(event.game ?? []));
      if (moving && NEWS.includes(event.kind)) this.news.value = event;
      if (event.kind === "reacted") {
        this.reaction.value = {
          seat: Number(event.data.seat),
          reaction: String(event.data.reaction),
          number: event.number,
        };
      }
    }
    if (news.length === 0) return;
    this.history.value = [...this.history.value, ...news.map(withoutView)];
    const view = news.findLast((event) => event.view)?.view;
    if (game.length > 0) this.fresh.value = moving ? game : [];
    if (view) this.view.value = view;
  }

  private answered(id: string): void {
    if (this.moves.delete(id) && this.moves.size === 0) this.sent.value = null;
  }
}

function withoutView({ view: _, ...event }: TableEvent): TableEvent {
  return event;
}
