import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Failed } from "../src/live/api";

interface Asked {
  path: string;
  body: { name: string; seat?: number; key: string };
  credentials: string;
}

let asked: Asked[] = [];
let answers: (() => Response)[] = [];

const good = () => new Response(JSON.stringify({ seat: 1, recovery: "r" }), { status: 201 });
const full = () =>
  new Response(JSON.stringify({ code: "too-late", rule: "table-full", params: {} }), {
    status: 409,
  });
const gone = (): Response => {
  throw new TypeError("the network is away");
};

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  asked = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body ?? "{}")) as Asked["body"];
    asked.push({ path, body, credentials: String(init.credentials) });
    return answers.shift()!();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const often = (wait: number) => () =>
  new Response(JSON.stringify({ code: "too-often", rule: "requests", params: {}, wait }), {
    status: 429,
  });

test("a list is asked for again once too many requests are over", async () => {
  answers = [often(2), often(1), () => new Response("[]")];
  const games = api.games();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(asked.length).toBe(1);
  await vi.runAllTimersAsync();
  expect(await games).toEqual([]);
  expect(asked.length).toBe(3);
});

test("nobody waits long for a list, and nothing is posted twice", async () => {
  answers = [often(60), often(1)];
  await expect(api.games()).rejects.toBeInstanceOf(Failed);
  await expect(api.logOut()).rejects.toBeInstanceOf(Failed);
  expect(asked.length).toBe(2);
});

test("taking a seat is retried with the same key after a lost response", async () => {
  answers = [gone, gone, good];
  const taken = api.sit("abc", "Ada");
  await vi.runAllTimersAsync();
  expect((await taken).seat).toBe(1);
  expect(asked.length).toBe(3);
  expect(new Set(asked.map((each) => each.body.key)).size).toBe(1);
  expect(asked[0]?.body.key.length).toBeGreaterThanOrEqual(16);
});

test("a manual retry uses the same key, the next seat a new one", async () => {
  answers = [gone, gone, gone, good, good];
  const first = expect(api.sit("abc", "Ada")).rejects.toBeInstanceOf(Failed);
  await vi.runAllTimersAsync();
  await first;
  await api.sit("abc", "Ada");
  await api.sitBeside("abc", "Bob", 2);
  const keys = asked.map((each) => each.body.key);
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(keys[4]).not.toBe(keys[0]);
  expect(asked[4]).toMatchObject({ credentials: "omit", body: { name: "Bob", seat: 2 } });
});

test("a refusal is not retried", async () => {
  answers = [full];
  await expect(api.sit("abc", "Ada")).rejects.toMatchObject({ problem: { rule: "table-full" } });
  expect(asked.length).toBe(1);
});
