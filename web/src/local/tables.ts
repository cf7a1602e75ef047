import type { ClientMessage, HintFacts, Hints, Problem } from "../protocol";
import { BotDriver } from "./driver";
import { Broken, readFiles, readManifest } from "./files";
import { type FromTables, problem, type ToTables } from "./port";
import { startPython } from "./python";
import { append, type Kept, type LogRow, NotStored, readLog } from "./store";

/** What is due at a table (`Room.due`). */
export interface Due {
  slug: string;
  bots: { seat: number; number: number; question: string }[];
  from: number;
  together: boolean;
  wake: number | null;
}

export interface Reply {
  keep?: Kept;
  answer?: { status: number; body: unknown };
  send?: [number, string][];
  next?: Op[];
  due?: Due;
  refused?: string;
}

/** A request to `local/home.py`. */
export type Op = { op: string; slug?: string } & Record<string, unknown>;

interface Home {
  ask(text: string): string;
  kept(): string;
  not_kept(text: string): string;
}

/** How long to wait for a table that another tab holds: it may be this tab, before a reload. */
const LOCK_WAIT = 1500;

const say = (message: FromTables) => postMessage(message);

/** The worker of the tables: rules and match in Python, the log in IndexedDB. */
export async function runTables(folder: string, bots: MessagePort, pace: number): Promise<void> {
  const home = start(folder);
  const tables = new Tables(home, bots, pace);
  addEventListener("message", ({ data }: MessageEvent<ToTables>) => tables.received(data));
  const wrong = await home.then(
    () => null,
    (error) => {
      console.warn(error);
      return problem(error instanceof Broken ? "engine-broken" : "engine-away");
    },
  );
  say({ kind: "started", problem: wrong });
}

async function start(folder: string): Promise<Home> {
  const manifest = await readManifest(folder);
  if (!manifest) throw new Error("no engine");
  const files = await readFiles(folder, manifest, (share) => say({ kind: "progress", share }));
  const python = await startPython(manifest, files);
  return python.runPython("from tuilerie.local.home import Home\nHome()") as Home;
}

class Tables {
  /** Requests are carried out one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private locks = new Map<string, () => void>();
  private loaded = new Map<string, number>();
  private connections = new Map<number, string | null>();
  private readonly driver: BotDriver;

  constructor(
    private readonly home: Promise<Home>,
    bots: MessagePort,
    pace: number,
  ) {
    this.driver = new BotDriver(bots, pace, (op) => this.run(op));
  }

  received(message: ToTables): void {
    if (message.kind === "request") void this.request(message);
    else if (message.kind === "open") this.connections.set(message.connection, null);
    else if (message.kind === "close") this.close(message.connection);
    else if (message.kind === "send") void this.message(message.connection, message.text);
  }

  private async request(asked: Extract<ToTables, { kind: "request" }>): Promise<void> {
    const { id, method, path, body } = asked;
    const token = (body as { token?: string } | null)?.token ?? "";
    const slug = /^\/tables\/([\w-]+)/.exec(path)?.[1] ?? /^(local-[\w-]+)\./.exec(token)?.[1];
    const wrong = slug ? await this.load(slug) : null;
    const reply = wrong
      ? { answer: { status: 404, body: wrong } }
      : await this.run({ op: "request", method, path, body });
    const answer = reply.answer ?? { status: 500, body: problem("our-fault") };
    say({ kind: "answer", id, ...(answer.status === 202 ? await this.hint(answer.body) : answer) });
  }

  /** Have a bot answer the question of a hint. */
  private async hint(asked: unknown): Promise<{ status: number; body: unknown }> {
    const { number, question } = asked as { number: number; question: string };
    const text = await this.driver.ask(question);
    if (text === null) return { status: 503, body: problem("no-hint-now") };
    const found = JSON.parse(text) as (HintFacts & { visits: number })[];
    const moves = found.map(({ move, value, margin, visits }) =>
      visits ? { move, value, margin } : { move, value: null, margin: null },
    );
    return { status: 200, body: { number, moves } satisfies Hints };
  }

  private async message(connection: number, text: string): Promise<void> {
    const message = JSON.parse(text) as ClientMessage;
    if (message.t === "hello") {
      const wrong = (await this.lock(message.table)) ?? (await this.load(message.table));
      if (wrong) {
        const refusal = JSON.stringify({ t: "refused", id: null, ...wrong });
        say({ kind: "message", connection, text: refusal });
        this.unlockUnused();
        return;
      }
      if (!this.connections.has(connection)) return this.unlockUnused(); // closed meanwhile
      this.connections.set(connection, message.table);
    }
    await this.run({ op: "message", connection, message });
  }

  private close(connection: number): void {
    this.connections.delete(connection);
    void this.run({ op: "close", connection });
    this.unlockUnused();
  }

  /** Read a table's log, unless it is here already, as it stands. */
  private async load(slug: string): Promise<Problem | null> {
    let rows: LogRow[];
    try {
      rows = await readLog(slug);
    } catch (error) {
      return problem((error as NotStored).rule);
    }
    const last = rows.at(-1);
    if (!last) return { code: "not-found", rule: "no-such-table", params: {} };
    if (this.loaded.get(slug) === last.after) return null;
    const { answer } = await this.run({ op: "load", slug, rows });
    return answer?.status === 200 ? null : (answer?.body as Problem);
  }

  /** Take a table for this tab. */
  private async lock(slug: string): Promise<Problem | null> {
    if (this.locks.has(slug) || !navigator.locks) return null;
    const patience = AbortSignal.timeout(LOCK_WAIT);
    return new Promise((resolve) => {
      navigator.locks
        .request(`tuilerie.${slug}`, { signal: patience }, () => {
          resolve(null);
          return new Promise<void>((release) => this.locks.set(slug, release));
        })
        .catch(() => resolve(problem("other-tab")));
    });
  }

  private unlockUnused(): void {
    const used = new Set(this.connections.values());
    for (const [slug, release] of this.locks) {
      if (used.has(slug)) continue;
      this.locks.delete(slug);
      this.driver.stop(slug);
      release();
    }
  }

  /** Carry out a request: its facts are stored before they are sent. */
  private run(op: Op): Promise<Reply> {
    const done = this.queue.then(() => this.carryOut(op));
    this.queue = done.catch((error) => console.error(error));
    return done;
  }

  private async carryOut(op: Op): Promise<Reply> {
    const home = await this.home;
    let reply = JSON.parse(home.ask(JSON.stringify({ now: Date.now(), ...op }))) as Reply;
    if (reply.keep) {
      const { slug, after } = reply.keep;
      try {
        await append(reply.keep);
        this.loaded.set(slug, after);
        reply = JSON.parse(home.kept()) as Reply;
      } catch (error) {
        const rule = error instanceof NotStored ? error.rule : "storage-refused";
        reply = JSON.parse(home.not_kept(JSON.stringify(problem(rule)))) as Reply;
      }
    } else if (op.op === "load" && reply.answer?.status === 200) {
      this.loaded.set(op.slug!, (op.rows as LogRow[]).at(-1)?.after ?? 0);
    }
    for (const [connection, text] of reply.send ?? []) say({ kind: "message", connection, text });
    if (reply.due && this.locks.has(reply.due.slug)) this.driver.look(reply.due);
    for (const next of reply.next ?? []) await this.carryOut(next);
    return reply;
  }
}
