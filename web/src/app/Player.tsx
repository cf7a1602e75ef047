import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Avatar } from "../art/Avatar";
import type { Desk, GameModule } from "../games/types";
import { refusalText, t } from "../i18n";
import type { PlayView, Replayed } from "../protocol";
import type { IconName } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { DrawnMove, lookOf } from "./MoveList";
import { handsOf, type Moment } from "./moments";
import { ScoreGraph } from "./ScoreGraph";
import "./Player.css";

const MOMENT_EVERY = 1200;
const SPEEDS = [1, 2, 4];

interface PlayerProps {
  answer: Replayed;
  /** The views before the first step and after each. */
  views: PlayView[];
  game: GameModule;
  desk: Desk;
  moments: Moment[];
  at: ReadonlySignal<number>;
  go(at: number): void;
}

/** What was decided, all hands, the scores, and the buttons that lead through the game. */
export function Player({ answer, views, game, desk, moments, at, go }: PlayerProps) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = moments.length - 1;
  const now = at.value;
  const step = (by: number) => go(Math.max(0, Math.min(last, at.peek() + by)));
  const toggle = () => {
    if (!playing && at.peek() === last) go(0);
    setPlaying(!playing);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer reads the moment itself
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      if (at.peek() >= last) setPlaying(false);
      else step(1);
    }, MOMENT_EVERY / speed);
    return () => clearInterval(timer);
  }, [playing, speed, moments]);
  // Before the next paint: a key that is pressed at once is for what is shown now.
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (target?.closest("input, select, dialog")) return;
      if (event.key === "ArrowRight") step(1);
      else if (event.key === "ArrowLeft") step(-1);
      else if (event.key === " " && !target?.closest("a")) toggle();
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(last);
      else return;
      event.preventDefault();
    };
    // A button in focus would also be pressed.
    const released = (event: KeyboardEvent) => {
      if (event.key === " " && (event.target as Element).closest("button")) event.preventDefault();
    };
    addEventListener("keydown", keys, true);
    addEventListener("keyup", released, true);
    return () => {
      removeEventListener("keydown", keys, true);
      removeEventListener("keyup", released, true);
    };
  });
  const button = (icon: IconName, label: string, act: () => void, off: boolean, kind = "") => (
    <IconButton icon={icon} label={label} class={kind} disabled={off} onClick={act} />
  );
  return (
    <div class="player">
      <Said game={game} desk={desk} moment={moments[now]} />
      {now === last && <HowItEnds answer={answer} views={views} />}
      <Hands answer={answer} game={game} desk={desk} step={moments[now]?.step ?? 0} />
      <Scores views={views} game={game} desk={desk} moments={moments} at={now} />
      <input
        type="range"
        min={0}
        max={last}
        value={now}
        aria-label={t("replay-step")}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <div class="player-buttons">
        {button("first", t("replay-first"), () => go(0), now === 0)}
        {button("back", t("replay-back"), () => step(-1), now === 0)}
        {button(
          playing ? "pause" : "play",
          playing ? t("replay-pause") : t("replay-play"),
          toggle,
          last === 0,
          "primary",
        )}
        {button("next", t("replay-next"), () => step(1), now === last)}
        {button("last", t("replay-last"), () => go(last), now === last)}
        <button
          type="button"
          class="icon-button replay-speed"
          aria-label={t("replay-speed", { speed })}
          title={t("replay-speed", { speed })}
          onClick={() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
        >
          {speed}×
        </button>
        <small class="muted">{t("replay-at", { step: now, steps: last })}</small>
      </div>
    </div>
  );
}

interface SaidProps {
  game: GameModule;
  desk: Desk;
  moment: Moment | undefined;
}

/** The decision, drawn; for a screen reader, in words. */
function Said({ game, desk, moment }: SaidProps) {
  const decision = moment?.decision;
  if (!decision) return <p class="player-said muted">{t("replay-begins")}</p>;
  const names = desk.names.value;
  const words = decision.events.flatMap((event) => game.say(event, names, null) ?? []);
  return (
    <div class="player-said">
      <span aria-hidden="true">
        <DrawnMove game={game} desk={desk} decision={decision} />
      </span>
      <span class="hidden" role="status">
        {words.join(" ")}
      </span>
    </div>
  );
}

interface HandsProps {
  answer: Replayed;
  game: GameModule;
  desk: Desk;
  step: number;
}

/** What everybody holds: all hands lie open when a game is looked back at. */
function Hands({ answer, game, desk, step }: HandsProps) {
  const all = useMemo(() => handsOf(answer), [answer]);
  const hands = all?.[step];
  if (!hands) return null;
  return (
    <ul class="player-hands" aria-label={t("replay-hands")} tabindex={0}>
      {hands.map((tiles, seat) => (
        <li key={seat}>
          <Avatar look={lookOf(game, desk, seat)} size={18} />
          <span class="hidden">{desk.names.value[seat]}</span>
          {tiles.map((tile, index) => (
            <game.SmallTile key={index} tile={tile} />
          ))}
          {tiles.length === 0 && <span class="muted">–</span>}
        </li>
      ))}
    </ul>
  );
}

interface ScoresProps extends Pick<PlayerProps, "views" | "game" | "desk" | "moments"> {
  at: number;
}

function Scores({ views, game, desk, moments, at }: ScoresProps) {
  const seats = desk.names.value.map((_, seat) => seat);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a replay does not change
  const lines = useMemo(
    () =>
      seats.map((seat) =>
        moments.map(({ step }) => {
          const view = views[step];
          return view ? game.total(view, seat) : 0;
        }),
      ),
    [views, game, moments],
  );
  const looks = seats.map((seat) => lookOf(game, desk, seat));
  return <ScoreGraph title={t(`${game.name}-graph`)} lines={lines} looks={looks} at={at} />;
}

/** Why a record ends before the end of its game. */
function HowItEnds({ answer: { fault }, views }: Pick<PlayerProps, "answer" | "views">) {
  if (fault) {
    const words = t("replay-breaks-off", { line: fault.line, why: refusalText(fault) });
    return <p class="notice bad">{words}</p>;
  }
  if (views.at(-1)?.result) return null;
  return <p class="muted">{t("replay-unfinished")}</p>;
}
