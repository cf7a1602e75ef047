import { computed, type ReadonlySignal, signal } from "@preact/signals";
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

  /** The markers of a seat as far as the count has come; null: no count is being told. */
  markersOf(seat: Seat): Markers | null {
    const now = this.now.value;
    const { counts, players } = this.desk.view.value;
    const count = counts[seat];
    if (!now || !count || (!now.playing && now.line >= 0)) return null;
    const first = this.desk.you.value ?? 0;
    const [own, told] = [seat, now.seat].map((each) => (each - first + players) % players);
    const lines = this.lines.value;
    if (now.line < 0 || own! > told!) return count.before;
    if (own! < told! || now.line >= lines.length - 1) return count.after;
    return markersAfter(count.before, lines.slice(0, now.line + 1));
  }

  begin(seat = this.desk.you.peek() ?? 0): void {
    const { counts } = this.desk.view.peek();
    if (!counts[seat]) return;
    const playing = moves();
    this.now.value = { seat, line: playing ? 0 : Number.MAX_SAFE_INTEGER, playing, all: false };
    this.tick();
  }

  /** Show the complete count of one seat. */
  show(seat: Seat): void {
    clearTimeout(this.clock);
    this.now.value = { seat, line: Number.MAX_SAFE_INTEGER, playing: false, all: false };
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
    else this.begin(next);
  }

  /** What the round has brought to everybody. */
  compare(): void {
    clearTimeout(this.clock);
    const seat = this.desk.you.peek() ?? 0;
    this.now.value = { seat, line: Number.MAX_SAFE_INTEGER, playing: false, all: true };
  }

  /** Show a seat's galaxy as it is counted, before the first line. */
  hold(seat: Seat): void {
    clearTimeout(this.clock);
    this.now.value = { seat, line: -1, playing: false, all: false };
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
