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
import { Icon, type IconName } from "../ui/Icon";
import { failure } from "./create";
import { hint, seatName, stillDesk } from "./desk";
import { GameLine } from "./History";
import { others } from "./Home";
import { gameCards, levelsOf } from "./levels";
import { decisionsOf, MoveList } from "./MoveList";
import { Play } from "./Play";
import { address, link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";

const STEP_EVERY = 1200;
const SPEEDS = [1, 2, 4];

/** The names of a record's seats: bots are recorded as their level and seat number. */
export function seatNames(game: string, seats: string[]): string[] {
  const levels = levelsOf(game).map((each) => each.id);
  return seats.map((name, seat) =>
    levels.some((level) => name === `${level} ${seat + 1}`)
      ? t("bot-number", { number: seat + 1 })
      : seatName(name, seat),
  );
}

interface Loaded {
  answer: Replayed;
  /** The views before the first step and after each. */
  views: PlayView[];
  game: GameModule;
  /** The text of an opened record; null for a game from its table. */
  text: string | null;
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
    await Promise.all([speak(game.words), gameCards().catch(() => [])]);
    setLoaded({ answer, views: viewsOf(answer), game, text });
  };
  const tell = (error: unknown) => {
    const why = refusalText(failure(error));
    setTrouble(slug === null ? t("replay-unreadable", { why }) : why);
  };
  usePageTitle(`${t("replay")} · Tuilerie`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is made anew for each table
  useEffect(() => {
    if (slug !== null) void open(null, seat).catch(tell);
  }, [slug]);

  if (loaded) {
    const look = (viewer: Seat | null) => void open(loaded.text, viewer).catch(tell);
    return <Replay {...loaded} slug={slug} step={step} look={look} />;
  }
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("replay")}</h1>
        {trouble && (
          <p class="notice bad" role="alert">
            {trouble}
          </p>
        )}
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
                  .catch(tell);
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
              <span>{others(each)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReplayProps extends Loaded {
  slug: string | null;
  step: Signal<number>;
  look(viewer: Seat | null): void;
}

function Replay(props: ReplayProps) {
  const { answer, views, game, step } = props;
  const forward = useMemo(() => signal(false), []);
  const desk = useMemo(() => {
    const view = computed(() => views[step.value] ?? answer.start);
    const fresh = computed(() =>
      forward.value ? (answer.steps[step.value - 1]?.events ?? []) : [],
    );
    const past = computed(() => answer.steps.slice(0, step.value).flatMap((each) => each.events));
    const names = signal(seatNames(answer.game, answer.seats));
    return stillDesk(game, { view, fresh, names, past });
  }, [answer, views, game, step, forward]);
  const decisions = useMemo(() => {
    const all = answer.steps.flatMap((each) => each.events);
    return decisionsOf(game, all);
  }, [answer, game]);
  const ends = useMemo(() => endsOf(answer), [answer]);
  const seen = ends[step.value] ?? 0;
  return (
    <Play
      game={game}
      desk={desk}
      kind="replay"
      side={
        <MoveList
          game={game}
          desk={desk}
          decisions={decisions}
          made={decisions.filter((each) => each.end <= seen).length}
          onGo={(decision) => {
            forward.value = false;
            step.value = ends.findIndex((end) => end >= decision.end);
          }}
        />
      }
      top={<ReplayTop {...props} />}
      foot={<Player {...props} forward={forward} />}
    />
  );
}

/** How many events have happened before the first step and after each. */
function endsOf(answer: Replayed): number[] {
  let sum = 0;
  return [
    0,
    ...answer.steps.map((each) => {
      sum += each.events.length;
      return sum;
    }),
  ];
}

function ReplayTop({ answer, game, text, slug, step, look }: ReplayProps) {
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
        <span class="wide-only">{t("replay")}</span>
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
            {name}
          </option>
        ))}
      </select>
      {slug && !isLocal(slug) && (
        <button
          type="button"
          class="icon-button"
          aria-label={t("share-move")}
          onClick={() => void share()}
        >
          <Icon name="share" />
        </button>
      )}
      <a
        class="button small"
        download={`${slug ?? "game"}.jsonl`}
        href={
          text === null
            ? `/api/tables/${slug}/record`
            : `data:application/jsonl;charset=utf-8,${encodeURIComponent(text)}`
        }
      >
        {t("download")}
      </a>
    </header>
  );
}

/** Why a record ends before the end of its game. */
function HowItEnds({ answer: { fault }, views }: Pick<Loaded, "answer" | "views">) {
  if (fault) {
    const words = t("replay-breaks-off", { line: fault.line, why: refusalText(fault) });
    return <p class="notice bad">{words}</p>;
  }
  if (views.at(-1)?.result) return null;
  return <p class="muted">{t("replay-unfinished")}</p>;
}

/** Which decision a step belongs to, and of how many: draws are not counted. */
function countDecisions(game: GameModule, answer: Replayed) {
  const decisions = decisionsOf(
    game,
    answer.steps.flatMap((each) => each.events),
  );
  const ends = endsOf(answer);
  return (step: number) => ({
    step: decisions.filter((each) => each.end <= (ends[step] ?? 0)).length,
    steps: decisions.length,
  });
}

interface PlayerProps extends ReplayProps {
  forward: Signal<boolean>;
}

/** First, back, play, next, last; and what happened at this step. */
function Player({ answer, views, game, step, forward }: PlayerProps) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = answer.steps.length;
  if (step.peek() > last) step.value = last;
  const names = seatNames(answer.game, answer.seats);
  const to = (where: number) =>
    batch(() => {
      const next = Math.max(0, Math.min(last, where));
      forward.value = next === step.peek() + 1;
      step.value = next;
    });
  /** Go to the next or previous step that has something to show. */
  const seek = (way: 1 | -1) => {
    let where = step.peek() + way;
    while (where > 0 && where < last && quiet(where)) where += way;
    to(where);
    if (way > 0) forward.value = true;
  };
  const quiet = (where: number) =>
    answer.steps[where - 1]?.events.every((event) => game.say(event, names, null) === null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer reads the step itself
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      if (step.peek() >= last) setPlaying(false);
      else seek(1);
    }, STEP_EVERY / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are for the whole page
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (target?.closest("input, select, dialog")) return;
      if (event.key === "ArrowRight") seek(1);
      else if (event.key === "ArrowLeft") seek(-1);
      else if (event.key === " " && !target?.closest("button, a")) setPlaying((now) => !now);
      else if (event.key === "Home") to(0);
      else if (event.key === "End") to(last);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys, true);
    return () => removeEventListener("keydown", keys, true);
  }, []);
  const count = useMemo(() => countDecisions(game, answer), [game, answer])(step.value);
  const told = (answer.steps[step.value - 1]?.events ?? []).filter(
    (event) => game.say(event, names, null) !== null,
  );
  const button = (icon: IconName, label: string, act: () => void, off: boolean, kind = "") => (
    <button
      type="button"
      class={`icon-button ${kind}`}
      aria-label={label}
      disabled={off}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="player">
      <div class="player-said" role="status">
        {told.map((event, index) => (
          <GameLine key={index} event={event} game={game} names={names} you={null} />
        ))}
        {told.length === 0 && (
          <p class="muted">{t(step.value === 0 ? "replay-begins" : "replay-quiet")}</p>
        )}
        {step.value === last && <HowItEnds answer={answer} views={views} />}
      </div>
      <div class="player-buttons">
        {button("first", t("replay-first"), () => to(0), step.value === 0)}
        {button("back", t("replay-back"), () => seek(-1), step.value === 0)}
        {button(
          playing ? "pause" : "play",
          playing ? t("replay-pause") : t("replay-play"),
          () => setPlaying(!playing),
          step.value === last,
          "primary",
        )}
        {button("next", t("replay-next"), () => seek(1), step.value === last)}
        {button("last", t("replay-last"), () => to(last), step.value === last)}
        <button
          type="button"
          class="icon-button replay-speed"
          aria-label={t("replay-speed", { speed })}
          title={t("replay-speed", { speed })}
          onClick={() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
        >
          {speed}×
        </button>
        <small class="muted">{t("replay-at", count)}</small>
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={step.value}
        aria-label={t("replay-step")}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
    </div>
  );
}
