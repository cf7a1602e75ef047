import { signal } from "@preact/signals";
import type { KaosmosEvent, KaosmosView } from "../../protocol";
import type { Desk } from "../types";

/** Tiles that were laid for us at random; `late`: because time was up. */
interface TimeUp {
  late: boolean;
  puts: { tile: string; slot: string; turns: number }[];
}

/** What is shown once and then put away: a new card, and the end of the time. */
export class Moments {
  readonly card = signal<string | null>(null);
  readonly timeUp = signal<TimeUp | null>(null);

  constructor(
    private readonly desk: Desk<KaosmosView>,
    /** Begins the count. */
    private readonly count: () => void,
  ) {}

  /** Update after new events. */
  update(news: KaosmosEvent[]): void {
    const you = this.desk.you.peek();
    const puts = news.flatMap((event) =>
      event.kind === "filled" && event.seat === you
        ? event.puts.map(([tile, slot, turns]) => ({ tile, slot, turns }))
        : [],
    );
    const late = news.some((event) => event.kind === "time-up");
    if (puts.length > 0) this.timeUp.value = { late, puts };
    const card = news.findLast((event) => event.kind === "card");
    if (card?.kind === "card") this.card.value = card.card;
  }

  seenCard(): void {
    this.card.value = null;
    this.desk.seen();
  }

  seenTime(): void {
    this.timeUp.value = null;
    this.count();
  }
}
