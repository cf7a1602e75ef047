import type { Decision, GameModule } from "../games/types";
import type { GameEvent, Replayed } from "../protocol";
import { decisionsOf } from "./MoveList";

/** Where a replay can stop: before the first decision, and after each with all that followed. */
export interface Moment {
  /** How many steps of the record have been made. */
  step: number;
  /** How many events have happened. */
  end: number;
  decision: Decision<GameEvent> | null;
}

/** All moments of a record. What was drawn after a decision belongs to it. */
export function momentsOf(game: GameModule, { steps }: Replayed): Moment[] {
  const ends = [0];
  for (const { events } of steps) ends.push((ends.at(-1) ?? 0) + events.length);
  const decisions = decisionsOf(
    game,
    steps.flatMap((each) => each.events),
  );
  const moments = decisions.map((decision) => ({
    step: ends.findIndex((end) => end >= decision.end),
    end: decision.end,
    decision,
  }));
  const last = moments.at(-1);
  if (last) last.step = steps.length; // a record may end with a step without events
  return [{ step: last ? 0 : steps.length, end: 0, decision: null }, ...moments];
}

/** The moment that a link leads to: the first that has made so many steps. */
export function momentAt(moments: Moment[], step: number): number {
  const found = moments.findIndex((each) => each.step >= step);
  return found < 0 ? moments.length - 1 : found;
}

/** What each seat holds after each step, where the hands lie open. */
export function handsOf({ hands, steps }: Replayed): string[][][] | null {
  if (!hands) return null;
  const all = [hands];
  for (const step of steps) all.push(step.hands ?? all.at(-1)!);
  return all;
}
