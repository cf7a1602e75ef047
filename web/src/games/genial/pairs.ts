import type { GameEvent } from "../../live/wire";
import type { Cell, Colour } from "./view";

/** Two cells that one tile covers. */
export type Pair = readonly [Cell, Cell];

/**
 * Which laid halves are one tile. The view tells symbols only, as on a real board; what has happened
 * tells which of them came together. A tile that was taken back lies no more, and is left out.
 */
export function laidPairs(past: GameEvent[], symbols: Record<Cell, Colour>): Pair[] {
  const laid = new Map<Cell, Pair>();
  for (const event of past) {
    const pair = pairOf(event);
    for (const cell of pair ?? []) laid.set(cell, pair as Pair);
  }
  const whole = ([first, second]: Pair) =>
    symbols[first] && symbols[second] && laid.get(first) === laid.get(second);
  return [...new Set(laid.values())].filter(whole);
}

function pairOf(event: GameEvent): Pair | null {
  if (event.kind === "placed") return [String(event.first), String(event.second)];
  if (event.kind !== "action") return null;
  const [, first, second] = String(event.move).split(" ");
  return first && second ? [first, second] : null;
}
