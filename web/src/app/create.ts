import { t } from "../i18n";
import { api, Failed, type NewTable } from "../live/api";
import type { Refusal } from "../live/wire";
import { level, playerName } from "../ui/settings";
import { type Held, rememberDevice } from "./device";
import { go } from "./router";

/** How this person is called at a table. */
export function myName(): string {
  return playerName.value.trim() || t("guest");
}

export function failure(error: unknown): Refusal {
  if (error instanceof Failed) {
    if (error.wait) return { code: "slow-down", rule: "slow-down", params: { wait: error.wait } };
    return error.refusal;
  }
  return { code: "failed", rule: "offline", params: {} };
}

/** A table with bots at all other seats; it begins as soon as we sit at it. */
export async function playNow(
  game: string,
  opponents: number,
  bots: string,
  options: Record<string, unknown> = {},
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

/** A table around this device: all its seats are taken here. */
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

/** Take the seat that a link leads to, if we came by one. What is behind the # is sent nowhere. */
export async function takeSeatByLink(table: string): Promise<void> {
  const key = location.hash.slice(1);
  if (!key) return;
  const { table: whose } = await api.recover(key).catch((error) => {
    const wrong = error instanceof Failed && [400, 404].includes(error.status);
    throw wrong ? new Failed(404, { ...error.refusal, rule: "no-such-token" }) : error;
  });
  history.replaceState(null, "", location.pathname + location.search);
  if (whose !== table) go(`/t/${whose}`, true);
}
