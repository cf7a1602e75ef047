import { type Signal, signal } from "@preact/signals";
import type { Desk } from "../types";
import { withoutHeard } from "./position";
import type { KaosmosEvent, KaosmosView } from "./view";

/** After this time, in milliseconds, a claim for a bonus tile that nobody has heard of is dropped. */
const CLAIM = 1500;

/**
 * Moves on their way.
 *
 * While building, moves are sent without waiting for the answer to the one before: what was sent is
 * drawn over the view until the server has answered all of it.
 */
export class Outbox {
  /** Moves that were made and not heard of yet, oldest first. */
  readonly pending: Signal<string[]> = signal([]);
  /** Whether the last that was heard left a move on its way. */
  sending = false;

  private unsent: string[] = [];
  private held: ReturnType<typeof setTimeout> | undefined;
  private claim: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly desk: Desk<KaosmosView>) {}

  /** Draw a move as made, and send it; before the glass is turned it is kept for a moment. */
  make(move: string): void {
    this.pending.value = [...this.pending.value, move];
    const early = this.early();
    if (early <= 0 && this.unsent.length === 0) {
      this.desk.move(move);
      this.sending = this.desk.sent.peek() !== null;
      return;
    }
    this.unsent.push(move);
    this.held ??= setTimeout(() => this.release(), Math.max(0, early) * 1000 + 40);
  }

  /** Nothing new has happened, but a move may have been answered. */
  settle(view: KaosmosView): void {
    const waiting = this.desk.sent.value !== null;
    const all = !waiting && this.unsent.length === 0 && this.sending;
    if (all && this.pending.peek().length > 0) this.pending.value = this.unsettled(view);
    this.sending = waiting;
  }

  /** Something has happened: what was made before it is settled. */
  hear(view: KaosmosView, news: KaosmosEvent[]): void {
    const waiting = this.desk.sent.value !== null;
    if (!waiting && this.unsent.length === 0) this.pending.value = this.unsettled(view);
    else this.pending.value = withoutHeard(this.pending.peek(), news, view.viewer);
    this.sending = waiting;
  }

  private release(): void {
    this.held = undefined;
    const ready = this.unsent;
    this.unsent = [];
    for (const move of ready) this.desk.move(move);
    this.sending = this.desk.sent.peek() !== null;
  }

  /** Seconds until building may begin. */
  private early(): number {
    const { glass, phase } = this.desk.view.peek();
    const left = this.desk.secondsLeft();
    return phase === "building" && glass !== null && left !== null ? left - glass : 0;
  }

  /** All is answered; but who gets a bonus tile is settled a moment later. */
  private unsettled(view: KaosmosView): string[] {
    const grab = this.pending.peek().find((move) => move.startsWith("grab"));
    const open = view.phase === "building" && !view.locked.includes(view.viewer ?? -1);
    if (!grab || !open) return [];
    this.claim ??= setTimeout(() => {
      this.claim = undefined;
      this.pending.value = [];
    }, CLAIM);
    return [grab];
  }
}
