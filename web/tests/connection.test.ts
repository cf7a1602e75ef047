import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backoff, Connection } from "../src/live/connection";
import { LiveTable } from "../src/live/table";
import type { FromServer, TableView } from "../src/live/wire";

/** A socket that does what the test says. */
class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  says(message: FromServer) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  break() {
    this.readyState = 3;
    this.onclose?.();
  }
  did() {
    return this.sent.filter((message) => message.t === "do");
  }
}

const latest = () => FakeSocket.all.at(-1)!;
const VIEW = { started_at: 1, result: null, seats: [], play: { number: 4, legal: [] } };
const welcome = (number: number): FromServer => ({
  t: "welcome",
  you: 0,
  number,
  now: Date.now(),
  view: VIEW as unknown as TableView,
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("waits longer after each try, never longer than fifteen seconds, and not in step", () => {
  const waits = [0, 1, 2, 3, 9].map((tries) => backoff(tries, () => 1));
  expect(waits).toEqual([500, 1000, 2000, 4000, 15000]);
  expect(backoff(3, () => 0)).toBe(2000);
});

test("resumes after the last event that it knows", () => {
  const table = new LiveTable("abc");
  latest().open();
  expect(latest().sent[0]).toEqual({ t: "hello", table: "abc", last: 1 });
  latest().says(welcome(7));
  latest().says({ t: "event", number: 8, at: 0, kind: "entered", data: {}, game: [] });
  latest().break();
  expect(table.link.value).toBe("lost");
  vi.advanceTimersByTime(1000);
  latest().open();
  expect(latest().sent[0]).toEqual({ t: "hello", table: "abc", last: 8 });
  table.close();
});

test("a move made while the connection is away is sent once it is back, with the same id", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  table.make("RB h8 h9");
  const id = latest().did()[0]?.id;
  latest().break();
  expect(table.sent.value).toBe("RB h8 h9");
  vi.advanceTimersByTime(1000);
  latest().open();
  expect(latest().did()).toEqual([]);
  latest().says(welcome(7));
  expect(
    latest()
      .did()
      .map((message) => message.id),
  ).toEqual([id]);
  latest().says({ t: "done", id: String(id), number: 8 });
  expect(table.sent.value).toBe(null);
  latest().break();
  vi.advanceTimersByTime(3000);
  latest().open();
  latest().says(welcome(8));
  expect(latest().did()).toEqual([]);
  table.close();
});

test("a move that was not answered survives a reload", () => {
  const first = new Connection("abc", { last: () => 1, heard: () => undefined });
  first.ask({ c: "make", move: "swap" }, "00000000-1");
  first.close();
  const second = new Connection("abc", { last: () => 1, heard: () => undefined });
  latest().open();
  latest().says(welcome(2));
  expect(latest().did()[0]).toMatchObject({ id: "00000000-1" });
  second.close();
});

test("a refusal is told, and the move is in hand again", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  table.make("RB h8 h9");
  const id = String(latest().did()[0]?.id);
  latest().says({
    t: "refused",
    id,
    code: "illegal",
    rule: "cell-occupied",
    params: { cell: "h8" },
  });
  expect(table.refusal.value?.rule).toBe("cell-occupied");
  expect(table.sent.value).toBe(null);
  table.close();
});

test("events that come together are shown together", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  const event = (number: number, kind: string): FromServer => ({
    t: "event",
    number,
    at: 0,
    kind: "entered",
    data: {},
    game: [{ kind }],
  });
  latest().says(event(8, "placed"));
  latest().says(event(9, "drawn"));
  expect(table.fresh.value).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(table.fresh.value.map((each) => each.kind)).toEqual(["placed", "drawn"]);
  expect(table.history.value.map((each) => each.number)).toEqual([8, 9]);
  table.close();
});

test("an event that is heard twice is taken once", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  const event: FromServer = { t: "event", number: 8, at: 0, kind: "entered", data: {} };
  latest().says(event);
  latest().says(event);
  vi.advanceTimersByTime(50);
  expect(table.history.value.length).toBe(1);
  table.close();
});

test("comes back when a server that restarts has said so", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  latest().says({ t: "bye", code: "restart", wait: 3700 });
  latest().break();
  vi.advanceTimersByTime(3699);
  expect(FakeSocket.all.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all.length).toBe(2);
  table.close();
});

test("silence after a ping is a lost connection", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  vi.advanceTimersByTime(9000);
  expect(table.link.value).toBe("lost");
  table.close();
});

const pings = () => latest().sent.filter((message) => message.t === "ping");
const pong = () => latest().says({ t: "pong", n: Number(pings().at(-1)?.n), now: Date.now() });

test("every heartbeat pings again as soon as the pong has come, so that the server knows the way", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  for (let trip = 1; trip <= 5; trip++) {
    expect(pings().length).toBe(trip);
    pong();
  }
  expect(pings().length).toBe(5);
  vi.advanceTimersByTime(15_000);
  expect(pings().length).toBe(6);
  pong();
  expect(pings().length).toBe(7);
  pong();
  pong();
  expect(pings().length).toBe(8);
  table.close();
});
