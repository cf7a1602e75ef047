import { t } from "../i18n";
import type { ClockChoice, TableView } from "../protocol";

/** The clocks to choose from, by the ids of their texts. */
export const CLOCKS: Record<string, ClockChoice> = {
  none: { kind: "none" },
  "move-30": { kind: "move", seconds: 30 },
  "move-60": { kind: "move", seconds: 60 },
  "move-120": { kind: "move", seconds: 120 },
  "game-300-5": { kind: "game", seconds: 300, increment: 5 },
  "game-900-10": { kind: "game", seconds: 900, increment: 10 },
  "move-86400": { kind: "move", seconds: 86_400 },
};

export function clockName(clock: ClockChoice): string {
  const { kind, increment = 0 } = clock;
  const seconds = clock.seconds ?? 0;
  if (kind === "none") return t("clock-none");
  if (kind === "game") return t("clock-game", { minutes: Math.round(seconds / 60), increment });
  return seconds >= 86_400
    ? t("clock-day", { count: Math.round(seconds / 86_400) })
    : t("clock-move", { seconds });
}

/** The settings of a table in words: its clock, and who may watch. */
export function terms(config: TableView["config"]): string {
  const watching = config.spectators === null ? "none" : config.spectators > 0 ? "delayed" : "live";
  return [
    `${t("clock")}${t("colon")} ${clockName(config.clock ?? { kind: "none" })}`,
    `${t("watching")}${t("colon")} ${t(`watching-${watching}`)}`,
  ].join(" · ");
}
