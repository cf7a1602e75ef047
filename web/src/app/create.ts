import { t } from "../i18n";
import { api, Failed } from "../live/api";
import type { Json, NewTable, Problem } from "../protocol";
import { level, playerName } from "../ui/settings";
import { type Held, rememberDevice } from "./device";
import { go } from "./router";

/** The player's own name at a table. */
export function myName(): string {
  return playerName.value.trim() || t("guest");
}

export function failure(error: unknown): Problem {
  if (!(error instanceof Failed)) return { code: "failed", rule: "offline", params: {} };
  const { wait } = error.problem;
  return wait ? { code: "slow-down", rule: "slow-down", params: { wait } } : error.problem;
}

/** A table with bots on all other seats; the game starts at once. */
export async function playNow(
  game: string,
  opponents: number,
  bots: string,
  options: Record<string, Json> = {},
): Promise<void> {
  level.value = bots;
  const made = await api.create({
    game,
    players: opponents + 1,
    options,
    clock: { kind: "none" },
    public: false,
    spectators: "live",
    bots: Array.from({ length: opponents }, (_, i) => ({ seat: i + 1, level: bots })),
    name: myName(),
  });
  go(`/t/${made.table}`);
}

/** A table on one device, which takes all its seats. */
export async function createOnDevice(
  table: Omit<NewTable, "name">,
  names: string[],
): Promise<void> {
  const made = await api.create({ ...table, name: names[0] ?? "" });
  const held: Held[] = [{ seat: made.seat, recovery: made.recovery }];
  for (let seat = 1; seat < table.players; seat++) {
    held.push(await api.sitBeside(made.table, names[seat] ?? "", seat));
  }
  rememberDevice(made.table, held);
  go(`/t/${made.table}`);
}

/** Recover the seat of a recovery link, if the page was opened by one. The fragment (#) is never
 * sent. */
export async function takeSeatByLink(table: string): Promise<void> {
  const key = location.hash.slice(1);
  if (!key) return;
  const { table: whose } = await api.recover(key).catch((error) => {
    const wrong = error instanceof Failed && [400, 404].includes(error.status);
    throw wrong ? new Failed(404, { ...error.problem, rule: "no-such-token" }) : error;
  });
  history.replaceState(null, "", location.pathname + location.search);
  if (whose !== table) go(`/t/${whose}`, true);
}
