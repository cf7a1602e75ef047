import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Desk } from "../games/types";
import { t } from "../i18n";
import type { LiveTable } from "../live/table";
import type { PlayView, SeatInfo } from "../live/wire";

/** A short word to the player that goes away by itself. */
export const hinted = signal({ text: "", n: 0 });

export function hint(text: string): void {
  hinted.value = { text, n: hinted.value.n + 1 };
}

/** Take the word back, or only that one. */
export function unhint(n = hinted.peek().n): void {
  if (hinted.peek().n === n && hinted.peek().text) hinted.value = { text: "", n };
}

/** Who deleted their account is called by a number in the log: in words, that is nobody's name. */
const NAMELESS = /^#\d+$/;

export function seatName(name: string | null | undefined, seat: number): string {
  return name && !NAMELESS.test(name) ? name : t("player-number", { number: seat + 1 });
}

/** How somebody at the table is called: by their name, and bots in the user's language. */
export function nameAt(seats: SeatInfo[], seat: number): string {
  const there = seats[seat];
  if (there?.kind === "bot") return t("bot-number", { number: seat + 1 });
  return seatName(there?.name, seat);
}

/** How they are called in a heading that we read: without a name, we are just "You". */
export function labelAt(seats: SeatInfo[], seat: number, you: number | null): string {
  const name = nameAt(seats, seat);
  return seat === you && name === t("guest") ? t("you") : name;
}

/** Whether a bot plays for this seat to the end: its person has resigned, or was gone too often. */
export function givenUp(table: LiveTable, seat: number): boolean {
  return table.view.value?.seats[seat]?.for_good ?? false;
}

/** Whether a seat's time for this decision is over: a bot makes it. */
export function outOfTime(table: LiveTable, seat: number): boolean {
  return table.view.value?.clock?.[seat]?.flagged ?? false;
}

/** Whether a bot, and not the person, is asked what this seat does next. */
export function botPlays(table: LiveTable, seat: number): boolean {
  return givenUp(table, seat) || outOfTime(table, seat);
}

/** How many seconds later than the players we see the table, if we do. */
export function watchDelay(table: LiveTable): number | null {
  return (table.you.value === null && table.view.value?.config.spectators) || null;
}

/** Whether the table waits for us. */
export function isMyTurn(table: LiveTable): boolean {
  const you = table.you.value;
  return you !== null && (table.play.value?.actors.includes(you) ?? false) && !botPlays(table, you);
}

/** Whether a timer was announced and has not started: all wait for it together. */
export function isAboutToStart(table: LiveTable): boolean {
  const { glass, result } = table.view.value ?? {};
  return glass?.started === false && !result;
}

/** The desk of a live table. */
export function liveDesk(table: LiveTable): Desk {
  const view = computed(() => table.play.value as PlayView);
  return {
    view,
    fresh: table.fresh,
    you: table.you,
    sent: table.sent,
    names: computed(() => {
      const seats = table.view.value?.seats ?? [];
      return seats.map((_, seat) => nameAt(seats, seat));
    }),
    labels: computed(() => {
      const seats = table.view.value?.seats ?? [];
      return seats.map((_, seat) => labelAt(seats, seat, table.you.value));
    }),
    past: computed(() => table.history.value.flatMap((event) => event.game ?? [])),
    may: computed(
      () =>
        table.status.value === "playing" &&
        table.sent.value === null &&
        !(table.you.value !== null && botPlays(table, table.you.value)) &&
        (table.play.value?.legal.length ?? 0) > 0,
    ),
    claim: computed(() => table.view.value?.claim ?? null),
    secondsLeft() {
      const glass = table.view.peek()?.glass;
      if (!glass) return null;
      const ends = glass.ends_at + 1000 * (watchDelay(table) ?? 0);
      return Math.max(0, (ends - table.connection.now()) / 1000);
    },
    move: (text) => table.make(text),
    hint,
  };
}

type Told = Pick<Desk, "view" | "fresh" | "names"> & Partial<Pick<Desk, "labels" | "past">>;

/** A desk to look at: a replay, a scene. `move` does nothing unless it is given. */
export function stillDesk(
  { view, fresh, names, labels = names, past = signal([]) }: Told,
  move?: (text: string) => void,
  open: ReadonlySignal<boolean> = signal(true),
): Desk {
  return {
    view,
    fresh,
    names,
    labels,
    past,
    you: computed(() => view.value.viewer),
    sent: signal(null),
    claim: signal(null),
    may: computed(() => move !== undefined && open.value && view.value.legal.length > 0),
    secondsLeft: () => null,
    move: (text) => move?.(text),
    hint,
  };
}
