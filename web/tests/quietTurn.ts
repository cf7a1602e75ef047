import { signal } from "@preact/signals";

/** The parts of a desk where no turn is held, nobody counts and no hint was asked for. */
export const quietTurn = {
  turn: signal(null),
  undoable: signal(false),
  undo: () => undefined,
  endTurn: () => undefined,
  hints: signal([]),
  seen: () => undefined,
  looking: signal<number[]>([]),
};
