import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Desk, GameModule, Person, Pointed, UndoTime } from "../games/types";
import { t } from "../i18n";
import type { Seat } from "../live/seat";
import type { LiveTable } from "../live/table";
import { isLocal } from "../local/here";
import type { GameEvent, PlayView, SeatFacts, SeatView, TableEvent } from "../protocol";
import { type TurnEnd, turnEnd } from "../ui/settings";
import { tick } from "./fly";
import { levelName } from "./levels";

/** A transient hint to the player. */
export const hinted = signal({ text: "", n: 0 });

export function hint(text: string): void {
  hinted.value = { text, n: hinted.value.n + 1 };
}

/** Remove the hint, or only that one. */
export function unhint(n = hinted.peek().n): void {
  if (hinted.peek().n === n && hinted.peek().text) hinted.value = { text: "", n };
}

type Named = Pick<SeatFacts, "name"> & Pick<SeatView, "kind">;

/** The log replaces names of deleted accounts by a number, which is not shown. */
const NAMELESS = /^#\d+$/;

export function seatName(name: string | null | undefined, seat: number): string {
  return name && !NAMELESS.test(name) ? name : t("player-number", { number: seat + 1 });
}

/** What those are called who give no name, in all languages. */
export const GUESTS: readonly string[] = ["Player", "Joueur"];

/** What a seat is called to who sits there: without a name of one's own, 'you'. */
export function labelOf(name: string, mine: boolean): string {
  return mine && GUESTS.includes(name) ? t("you") : name;
}

/** The name of a seat; bots in the user's language. */
export function nameAt(seats: Named[], seat: number): string {
  const there = seats[seat];
  if (there?.kind === "bot") return t("bot-number", { number: seat + 1 });
  return seatName(there?.name, seat);
}

/** Whether a bot plays this seat to the end: its person has resigned, or was away too often. */
export function givenUp(table: LiveTable, seat: number): boolean {
  return table.view.value?.seats[seat]?.for_good ?? false;
}

/** Whether a seat's time for this decision is over: a bot makes it. */
function outOfTime(table: LiveTable, seat: number): boolean {
  return table.view.value?.clock?.[seat]?.flagged ?? false;
}

/** Whether a bot makes the next move of this seat. */
export function botPlays(table: LiveTable, seat: number): boolean {
  return givenUp(table, seat) || outOfTime(table, seat);
}

/** Our delay as a spectator in seconds; null without one. */
export function watchDelay(table: LiveTable): number | null {
  return (table.you.value === null && table.view.value?.config.spectators) || null;
}

/** The seats that the table waits for: while a turn is held, its own. */
export function actorsAt(table: LiveTable): number[] {
  const held = table.view.value?.held;
  return held ? [held.seat] : (table.play.value?.actors ?? []);
}

/** Whether the table waits for us. */
export function isMyTurn(table: LiveTable): boolean {
  const you = table.you.value;
  return you !== null && actorsAt(table).includes(you) && !botPlays(table, you);
}

/** Whether we may ask for hints: nobody else plays but bots. The server computes them. */
export function mayHint(table: LiveTable): boolean {
  const { seats = [] } = table.view.value ?? {};
  const you = table.you.value;
  const alone = seats.every((seat, index) => seat.kind !== "person" || index === you);
  const open = table.status.value === "playing" && !isLocal(table.slug);
  return you !== null && alone && open && !givenUp(table, you);
}

const HOLD: Record<TurnEnd, number> = { "0": 0, "3": 3_000, "10": 10_000, press: 3_600_000 };
/** A turn that is held for longer than this is ended by its player. */
const RING_MOST = 60_000;

/** Our turn while it can be undone. */
function heldTurn(table: LiveTable): UndoTime | null {
  const held = table.view.value?.held;
  if (!held || held.seat !== table.you.value) return null;
  const total = HOLD[turnEnd.value];
  return { ends: held.ends_at, total: total > RING_MOST ? 0 : total };
}

/** Whether a timer was announced but has not started. */
export function isAboutToStart(table: LiveTable): boolean {
  const { timer, result } = table.view.value ?? {};
  return timer?.started === false && !result;
}

/** Everybody at the table: what is said below their name, and their clock. */
function peopleAt(table: LiveTable): Person[] {
  const view = table.view.value;
  return (view?.seats ?? []).map((seat, index) => ({
    note: noteAbout(table, index, seat),
    you: index === table.you.value,
    clock: view?.clock?.[index] ?? null,
  }));
}

function noteAbout(table: LiveTable, index: number, seat: SeatView): string {
  if (seat.kind === "bot") return levelName(table.view.value?.game ?? "", seat.level ?? "");
  if (seat.resigned) return t("has-resigned");
  if (seat.bot || botPlays(table, index)) return t("bot-plays");
  return table.presence.value[index] === false ? t("away") : "";
}

/** What has happened in the game and was not taken back. */
function pastOf(history: TableEvent[]): GameEvent[] {
  const entries: GameEvent[][] = [];
  for (const { fact, game } of history) {
    if (fact.kind === "taken-back") entries.pop();
    if (game.length > 0) entries.push(game);
  }
  return entries.flat();
}

/** The desk of a live table. */
export function liveDesk(table: LiveTable, game: GameModule): Desk {
  // While a turn can be undone it is still that player's.
  const view = computed(() => {
    const [play, held] = [table.play.value as PlayView, table.view.value?.held];
    return held && play ? { ...play, actors: [held.seat] } : play;
  });
  const names = computed(() => {
    const seats = table.view.value?.seats ?? [];
    return seats.map((_, seat) => nameAt(seats, seat));
  });
  // Who gave no name is 'you' to themself.
  const labels = computed(() => {
    const you = table.you.value;
    return names.value.map((name, seat) => labelOf(name, seat === you));
  });
  return {
    view,
    fresh: table.fresh,
    you: table.you,
    sent: table.sent,
    names,
    labels,
    past: computed(() => pastOf(table.history.value)),
    people: computed(() => peopleAt(table)),
    pointed: signal<Pointed<GameEvent> | null>(null) as Desk["pointed"],
    may: computed(
      () =>
        table.status.value === "playing" &&
        table.sent.value === null &&
        !table.view.value?.held &&
        !(table.you.value !== null && botPlays(table, table.you.value)) &&
        game.canMove(view.value),
    ),
    secondsLeft() {
      const timer = table.view.peek()?.timer;
      if (!timer) return null;
      const ends = timer.ends_at + 1000 * (watchDelay(table) ?? 0);
      return Math.max(0, (ends - table.connection.now()) / 1000);
    },
    now: () => table.connection.now(),
    turn: computed(() => heldTurn(table)),
    undoable: computed(() => (table.view.value?.can_undo ?? false) && table.sent.value === null),
    undo: () => table.ask({ kind: "undo" }),
    endTurn: () => table.ask({ kind: "end-turn" }),
    hints: computed(() => table.hints.value?.moves ?? []),
    seen: () => {
      const looking = table.view.peek()?.count?.looking ?? [];
      if (looking.includes(table.you.peek() ?? -1)) table.ask({ kind: "see-count" });
    },
    looking: computed(() => table.view.value?.count?.looking ?? []),
    move: (text, final = false) => {
      tick();
      table.make(text, final || !game.turns ? 0 : HOLD[turnEnd.peek()]);
    },
    hint,
  };
}

interface Shown
  extends Pick<Desk, "view" | "fresh" | "names">,
    Partial<Pick<Desk, "labels" | "past">> {
  /** What is said below each name. */
  notes?: string[];
  /** Our own seat, if it is not the viewer's. */
  own?: Seat | null;
}

/** A desk to look at: a replay, a scene. `move` does nothing unless it is given. */
export function stillDesk(
  game: Pick<GameModule, "canMove">,
  { view, fresh, names, labels = names, past = signal([]), notes = [], own = null }: Shown,
  move?: (text: string) => void,
  open: ReadonlySignal<boolean> = signal(true),
): Desk {
  return {
    view,
    fresh,
    names,
    labels,
    past,
    people: computed(() =>
      names.value.map((_, seat) => ({
        note: notes[seat] ?? "",
        you: seat === (own ?? view.value.viewer),
        clock: null,
      })),
    ),
    pointed: signal<Pointed<GameEvent> | null>(null) as Desk["pointed"],
    now: () => Date.now(),
    you: computed(() => view.value.viewer),
    sent: signal(null),
    turn: signal(null),
    undoable: signal(false),
    undo() {},
    endTurn() {},
    hints: signal([]),
    seen() {},
    looking: signal([]),
    may: computed(() => move !== undefined && open.value && game.canMove(view.value)),
    secondsLeft: () => null,
    move: (text) => move?.(text),
    hint,
  };
}
