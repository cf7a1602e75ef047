import { batch, computed, type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Logo } from "../art/Logo";
import { loadGame } from "../games";
import type { GameModule } from "../games/types";
import { refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { viewsOf } from "../live/changes";
import type { Seat } from "../live/seat";
import { isLocal } from "../local/here";
import type { PlayView, Replayed, TableFacts } from "../protocol";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { Sheet } from "../ui/Sheet";
import { BarTools } from "./BarTools";
import { failure } from "./create";
import { hint, labelOf, seatName, stillDesk } from "./desk";
import { endOf } from "./games";
import { gameCards, levelName, levelsOf } from "./levels";
import { MoveList } from "./MoveList";
import { momentAt, momentsOf } from "./moments";
import { Play } from "./Play";
import { Player } from "./Player";
import { address, link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import { day } from "./when";

/** The level of each seat of a record; of people, nothing. Bots are recorded as their level and seat
 * number. */
function seatLevels(game: string, seats: string[]): (string | undefined)[] {
  const levels = levelsOf(game).map((each) => each.id);
  return seats.map((name, seat) => levels.find((level) => name === `${level} ${seat + 1}`));
}

/** The names of a record's seats. */
export function seatNames(game: string, seats: string[]): string[] {
  const levels = seatLevels(game, seats);
  return seats.map((name, seat) =>
    levels[seat] ? t("bot-number", { number: seat + 1 }) : seatName(name, seat),
  );
}

/** What is said below each name of a record: how strong a bot was. */
export function seatNotes(game: string, seats: string[]): string[] {
  return seatLevels(game, seats).map((level) => (level ? levelName(game, level) : ""));
}

interface Loaded {
  answer: Replayed;
  /** The views before the first step and after each. */
  views: PlayView[];
  game: GameModule;
  /** The text of an opened record; null for a game from its table. */
  text: string | null;
  /** Our own seat, if we played. */
  own: Seat | null;
}

/** The replay of a finished game, from its table or from a file. */
interface PageProps {
  slug: string | null;
  at: number | null;
  /** Whose view the link asks for. */
  seat: Seat | null;
}

export function ReplayPage({ slug, at, seat }: PageProps) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [trouble, setTrouble] = useState("");
  const step = useSignal(at ?? 0);

  const open = async (text: string | null, viewer: Seat | null = null) => {
    await speak(sharedWords);
    const answer = await (text === null
      ? api.replay(slug ?? "", viewer)
      : api.replayRecord(text, viewer));
    if (text === null && slug !== null && isLocal(slug)) text = await api.record(slug);
    const game = await loadGame(answer.game);
    const [own] = await Promise.all([
      ownSeat(slug),
      speak(game.words),
      gameCards().catch(() => []),
    ]);
    setLoaded({ answer, views: viewsOf(answer), game, text, own });
  };
  const fail = (error: unknown) => {
    const why = refusalText(failure(error));
    setTrouble(slug === null ? t("replay-unreadable", { why }) : why);
  };
  usePageTitle(`${t("replay")} · Tuilerie`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each table has its own page
  useEffect(() => {
    if (slug !== null) void open(null, seat).catch(fail);
  }, [slug]);

  if (loaded) {
    const look = (viewer: Seat | null) => void open(loaded.text, viewer).catch(fail);
    return <Replay {...loaded} slug={slug} step={step} look={look} />;
  }
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("replay")}</h1>
        <Failure words={trouble} />
        {slug === null && <Finished />}
        {slug === null || trouble ? (
          <label class="button file">
            <Icon name="open" size={20} /> {t("replay-open")}
            <input
              type="file"
              class="hidden"
              accept=".jsonl,.json,.txt,application/jsonl"
              onChange={(event) => {
                setTrouble("");
                event.currentTarget.files?.[0]
                  ?.text()
                  .then((text) => open(text))
                  .catch(fail);
              }}
            />
          </label>
        ) : (
          <p class="muted">{t("loading")}</p>
        )}
      </main>
    </>
  );
}

/** Where we sat at this table; null at others' tables, and in opened records. */
async function ownSeat(slug: string | null): Promise<Seat | null> {
  if (slug === null) return null;
  const mine = await api.mine().catch(() => []);
  return mine.find((each) => each.table === slug)?.you ?? null;
}

/** The finished games of this browser, newest first. */
function Finished() {
  const [tables, setTables] = useState<TableFacts[]>();
  useEffect(() => {
    api.mine().then(
      (mine) => setTables(mine.filter((each) => each.status === "over")),
      () => undefined,
    );
  }, []);
  if (!tables) return null;
  if (tables.length === 0) return <p class="empty">{t("replay-none")}</p>;
  return (
    <section class="my-games">
      <h2>{t("replay-mine")}</h2>
      <ul>
        {tables.slice(0, 24).map((each) => (
          <li key={each.table}>
            <a class="my-game" {...link(`/r/${each.table}`)}>
              <strong>{t(`game-${each.game}`)}</strong>
              <span>
                {endOf(each)} · {day(each.updated)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReplayProps extends Loaded {
  slug: string | null;
  /** How many steps of the record have been made. */
  step: Signal<number>;
  look(viewer: Seat | null): void;
}

function Replay(props: ReplayProps) {
  const { answer, views, game, own, step } = props;
  const moments = useMemo(() => momentsOf(game, answer), [game, answer]);
  const at = useMemo(() => signal(momentAt(moments, step.peek())), [moments, step]);
  const forward = useMemo(() => signal(false), []);
  const [listed, setListed] = useState(false);
  const desk = useMemo(() => {
    const all = answer.steps.flatMap((each) => each.events);
    const moment = computed(() => moments[at.value] ?? moments[0]!);
    const view = computed(() => views[moment.value.step] ?? answer.start);
    const fresh = computed(() => (forward.value ? (moment.value.decision?.events ?? []) : []));
    const past = computed(() => all.slice(0, moment.value.end));
    const names = signal(seatNames(answer.game, answer.seats));
    const labels = computed(() => names.value.map((name, seat) => labelOf(name, seat === own)));
    const focus = computed(() => moment.value.decision?.seat ?? null);
    const notes = seatNotes(answer.game, answer.seats);
    return { ...stillDesk(game, { view, fresh, names, labels, past, notes, own }), focus };
  }, [answer, views, game, own, moments, at, forward]);
  const go = (next: number) =>
    batch(() => {
      forward.value = next === at.peek() + 1;
      at.value = next;
      step.value = moments[next]?.step ?? 0;
    });
  const decisions = useMemo(() => moments.flatMap((each) => each.decision ?? []), [moments]);
  const list = (
    <MoveList
      game={game}
      desk={desk}
      decisions={decisions}
      made={at.value}
      onGo={(decision) => {
        setListed(false);
        go(1 + decisions.indexOf(decision));
      }}
    />
  );
  return (
    <Play
      game={game}
      desk={desk}
      kind="replay"
      side={list}
      top={<ReplayTop {...props} onList={() => setListed(true)} />}
      foot={<Player {...props} desk={desk} moments={moments} at={at} go={go} />}
      above={() =>
        listed && (
          <Sheet title={t("moves")} onClose={() => setListed(false)} kind="side">
            {list}
          </Sheet>
        )
      }
    />
  );
}

/** Who played, and with what result. */
function resultOf({ answer, views, game, own: mine }: Loaded): string {
  const last = views.at(-1);
  const scores = last?.result?.scores ?? [];
  const parts = seatNames(answer.game, answer.seats).map((name, seat) => {
    const own = scores[seat];
    const label = labelOf(name, seat === mine);
    return last && own ? `${label} ${game.points(own, last)}` : label;
  });
  return ` · ${parts.join(", ")}`;
}

function ReplayTop(props: ReplayProps & { onList(): void }) {
  const { answer, game, text, own, slug, step, look, onList } = props;
  const share = async () => {
    const { viewer } = answer.start;
    const seat = viewer === null ? "" : `&seat=${viewer}`;
    const shown = address(`/r/${slug}?at=${step.value}${seat}`);
    history.replaceState(null, "", shown);
    // Where the page is not served over HTTPS there is no clipboard: the address bar has the link.
    const copied = await navigator.clipboard?.writeText(location.origin + shown).then(
      () => true,
      () => false,
    );
    hint(t(copied ? "share-move-copied" : "share-move-address"));
  };
  return (
    <header class="table-top">
      <a class="icon-button" {...link("/")} aria-label={t("back-home")}>
        <Logo />
      </a>
      <h1 class="table-title">{t(`game-${game.name}`)}</h1>
      <p class="turn">
        {t("replay")}
        <span class="replay-of">{resultOf(props)}</span>
      </p>
      <select
        class="small-select"
        aria-label={t("replay-seen-by")}
        value={answer.start.viewer ?? ""}
        onChange={(event) => {
          const { value } = event.currentTarget;
          look(value === "" ? null : Number(value));
        }}
      >
        <option value="">{t("replay-seen-by-all")}</option>
        {seatNames(answer.game, answer.seats).map((name, seat) => (
          <option key={seat} value={seat}>
            {labelOf(name, seat === own)}
          </option>
        ))}
      </select>
      {slug && !isLocal(slug) && (
        <IconButton icon="share" label={t("share-move")} onClick={() => void share()} />
      )}
      <IconButton icon="history" label={t("moves")} class="history-button" onClick={onList} />
      <a
        class="icon-button"
        aria-label={t("download")}
        title={t("download")}
        download={`${slug ?? "game"}.jsonl`}
        href={
          text === null
            ? `/api/tables/${slug}/record`
            : `data:application/jsonl;charset=utf-8,${encodeURIComponent(text)}`
        }
      >
        <Icon name="download" />
      </a>
      <BarTools />
    </header>
  );
}
