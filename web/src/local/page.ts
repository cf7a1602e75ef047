import type { Problem } from "../protocol";
import script from "./engine.worker?worker&url";
import { CACHE, readFiles, readManifest } from "./files";
import { base, loaded } from "./here";
import { type FromTables, problem, type ToBots, type ToTables } from "./port";

/** The page's side of the tables in this browser: requests, sockets, and loading the engine. */

const folder = new URL(`${base}engine/`, location.href).href;

interface Answered {
  status: number;
  body: unknown;
}

class Tables {
  private readonly worker = new Worker(script, { type: "module", name: "tables" });
  private readonly bots = new Worker(script, { type: "module", name: "bots" });
  private answers = new Map<number, (answer: Answered) => void>();
  private sockets = new Map<number, LocalSocket>();
  private count = 0;
  /** Why it does not work; null once it does. */
  readonly started: Promise<Problem | null>;

  constructor() {
    loaded.value = 0;
    this.started = new Promise((resolve) => {
      this.worker.onmessage = ({ data }: MessageEvent<FromTables>) => {
        if (data.kind === "started") resolve(data.problem);
        else this.received(data);
      };
      this.worker.onerror = () => resolve(problem("engine-away"));
    });
    void this.started.then((wrong) => {
      loaded.value = null;
      if (!wrong) void keepScript();
    });
    const { port1, port2 } = new MessageChannel();
    const start: ToTables = { kind: "start", folder, bots: port1, pace: botPace() };
    this.worker.postMessage(start, [port1]);
    const startBots: ToBots = { kind: "start", folder, tables: port2 };
    // The bots' worker finds the files in the cache, once they have been fetched.
    void this.started.then(() => this.bots.postMessage(startBots, [port2]));
  }

  async request(method: string, path: string, body: unknown): Promise<Answered> {
    const wrong = await this.started;
    if (wrong) return { status: 503, body: wrong };
    const id = ++this.count;
    return new Promise((resolve) => {
      this.answers.set(id, resolve);
      this.post({ kind: "request", id, method, path, body });
    });
  }

  open(socket: LocalSocket): number {
    const connection = ++this.count;
    this.sockets.set(connection, socket);
    this.post({ kind: "open", connection });
    return connection;
  }

  close(connection: number): void {
    if (this.sockets.delete(connection)) this.post({ kind: "close", connection });
  }

  end(): void {
    this.worker.terminate();
    this.bots.terminate();
  }

  post(message: ToTables): void {
    this.worker.postMessage(message);
  }

  private received(data: FromTables): void {
    if (data.kind === "progress") loaded.value = data.share;
    else if (data.kind === "answer") this.answers.get(data.id)?.(data);
    else if (data.kind === "message") this.sockets.get(data.connection)?.received(data.text);
  }
}

/** How long bots hold their moves back, as a factor: for tests, as `--bot-delay` of a server. */
function botPace(): number {
  try {
    return Number(localStorage.getItem("tuilerie.bot-pace") ?? 1);
  } catch {
    return 1;
  }
}

let running: Tables | null = null;

/** The tables of this browser; the engine is loaded at the first call. */
async function tables(): Promise<Tables> {
  running ??= new Tables();
  const made = running;
  const wrong = await made.started;
  if (wrong && running === made) {
    made.end();
    running = null; // the next attempt starts over
  }
  return made;
}

/** A request of the HTTP API, answered in this browser. */
export async function request(method: string, path: string, body: unknown): Promise<Answered> {
  return (await tables()).request(method, path, body);
}

/** A socket to a table in this browser, with as much of WebSocket as the connection uses. */
export class LocalSocket {
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  private tables: Tables | null = null;
  private connection = 0;

  constructor() {
    void tables().then(async (found) => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      if (await found.started) return this.lost();
      this.tables = found;
      this.connection = found.open(this);
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    this.tables?.post({ kind: "send", connection: this.connection, text });
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.tables?.close(this.connection);
  }

  received(text: string): void {
    this.onmessage?.({ data: text });
  }

  private lost(): void {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.();
  }
}

/** Whether this server or site has the engine at all. */
export async function isOffered(): Promise<boolean> {
  return window.isSecureContext && (await readManifest(folder)) !== null;
}

/** Whether everything is in this browser already. */
export async function isKept(): Promise<boolean> {
  try {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(`${folder}manifest.json`);
    if (!kept || !(await cache.match(script))) return false;
    const { files } = (await kept.json()) as { files: { file: string }[] };
    const found = await Promise.all(files.map((each) => cache.match(folder + each.file)));
    return found.every(Boolean);
  } catch {
    return false;
  }
}

/** Somebody is about to play here: start the engine, if nothing has to be fetched for it. */
export function warmUp(): void {
  if (!running) void isKept().then((kept) => (kept ? tables() : undefined));
}

/** Fetch everything, for a time without a network. Returns whether it is here now. */
export async function keepEngine(progress: (share: number) => void): Promise<boolean> {
  const manifest = await readManifest(folder);
  if (!manifest) return false;
  await readFiles(folder, manifest, progress);
  await keepScript();
  return true;
}

/** The workers' script is kept like the other files; without room or permission, it is not. */
async function keepScript(): Promise<void> {
  try {
    const cache = await caches.open(CACHE);
    if (!(await cache.match(script))) await cache.add(script);
  } catch {
    // It is fetched next time.
  }
}
