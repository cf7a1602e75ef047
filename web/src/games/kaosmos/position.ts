import type { Seat } from "../../live/seat";
import type { KaosmosEvent } from "../../protocol";
import type { Galaxy, Slot, TileId } from "./view";

/** A galaxy in the making, with the moves that are not answered yet. */
export interface Position {
  galaxy: Galaxy;
  supply: TileId[];
  aside: TileId | null;
  finished: boolean;
}

export function slotOf(galaxy: Galaxy, tile: TileId): Slot | null {
  return Object.keys(galaxy).find((slot) => galaxy[slot]?.[0] === tile) ?? null;
}

/** A position with one more move drawn as made. */
export function withMove(position: Position, move: string): Position {
  const [what, tile = "", slot = "", turns = "0"] = move.split(" ");
  if (what === "grab" || what === "done") return { ...position, finished: true };
  if (what !== "put" && what !== "lift" && what !== "leave") return position;
  const galaxy = { ...position.galaxy };
  const from = slotOf(galaxy, tile);
  if (from) delete galaxy[from];
  let supply = position.supply.filter((each) => each !== tile);
  let aside = position.aside === tile ? null : position.aside;
  if (what === "put") {
    const there = galaxy[slot];
    if (there) supply = [...supply, there[0]].sort();
    galaxy[slot] = [tile, Number(turns)];
  } else if (what === "lift") {
    supply = [...supply, tile].sort();
  } else {
    if (aside) supply = [...supply, aside].sort();
    aside = tile;
  }
  return { ...position, galaxy, supply, aside };
}

/** The moves that are still unanswered after these events. */
export function withoutConfirmed(
  pending: string[],
  news: KaosmosEvent[],
  viewer: Seat | null,
): string[] {
  const left = [...pending];
  for (const event of news) {
    const move = moveOf(event, viewer);
    const at = move === null ? -1 : left.findIndex((each) => each.startsWith(move));
    // Moves are confirmed in order: those sent before a confirmed one are settled, too.
    if (at >= 0) left.splice(0, at + 1);
  }
  return left;
}

function moveOf(event: KaosmosEvent, viewer: Seat | null): string | null {
  if (!("seat" in event) || event.seat !== viewer) return null;
  switch (event.kind) {
    case "placed":
      return `put ${event.tile} ${event.slot} ${event.turns}`;
    case "lifted":
      return `lift ${event.tile}`;
    case "aside":
      return `leave ${event.tile}`;
    case "grabbed":
      return "grab";
    case "locked":
      return "done";
    default:
      return null;
  }
}
