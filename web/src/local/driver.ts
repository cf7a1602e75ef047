import type { Answer, Question } from "./port";
import type { Due, Op, Reply } from "./tables";

/** How long a bot's move is held back, in ms, so that one can follow; and where all move at once. */
const SHOWN = [500, 1100] as const;
const TOGETHER = [2000, 4000] as const;
/** A bot that has not answered for so long is replaced by a simple one, for this move. */
const PATIENCE = 20_000;

/** Why a move is refused that was computed for another moment: not the bot's failure. */
const STALE = ["stale-move", "takeback-pending", "not-a-bot", "not-yet", "turn-not-ended"];

const between = ([least, most]: readonly [number, number]) =>
  least + Math.random() * (most - least);
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, Math.max(0, ms)));

/** Plays the seats of bots, and tells tables when time has passed. */
export class BotDriver {
  private thinking = new Set<string>();
  private alarms = new Map<string, ReturnType<typeof setTimeout>>();
  private watched = new Set<string>();
  private asked = new Map<number, (move: string | null) => void>();
  private count = 0;

  constructor(
    private readonly bots: MessagePort,
    private readonly pace: number,
    private readonly run: (op: Op) => Promise<Reply>,
  ) {
    bots.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.asked.get(data.id)?.(data.move);
      this.asked.delete(data.id);
    };
  }

  /** Something has happened at a table. */
  look(due: Due): void {
    const { slug, wake } = due;
    this.watched.add(slug);
    clearTimeout(this.alarms.get(slug));
    if (wake !== null) {
      const tick = () => void this.run({ op: "do", kind: "tick", slug });
      this.alarms.set(slug, setTimeout(tick, Math.max(0, wake - Date.now()) + 5));
    }
    for (const { seat } of due.bots) void this.play(due, seat);
  }

  /** Nobody looks at the table any more: it stands still. */
  stop(slug: string): void {
    this.watched.delete(slug);
    clearTimeout(this.alarms.get(slug));
  }

  /** Moves of one seat, one after the other, while they are due. */
  private async play(first: Due, seat: number): Promise<void> {
    const { slug } = first;
    const name = `${slug}/${seat}`;
    if (this.thinking.has(name)) return;
    this.thinking.add(name);
    let failures = 0;
    try {
      for (let due: Due | undefined = first; due && this.watched.has(slug); ) {
        const reply: Reply = await this.move(due, seat, failures > 1);
        const failed = reply.refused !== undefined && !STALE.includes(reply.refused);
        failures = failed ? failures + 1 : reply.refused ? failures : 0;
        due = reply.due?.bots.some((each) => each.seat === seat) ? reply.due : undefined;
      }
    } finally {
      this.thinking.delete(name);
    }
  }

  private async move(due: Due, seat: number, simple: boolean): Promise<Reply> {
    const { slug } = due;
    let asked = due;
    if (due.together) {
      await pause(this.pace * between(TOGETHER)); // the others go on meanwhile: it looks at the table afterwards
      asked = (await this.run({ op: "due", slug })).due ?? due;
    }
    const shown = due.together ? 0 : this.pace * between(SHOWN);
    const question = asked.bots.find((each) => each.seat === seat);
    if (!question) return { due: asked };
    const thought = simple ? "" : this.ask(question.question);
    const [move] = await Promise.all([thought, pause(shown)]);
    await pause(asked.from - Date.now());
    if (!this.watched.has(slug)) return {};
    const { number } = question;
    return this.run({ op: "do", kind: "bot", slug, seat, move: move ?? "", number });
  }

  /** Ask a bot; null: it has failed. */
  ask(question: string): Promise<string | null> {
    const id = ++this.count;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), PATIENCE);
      this.asked.set(id, (move) => {
        clearTimeout(timer);
        resolve(move);
      });
      this.bots.postMessage({ id, question } satisfies Question);
    });
  }
}
