import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Logo } from "../art/Logo";
import { loadGame } from "../games";
import type { Desk, GameModule } from "../games/types";
import { has, list, refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import type { Seat } from "../live/seat";
import { LiveTable } from "../live/table";
import type { TableFacts } from "../protocol";
import { announce } from "../ui/announce";
import { IconButton } from "../ui/IconButton";
import { sheetIsOpen } from "../ui/Sheet";
import { lang, moves } from "../ui/settings";
import { sound } from "../ui/sound";
import { BarTools } from "./BarTools";
import { Curtain } from "./Curtain";
import { failure, takeSeatByLink } from "./create";
import {
  actorsAt,
  botPlays,
  givenUp,
  isAboutToStart,
  isMyTurn,
  liveDesk,
  mayHint,
  nameAt,
} from "./desk";
import { deviceSeats, type Held } from "./device";
import { tick } from "./fly";
import { HintButton } from "./HintButton";
import { HistorySheet, tableWords } from "./History";
import { JoinForm } from "./Join";
import { gameCards } from "./levels";
import { decisionsOf, MoveList } from "./MoveList";
import { Play } from "./Play";
import { RematchAsked, ResultPanel } from "./Result";
import { go, link } from "./router";
import { SinceMine } from "./SinceMine";
import { TableMenu, TakebackAsked } from "./TableMenu";
import { Top } from "./Top";
import { WaitingRoom } from "./WaitingRoom";
import "./TablePage.css";

/** A table: who sits there, and the game. */
export function TablePage({ slug }: { slug: string }) {
  const [summary, setSummary] = useState<TableFacts>();
  const [trouble, setTrouble] = useState("");
  const [game, setGame] = useState<GameModule>();
  const [visit, setVisit] = useState(0);

  useEffect(() => {
    let gone = false;
    const prepare = async () => {
      await speak(sharedWords);
      await takeSeatByLink(slug);
      const levels = gameCards().catch(() => undefined); // without them the table can be played
      const found = await api.table(slug);
      const loaded = await loadGame(found.game);
      await Promise.all([speak(loaded.words), levels]);
      if (gone) return;
      setGame(loaded);
      setSummary(found);
    };
    prepare().catch((error) => setTrouble(refusalText(failure(error))));
    return () => {
      gone = true;
    };
  }, [slug]);

  if (trouble) {
    return (
      <>
        <Top />
        <main class="page narrow">
          <h1>{t("no-table-title")}</h1>
          <p role="alert">{trouble}</p>
          <div class="row">
            <button type="button" class="button primary" onClick={() => location.reload()}>
              {t("try-again")}
            </button>
            <a class="button" {...link("/")}>
              {t("back-home")}
            </a>
          </div>
        </main>
      </>
    );
  }
  if (!summary || !game) return <main class="page" aria-busy="true" />;
  return <Seated key={visit} slug={slug} game={game} onSeat={() => setVisit(visit + 1)} />;
}

interface SeatedProps {
  slug: string;
  game: GameModule;
  onSeat(): void;
}

/** The connection of this browser to the table; on one device, for one seat after the other. */
function Seated({ slug, game, onSeat }: SeatedProps) {
  const table = useTable(slug);
  const held = useMemo(() => deviceSeats(slug), [slug]);
  const waited = useRef(false);
  const sat = useRef(false);
  const view = table?.view.value;
  if (!table || !view) return <Connecting table={table} />;
  const you = table.you.value;
  const status = table.status.value;
  if (status === "waiting") waited.current = true;
  if (you !== null) sat.current = true;
  else if (sat.current && status === "playing") return <SeatLost slug={slug} onWatch={onSeat} />;
  const next = held.length > 1 ? nextSeat(table, held, waited.current) : null;
  if (status === "closed") return <TableClosed />;
  if (status === "waiting") {
    return (
      <>
        <Top />
        {you === null && view.seats.some((seat) => seat.kind === "open") ? (
          <JoinForm table={table} lost={sat.current} onSeat={onSeat} />
        ) : (
          <WaitingRoom table={table} held={held} />
        )}
      </>
    );
  }
  if (next && status === "playing") {
    const name = nameAt(view.seats, next.seat);
    return <Curtain name={name} held={next} onOpen={onSeat} />;
  }
  return <Live table={table} game={game} />;
}

/** Shown if our seat was released because its account was logged out here. */
function SeatLost({ slug, onWatch }: { slug: string; onWatch(): void }) {
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("seat-lost-title")}</h1>
        <p role="alert">{t("seat-lost-text")}</p>
        <div class="row">
          <a class="button primary" {...link(`/account?table=${slug}`)}>
            {t("log-in")}
          </a>
          <button type="button" class="button" onClick={onWatch}>
            {t("watch")}
          </button>
        </div>
      </main>
    </>
  );
}

function useTable(slug: string): LiveTable | null {
  const table = useSignal<LiveTable | null>(null);
  useEffect(() => {
    const made = new LiveTable(slug);
    table.value = made;
    return () => made.close();
  }, [slug, table]);
  return table.value;
}

/**
 * On one device: the seat to switch to, if any. At the start of the game even the current seat gets
 * a hand-over screen.
 */
function nextSeat(table: LiveTable, held: Held[], starting: boolean): Held | null {
  const you = table.you.value;
  // Before the timer starts nothing is hidden, and everybody is about to act.
  const due = isAboutToStart(table) ? null : actorsAt(table);
  const acts = (seat: Seat) => (due === null || due.includes(seat)) && !givenUp(table, seat);
  if (!starting && you !== null && acts(you)) return null;
  return held.find((each) => acts(each.seat)) ?? null;
}

/** Shown when the host has closed the table before the start. */
function TableClosed() {
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("table-closed-title")}</h1>
        <p role="status">{t("table-closed-text")}</p>
        <div class="row">
          <a class="button primary" {...link("/lobby")}>
            {t("lobby")}
          </a>
          <a class="button" {...link("/")}>
            {t("back-home")}
          </a>
        </div>
      </main>
    </>
  );
}

function Connecting({ table }: { table: LiveTable | null }) {
  const refusal = table?.refusal.value;
  return (
    <>
      <Top />
      <main class="page narrow" aria-busy="true">
        <p class="muted">{refusal ? refusalText(refusal) : t("connecting")}</p>
      </main>
    </>
  );
}

/** '?' shows the keys, wherever on the page it is pressed. */
function useHelpKey(): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (event.key !== "?" || target?.closest("input, select, textarea") || sheetIsOpen()) return;
      opened.value = "keys";
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

const opened = signal<"" | "menu" | "keys" | "history">("");

function Live({ table, game }: { table: LiveTable; game: GameModule }) {
  const desk = useMemo(() => liveDesk(table, game), [table, game]);
  const view = table.view.value!;
  const over = table.status.value === "over";
  const shown = useStillness(over);
  const [closed, setClosed] = useState(false);
  useHelpKey();
  // Before the next paint: later it would close what was opened at once.
  useLayoutEffect(() => {
    opened.value = "";
    return () => {
      opened.value = "";
    };
  }, []);
  useEffect(() => {
    if (over) sound("end");
  }, [over]);
  useEffect(() => {
    if (view.rematch) go(`/t/${view.rematch}`, true); // else Back would lead here, and redirect
  }, [view.rematch]);
  const above = (counting: boolean) => (
    <>
      {shown && !counting && !closed && (
        <ResultPanel table={table} game={game} desk={desk} onClose={() => setClosed(true)} />
      )}
      {(opened.value === "menu" || opened.value === "keys") && (
        <TableMenu
          table={table}
          game={game}
          keys={opened.value === "keys"}
          onClose={() => {
            opened.value = "";
          }}
        />
      )}
      {opened.value === "history" && (
        <HistorySheet
          table={table}
          game={game}
          names={desk.names.value}
          onClose={() => {
            opened.value = "";
          }}
        />
      )}
    </>
  );
  const ended = shown && !closed;
  const result = over && closed ? () => setClosed(false) : null;
  const list = <MoveList game={game} desk={desk} decisions={decisionsOf(game, desk.past.value)} />;
  return (
    <Play
      game={game}
      desk={desk}
      top={(heading) => (
        <TableTop table={table} game={game} desk={desk} heading={heading} onResult={result} />
      )}
      toasts={<Toasts table={table} closed={closed} />}
      kind={ended ? "ended" : ""}
      side={list}
      foot={table.you.value === null && <div class="watched">{list}</div>}
      above={above}
    />
  );
}

/** How long the table stays as it is after the last move, in ms: the tile lands, and nothing moves. */
const STILLNESS = 1060;

/** Whether the result is shown: at once to those who come later. */
function useStillness(over: boolean): boolean {
  const [shown, setShown] = useState(over);
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(() => setShown(true), moves() ? STILLNESS : 0);
    return () => clearTimeout(timer);
  }, [over]);
  return shown;
}

/** Whose turn it is, in words. */
function turnText(table: LiveTable): string {
  const view = table.view.value!;
  const you = table.you.value;
  if (view.count && (you === null || view.count.looking.includes(you))) return t("count-looking");
  if (view.result) return t("game-over");
  const actors = actorsAt(table);
  if (view.held) {
    const mine = view.held.seat === you;
    return mine ? t("turn-held") : t("turn-held-by", { name: nameAt(view.seats, view.held.seat) });
  }
  const watching = you === null ? `${t("you-watch")} · ` : "";
  if (you !== null && actors.includes(you)) {
    if (botPlays(table, you)) return t("bot-for-you");
    const shared = deviceSeats(table.slug).length > 1;
    return shared ? t("your-turn-named", { name: nameAt(view.seats, you) }) : t("your-turn");
  }
  if (isAboutToStart(table)) return watching + t("get-ready");

  if (actors.length === 0) return watching + t("drawing");
  const names = actors.map((seat) => nameAt(view.seats, seat));
  const [first] = actors;
  if (actors.length === 1 && first !== undefined && view.seats[first]?.kind === "person") {
    const name = names[0] ?? "";
    if (view.seats[first].bot || botPlays(table, first)) return watching + t("turn-bot", { name });
    if (table.presence.value[first] === false) return watching + t("turn-away", { name });
  }
  return watching + t("turn-of", { names: list(names), count: names.length });
}

function useTitle(words: string, mine: boolean, game: GameModule): void {
  const before = useSignal<boolean | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title is in the user's language
  useEffect(() => {
    document.title = `${mine ? "● " : ""}${words} · ${t(`game-${game.name}`)}`;
    if (mine && before.peek() === false) {
      sound("turn");
      announce(words);
    }
    before.value = mine;
  }, [words, mine, lang.value]);
  useEffect(
    () => () => {
      document.title = "Tuilerie";
    },
    [],
  );
}

interface TopProps {
  table: LiveTable;
  game: GameModule;
  desk: Desk;
  /** What happens, instead of whose turn it is. */
  heading: string | null;
  /** Shows the result again, once it was closed. */
  onResult: (() => void) | null;
}

function TableTop({ table, game, desk, heading, onResult }: TopProps) {
  const mine = heading === null && isMyTurn(table) && table.status.value === "playing";
  const words = heading ?? turnText(table);
  useTitle(words, mine, game);
  return (
    <header class="table-top">
      <a class="icon-button" {...link("/")} aria-label={t("back-home")} title={t("back-home")}>
        <Logo />
      </a>
      <h1 class="table-title">{t(`game-${game.name}`)}</h1>
      <p class={mine ? "turn mine" : "turn"}>{words}</p>
      <LinkWord table={table} />
      {mayHint(table) && <HintButton table={table} />}
      {onResult && (
        <button type="button" class="button small primary" onClick={onResult}>
          {t("result")}
        </button>
      )}
      {table.status.value === "playing" && <SinceMine game={game} desk={desk} />}
      <IconButton
        icon="history"
        label={t("history")}
        class="history-button"
        onClick={() => {
          opened.value = "history";
        }}
      />
      <BarTools />
      <IconButton
        icon="menu"
        label={t("table-menu")}
        onClick={() => {
          opened.value = "menu";
        }}
      />
    </header>
  );
}

function LinkWord({ table }: { table: LiveTable }) {
  const open = table.link.value === "open";
  if (open && !table.connection.slow.value) return null;
  return (
    <p class="link-word" role="status">
      {t(open ? "sending" : navigator.onLine ? "reconnecting" : "offline")}
    </p>
  );
}

function seatNames(table: LiveTable): string[] {
  const seats = table.view.value?.seats ?? [];
  return seats.map((_, seat) => nameAt(seats, seat));
}

/** Says for a while that the bots think less long; the table menu says it as long as it is so. */
function BotsHurried({ table }: { table: LiveTable }) {
  const hurried = table.hurried.value;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(hurried);
    const timer = setTimeout(() => setShown(false), 8000);
    return () => clearTimeout(timer);
  }, [hurried]);
  return shown ? (
    <p class="toast" role="status">
      {t("bots-hurried")}
    </p>
  ) : null;
}

/** Transient refusals, news and reactions, and requests of others. */
function Toasts({ table, closed }: { table: LiveTable; closed: boolean }) {
  const refusal = table.refusal.value;
  const reaction = table.reaction.value;
  useEffect(() => {
    if (!refusal) return;
    sound("refuse");
    tick([18, 50, 18]);
    announce(refusalText(refusal));
    const timer = setTimeout(() => {
      table.refusal.value = null;
    }, 8000);
    return () => clearTimeout(timer);
  }, [refusal, table]);
  useEffect(() => {
    if (!reaction) return;
    const timer = setTimeout(() => {
      table.reaction.value = null;
    }, 4000);
    return () => clearTimeout(timer);
  }, [reaction, table]);
  const news = table.news.value;
  const happened = news && tableWords(news, seatNames(table), table.you.value);
  useEffect(() => {
    if (!happened) return;
    announce(happened);
    const timer = setTimeout(() => {
      table.news.value = null;
    }, 8000);
    return () => clearTimeout(timer);
  }, [happened, table]);
  const name = reaction && nameAt(table.view.value?.seats ?? [], reaction.seat);
  return (
    <>
      <TakebackAsked table={table} />
      {closed && <RematchAsked table={table} />}
      {happened && <p class="toast">{happened}</p>}
      <BotsHurried table={table} />
      {refusal && <p class="toast bad">{refusalText(refusal)}</p>}
      {reaction && (
        <p class="toast" role="status">
          <strong>{name}</strong>{" "}
          {has(`reaction-${reaction.reaction}`)
            ? t(`reaction-${reaction.reaction}`)
            : reaction.reaction}
        </p>
      )}
    </>
  );
}
