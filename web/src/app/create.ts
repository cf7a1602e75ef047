import { t } from "../i18n";
import { api, Failed } from "../live/api";
import type { Refusal } from "../live/wire";
import { level, playerName } from "../ui/settings";
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
  rememberRecovery(made.table, made.recovery);
  go(`/t/${made.table}`);
}

/** The key to a seat for another browser, kept to be shown when it is asked for. */
export function rememberRecovery(table: string, recovery: string): void {
  try {
    sessionStorage.setItem(`tuilerie.recovery.${table}`, recovery);
  } catch {
    // Then it cannot be shown again.
  }
}
