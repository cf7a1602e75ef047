import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { t } from "../../i18n";
import type { Seat } from "../../live/wire";
import { announce } from "../../ui/announce";
import { moves } from "../../ui/settings";
import type { Desk } from "../types";
import { type CountLine, countLines } from "./count";
import {
  columnOf,
  rowOf,
  SHAPES,
  type ShapeName,
  shapeOf,
  slotAt,
  type Window,
  windowAround,
} from "./frame";
import { type Position, slotOf, withMove, withoutHeard } from "./position";
import {
  COLOURS,
  type Colour,
  type KaosmosEvent,
  type KaosmosView,
  kaosmosEvents,
  nextTo,
  type Slot,
  type TileId,
} from "./view";
import { tileWords } from "./words";

export interface Counting {
  seat: Seat;
  /** Which line is shown; all lines up to it have been told. */
  line: number;
  playing: boolean;
}

const STEP = 1250;
const STEP_OTHERS = 800;
/** After this time, in milliseconds, a claim for a bonus tile that nobody has heard of is dropped. */
const CLAIM = 1500;

/**
 * What is chosen and where things hover.
 *
 * While building, moves are sent without waiting for the answer to the one before: what was sent is
 * drawn over the view until the server has answered all of it.
 */
export class Model {
  /** Moves that were made and not heard of yet, oldest first. */
  readonly pending = signal<string[]>([]);
  /** The tile in hand: from the tray, or one that lies. */
  readonly chosen = signal<TileId | null>(null);
  /** How tiles that do not lie yet are turned. */
  readonly spin = signal<Record<TileId, number>>({});
  readonly cursor = signal<Slot | null>(null);
  /** A tile under a finger, in screen coordinates. */
  readonly drag = signal<{ tile: TileId; x: number; y: number; size: number } | null>(null);
  /** Where it would go. */
  readonly over = signal<Slot | "supply" | "aside" | null>(null);
  /** Bonus tiles that will be taken when done. */
  readonly bonus = signal<Colour[]>([]);
  /** Tiles of the packet that will be kept. */
  readonly picked = signal<TileId[]>([]);
  /** The tile of the next player that will turn. */
  readonly target = signal<Slot | null>(null);
  /** Points that will be moved. */
  readonly transfer = signal<{ source: Colour; target: Colour; points: number } | null>(null);
  /** Somebody else's galaxy that is being looked at. */
  readonly shown = signal<Seat | null>(null);
  readonly counting = signal<Counting | null>(null);

  readonly acting: ReadonlySignal<boolean>;
  readonly building: ReadonlySignal<boolean>;
  readonly position: ReadonlySignal<Position>;
  readonly nine: ReadonlySignal<TileId[]>;
  readonly shape: ReadonlySignal<ShapeName>;
  readonly turning: ReadonlySignal<boolean>;
  readonly leaving: ReadonlySignal<boolean>;
  readonly complete: ReadonlySignal<boolean>;
  /** Whose galaxy is on the board. */
  readonly seat: ReadonlySignal<Seat>;
  readonly window: ReadonlySignal<Window | null>;
  readonly lines: ReadonlySignal<CountLine[]>;

  /** The slot under a point of the screen; the board tells. */
  find: (x: number, y: number) => Slot | null = () => null;

  private held: ReturnType<typeof setTimeout> | undefined;
  private unsent: string[] = [];
  private clock: ReturnType<typeof setTimeout> | undefined;
  private grown: { round: number; window: Window | undefined } = { round: 0, window: undefined };

  constructor(readonly desk: Desk<KaosmosView>) {
    const view = desk.view;
    this.acting = computed(() => {
      const { actors, legal } = view.value;
      const you = desk.you.value;
      const live = desk.may.value || desk.sent.value !== null;
      return live && you !== null && actors.includes(you) && legal.length > 0;
    });
    this.position = computed(() => {
      const you = desk.you.value ?? -1;
      const first: Position = {
        galaxy: view.value.galaxies[you] ?? {},
        supply: view.value.supply ?? [],
        aside: view.value.aside[you] ?? null,
        finished: view.value.locked.includes(you),
      };
      return this.pending.value.reduce(withMove, first);
    });
    this.building = computed(
      () => this.acting.value && view.value.phase === "building" && !this.position.value.finished,
    );
    this.nine = computed(() => {
      const { galaxy, supply, aside } = this.position.value;
      const laid = Object.values(galaxy).map(([tile]) => tile);
      return [...supply, ...laid, ...(aside ? [aside] : [])].sort();
    });
    this.shape = computed(() => shapeOf(view.value.card));
    this.turning = computed(() =>
      view.value.legal.some((move) => move.startsWith("put") && !move.endsWith(" 0")),
    );
    this.leaving = computed(() => view.value.legal.some((move) => move.startsWith("leave")));
    this.complete = computed(() => view.value.legal.at(-1) === "done");
    this.seat = computed(() => {
      const you = desk.you.value;
      const { phase, players } = view.value;
      if (this.counting.value) return this.counting.value.seat;
      if (phase === "ingerence" && you !== null && this.acting.value) {
        return nextTo(view.value, you);
      }
      const wanted = this.shown.value;
      return wanted !== null && wanted < players ? wanted : (you ?? 0);
    });
    this.window = computed(() => this.grow());
    this.lines = computed(() => {
      const counting = this.counting.value;
      const count = counting && view.value.counts[counting.seat];
      return count ? countLines(count) : [];
    });
    this.watch();
  }

  /** Keep in step with what is heard. */
  private watch(): void {
    const { view, sent, fresh } = this.desk;
    let number = -1;
    let round = view.peek().round;
    let phase = view.peek().phase;
    effect(() => {
      const now = view.value;
      const news = kaosmosEvents(fresh.value);
      const waiting = sent.value !== null;
      if (now.number === number) {
        if (
          !waiting &&
          this.unsent.length === 0 &&
          this.pending.peek().length > 0 &&
          this.sending
        ) {
          this.pending.value = this.unsettled(now);
        }
        this.sending = waiting;
        return;
      }
      const first = number === -1;
      number = now.number;
      batch(() => {
        if (!waiting && this.unsent.length === 0) this.pending.value = this.unsettled(now);
        else this.pending.value = withoutHeard(this.pending.peek(), news, now.viewer);
        if (now.round !== round || now.phase !== phase) this.clear();
        this.picked.value = this.picked.peek().filter((tile) => now.packet?.includes(tile));
        round = now.round;
        phase = now.phase;
        this.sending = waiting;
        if (news.some((event) => event.kind === "counted")) this.beginCount();
        else if (!first) this.leaveCount(news);
      });
    });
  }

  private sending = false;
  private claim: ReturnType<typeof setTimeout> | undefined;

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

  private clear(): void {
    this.chosen.value = null;
    this.drag.value = null;
    this.over.value = null;
    this.picked.value = [];
    this.target.value = null;
    this.transfer.value = null;
    this.shown.value = null;
    if (this.desk.view.peek().phase !== "building") {
      this.bonus.value = [];
      this.spin.value = {};
    }
  }

  private grow(): Window | null {
    if (this.shape.value !== "free") return null;
    const { round, galaxies } = this.desk.view.value;
    const seat = this.seat.value;
    const mine = seat === this.desk.you.value;
    const galaxy = mine ? this.position.value.galaxy : (galaxies[seat] ?? {});
    if (!mine) return windowAround(Object.keys(galaxy));
    // One's own window only grows, so that nothing slips away under a finger.
    const before = this.grown.round === round ? this.grown.window : undefined;
    const window = windowAround(Object.keys(galaxy), before);
    this.grown = { round, window };
    return window;
  }

  // --- making moves ---------------------------------------------------------------------------

  /** Draw a move as made, and send it; before the glass is turned it is kept for a moment. */
  private make(move: string): void {
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

  private release(): void {
    this.held = undefined;
    const ready = this.unsent;
    this.unsent = [];
    for (const move of ready) this.desk.move(move);
    this.sending = this.desk.sent.peek() !== null;
  }

  /** Seconds until building may begin. */
  early(): number {
    const { glass, phase } = this.desk.view.peek();
    const left = this.desk.secondsLeft();
    return phase === "building" && glass !== null && left !== null ? left - glass : 0;
  }

  turnsOf(tile: TileId): number {
    const slot = slotOf(this.position.value.galaxy, tile);
    const laid = slot && this.position.value.galaxy[slot];
    return laid ? laid[1] : (this.spin.value[tile] ?? 0);
  }

  put(tile: TileId, slot: Slot): void {
    if (!this.building.value || !SHAPES[this.shape.value].includes(slot)) return;
    const { galaxy } = this.position.value;
    const from = slotOf(galaxy, tile);
    const there = galaxy[slot];
    if (from === slot) return;
    batch(() => {
      this.make(`put ${tile} ${slot} ${this.turnsOf(tile)}`);
      // A tile that lies changes places with the one that it is laid on.
      if (from && there) this.make(`put ${there[0]} ${from} ${there[1]}`);
      this.chosen.value = null;
    });
    announce(t("kaosmos-said-put", { tile: tileWords(tile, this.turnsOf(tile)), slot }));
  }

  /** Turn a tile, wherever it is. */
  turn(tile: TileId, by: 1 | -1 = 1): void {
    if (!this.building.value) return;
    if (!this.turning.value) {
      this.desk.hint(t("kaosmos-no-turning"));
      return;
    }
    const turns = (this.turnsOf(tile) + by + 4) % 4;
    const slot = slotOf(this.position.value.galaxy, tile);
    if (slot) this.make(`put ${tile} ${slot} ${turns}`);
    else this.spin.value = { ...this.spin.value, [tile]: turns };
    announce(tileWords(tile, turns));
  }

  lift(tile: TileId): void {
    if (!this.building.value) return;
    const slot = slotOf(this.position.value.galaxy, tile);
    if (!slot) return;
    batch(() => {
      this.spin.value = { ...this.spin.value, [tile]: this.turnsOf(tile) };
      this.make(`lift ${tile}`);
      this.chosen.value = null;
    });
    announce(t("kaosmos-said-lift", { slot }));
  }

  leave(tile: TileId): void {
    if (!this.building.value || !this.leaving.value) return;
    if (this.position.value.aside === tile) return;
    this.make(`leave ${tile}`);
    this.chosen.value = null;
    announce(t("kaosmos-said-leave", { tile: tileWords(tile, 0) }));
  }

  /** Take the bonus tiles that are wanted, or none, and be done. */
  finish(): boolean {
    if (!this.building.value || !this.complete.value) return false;
    const wanted = this.wanted();
    this.make(wanted.length > 0 ? `grab ${wanted.join(" ")}` : "done");
    this.chosen.value = null;
    return true;
  }

  /** The bonus tiles that are wanted and still there. */
  wanted(): Colour[] {
    const { bonuses } = this.desk.view.value;
    return COLOURS.filter(
      (colour) => this.bonus.value.includes(colour) && bonuses[colour] === null,
    );
  }

  toggleBonus(colour: Colour): void {
    if (!this.building.value || this.desk.view.value.bonuses[colour] !== null) return;
    const had = this.bonus.value.includes(colour);
    this.bonus.value = had
      ? this.bonus.value.filter((each) => each !== colour)
      : [...this.bonus.value, colour];
  }

  // --- taps -----------------------------------------------------------------------------------

  /** A tap on a tile in the tray, or on the hole that it left. */
  tapTray(tile: TileId): void {
    if (!this.building.value) return;
    if (this.chosen.value !== tile) {
      this.chosen.value = tile;
      announce(tileWords(tile, this.turnsOf(tile)));
      return;
    }
    if (slotOf(this.position.value.galaxy, tile)) this.lift(tile);
    else if (this.turning.value) this.turn(tile);
    else this.chosen.value = null;
  }

  /** A tap on a slot: lay the tile in hand, or turn the one that lies there. */
  tapSlot(slot: Slot): void {
    this.cursor.value = null;
    if (this.desk.view.value.phase === "ingerence") {
      this.aim(slot);
      return;
    }
    if (!this.building.value || this.seat.value !== this.desk.you.value) return;
    const chosen = this.chosen.value;
    const laid = this.position.value.galaxy[slot];
    if (chosen && laid?.[0] !== chosen) this.put(chosen, slot);
    else if (laid && this.turning.value) this.turn(laid[0]);
    else if (laid) this.chosen.value = chosen === laid[0] ? null : laid[0];
    else this.desk.hint(t("kaosmos-choose-first"));
  }

  /** A tile was let go over a place. */
  dropped(tile: TileId, over: Slot | "supply" | "aside" | null): void {
    this.drag.value = null;
    this.over.value = null;
    if (over === "supply") this.lift(tile);
    else if (over === "aside") this.leave(tile);
    else if (over) this.put(tile, over);
  }

  // --- draft, choices -------------------------------------------------------------------------

  pick(tile: TileId): void {
    if (!this.acting.value || this.desk.view.value.phase !== "draft" || this.sending) return;
    const picked = this.picked.value;
    if (picked.includes(tile)) this.picked.value = picked.filter((each) => each !== tile);
    else if (picked.length < 3) this.picked.value = [...picked, tile];
    else this.picked.value = [...picked.slice(1), tile];
    announce(t("kaosmos-said-pick", { tile: tileWords(tile, 0), count: this.picked.value.length }));
  }

  keep(): boolean {
    const move = `keep ${[...this.picked.value].sort().join(" ")}`;
    if (!this.desk.may.value || !this.desk.view.value.legal.includes(move)) return false;
    this.desk.move(move);
    return true;
  }

  aim(slot: Slot): void {
    if (!this.desk.may.value || !this.desk.view.value.legal.includes(`turn ${slot}`)) return;
    this.target.value = this.target.value === slot ? null : slot;
  }

  interfere(): boolean {
    const slot = this.target.value;
    if (slot === null || !this.desk.may.value) return false;
    this.desk.move(`turn ${slot}`);
    return true;
  }

  /** Points that may be moved from one colour to another. */
  most(source: Colour, target: Colour): number {
    return this.desk.view.value.legal.filter(
      (move) => move.startsWith(`move ${source} ${target} `) && !move.endsWith(" 0"),
    ).length;
  }

  shift(): boolean {
    const wanted = this.transfer.value;
    const { legal } = this.desk.view.value;
    const move = wanted
      ? `move ${wanted.source} ${wanted.target} ${wanted.points}`
      : legal.find((each) => each.endsWith(" 0"));
    if (!move || !this.desk.may.value || !legal.includes(move)) return false;
    this.desk.move(move);
    return true;
  }

  // --- the count ------------------------------------------------------------------------------

  beginCount(seat = this.desk.you.peek() ?? 0): void {
    const { counts } = this.desk.view.peek();
    if (!counts[seat]) return;
    const playing = moves();
    this.counting.value = { seat, line: playing ? 0 : Number.MAX_SAFE_INTEGER, playing };
    this.tick();
  }

  /** Look at the count of one seat, whole. */
  showCount(seat: Seat): void {
    clearTimeout(this.clock);
    this.counting.value = { seat, line: Number.MAX_SAFE_INTEGER, playing: false };
  }

  endCount(): void {
    clearTimeout(this.clock);
    this.counting.value = null;
  }

  private tick(): void {
    clearTimeout(this.clock);
    const counting = this.counting.peek();
    if (!counting?.playing) return;
    const { you } = this.desk;
    this.clock = setTimeout(
      () => {
        const now = this.counting.peek();
        if (!now?.playing) return;
        const { players } = this.desk.view.peek();
        const next = (now.seat + 1) % players;
        if (now.line + 1 < this.lines.peek().length) {
          this.counting.value = { ...now, line: now.line + 1 };
        } else if (next !== (you.peek() ?? 0)) {
          this.counting.value = { ...now, seat: next, line: 0 };
        } else {
          this.counting.value = { ...now, playing: false };
        }
        this.tick();
      },
      counting.seat === (you.peek() ?? 0) ? STEP : STEP_OTHERS,
    );
  }

  /** Time to go on: nobody is kept from building, and a replay moves with its steps. */
  private leaveCount(news: KaosmosEvent[]): void {
    if (!this.counting.peek()) return;
    const { phase, glass } = this.desk.view.peek();
    const looking = this.desk.you.peek() === null;
    const moved = news.some((event) => event.kind === "kept" || event.kind === "placed");
    if ((phase === "building" && glass !== null) || (looking && moved) || news.length === 0) {
      this.endCount();
    }
  }

  // --- keys -----------------------------------------------------------------------------------

  /** One step of the keyboard, over gaps in the shape. */
  walk(key: string): void {
    const slots = SHAPES[this.shape.value];
    const [dx, dy] = WAYS[key] ?? [0, 0];
    let next: Slot | null = this.cursor.value;
    if (next === null || !slots.includes(next)) {
      next = this.shape.value === "free" ? "e5" : (slots[0] ?? null);
    } else {
      let [column, row] = [columnOf(next), rowOf(next)];
      for (let step = 0; step < 2; step++) {
        column += dx;
        row += dy;
        const slot = slotAt(column, row);
        if (slot !== null && slots.includes(slot)) {
          next = slot;
          break;
        }
      }
    }
    this.cursor.value = next;
    if (next !== null) this.tell(next);
  }

  /** Enter: lay the tile in hand here, or take up the one that lies here. */
  act(): boolean {
    const { phase } = this.desk.view.value;
    if (this.counting.value) {
      this.endCount();
      return true;
    }
    if (phase === "draft") return this.keep();
    const slot = this.cursor.value;
    if (phase === "ingerence") {
      if (slot !== null && this.target.value !== slot) this.aim(slot);
      else return this.interfere();
      return true;
    }
    if (!this.building.value || slot === null) return false;
    const laid = this.position.value.galaxy[slot];
    if (this.chosen.value && this.chosen.value !== laid?.[0]) this.put(this.chosen.value, slot);
    else this.chosen.value = laid && this.chosen.value === null ? laid[0] : null;
    return true;
  }

  /** The tile that keys are about: in hand, or under the cursor. */
  meant(): TileId | null {
    const slot = this.cursor.value;
    const laid = slot === null ? undefined : this.position.value.galaxy[slot];
    return this.chosen.value ?? laid?.[0] ?? null;
  }

  drop(): void {
    this.chosen.value = null;
    this.target.value = null;
    this.shown.value = null;
    this.endCount();
  }

  private tell(slot: Slot): void {
    const seat = this.seat.value;
    const galaxy =
      seat === this.desk.you.value
        ? this.position.value.galaxy
        : (this.desk.view.value.galaxies[seat] ?? {});
    const laid = galaxy[slot];
    announce(`${slot}, ${laid ? tileWords(...laid) : t("kaosmos-free")}`);
  }
}

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
