import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import type { Desk } from "../types";
import { Moments } from "./ceremony";
import { Choices } from "./choices";
import { CountTeller } from "./counting";
import { SHAPES, type ShapeName, shapeOf, sizeOf, type Window, windowAround } from "./frame";
import { decides } from "./Move";
import { Outbox } from "./outbox";
import { type Position, slotOf, withMove } from "./position";
import { COLOURS, type Colour, nextTo, type Slot, type TileId } from "./view";
import { tileWords } from "./words";

/** The UI state while a galaxy is built. */
export class Model {
  /** The chosen tile: from the tray or the galaxy. */
  readonly chosen = signal<TileId | null>(null);
  /** The rotation of tiles that are not laid yet. */
  readonly spin = signal<Record<TileId, number>>({});
  readonly cursor = signal<Slot | null>(null);
  /** A tile under a finger, in screen coordinates. */
  readonly drag = signal<{ tile: TileId; x: number; y: number; size: number } | null>(null);
  /** The dragged tile; it changes seldom, unlike its position. */
  readonly lifted = computed(() => this.drag.value?.tile ?? null);
  /** Where it would go. */
  readonly over = signal<Slot | "supply" | "aside" | null>(null);
  /** Bonus tiles that are selected but not reserved yet. */
  readonly bonus = signal<Colour[]>([]);
  /** Whether reserving with an unfinished galaxy was pressed once. */
  readonly warned = signal(false);
  /** Whole seconds until the timer starts, while tiles lie face down. */
  readonly toStart = signal<number | null>(null);
  /** Whether the tiles were just turned up. */
  readonly turnedUp = signal(false);
  /** Somebody else's galaxy that is being looked at. */
  readonly shown = signal<Seat | null>(null);
  readonly outbox: Outbox;
  readonly choices: Choices;
  readonly count: CountTeller;
  readonly moments: Moments;
  /** The new card, while it lies in the middle of the table. */
  readonly revealed: ReadonlySignal<string | null>;
  readonly acting: ReadonlySignal<boolean>;
  readonly building: ReadonlySignal<boolean>;
  /** Whether bonus tiles can be reserved now, with a finished galaxy or not. */
  readonly reserving: ReadonlySignal<boolean>;
  readonly position: ReadonlySignal<Position>;
  readonly nine: ReadonlySignal<TileId[]>;
  readonly shape: ReadonlySignal<ShapeName>;
  readonly turning: ReadonlySignal<boolean>;
  readonly leaving: ReadonlySignal<boolean>;
  readonly complete: ReadonlySignal<boolean>;
  /** Whether the galaxy would have to be filled at random. */
  readonly unfinished: ReadonlySignal<boolean>;
  /** Whose galaxy is on the board. */
  readonly seat: ReadonlySignal<Seat>;
  readonly window: ReadonlySignal<Window | null>;

  /** The slot under a point of the screen; set by the board. */
  find: (x: number, y: number) => Slot | null = () => null;

  private grown: { round: number; window: Window | undefined } = { round: 0, window: undefined };

  constructor(readonly desk: Desk<KaosmosView>) {
    const view = desk.view;
    this.outbox = new Outbox(desk);
    this.choices = new Choices(desk);
    this.count = new CountTeller(desk, () => this.counted());
    this.moments = new Moments(desk, () => this.count.begin());
    // It never covers the countdown, a count, nor a galaxy while the timer runs.
    this.revealed = computed(() => {
      const free = this.toStart.value === null && view.value.phase !== "building";
      const others = this.count.now.value ?? this.moments.timeUp.value;
      return free && others === null ? this.moments.card.value : null;
    });
    this.acting = computed(() => {
      const you = desk.you.value;
      const live = desk.may.value || desk.sent.value !== null;
      return live && you !== null && view.value.actors.includes(you);
    });
    this.position = computed(() => {
      const you = desk.you.value ?? -1;
      const first: Position = {
        galaxy: view.value.galaxies[you] ?? {},
        supply: view.value.supply ?? [],
        aside: view.value.aside[you] ?? null,
        finished: view.value.locked.includes(you),
      };
      return this.outbox.pending.value.reduce(withMove, first);
    });
    this.building = computed(
      () => this.acting.value && view.value.phase === "building" && !this.position.value.finished,
    );
    this.reserving = computed(() => {
      const live = desk.may.value || desk.sent.value !== null;
      const racing = (move: string) => move === "done" || move.startsWith("grab");
      const asked = this.outbox.pending.value.some(racing);
      return live && !asked && (view.value.moves?.grab.length ?? 0) > 0;
    });
    this.nine = computed(() => {
      const { galaxy, supply, aside } = this.position.value;
      const laid = Object.values(galaxy).map(([tile]) => tile);
      return [...supply, ...laid, ...(aside ? [aside] : [])].sort();
    });
    this.shape = computed(() => shapeOf(view.value.card));
    this.turning = computed(() => view.value.moves?.turning ?? false);
    this.leaving = computed(() => view.value.moves?.leave ?? false);
    this.complete = computed(() => view.value.moves?.done ?? false);
    this.unfinished = computed(() => {
      const { galaxy, finished } = this.position.value;
      if (finished || this.complete.value) return false;
      // Pending tiles count, though the server has not confirmed that they complete the shape.
      const whole = Object.keys(galaxy).length >= sizeOf(this.shape.value);
      return !(whole && this.outbox.pending.value.length > 0);
    });
    this.seat = computed(() => {
      const you = desk.you.value;
      const { phase, players } = view.value;
      if (this.count.now.value) return this.count.now.value.seat;
      if (phase === "ingerence" && you !== null && this.acting.value) {
        return nextTo(view.value, you);
      }
      const wanted = this.shown.value;
      return wanted !== null && wanted < players ? wanted : (you ?? desk.focus?.value ?? 0);
    });
    this.window = computed(() => this.grow());
    this.watch();
  }

  /** Update after a new view. */
  private watch(): void {
    const { view, fresh } = this.desk;
    let number = -1;
    let round = view.peek().round;
    let phase = view.peek().phase;
    effect(() => {
      const now = view.value;
      const news = fresh.value;
      if (now.number === number && now.phase === phase) {
        this.outbox.settle();
        return;
      }
      if (now.number === number) {
        // The timer has started: the tiles are turned up, without a game event.
        phase = now.phase;
        batch(() => {
          this.count.end();
          this.moments.card.value = null;
          this.turnedUp.value = true;
        });
        return;
      }
      const first = number === -1;
      number = now.number;
      batch(() => {
        this.outbox.update(now, news);
        if (now.round !== round || now.phase !== phase) this.clear(now.round !== round);
        const { picked } = this.choices;
        picked.value = picked.peek().filter((tile) => now.packet?.includes(tile));
        round = now.round;
        phase = now.phase;
        if (this.desk.focus) return;
        const counted = news.some((event) => event.kind === "counted");
        this.moments.update(news);
        if (counted && this.moments.timeUp.peek()) this.count.hold(this.desk.you.peek() ?? 0);
        else if (counted) this.count.begin();
        else if (!first) this.count.leave(news);
        else if (this.moments.card.peek() === null) this.desk.seen(); // after a reload
      });
    });
    effect(() => this.lookBack());
  }

  /** In a replay: the whole count of the seat whose count the list has come to. */
  private lookBack(): void {
    const { focus, past } = this.desk;
    if (!focus) return;
    const seat = focus.value;
    const last = past.value.findLast((event) => decides(event));
    if (last?.kind === "counted" && seat !== null) this.count.show(seat);
    else this.count.end();
  }

  /** The count is put away: clocks may go on once the next card was seen, too. */
  private counted(): void {
    this.moments.timeUp.value = null;
    if (this.moments.card.peek() === null) this.desk.seen();
  }

  /** Reset at a new phase; at a new round also rotations and selected bonus tiles. */
  private clear(round: boolean): void {
    this.chosen.value = null;
    this.drag.value = null;
    this.over.value = null;
    this.shown.value = null;
    this.warned.value = false;
    this.turnedUp.value = false;
    this.choices.clear();
    if (round || this.desk.view.peek().phase !== "building") {
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
    // One's own window only grows, so that the layout does not shift under a finger.
    const before = this.grown.round === round ? this.grown.window : undefined;
    const window = windowAround(Object.keys(galaxy), before);
    this.grown = { round, window };
    return window;
  }

  // --- making moves ---------------------------------------------------------------------------

  turnsOf(tile: TileId): number {
    const slot = slotOf(this.position.value.galaxy, tile);
    const laid = slot && this.position.value.galaxy[slot];
    return laid ? laid[1] : (this.spin.value[tile] ?? 0);
  }

  /** Whether tiles can be moved; moving one cancels a first press of reserve. */
  private touch(): boolean {
    if (this.building.value) this.warned.value = false;
    if (this.moments.card.peek() !== null) this.moments.seenCard();
    return this.building.value;
  }

  put(tile: TileId, slot: Slot): void {
    if (!this.touch() || !SHAPES[this.shape.value].includes(slot)) return;
    const { galaxy } = this.position.value;
    const from = slotOf(galaxy, tile);
    const there = galaxy[slot];
    if (from === slot) return;
    batch(() => {
      this.outbox.make(`put ${tile} ${slot} ${this.turnsOf(tile)}`);
      // A laid tile swaps places with the one it is dropped on.
      if (from && there) this.outbox.make(`put ${there[0]} ${from} ${there[1]}`);
      this.chosen.value = null;
    });
    announce(t("kaosmos-said-put", { tile: tileWords(tile, this.turnsOf(tile)), slot }));
  }

  /** Turn a tile, wherever it is. */
  turn(tile: TileId, by: 1 | -1 = 1): void {
    if (!this.touch()) return;
    if (!this.turning.value) {
      this.desk.hint(t("kaosmos-no-turning"));
      return;
    }
    const turns = (this.turnsOf(tile) + by + 4) % 4;
    const slot = slotOf(this.position.value.galaxy, tile);
    if (slot) this.outbox.make(`put ${tile} ${slot} ${turns}`);
    else this.spin.value = { ...this.spin.value, [tile]: turns };
    announce(tileWords(tile, turns));
  }

  /** The wheel of a mouse turns the tile in hand. */
  readonly wheel = {
    turn: (by: 1 | -1): void => {
      if (this.chosen.value !== null) this.turn(this.chosen.value, by);
    },
  };

  lift(tile: TileId): void {
    if (!this.touch()) return;
    const slot = slotOf(this.position.value.galaxy, tile);
    if (!slot) return;
    batch(() => {
      this.spin.value = { ...this.spin.value, [tile]: this.turnsOf(tile) };
      this.outbox.make(`lift ${tile}`);
      this.chosen.value = null;
    });
    announce(t("kaosmos-said-lift", { slot }));
  }

  leave(tile: TileId): void {
    if (!this.touch() || !this.leaving.value) return;
    if (this.position.value.aside === tile) return;
    this.outbox.make(`leave ${tile}`);
    this.chosen.value = null;
    announce(t("kaosmos-said-leave", { tile: tileWords(tile, 0) }));
  }

  /** Reserve the selected bonus tiles; without any, Done. */
  finish(): boolean {
    const wanted = this.wanted();
    if (wanted.length > 0 && this.reserving.value) {
      this.reserve(wanted);
      return true;
    }
    if (!this.building.value || !this.complete.value) return false;
    this.outbox.make("done");
    this.chosen.value = null;
    return true;
  }

  /** Reserving locks the galaxy: with an unfinished one a second press confirms. */
  private reserve(wanted: Colour[]): void {
    if (this.unfinished.value && !this.warned.value) {
      this.warned.value = true;
      return;
    }
    batch(() => {
      this.outbox.make(`grab ${wanted.join(" ")}`);
      this.warned.value = false;
      this.chosen.value = null;
    });
  }

  /** The selected bonus tiles that are still available. */
  wanted(): Colour[] {
    const { bonuses } = this.desk.view.value;
    return COLOURS.filter(
      (colour) => this.bonus.value.includes(colour) && bonuses[colour] === null,
    );
  }

  toggleBonus(colour: Colour): void {
    if (!this.building.value && !this.reserving.value) return;
    if (this.desk.view.value.bonuses[colour] !== null) return;
    this.warned.value = false;
    const had = this.bonus.value.includes(colour);
    this.bonus.value = had
      ? this.bonus.value.filter((each) => each !== colour)
      : [...this.bonus.value, colour];
  }

  // --- taps -----------------------------------------------------------------------------------

  /** A tap on a tile in the tray, or on the hole that it left. */
  tapTray(tile: TileId): void {
    if (!this.touch()) return;
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
      this.choices.aim(slot);
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

  // --- draft ----------------------------------------------------------------------------------

  pick(tile: TileId): void {
    if (!this.acting.value || this.desk.view.value.phase !== "draft" || this.outbox.sending) return;
    if (this.moments.card.peek() !== null) this.moments.seenCard();
    this.choices.pick(tile);
  }

  /** Put everything down. */
  drop(): void {
    this.chosen.value = null;
    this.warned.value = false;
    this.choices.target.value = null;
    this.shown.value = null;
    this.count.end();
  }
}
