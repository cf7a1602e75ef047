import type { Words } from "../i18n";
import type { GameEvent, PlayView } from "../live/wire";

/** What a move of the learner was worth: 'good', 'more' (go on), or the name of an explanation. */
export type Verdict = "good" | "more" | string;

export interface LessonStep {
  /** The words: `<game>-learn-<id>`, and `<game>-learn-<id>-good` when it is done. */
  id: string;
  /** The position, as the beginning of a record; without it the one before goes on. */
  record?: string;
  /** Judges a move that the rules allow. Without it there is only something to read. */
  judge?(move: string, events: GameEvent[], view: PlayView): Verdict;
}

export interface Lesson {
  words: Words;
  steps: LessonStep[];
}

const LESSONS: Record<string, () => Promise<{ lesson: Lesson }>> = {
  genial: () => import("./genial/lesson"),
  blockers: () => import("./blockers/lesson"),
  kaosmos: () => import("./kaosmos/lesson"),
};

export async function loadLesson(game: string): Promise<Lesson> {
  const loader = LESSONS[game];
  if (!loader) throw new Error(game);
  return (await loader()).lesson;
}
