import { useEffect, useRef, useState } from "preact/hooks";
import { Avatar, EmptySeat, looksIn } from "../art/Avatar";
import { refusalText, t } from "../i18n";
import type { LiveTable } from "../live/table";
import { base } from "../local/here";
import type { SeatView } from "../protocol";
import { Icon } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { terms } from "./clocks";
import { nameAt, watchDelay } from "./desk";
import type { Held } from "./device";
import { LevelPicker } from "./LevelPicker";
import { cards, levelName, usualLevel } from "./levels";
import { optionWords } from "./options";
import { go, link } from "./router";
import { SharePanel } from "./Share";
import { usePageTitle } from "./title";
import "./WaitingRoom.css";

/** Before the game: what is played, the seats, and the link. The host starts it. */
export function WaitingRoom({ table, held }: { table: LiveTable; held: Held[] }) {
  const view = table.view.value!;
  usePageTitle(`${t("waiting-room")} · ${t(`game-${view.game}`)}`);
  const open = view.seats.filter((seat) => seat.kind === "open").length;
  useGoOn(table, held, open);
  return (
    <main class="page waiting">
      <section class="card waiting-table">
        <TableHead table={table} />
        <ol class="waiting-seats">
          {view.seats.map((seat, index) => (
            <Seat key={index} seat={seat} index={index} table={table} />
          ))}
        </ol>
        {table.refusal.value && (
          <p class="notice bad" role="alert">
            {refusalText(table.refusal.value)}
          </p>
        )}
        <Foot table={table} open={open} />
      </section>
      <section class="card waiting-share">
        <SharePanel slug={table.slug} />
      </section>
      <p class="waiting-links">
        <a {...link(`/learn/${view.game}`)}>{t("never-played")}</a>
        <a {...link(`/rules/${view.game}`)}>{t("rules")}</a>
      </p>
    </main>
  );
}

/** The game with all its options, so that players who join know them. */
export function TableHead({ table }: { table: LiveTable }) {
  const { game, config } = table.view.value!;
  const card = cards.value.find((each) => each.name === game);
  return (
    <header class="room-head">
      <img src={`${base}pictures/${game}.svg`} alt="" width="112" height="70" />
      <div>
        <h1>{t("game-for", { game: t(`game-${game}`), players: config.players })}</h1>
        <p class="muted">{terms(config)}</p>
        <p class="muted">{optionWords(card, config).join(" · ")}</p>
      </div>
    </header>
  );
}

function Seat({ seat, index, table }: { seat: SeatView; index: number; table: LiveTable }) {
  const view = table.view.value!;
  const you = table.you.value;
  const isHost = you !== null && you === view.host;
  const name = nameAt(view.seats, index);
  const look = looksIn(view.game)[index] ?? 0;
  const level = usualLevel(view.game);
  return (
    <li class={`waiting-seat ${seat.kind}`} data-seat={index}>
      {seat.kind === "open" ? <EmptySeat look={look} /> : <Avatar look={look} name={name} />}
      <p>
        <strong>{seat.kind === "open" ? t("seat-open") : name}</strong>
        <small>{noteOf(table, seat, index)}</small>
      </p>
      {isHost && seat.kind === "open" && (
        <button
          type="button"
          class="button small"
          disabled={!level}
          onClick={() => table.ask({ kind: "add-bot", seat: index, level })}
        >
          <Icon name="bot" size={20} /> {t("add-bot")}
        </button>
      )}
      {isHost && seat.kind === "bot" && (
        <LevelPicker
          game={view.game}
          level={seat.level ?? ""}
          label={t("level-of", { name })}
          pick={(picked) => table.ask({ kind: "add-bot", seat: index, level: picked })}
        />
      )}
      {isHost && seat.kind !== "open" && index !== you && (
        <IconButton
          icon="close"
          label={t("remove-player", { name })}
          onClick={() =>
            table.ask({ kind: seat.kind === "bot" ? "remove-bot" : "remove", seat: index })
          }
        />
      )}
    </li>
  );
}

/** Below a name: who it is, a bot's level, or that somebody is away. */
function noteOf(table: LiveTable, seat: SeatView, index: number): string {
  const view = table.view.value!;
  if (seat.kind === "open") return t(view.config.public ? "seat-open-lobby" : "seat-open-how");
  if (seat.kind === "bot") return levelName(view.game, seat.level ?? "");
  const words = index === table.you.value ? [t("you-note")] : [];
  if (index === view.host) words.push(t("host-note"));
  if (table.presence.value[index] === false) words.push(t("away"));
  return words.join(" · ");
}

/** The host starts or closes; everybody else waits or leaves. */
function Foot({ table, open }: { table: LiveTable; open: number }) {
  const view = table.view.value!;
  const you = table.you.value;
  const isHost = you !== null && you === view.host;
  const [sure, setSure] = useState(false);
  const late = lateWords(table);
  const words = () => {
    if (late) return late;
    if (open > 0) return t("seats-open", { count: open });
    return isHost
      ? t("everyone-here-host")
      : t("everyone-here", { name: nameAt(view.seats, view.host ?? 0) });
  };
  return (
    <footer class="waiting-foot">
      <p class="muted" role="status">
        {words()}
      </p>
      {isHost && (
        <button
          type="button"
          class="button danger"
          onClick={() => {
            if (sure) table.ask({ kind: "close" });
            setSure(true);
          }}
        >
          {t(sure ? "close-table-sure" : "close-table")}
        </button>
      )}
      {you !== null && !isHost && (
        <button
          type="button"
          class="button"
          onClick={() => {
            table.ask({ kind: "stand" });
            go("/");
          }}
        >
          <Icon name="door" size={20} /> {t("leave-seat")}
        </button>
      )}
      {isHost && (
        <button
          type="button"
          class="button primary start-game"
          disabled={open > 0}
          onClick={() => table.ask({ kind: "begin" })}
        >
          {t("start-game")}
        </button>
      )}
    </footer>
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
  const [first] = useState(open); // bots that are added later wait for the host
  const view = table.view.value!;
  const you = table.you.value;
  const people = view.seats.flatMap((seat, index) => (seat.kind === "person" ? [index] : []));
  const ours = people.every((seat) => seat === you || held.some((each) => each.seat === seat));
  const host = you !== null && you === view.host;
  useEffect(() => {
    if (asked.current || !host || open > 0 || first > 0 || !ours) return;
    asked.current = true;
    table.ask({ kind: "begin" });
  }, [open, first, ours, host, table]);
}
