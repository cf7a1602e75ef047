import type { Desk, GameModule } from "../games/types";
import { has, refusalText, t } from "../i18n";
import type { LiveTable } from "../live/table";
import { Sheet } from "../ui/Sheet";
import { createOnDevice, failure } from "./create";
import { hint, labelAt, nameAt } from "./desk";
import { deviceSeats } from "./device";
import { link } from "./router";

interface ResultProps {
  table: LiveTable;
  game: GameModule;
  desk: Desk;
  onClose(): void;
}

/** Another game: when all agree; around one device at once, everybody one seat on, as else. */
function playAgain(table: LiveTable): void {
  const view = table.view.value!;
  if (deviceSeats(table.slug).length < 2) {
    table.ask({ c: "ask-rematch" });
    return;
  }
  const { players, options, clock } = view.config;
  const names = view.seats.map((_, seat) => nameAt(view.seats, (seat + 1) % players));
  const next = {
    game: view.game,
    players,
    options,
    clock: clock ?? ({ kind: "none" } as const),
    public: false,
    spectators: "live" as const,
    bots: [],
  };
  createOnDevice(next, names).catch((error) => hint(refusalText(failure(error))));
}

/** How the game ended, and what to do now. */
export function ResultPanel({ table, game, desk, onClose }: ResultProps) {
  const view = table.view.value!;
  const { result } = view;
  const you = table.you.value;
  const place = you === null ? undefined : result?.places[you];
  const winners = result?.places.filter((each) => each === 1).length ?? 0;
  const places = result?.places.length;
  const reason = result?.reason ?? "";
  const head =
    place === undefined || (reason === "resigned" && winners === places)
      ? t("game-over") // alone, nobody has won by giving up
      : place > 1
        ? t("you-lost", { place })
        : winners > 1
          ? t("you-shared")
          : t("you-won");
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
              onClick={() => playAgain(table)}
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
