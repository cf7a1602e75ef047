import { backoff, freshId } from "./connection";
import type { ClockChoice, GameEvent, PlayView, Refusal, Seat, SeatInfo } from "./wire";

export interface OptionCard {
  name: string;
  default: unknown;
  values: unknown[];
}

/** A level of bots: its id, and by language its name and a sentence on how it plays. */
export interface LevelCard {
  id: string;
  name: Record<string, string>;
  line: Record<string, string>;
}

export interface GameCard {
  name: string;
  title: string;
  players: [number, number];
  options: OptionCard[];
  levels: LevelCard[];
  hidden: boolean;
  simultaneous: boolean;
}

export interface TableSummary {
  table: string;
  game: string;
  players: number;
  status: "waiting" | "playing" | "over";
  seats: SeatInfo[];
  /** When something last happened, in milliseconds since the epoch. */
  updated: number;
  /** Our own seat, where we hold one. */
  you: Seat | null;
}

/** A seat that this browser holds and no account has. */
export interface GuestSeat {
  table: string;
  game: string;
  name: string | null;
  updated: number;
}

/** Who this browser is: its account, if it is logged in, and the seats that it holds besides. */
export interface Visitor {
  login: string | null;
  seats: GuestSeat[];
}

interface Account {
  login: string;
}

export interface NewTable {
  game: string;
  players: number;
  options: Record<string, unknown>;
  clock: ClockChoice;
  public: boolean;
  spectators: "none" | "live" | "delayed";
  bots: { seat: Seat; level: string }[];
  name: string;
}

export interface Created {
  table: string;
  seat: Seat;
  link: string;
  recovery: string;
}

export interface ReplayStep {
  line: number;
  entry: Record<string, unknown>;
  events: GameEvent[];
  view: PlayView;
}

export interface ReplayAnswer {
  game: string;
  players: number;
  seats: string[];
  options: Record<string, unknown>;
  start: PlayView;
  steps: ReplayStep[];
  fault: (Refusal & { line: number }) | null;
}

/** An answer of the server that says no. */
export class Failed extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    readonly wait?: number,
  ) {
    super(refusal.rule);
  }
}

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  credentials: RequestCredentials = "same-origin",
): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Tuilerie"] = "1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, credentials };
  if (body !== undefined) init.body = JSON.stringify(body);
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, init);
  } catch {
    throw new Failed(0, { code: "offline", rule: "offline", params: {} });
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const said = (await answer.json().catch(() => ({}))) as Partial<Refusal> & { wait?: number };
  const rule = said.rule ?? `http-${answer.status}`;
  throw new Failed(
    answer.status,
    { code: said.code ?? "failed", rule, params: said.params ?? {} },
    said.wait,
  );
}

const LOST = [0, 502, 503, 504];
const TRIES = 3;

/**
 * Take a seat. Where the answer is lost on its way it is asked for again, with the same key, and the
 * server gives the same seat: by ourselves, and also when the player asks once more.
 */
async function sit(
  slug: string,
  body: { name: string; seat?: Seat },
  credentials: RequestCredentials = "same-origin",
): Promise<{ seat: Seat; recovery: string }> {
  const keeper = `tuilerie.key.${slug}.${body.seat ?? ""}`;
  const key = recall(keeper) ?? freshId();
  keep(keeper, key);
  for (let tries = 1; ; tries++) {
    try {
      const answer = await call<{ seat: Seat; recovery: string }>(
        "POST",
        `/tables/${slug}/seat`,
        { ...body, key },
        credentials,
      );
      keep(keeper, null);
      return answer;
    } catch (error) {
      const lost = error instanceof Failed && LOST.includes(error.status);
      if (!lost || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, backoff(tries)));
    }
  }
}

function recall(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Then only the tries of one click share their key.
  }
}

export const api = {
  games: () => call<GameCard[]>("GET", "/games"),
  create: (table: NewTable) => call<Created>("POST", "/tables", table),
  lobby: () => call<TableSummary[]>("GET", "/tables"),
  summary: (slug: string) => call<TableSummary>("GET", `/tables/${slug}`),
  mine: () => call<TableSummary[]>("GET", "/my/tables"),
  sit: (slug: string, name: string) => sit(slug, { name }),
  /** Take a seat for somebody else at this device: without our cookie, and without getting one. */
  sitBeside: (slug: string, name: string, seat: Seat) => sit(slug, { name, seat }, "omit"),
  recover: (token: string) => call<{ table: string }>("POST", "/recover", { token }),
  /** A link to the seat that this browser holds, and a picture of it for a camera. */
  seatLink: (slug: string) =>
    call<{ link: string; qr: string }>("POST", `/tables/${slug}/seat/link`),
  visitor: () => call<Visitor>("GET", "/session"),
  makeAccount: (login: string, password: string) =>
    call<Account>("POST", "/account", { login: login.trim(), password }),
  logIn: (login: string, password: string) =>
    call<Account>("POST", "/session", { login: login.trim(), password }),
  logOut: () => call<void>("DELETE", "/session"),
  claim: (tables: string[]) => call<{ seats: number }>("POST", "/account/claim", { tables }),
  changePassword: (password: string, fresh: string) =>
    call<Account>("POST", "/account/password", { password, new: fresh }),
  deleteAccount: (password: string) => call<void>("DELETE", "/account", { password }),
  /** The views of a record, as a seat sees them, after so many entries. */
  replay: (record: string, viewer: Seat | null = null, after = 0) =>
    call<ReplayAnswer>("POST", "/replay", { record, viewer, after: Math.max(0, after) }),
  async record(slug: string): Promise<string> {
    const answer = await fetch(`/api/tables/${slug}/record`, { credentials: "same-origin" });
    if (!answer.ok) {
      const said = (await answer.json().catch(() => ({}))) as Partial<Refusal>;
      throw new Failed(answer.status, {
        code: "failed",
        rule: said.rule ?? "no-such-table",
        params: {},
      });
    }
    return answer.text();
  },
  async rules(game: string, lang: string): Promise<string> {
    const answer = await fetch(`/api/rules/${game}?lang=${lang}`, { credentials: "same-origin" });
    if (!answer.ok)
      throw new Failed(answer.status, { code: "failed", rule: "offline", params: {} });
    return answer.text();
  },
};
