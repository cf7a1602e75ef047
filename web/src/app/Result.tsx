import { LevelTile } from "../art/Level";
import { Podium } from "../art/Podium";
import type { Desk, GameModule } from "../games/types";
import { has, list, refusalText, t } from "../i18n";
import type { Seat } from "../live/seat";
import type { LiveTable } from "../live/table";
import { isLocal } from "../local/here";
import type { TableView } from "../protocol";
import { Icon } from "../ui/Icon";
import { Sheet } from "../ui/Sheet";
import { createOnDevice, failure, playNow } from "./create";
import { hint, nameAt } from "./desk";
import { deviceSeats } from "./device";
import { levelName, levelsOf } from "./levels";
import { lookOf } from "./MoveList";
import { link } from "./router";
import { ShareGame } from "./Share";
import { Standings } from "./Standings";
import { headline, standings } from "./standing";
import "./Result.css";

interface ResultProps {
  table: LiveTable;
  game: GameModule;
  desk: Desk;
  onClose(): void;
}

/** Ask for a rematch; on one device it starts at once. Everybody moves by one seat. */
function playAgain(table: LiveTable): void {
  const view = table.view.value!;
  if (deviceSeats(table.slug).length < 2) {
    table.ask({ kind: "ask-rematch" });
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

/** Who asked for a rematch, in words; empty once we asked, too. */
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

/** Against bots that were beaten: the same table against the next level. */
function LevelUp({ table, won }: { table: LiveTable; won: boolean }) {
  const view = table.view.value!;
  const next = won ? levelAbove(view, table.you.value) : null;
  if (!next) return null;
  const { players, options } = view.config;
  const play = () =>
    playNow(view.game, players - 1, next, options).catch((error) =>
      hint(refusalText(failure(error))),
    );
  return (
    <button type="button" class="button level-up" onClick={() => void play()}>
      <LevelTile level={next} size={22} />
      {t("level-up", { level: levelName(view.game, next) })}
    </button>
  );
}

/** The level above that of all other seats, if bots of one level sit there. */
export function levelAbove(view: TableView, you: Seat | null): string | null {
  const others = view.seats.filter((_, seat) => seat !== you);
  const [first] = others;
  if (you === null || first?.kind !== "bot") return null;
  if (others.some(({ kind, level }) => kind !== "bot" || level !== first.level)) return null;
  const levels = levelsOf(view.game).map(({ id }) => id);
  const at = levels.indexOf(first.level ?? "");
  return at < 0 ? null : (levels[at + 1] ?? null);
}

/** Why the game ended: who resigned, by name. */
function reasonWords(table: LiveTable, desk: Desk): string {
  const { result, seats } = table.view.value!;
  const reason = result?.reason ?? "";
  const gone = seats.findIndex((seat) => seat.resigned);
  if (reason === "resigned" && gone >= 0) {
    if (gone === table.you.value) return t("table-resigned-you");
    return t("table-resigned", { name: desk.names.value[gone] ?? "" });
  }
  return has(`reason-${reason}`) ? t(`reason-${reason}`) : "";
}

/** The same after the result was closed. */
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
  const sides = game.sides?.(desk.view.value) ?? view.seats.map((_, seat) => [seat]);
  const order = standings(result?.places ?? [], sides);
  const single = order.length === 1 && you !== null ? result?.scores[0] : undefined;
  const head = (single && game.alone?.(single, desk.view.value)) ?? headline(view, order, you);
  const asked = rematchAsked(table);
  const nameOf = (seats: number[]) => seats.map((seat) => desk.labels.value[seat]).join(" + ");
  const [best, next] = order.map(({ seats }) => result?.scores[seats[0] ?? 0]);
  const scored = result !== null && result.scores.length > 0;
  const why = best && next && scored ? game.because(best, next, desk.view.value) : "";
  return (
    <Sheet title={head} onClose={onClose} kind="end">
      <div class="stack result">
        {order.length > 1 && (result?.places ?? []).length > 0 && (
          <Podium
            Bit={game.Bit}
            steps={order.map(({ seats, place }) => ({
              name: nameOf(seats),
              look: lookOf(game, desk, seats[0] ?? 0),
              place,
              score: scored ? game.points(result.scores[seats[0] ?? 0] ?? {}, desk.view.value) : "",
            }))}
          />
        )}
        {why && <p class="because">{why}</p>}
        <p class="muted result-notes">
          {reasonWords(table, desk)} {view.assisted && t("assisted-game")}
        </p>
        {result && (
          <Standings
            game={game}
            desk={desk}
            result={result}
            order={order}
            you={you}
            nameOf={nameOf}
          />
        )}
        <div class="result-next">
          {/* Always there: what comes with a region that is itself new is not read out everywhere. */}
          <div role="status">{asked && <p class="notice">{asked}</p>}</div>
          <div class="result-buttons">
            {you !== null && <RematchButton table={table} />}
            <LevelUp table={table} won={order[0]?.seats.includes(you ?? -1) ?? false} />
            <a class="button" {...link(`/r/${table.slug}`)}>
              <Icon name="history" size={20} /> {t("look-back")}
            </a>
          </div>
        </div>
        <p class="result-links">
          {!isLocal(table.slug) && <ShareGame address={`/r/${table.slug}`} />}
          <a {...link("/")}>{t("back-home")}</a>
        </p>
      </div>
    </Sheet>
  );
}
