import { t } from "../i18n";
import type { Seat } from "../live/seat";
import type { TableView } from "../protocol";

/** A rank, and who has it: a player or a team. */
export interface Standing {
  seats: Seat[];
  place: number;
}

/**
 * The sides of a game by their places, the best first. Of a team the better rank counts: a partner
 * who resigned ranks last. After a team comes rank 2, not 3.
 */
export function standings(places: number[], sides: Seat[][]): Standing[] {
  const best = sides.map((seats) => Math.min(...seats.map((seat) => places[seat] ?? 9)));
  return sides
    .map((seats, index) => ({
      seats,
      place: 1 + best.filter((each) => each < (best[index] ?? 9)).length,
    }))
    .sort((a, b) => a.place - b.place);
}

/** The headline of the result for this viewer. */
export function headline(view: TableView, order: Standing[], you: Seat | null): string {
  const own = order.find((each) => you !== null && each.seats.includes(you));
  const winners = order.filter((each) => each.place === 1).length;
  // a solo game has no winner
  if (!own || order.length === 1) return t("game-over");
  if (own.seats.length > 1) {
    if (you !== null && view.seats[you]?.resigned) return t("game-over");
    if (own.place > 1) return t("team-lost");
    return winners > 1 ? t("teams-shared") : t("team-won");
  }
  if (own.place > 1) return t("you-lost", { place: own.place });
  return winners > 1 ? t("you-shared") : t("you-won");
}
