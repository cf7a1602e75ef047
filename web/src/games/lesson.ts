import type { Words } from "../i18n";
import type { PlayView } from "../protocol";
import type { EventOf } from "./types";

/** The verdict on a learner's move: 'good', 'more' (continue), or the id of an explanation. */
type Verdict = "good" | "more" | string;

export interface LessonStep<V extends PlayView = PlayView> {
  /** The texts: `<game>-learn-<id>`, and `<game>-learn-<id>-good` after success. */
  id: string;
  /** The position, as the beginning of a record; by default that of the previous step. */
  record?: string;
  /** The tiles that are drawn after a move of this step, by move: chance has no say in a lesson. */
  draws?: Record<string, string[]>;
  /** Judges a legal move. Without it the step is text only. */
  judge?(move: string, events: EventOf<V>[], view: V): Verdict;
}

export interface Lesson<V extends PlayView = PlayView> {
  words: Words;
  steps: LessonStep<V>[];
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
