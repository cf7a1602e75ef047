import { list, t } from "../i18n";
import { wasHanded } from "../local/here";
import type { TableFacts } from "../protocol";
import { nameAt } from "./desk";
import { deviceSeats } from "./device";

/** Whether we still play one of our seats: not after resigning, when a bot plays on. */
export function canGoOn(table: TableFacts): boolean {
  if (table.status === "over" || table.status === "closed") return false;
  if (table.you === null || table.you === undefined) return true;
  const ours = [table.you, ...deviceSeats(table.table).map((held) => held.seat)];
  return ours.some((seat) => !table.seats[seat]?.for_good);
}

/** The names of the other players. */
export function others(table: TableFacts): string {
  if (table.players === 1) return t("alone");
  const names = table.seats.flatMap((seat, index) =>
    seat.kind === "open" || index === table.you ? [] : [nameAt(table.seats, index)],
  );
  return names.length > 0 ? t("with", { names: list(names) }) : t("waiting-for-players");
}

/** Whether it is our turn there. */
export function isMine(table: TableFacts): boolean {
  return table.you !== null && table.you !== undefined && table.actors.includes(table.you);
}

/** One's turn first, then the others' turns, then tables that wait for players; the newest first. */
export function inOrder(tables: TableFacts[]): TableFacts[] {
  const rank = (each: TableFacts) => (each.status === "waiting" ? 2 : isMine(each) ? 0 : 1);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.updated - a.updated);
}

/** Whose turn it is, in words. */
export function turnOf(table: TableFacts): string {
  if (table.status === "waiting") {
    const open = table.seats.filter((seat) => seat.kind === "open").length;
    return t("seats-open", { count: open });
  }
  if (isMine(table)) return t("your-turn");
  const names = table.actors.map((seat) => nameAt(table.seats, seat));
  return names.length > 0 ? t("turn-of", { names: list(names), count: names.length }) : "";
}

/** The deciding number of a seat's final score. */
export function pointsOf(game: string, score: Record<string, unknown> | undefined): number | null {
  if (!score) return null;
  const own = game === "genial" ? Math.min(...Object.values(score).map(Number)) : score.score;
  return typeof own === "number" && Number.isFinite(own) ? own : null;
}

/** How it ended: who won, whether somebody resigned, whether hints were used. */
export function endOf(table: TableFacts): string {
  const { result, you = null } = table;
  const winners = (result?.places ?? []).flatMap((place, seat) => (place === 1 ? [seat] : []));
  const names = winners.filter((seat) => seat !== you).map((seat) => nameAt(table.seats, seat));
  const won = you !== null && winners.includes(you);
  const words =
    table.players === 1
      ? [t("alone")]
      : won
        ? [names.length > 0 ? t("shared-with", { names: list(names) }) : t("won"), others(table)]
        : [t("won-by", { names: list(names), count: names.length })];
  if (result?.reason === "resigned") words.push(t("by-resignation"));
  if (table.assisted) words.push(t("assisted"));
  if (wasHanded(table.table)) words.push(t("without-server"));
  return words.join(" · ");
}
