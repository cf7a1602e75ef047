import { type Signal, signal } from "@preact/signals";
import type { KaosmosEvent, KaosmosView } from "../../protocol";
import type { Desk } from "../types";
import { withoutConfirmed } from "./position";

/**
 * Pending moves.
 *
 * While building, moves are sent without waiting for the answer to the one before: what was sent is
 * drawn over the view until the server has answered all of it.
 */
export class Outbox {
  /** Moves that were sent and not confirmed yet, oldest first. */
  readonly pending: Signal<string[]> = signal([]);
  /** Whether a move was pending at the last message. */
  sending = false;

  private unsent: string[] = [];
  private held: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly desk: Desk<KaosmosView>) {}

  /** Draw a move as made, and send it; just before the timer starts it is delayed. */
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
    const all = this.sending && !waiting && this.unsent.length === 0;
    if (all && this.pending.peek().length > 0) this.pending.value = [];
    this.sending = waiting;
  }

  /** Events have come: drop the moves that they confirm. */
  update(view: KaosmosView, news: KaosmosEvent[]): void {
    const waiting = this.desk.sent.value !== null;
    if (!waiting && this.unsent.length === 0) this.pending.value = [];
    else this.pending.value = withoutConfirmed(this.pending.peek(), news, view.viewer);
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
    const { timer, phase } = this.desk.view.peek();
    const left = this.desk.secondsLeft();
    return phase === "building" && timer !== null && left !== null ? left - timer : 0;
  }
}
