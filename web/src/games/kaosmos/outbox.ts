import { type Signal, signal } from "@preact/signals";
import type { Desk } from "../types";
import { withoutHeard } from "./position";
import type { KaosmosEvent, KaosmosView } from "./view";

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
  /** Whether the last that was heard left a claim of ours to be settled. */
  private claimed = false;

  constructor(private readonly desk: Desk<KaosmosView>) {}

  /** Draw a move as made, and send it; before the timer starts it is kept for a moment. */
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
  settle(): void {
    const waiting = this.desk.sent.value !== null;
    const claimed = this.desk.claim.value !== null;
    const heard = (this.sending && !waiting) || (this.claimed && !claimed);
    const all = heard && !waiting && this.unsent.length === 0;
    if (all && this.pending.peek().length > 0) this.pending.value = this.unsettled();
    this.sending = waiting;
    this.claimed = claimed;
  }

  /** Something has happened: what was made before it is settled. */
  hear(view: KaosmosView, news: KaosmosEvent[]): void {
    const waiting = this.desk.sent.value !== null;
    if (!waiting && this.unsent.length === 0) this.pending.value = this.unsettled();
    else this.pending.value = withoutHeard(this.pending.peek(), news, view.viewer);
    this.sending = waiting;
    this.claimed = this.desk.claim.value !== null;
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

  /** All is answered; but what races with others' moves is settled a moment later. */
  private unsettled(): string[] {
    const claim = this.desk.claim.value;
    return this.pending.peek().filter((move) => move === claim);
  }
}
