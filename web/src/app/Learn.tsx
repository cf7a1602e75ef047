import { batch, computed, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Logo } from "../art/Logo";
import { loadGame } from "../games";
import { type Lesson, type LessonStep, loadLesson } from "../games/lesson";
import type { GameModule } from "../games/types";
import { has, refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { viewsOf } from "../live/changes";
import type { GameEvent, Json, PlayView, Replayed } from "../protocol";
import { announce } from "../ui/announce";
import { sound } from "../ui/sound";
import { failure, playNow } from "./create";
import { stillDesk } from "./desk";
import { gameCards, levelsOf } from "./levels";
import { Play } from "./Play";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import "./Learn.css";

/** A tutorial on positions of real games: the real rules check the moves, and mistakes are
 * explained. */
export function Learn({ game }: { game: string }) {
  const [loaded, setLoaded] = useState<{ module: GameModule; lesson: Lesson }>();
  const [trouble, setTrouble] = useState("");
  usePageTitle(`${t("learn-game", { game: t(`game-${game}`) })} · Tuilerie`);
  useEffect(() => {
    const prepare = async () => {
      const [module, lesson] = await Promise.all([loadGame(game), loadLesson(game)]);
      await speak(sharedWords, module.words, lesson.words);
      setLoaded({ module, lesson });
    };
    prepare().catch(() => setTrouble(t("lost-text")));
  }, [game]);
  if (loaded) return <Lessons {...loaded} />;
  return (
    <>
      <Top />
      <main class="page narrow" aria-busy={!trouble}>
        <p>{trouble || t("loading")}</p>
      </main>
    </>
  );
}

type Mood = "ask" | "good" | "wrong";

interface Coach {
  step: number;
  mood: Mood;
  text: string;
}

function Lessons({ module, lesson }: { module: GameModule; lesson: Lesson }) {
  const room = useMemo(() => new LessonRoom(module, lesson), [module, lesson]);
  const view = room.view.value;
  const coach = room.coach.value;
  if (!view) {
    return (
      <>
        <Top />
        <main class="page narrow" aria-busy="true">
          <p>{coach.text || t("loading")}</p>
        </main>
      </>
    );
  }
  return (
    <Play
      game={module}
      desk={room.desk}
      top={
        <div class="table-head">
          <header class="table-top">
            <a class="icon-button" {...link("/")} aria-label={t("back-home")}>
              <Logo />
            </a>
            <h1 class="table-title">{t("learn-game", { game: t(`game-${module.name}`) })}</h1>
            <p class="turn">
              {t("learn-step", { step: coach.step + 1, steps: lesson.steps.length })}
            </p>
            <a class="button small" {...link(`/rules/${module.name}`)}>
              {t("rules")}
            </a>
          </header>
          <CoachPanel room={room} coach={coach} />
        </div>
      }
    />
  );
}

function CoachPanel({ room, coach }: { room: LessonRoom; coach: Coach }) {
  const { steps } = room.lesson;
  const last = coach.step === steps.length - 1;
  const onward = coach.mood === "good" || !steps[coach.step]?.judge;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // Enter continues after a text, and places a tile when a move is expected.
    if (onward) button.current?.focus();
    else button.current?.blur();
  }, [onward]);
  return (
    <section class={`coach ${coach.mood}`} aria-label={t("learn")}>
      <p role="status">{coach.text}</p>
      <div class="coach-buttons">
        {coach.step > 0 && (
          <button type="button" class="button small" onClick={() => room.goTo(coach.step - 1)}>
            {t("learn-back")}
          </button>
        )}
        {coach.mood === "wrong" && (
          <button type="button" class="button small primary" onClick={() => room.goTo(coach.step)}>
            {t("learn-again")}
          </button>
        )}
        {last ? (
          <button
            ref={button}
            type="button"
            class="button small primary"
            onClick={() => void room.firstGame()}
          >
            {t("learn-first-game")}
          </button>
        ) : (
          <button
            ref={button}
            type="button"
            class={onward ? "button small primary" : "button small"}
            onClick={() => room.goTo(coach.step + 1)}
          >
            {onward ? t("learn-next") : t("learn-skip")}
          </button>
        )}
      </div>
    </section>
  );
}

function drawLine(tiles: string[]): string {
  return `${JSON.stringify({ kind: "chance", what: "draw", seat: 0, tiles })}\n`;
}

/** The progress of one learner through a lesson. */
class LessonRoom {
  readonly view = signal<PlayView | null>(null);
  readonly fresh = signal<GameEvent[]>([]);
  readonly past = signal<GameEvent[]>([]);
  readonly coach = signal<Coach>({ step: 0, mood: "ask", text: "" });
  readonly desk;
  /** The record so far, and the record at the start of each step. */
  private record = "";
  private begun: string[] = [];
  private busy = false;

  constructor(
    readonly game: GameModule,
    readonly lesson: Lesson,
  ) {
    this.desk = stillDesk(
      game,
      {
        view: computed(() => this.view.value as PlayView),
        fresh: this.fresh,
        names: computed(() => [t("guest"), t("bot-number", { number: 2 })]),
        labels: computed(() => [t("you"), t("bot-number", { number: 2 })]),
        past: this.past,
      },
      (move) => void this.make(move).catch(this.fail),
      computed(() => {
        const { step, mood } = this.coach.value;
        return mood === "ask" && lesson.steps[step]?.judge !== undefined;
      }),
    );
    this.goTo(0);
  }

  readonly fail = (error: unknown): void => {
    this.say("wrong", refusalText(failure(error)));
  };

  /** Against an easy bot, without advanced options: cards, draft, timer. */
  async firstGame(): Promise<void> {
    const { name } = this.game;
    const options: Record<string, Json> =
      name === "kaosmos" ? { kaos: false, draft: false, seconds: null } : {};
    try {
      await gameCards();
      await playNow(name, 1, levelsOf(name)[0]?.id ?? "", options);
    } catch (error) {
      this.fail(error);
    }
  }

  goTo(step: number): void {
    const wanted = this.lesson.steps[step];
    if (!wanted) return;
    this.record = this.begun[step] ?? wanted.record ?? this.record;
    this.begun[step] = this.record;
    void this.show(step, wanted).catch(this.fail);
  }

  private async show(step: number, wanted: LessonStep): Promise<void> {
    const answer = await api.replayRecord(this.record, 0);
    batch(() => {
      this.fresh.value = [];
      this.look(answer);
      this.coach.value = { step, mood: "ask", text: this.words(wanted.id) };
    });
    announce(this.coach.value.text);
  }

  private async make(move: string): Promise<void> {
    const { step, mood } = this.coach.value;
    const wanted = this.lesson.steps[step];
    const judge = wanted?.judge;
    if (!judge || mood !== "ask" || this.busy) return;
    this.busy = true;
    try {
      const line = JSON.stringify({ kind: "action", seat: 0, move });
      const record = `${this.record}${line}\n`;
      const answer = await api.replayRecord(record, 0);
      if (answer.fault) {
        this.say("ask", refusalText(answer.fault));
        sound("refuse");
        return;
      }
      const done = answer.steps.at(-1);
      if (!done) return;
      const drawn = wanted.draws?.[move];
      const after = drawn && (await api.replayRecord(record + drawLine(drawn), 0));
      batch(() => {
        this.fresh.value = done.events;
        const verdict = judge(move, done.events, this.look(answer));
        if (after && !after.fault) this.look(after);
        if (verdict === "good" || verdict === "more") this.record = record;
        if (verdict === "good") this.say("good", this.words(`${wanted.id}-good`));
        else if (verdict !== "more") this.say("wrong", this.words(verdict));
      });
    } finally {
      this.busy = false;
    }
  }

  /** Go to the end of a replay. */
  private look(answer: Replayed): PlayView {
    const view = viewsOf(answer).at(-1)!;
    this.past.value = answer.steps.flatMap((step) => step.events);
    this.view.value = view;
    return view;
  }

  private words(id: string): string {
    const name = `${this.game.name}-learn-${id}`;
    return has(name) ? t(name) : "";
  }

  private say(mood: Mood, text: string): void {
    this.coach.value = { ...this.coach.peek(), mood, text };
    announce(text);
  }
}
