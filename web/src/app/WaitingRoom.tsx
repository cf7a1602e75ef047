import { useEffect, useRef } from "preact/hooks";
import { refusalText, t } from "../i18n";
import type { LiveTable } from "../live/table";
import { Icon } from "../ui/Icon";
import { terms } from "./clocks";
import { nameAt, watchDelay } from "./desk";
import type { Held } from "./device";
import { gameCards, levelName, usualLevel } from "./levels";
import { link } from "./router";
import { SharePanel } from "./Share";
import { usePageTitle } from "./title";
import "./Seats.css";

/** Before the game: the seats, the link, and who is ready. */
export function WaitingRoom({ table, held }: { table: LiveTable; held: Held[] }) {
  const view = table.view.value!;
  const you = table.you.value;
  usePageTitle(`${t("waiting-room")} · ${t(`game-${view.game}`)}`);
  useEffect(() => {
    void gameCards().catch(() => undefined);
  }, []);
  const open = view.seats.filter((seat) => seat.kind === "open").length;
  const mine = you === null ? undefined : view.seats[you];
  const isHost = you !== null && you === view.host;
  useGoOn(table, held, open);
  const bots = usualLevel(view.game);
  return (
    <main class="page narrow waiting">
      <h1>{t(`game-${view.game}`)}</h1>
      <p class="muted" role="status">
        {open > 0 ? t("seats-open", { count: open }) : (lateWords(table) ?? t("everyone-here"))}
      </p>
      <p class="muted">{terms(view.config)}</p>
      <ol class="seats">
        {view.seats.map((seat, index) => (
          <li key={index} class={`seat ${seat.kind}`} data-seat={index}>
            <Icon name={seat.kind === "bot" ? "bot" : "person"} />
            <span class="seat-name">
              {seat.kind === "open" ? t("seat-open") : nameAt(view.seats, index)}
              {index === you && <em> {t("that-is-you")}</em>}
              {seat.kind === "bot" && <em> {levelName(view.game, seat.level ?? "")}</em>}
            </span>
            {seat.kind === "person" && (
              <span class={seat.ready ? "ready yes" : "ready"}>
                {seat.ready ? t("ready") : t("not-ready")}
              </span>
            )}
            {seat.kind === "open" && isHost && (
              <button
                type="button"
                class="button small"
                disabled={!bots}
                onClick={() => table.ask({ kind: "add-bot", seat: index, level: bots })}
              >
                {t("add-bot")}
              </button>
            )}
            {seat.kind === "bot" && isHost && (
              <button
                type="button"
                class="icon-button"
                aria-label={t("remove-bot", { name: nameAt(view.seats, index) })}
                onClick={() => table.ask({ kind: "remove-bot", seat: index })}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {table.refusal.value && (
        <p class="notice bad" role="alert">
          {refusalText(table.refusal.value)}
        </p>
      )}
      {mine && (
        <button
          type="button"
          class={mine.ready ? "button wide" : "button primary wide"}
          onClick={() => table.ask({ kind: "ready", ready: !mine.ready })}
        >
          {mine.ready ? t("not-ready-after-all") : t("i-am-ready")}
        </button>
      )}
      {open > 0 && <SharePanel slug={table.slug} />}
      <p>
        <a {...link(`/learn/${view.game}`)}>{t("never-played")}</a>
      </p>
    </main>
  );
}

/** A notice for delayed spectators: the game may have started already. */
function lateWords(table: LiveTable): string | null {
  const seconds = watchDelay(table);
  if (seconds === null) return null;
  return `${t("watch-delay", { seconds })} ${t("watch-delay-begins")}`;
}

/** Starts the game by itself if nobody else is expected (bots only, or one device). */
function useGoOn(table: LiveTable, held: Held[], open: number): void {
  const asked = useRef(false);
  const view = table.view.value!;
  const you = table.you.value;
  const people = view.seats.flatMap((seat, index) => (seat.kind === "person" ? [index] : []));
  const ours = people.every((seat) => seat === you || held.some((each) => each.seat === seat));
  useEffect(() => {
    if (asked.current || you === null || open > 0 || !ours) return;
    asked.current = true;
    table.ask({ kind: "ready", ready: true });
  }, [open, ours, you, table]);
}
