import type { Changes, PlayView, Replayed } from "../protocol";

/**
 * The value after a change. `[value]` sets it, `null` removes a key, an object descends (into a list
 * by index). The server makes these trees (`match/changes.py`), and runs this very file in its tests.
 * Nothing is changed in place: what stays the same is shared by both values.
 */
export function applyChanges<T>(value: T, change: Changes<T>): T {
  return applied(value, change) as T;
}

/** The views of a replay: the one at the start, and one after each step. */
export function viewsOf({ start, steps }: Replayed): PlayView[] {
  const views = [start];
  for (const { changes } of steps) views.push(applyChanges(views.at(-1)!, changes));
  return views;
}

function applied(value: unknown, change: unknown): unknown {
  if (Array.isArray(change)) return change[0];
  const next = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Tree;
  for (const [key, inner] of Object.entries(change ?? {})) {
    if (inner === null) delete next[key];
    else next[key] = applied(next[key], inner);
  }
  return next;
}

interface Tree {
  [key: string]: unknown;
}
