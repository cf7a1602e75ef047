/** The compiled core of a game as WebAssembly: requests and answers are text (`native/wasm.h`). */

/** The core does not accept its input. */
export class Refused extends Error {}

interface Candidate {
  move: string;
  /** Expected share of the win, from 0 to 1. */
  value: number;
  /** Expected lead in points. */
  margin: number;
  visits: number;
}

interface Thinking {
  position: string;
  seed: bigint;
  /** The budget: simulated games, seconds, or whichever is used up first; 0: no limit. */
  nodes: number;
  seconds: number;
  candidates: number;
  /** Génial!: how many random moves are considered; 0: all. Blockers!: what is solved exactly. */
  more: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reserve(size: number): number;
  call(): number;
  answer_size(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * One module. A refused request, or one that runs out of memory, throws; the instance is then
 * replaced, so the next request finds a sound one.
 */
export class Core {
  private instance: Exports | null = null;
  /** Boxes and weights live in an instance: the next one gets them again. */
  private kept: string[] = [];
  private readonly module: WebAssembly.Module;

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  static async load(bytes: BufferSource): Promise<Core> {
    return new Core(await WebAssembly.compile(bytes));
  }

  /** The answer to a request: its lines are a function's name and its arguments. */
  ask(request: string): string {
    const core = this.instance ?? this.start();
    try {
      const answer = send(core, request);
      if (/^(box|weights)\n/.test(request)) this.kept.push(request);
      return answer;
    } catch (error) {
      this.instance = null;
      throw error instanceof Refused ? error : new Error(`core: ${String(error)}`);
    }
  }

  /** The candidates of the seat on turn, best first: Génial! and Blockers!. */
  think(game: "genial" | "blockers", asked: Thinking): Candidate[] {
    const { position, seed, nodes, seconds, candidates, more } = asked;
    const last = game === "genial" ? String(more) : real(more);
    const words = ["think", position, seed, nodes, real(seconds), candidates, last];
    const lines = this.ask(words.join("\n")).split("\n").slice(0, -1);
    return lines.map((line) => {
      const [move = "", value = "", margin = "", visits = ""] = line.split("\t");
      return { move, value: number(value), margin: number(margin), visits: Number(visits) };
    });
  }

  private start(): Exports {
    const found = new WebAssembly.Instance(
      this.module,
      imports(() => this.instance),
    );
    this.instance = found.exports as unknown as Exports;
    this.instance._initialize();
    for (const request of this.kept) send(this.instance, request);
    return this.instance;
  }
}

function send(core: Exports, request: string): string {
  const bytes = encoder.encode(request);
  const to = core.reserve(bytes.length); // memory may grow: its buffer is read afterwards
  new Uint8Array(core.memory.buffer, to, bytes.length).set(bytes);
  const from = core.call();
  const size = core.answer_size();
  return decoder.decode(new Uint8Array(core.memory.buffer, from, size));
}

/** A number by the bits of its floating-point form, so that no digit is lost. */
function real(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

function number(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

const MISSING = 52; // ENOSYS

/** The few functions of WASI that the core is linked with, and its way to refuse. */
function imports(core: () => Exports | null): WebAssembly.Imports {
  const memory = () => new DataView(core()!.memory.buffer);
  const wasi: Record<string, (...args: number[]) => number> = {
    clock_time_get: (_clock, _precision, at) => {
      memory().setBigUint64(at!, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get: (at, size) => {
      crypto.getRandomValues(new Uint8Array(core()!.memory.buffer, at, size));
      return 0;
    },
    proc_exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  const others = new Proxy(wasi, { get: (known, name) => known[String(name)] ?? (() => MISSING) });
  const refuse = (at: number, size: number) => {
    throw new Refused(decoder.decode(new Uint8Array(core()!.memory.buffer, at, size)));
  };
  return { wasi_snapshot_preview1: others, tuilerie: { refuse } };
}
