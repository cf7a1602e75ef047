import type { Desk, GameModule } from "../games/types";
import { has, list, refusalText, t } from "../i18n";
import type { LiveTable } from "../live/table";
import { Sheet } from "../ui/Sheet";
import { createOnDevice, failure } from "./create";
import { hint, labelAt, nameAt } from "./desk";
import { deviceSeats } from "./device";
import { link } from "./router";
import { headline, standings } from "./standing";

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

/** Who else would like to play again, in words; none once we have said so, too. */
function rematchAsked(table: LiveTable): string {
  const { votes, seats, rematch } = table.view.value!;
  const you = table.you.value;
  if (votes.length === 0 || rematch || (you !== null && votes.includes(you))) return "";
  const names = votes.map((seat) => nameAt(seats, seat));
  return t("rematch-asked", { names: list(names), count: names.length });
}

function RematchButton({ table }: { table: LiveTable }) {
  const waits = table.view.value?.votes.includes(table.you.value ?? -1);
  const words = rematchAsked(table) ? "rematch-agree" : "rematch";
  return (
    <button type="button" class="button primary" disabled={waits} onClick={() => playAgain(table)}>
      {t(waits ? "rematch-waits" : words)}
    </button>
  );
}

/** The same for who has closed the result. */
export function RematchAsked({ table }: { table: LiveTable }) {
  const words = rematchAsked(table);
  if (!words || table.you.value === null) return null;
  return (
    <div class="notice" role="alert">
      <p>{words}</p>
      <div class="row">
        <RematchButton table={table} />
      </div>
    </div>
  );
}

/** How the game ended, and what to do now. */
export function ResultPanel({ table, game, desk, onClose }: ResultProps) {
  const view = table.view.value!;
  const { result } = view;
  const you = table.you.value;
  const reason = result?.reason ?? "";
  const sides = game.sides?.(desk.view.value) ?? view.seats.map((_, seat) => [seat]);
  const order = standings(result?.places ?? [], sides);
  const single = order.length === 1 && you !== null ? result?.scores[0] : undefined;
  const head = (single && game.alone?.(single, desk.view.value)) ?? headline(view, order, you);
  const asked = rematchAsked(table);
  return (
    <Sheet title={head} onClose={onClose}>
      <div class="stack result">
        {has(`reason-${reason}`) && <p class="muted">{t(`reason-${reason}`)}</p>}
        <ol class={order.length > 1 ? "places" : "places single"}>
          {order.map(({ seats, place }) => {
            const [first = 0] = seats;
            const own = result?.scores[first]; // a game that was given up has none
            const mine = you !== null && seats.includes(you);
            return (
              <li key={first} class={mine ? "you" : ""} data-seat={first}>
                {order.length > 1 && <span class="place">{place}</span>}
                <strong>{seats.map((seat) => labelAt(view.seats, seat, you)).join(" + ")}</strong>
                <span>{own ? game.score(own, desk.view.value) : ""}</span>
              </li>
            );
          })}
        </ol>
        <div>
          {/* Always there: what comes with a region that is itself new is not read out everywhere. */}
          <div role="status">{asked && <p class="notice">{asked}</p>}</div>
          <div class="row">
            {you !== null && <RematchButton table={table} />}
            <a class="button" {...link(`/r/${table.slug}`)}>
              {t("look-back")}
            </a>
            <a class="button" {...link("/")}>
              {t("back-home")}
            </a>
          </div>
        </div>
      </div>
    </Sheet>
  );
}
