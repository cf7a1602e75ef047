import type { GenialEvent } from "../../protocol";
import type { Cell, Colour } from "./view";

/** Two cells that one tile covers. */
export type Pair = readonly [Cell, Cell];

/**
 * Which laid halves are one tile. The view holds symbols only, as on a real board; the events say
 * which were laid together. Tiles that were taken back are left out.
 */
export function laidPairs(past: GenialEvent[], symbols: Record<Cell, Colour>): Pair[] {
  const laid = new Map<Cell, Pair>();
  for (const event of past) {
    if (event.kind !== "placed") continue;
    const pair = [event.first, event.second] as const;
    for (const cell of pair) laid.set(cell, pair);
  }
  const whole = ([first, second]: Pair) =>
    symbols[first] && symbols[second] && laid.get(first) === laid.get(second);
  return [...new Set(laid.values())].filter(whole);
}
