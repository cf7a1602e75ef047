import { base, isLocal, isStatic, playsHere, serverAway } from "../local/here";
import { request } from "../local/page";
import { type LocalTable, listTables } from "../local/store";
import type {
  AccountFacts,
  ClaimSeats,
  Credentials,
  DeleteAccount,
  GameFacts,
  GameHanded,
  HandOver,
  Hints,
  LogIn,
  NewPassword,
  NewTable,
  Problem,
  Recover,
  Recovered,
  Replayed,
  ReplayRequest,
  SeatLink,
  SeatsClaimed,
  SeatTaken,
  TableFacts,
  TableMade,
  TakeSeat,
  Visitor,
} from "../protocol";
import { backoff, freshId } from "./connection";
import type { Seat } from "./seat";

/** An error response of the server. */
export class Failed extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.rule);
  }
}

/** How often and how many seconds at most a request to read waits where too many were made. */
const WAITS = 3;
const LONGEST_WAIT = 15;

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  credentials: RequestCredentials = "same-origin",
): Promise<T> {
  for (let waited = 0; ; waited++) {
    try {
      return await callOnce(method, path, body, credentials);
    } catch (error) {
      const wait = error instanceof Failed && error.status === 429 ? (error.problem.wait ?? 1) : 0;
      if (method !== "GET" || waited === WAITS || wait === 0 || wait > LONGEST_WAIT) throw error;
      await new Promise((done) => setTimeout(done, wait * 1000));
    }
  }
}

async function callOnce<T>(
  method: string,
  path: string,
  body: unknown,
  credentials: RequestCredentials,
): Promise<T> {
  if (isHere(method, path, body)) return here(method, path, body);
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Tuilerie"] = "1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, credentials };
  if (body !== undefined) init.body = JSON.stringify(body);
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, init);
    // The service worker answers '/games' without the server.
    if (path !== "/games") serverAway.value = LOST.includes(answer.status);
  } catch {
    serverAway.value = true;
    if (path === "/replay") return here(method, path, body); // the rules are the same
    throw new Failed(0, { code: "offline", rule: "offline", params: {} });
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const said = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  const rule = `http-${answer.status}`;
  const slow = said.wait && { rule: "slow-down", params: { wait: said.wait } };
  throw new Failed(answer.status, { code: "failed", rule, params: {}, ...said, ...slow });
}

/** Whether a request is answered in this browser: it is about one of its tables, or to make one. */
function isHere(method: string, path: string, body: unknown): boolean {
  const slug = /^\/tables\/([\w-]+)/.exec(path)?.[1];
  if (slug) return isLocal(slug);
  if (path === "/recover") return isLocal((body as Recover).token);
  if (path === "/tables" && method === "POST") return playsHere.value;
  return isStatic;
}

async function here<T>(method: string, path: string, body: unknown): Promise<T> {
  const { status, body: said } = await request(method, path, body ?? null);
  if (status < 400) return said as T;
  throw new Failed(status, said as Problem);
}

/** The tables of this browser; without storage, none. */
const localTables = () => listTables().catch(() => [] as LocalTable[]);

/** This browser's tables on the server and in the browser itself, the newest first. One that was
 * handed to this account is listed once. */
async function mine(): Promise<TableFacts[]> {
  const [there, own] = await Promise.all([
    isStatic ? [] : call<TableFacts[]>("GET", "/my/tables").catch(() => [] as TableFacts[]),
    localTables(),
  ]);
  const known = new Set(there.map((each) => each.table));
  const here = own.filter((each) => !known.has(each.handed ?? ""));
  return [...there, ...here].sort((one, other) => other.updated - one.updated);
}

/** A file of a static site, which stands for a request of the HTTP API. */
async function read(path: string): Promise<Response> {
  const answer = await fetch(`${base}api/${path}`).catch(() => null);
  if (answer?.ok) return answer;
  throw new Failed(answer?.status ?? 0, { code: "failed", rule: "offline", params: {} });
}

const LOST = [0, 502, 503, 504];
const TRIES = 3;

/**
 * Take a seat. If the response is lost, the request is repeated with the same key, automatically or
 * by the player, and the server returns the same seat.
 */
async function sit(
  slug: string,
  body: TakeSeat,
  credentials: RequestCredentials = "same-origin",
): Promise<SeatTaken> {
  const keeper = `tuilerie.key.${slug}.${body.seat ?? ""}`;
  const key = recall(keeper) ?? freshId();
  keep(keeper, key);
  for (let tries = 1; ; tries++) {
    try {
      const answer = await call<SeatTaken>(
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
    // Without storage only the retries of one click share their key.
  }
}

export const api = {
  games: (): Promise<GameFacts[]> =>
    isStatic ? read("games.json").then((answer) => answer.json()) : call("GET", "/games"),
  create: (table: NewTable) => call<TableMade>("POST", "/tables", table),
  lobby: (status: "waiting" | "playing" = "waiting") =>
    call<TableFacts[]>("GET", `/tables?status=${status}`),
  /** The best moves now, against bots only. */
  hint: (slug: string) => call<Hints>("POST", `/tables/${slug}/hint`),
  table: (slug: string) => call<TableFacts>("GET", `/tables/${slug}`),
  mine,
  sit: (slug: string, name: string) => sit(slug, { name }),
  /** Take a seat for another player on this device: no cookies are sent or stored. */
  sitBeside: (slug: string, name: string, seat: Seat) => sit(slug, { name, seat }, "omit"),
  recover: (token: string) => call<Recovered>("POST", "/recover", { token } satisfies Recover),
  /** The recovery link of this browser's seat, and its QR code. */
  seatLink: (slug: string) => call<SeatLink>("POST", `/tables/${slug}/seat/link`),
  visitor: () => call<Visitor>("GET", "/session"),
  makeAccount: (login: string, password: string) => {
    const body: Credentials = { login: login.trim(), password };
    return call<AccountFacts>("POST", "/account", body);
  },
  logIn: (login: string, password: string) => {
    const body: LogIn = { login: login.trim(), password };
    return call<AccountFacts>("POST", "/session", body);
  },
  logOut: () => call<void>("DELETE", "/session"),
  claim: (tables: string[]) =>
    call<SeatsClaimed>("POST", "/account/claim", { tables } satisfies ClaimSeats),
  /** Keep the record of a game that was played here in the account. */
  handOver: (game: HandOver) => call<GameHanded>("POST", "/account/records", game),
  changePassword: (password: string, fresh: string) => {
    const body: NewPassword = { password, new: fresh };
    return call<AccountFacts>("POST", "/account/password", body);
  },
  deleteAccount: (password: string) =>
    call<void>("DELETE", "/account", { password } satisfies DeleteAccount),
  /** The replay of a finished table, as a seat or a spectator sees it. */
  replay: (slug: string, viewer: Seat | null) =>
    call<Replayed>("GET", `/tables/${slug}/replay${viewer === null ? "" : `?viewer=${viewer}`}`),
  /** The record of a finished table. */
  record: (slug: string) => call<string>("GET", `/tables/${slug}/record`),
  /** The same of a record. */
  replayRecord: (record: string, viewer: Seat | null) =>
    call<Replayed>("POST", "/replay", { record, viewer } satisfies ReplayRequest),
  async rules(game: string, lang: string): Promise<string> {
    if (isStatic) return (await read(`rules/${game}.${lang}.md`)).text();
    const answer = await fetch(`/api/rules/${game}?lang=${lang}`, { credentials: "same-origin" });
    if (!answer.ok)
      throw new Failed(answer.status, { code: "failed", rule: "offline", params: {} });
    return answer.text();
  },
};
