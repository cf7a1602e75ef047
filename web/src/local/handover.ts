import { api, Failed } from "../live/api";
import type { GuestSeat, HandOver } from "../protocol";
import { type LocalTable, listTables, noteHanded } from "./store";

/** Finished games of this browser that no account has yet, the newest first. */
export async function notHanded(): Promise<GuestSeat[]> {
  return (await candidates()).map(({ table, game, seats, you, updated }) => {
    return { table, game, name: seats[you ?? 0]?.name ?? null, updated };
  });
}

async function candidates(): Promise<LocalTable[]> {
  const tables = await listTables().catch(() => [] as LocalTable[]);
  return tables.filter((each) => each.status === "over" && !each.handed);
}

/** Hand these games to the account. Returns how many it has now, and why not all of them. */
export async function handOver(
  chosen: string[],
): Promise<{ count: number; trouble: unknown | null }> {
  let count = 0;
  let trouble: unknown = null;
  for (const table of await candidates()) {
    if (!chosen.includes(table.table)) continue;
    try {
      const { table: handed } = await patiently(await toHand(table));
      count += 1;
      await noteHanded(table, handed);
    } catch (error) {
      trouble ??= error;
    }
  }
  return { count, trouble };
}

async function toHand(table: LocalTable): Promise<HandOver> {
  const { result } = table;
  const last = result?.reason === "resigned" ? result.places.indexOf(table.players) : -1;
  return {
    record: await api.record(table.table),
    seat: table.you ?? 0,
    bots: table.seats.flatMap(({ level }, seat) => (level ? [{ seat, level }] : [])),
    resigned: last < 0 ? null : last,
  };
}

const PATIENCE = 3;

/** A server that is asked too often says how long to wait. */
async function patiently(game: HandOver): Promise<{ table: string }> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.handOver(game);
    } catch (error) {
      const wait = error instanceof Failed && error.status === 429 ? error.problem.wait : null;
      if (!wait || tries === PATIENCE) throw error;
      await new Promise((done) => setTimeout(done, wait * 1000));
    }
  }
}
