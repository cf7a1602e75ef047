import type { Desk, GameModule } from "../games/types";
import { has, t } from "../i18n";
import type { LiveTable } from "../live/table";
import { Sheet } from "../ui/Sheet";
import { labelAt } from "./desk";
import { link } from "./router";

interface ResultProps {
  table: LiveTable;
  game: GameModule;
  desk: Desk;
  onClose(): void;
}

/** How the game ended, and what to do now. */
export function ResultPanel({ table, game, desk, onClose }: ResultProps) {
  const view = table.view.value!;
  const { result } = view;
  const you = table.you.value;
  const place = you === null ? undefined : result?.places[you];
  const winners = result?.places.filter((each) => each === 1).length ?? 0;
  const head =
    place === undefined
      ? t("game-over")
      : place > 1
        ? t("you-lost", { place })
        : winners > 1
          ? t("you-shared")
          : t("you-won");
  const reason = result?.reason ?? "";
  const asked = you !== null && view.votes.includes(you);
  const order = view.seats
    .map((_, seat) => seat)
    .sort((a, b) => (result?.places[a] ?? 9) - (result?.places[b] ?? 9));
  return (
    <Sheet title={head} onClose={onClose}>
      <div class="stack result">
        {has(`reason-${reason}`) && <p class="muted">{t(`reason-${reason}`)}</p>}
        <ol class="places">
          {order.map((seat) => {
            const own = result?.scores[seat]; // a game that was given up has none
            return (
              <li key={seat} class={seat === you ? "you" : ""} data-seat={seat}>
                <span class="place">{result?.places[seat] ?? "–"}</span>
                <strong>{labelAt(view.seats, seat, you)}</strong>
                <span>{own ? game.score(own, desk.view.value) : ""}</span>
              </li>
            );
          })}
        </ol>
        <div class="row">
          {you !== null && (
            <button
              type="button"
              class="button primary"
              disabled={asked}
              onClick={() => table.ask({ c: "ask-rematch" })}
            >
              {asked ? t("rematch-waits") : t("rematch")}
            </button>
          )}
          <a class="button" {...link(`/r/${table.slug}`)}>
            {t("look-back")}
          </a>
          <a class="button" {...link("/")}>
            {t("back-home")}
          </a>
        </div>
      </div>
    </Sheet>
  );
}
