import { batch, computed, type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { loadGame } from "../games";
import type { GameModule } from "../games/types";
import { refusalText, sharedWords, speak, t } from "../i18n";
import { api, type ReplayAnswer, type TableSummary } from "../live/api";
import type { Seat } from "../live/wire";
import { Icon, type IconName } from "../ui/Icon";
import { failure } from "./create";
import { hint, seatName, stillDesk } from "./desk";
import { GameLine } from "./History";
import { others } from "./Home";
import { gameCards, levelsOf } from "./levels";
import { Play } from "./Play";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";

const STEP_EVERY = 1200;

/** How those of a record are called: bots stand there by their level and the number of their seat. */
export function seatNames(game: string, seats: string[]): string[] {
  const levels = levelsOf(game).map((each) => each.id);
  return seats.map((name, seat) =>
    levels.some((level) => name === `${level} ${seat + 1}`)
      ? t("bot-number", { number: seat + 1 })
      : seatName(name, seat),
  );
}

/** A finished game to look back at, from its table or from a file. */
export function ReplayPage({ slug, at }: { slug: string | null; at: number | null }) {
  const [loaded, setLoaded] = useState<{ answer: ReplayAnswer; game: GameModule; text: string }>();
  const [trouble, setTrouble] = useState("");
  const step = useSignal(at ?? 0);

  const open = async (text: string, viewer: Seat | null = null) => {
    await speak(sharedWords);
    const answer = await api.replay(text, viewer);
    const game = await loadGame(answer.game);
    await Promise.all([speak(game.words), gameCards().catch(() => [])]);
    setLoaded({ answer, game, text });
  };
  const tell = (error: unknown) => {
    const why = refusalText(failure(error));
    setTrouble(slug === null ? t("replay-unreadable", { why }) : why);
  };
  usePageTitle(`${t("replay")} · Tuilerie`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is made anew for each table
  useEffect(() => {
    if (slug !== null) {
      void speak(sharedWords)
        .then(() => api.record(slug))
        .then((text) => open(text))
        .catch(tell);
    }
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

/** The games of this browser that are over, the newest first. */
function Finished() {
  const [tables, setTables] = useState<TableSummary[]>();
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

interface ReplayProps {
  answer: ReplayAnswer;
  game: GameModule;
  text: string;
  slug: string | null;
  step: Signal<number>;
  look(viewer: Seat | null): void;
}

function Replay({ answer, game, text, slug, step, look }: ReplayProps) {
  const forward = useMemo(() => signal(false), []);
  const desk = useMemo(() => {
    const view = computed(() => answer.steps[step.value - 1]?.view ?? answer.start);
    const fresh = computed(() =>
      forward.value ? (answer.steps[step.value - 1]?.events ?? []) : [],
    );
    const past = computed(() => answer.steps.slice(0, step.value).flatMap((each) => each.events));
    return stillDesk({ view, fresh, names: signal(seatNames(answer.game, answer.seats)), past });
  }, [answer, step, forward]);
  return (
    <Play
      game={game}
      desk={desk}
      top={
        <ReplayTop answer={answer} game={game} text={text} slug={slug} step={step} look={look} />
      }
      foot={<Player answer={answer} game={game} step={step} forward={forward} />}
    />
  );
}

type ReplayTopProps = ReplayProps;

function ReplayTop({ answer, game, text, slug, step, look }: ReplayTopProps) {
  const share = async () => {
    const address = `${location.origin}/r/${slug}?at=${step.value}`;
    history.replaceState(null, "", address);
    // Where the page is not served over HTTPS there is no clipboard: the address bar has the link.
    const copied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    hint(t(copied ? "share-move-copied" : "share-move-address"));
  };
  return (
    <header class="table-top">
      <a class="icon-button" {...link("/")} aria-label={t("back-home")}>
        <Icon name="home" />
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
      {slug && (
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
        href={`data:application/jsonl;charset=utf-8,${encodeURIComponent(text)}`}
      >
        {t("download")}
      </a>
    </header>
  );
}

/** Of a record that does not go to the end of its game: why. */
function HowItEnds({ answer }: { answer: ReplayAnswer }) {
  const { fault, steps, start } = answer;
  if (fault) {
    const words = t("replay-breaks-off", { line: fault.line, why: refusalText(fault) });
    return <p class="notice bad">{words}</p>;
  }
  if ((steps.at(-1)?.view ?? start).result) return null;
  return <p class="muted">{t("replay-unfinished")}</p>;
}

interface PlayerProps {
  answer: ReplayAnswer;
  game: GameModule;
  step: Signal<number>;
  forward: Signal<boolean>;
}

/** First, back, play, next, last; and what happened at this step. */
function Player({ answer, game, step, forward }: PlayerProps) {
  const [playing, setPlaying] = useState(false);
  const last = answer.steps.length;
  if (step.peek() > last) step.value = last;
  const names = seatNames(answer.game, answer.seats);
  const to = (where: number) =>
    batch(() => {
      const next = Math.max(0, Math.min(last, where));
      forward.value = next === step.peek() + 1;
      step.value = next;
    });
  /** The next step, or the one before, in which somebody did something worth a word. */
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
    }, STEP_EVERY);
    return () => clearInterval(timer);
  }, [playing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are for the whole page
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (target?.closest("input, select, dialog")) return;
      if (event.key === "ArrowRight") seek(1);
      else if (event.key === "ArrowLeft") seek(-1);
      else if (event.key === "Home") to(0);
      else if (event.key === "End") to(last);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys, true);
    return () => removeEventListener("keydown", keys, true);
  }, []);
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
        {step.value === last && <HowItEnds answer={answer} />}
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
        <small class="muted">{t("replay-at", { step: step.value, steps: last })}</small>
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
