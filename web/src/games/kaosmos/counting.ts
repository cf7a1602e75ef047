import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Seat } from "../../live/seat";
import type { KaosmosEvent, KaosmosView } from "../../protocol";
import { moves } from "../../ui/settings";
import type { Desk } from "../types";
import { type CountLine, countLines, markersAfter } from "./count";
import type { Markers } from "./view";

interface Counting {
  seat: Seat;
  /** The current line; all lines up to it are shown. */
  line: number;
  playing: boolean;
  /** Everybody was counted: the round is compared, all galaxies side by side. */
  all: boolean;
}

const STEP = 1250;
const STEP_OTHERS = 800;

/** The animated count of a round: line by line, one seat after the other. */
export class CountTeller {
  readonly now = signal<Counting | null>(null);
  readonly lines: ReadonlySignal<CountLine[]>;
  /** The round that was counted last. */
  readonly round: ReadonlySignal<number>;

  /** Whose count was told before the one that is shown; null: everybody's. */
  private readonly told = signal<ReadonlySet<Seat> | null>(null);
  private clock: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly desk: Desk<KaosmosView>,
    /** Called when a count that was shown is put away. */
    private readonly onEnd: () => void = () => undefined,
  ) {
    this.lines = computed(() => {
      const count = this.now.value && desk.view.value.counts[this.now.value.seat];
      return count ? countLines(count) : [];
    });
    this.round = computed(() => {
      const { round, phase, result } = desk.view.value;
      return result !== null || phase === "transfert" ? round : round - 1;
    });
  }

  /** Whether the count of this seat is still to come. */
  waits(seat: Seat): boolean {
    const now = this.now.value;
    const told = this.told.value;
    return now !== null && told !== null && !told.has(seat) && (now.seat !== seat || now.line < 0);
  }

  /** The markers of a seat as far as the count has come; null: all of it is told. */
  markersOf(seat: Seat): Markers | null {
    const now = this.now.value;
    const count = this.desk.view.value.counts[seat];
    if (!now || !count || this.told.value === null) return null;
    if (this.waits(seat)) return count.before;
    const lines = this.lines.value;
    if (now.seat !== seat || now.line >= lines.length - 1) return count.after;
    return markersAfter(count.before, lines.slice(0, now.line + 1));
  }

  /** Tell the count of a round, one's own first. */
  begin(): void {
    this.told.value = new Set();
    this.tell(this.desk.you.peek() ?? 0);
  }

  /** Show the complete count of one seat. */
  show(seat: Seat): void {
    if (this.now.peek() === null) this.told.value = null;
    this.turnTo({ seat, line: Number.MAX_SAFE_INTEGER, playing: false, all: false });
  }

  /** Who is counted after this seat; null after the last one. */
  after(seat: Seat): Seat | null {
    const next = (seat + 1) % this.desk.view.value.players;
    return next === (this.desk.you.value ?? 0) ? null : next;
  }

  /** Count the next seat; after the last one, compare them all. */
  next(): void {
    const now = this.now.peek();
    const next = now && this.after(now.seat);
    if (now?.all) this.end();
    else if (next === null) this.compare();
    else this.tell(next);
  }

  /** What the round has brought to everybody. */
  compare(): void {
    this.told.value = null;
    const seat = this.desk.you.peek() ?? 0;
    this.turnTo({ seat, line: Number.MAX_SAFE_INTEGER, playing: false, all: true });
  }

  /** Show a seat's galaxy as it is counted, before the first line. */
  hold(seat: Seat): void {
    this.told.value = new Set();
    this.turnTo({ seat, line: -1, playing: false, all: false });
  }

  end(): void {
    clearTimeout(this.clock);
    if (this.now.peek() === null) return;
    this.now.value = null;
    this.onEnd();
  }

  /** End the count when the next phase starts, so that nobody is kept from building. */
  leave(news: KaosmosEvent[]): void {
    if (!this.now.peek()) return;
    const { phase, timer } = this.desk.view.peek();
    const looking = this.desk.you.peek() === null;
    const moved = news.some((event) => event.kind === "kept" || event.kind === "placed");
    if ((phase === "building" && timer !== null) || (looking && moved) || news.length === 0) {
      this.end();
    }
  }

  private tell(seat: Seat): void {
    if (!this.desk.view.peek().counts[seat]) return;
    const playing = moves();
    this.turnTo({ seat, line: playing ? 0 : Number.MAX_SAFE_INTEGER, playing, all: false });
    this.tick();
  }

  private turnTo(now: Counting): void {
    clearTimeout(this.clock);
    const before = this.now.peek();
    const told = this.told.peek();
    batch(() => {
      if (told && before && before.line >= 0) this.told.value = new Set([...told, before.seat]);
      this.now.value = now;
    });
  }

  private tick(): void {
    clearTimeout(this.clock);
    const now = this.now.peek();
    if (!now?.playing) return;
    const own = now.seat === (this.desk.you.peek() ?? 0);
    this.clock = setTimeout(() => this.step(), own ? STEP : STEP_OTHERS);
  }

  private step(): void {
    const now = this.now.peek();
    if (!now?.playing) return;
    if (now.line + 1 < this.lines.peek().length) {
      this.now.value = { ...now, line: now.line + 1 };
      this.tick();
    } else this.next();
  }
}
