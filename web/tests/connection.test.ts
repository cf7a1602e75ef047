import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backoff, Connection } from "../src/live/connection";
import { LiveTable } from "../src/live/table";
import type { GameEvent, Hints, ServerMessage, TableView } from "../src/protocol";

/** A socket that does what the test says. */
class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor(readonly url: string) {
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
  says(message: ServerMessage) {
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
const VIEW = { at: 5, you: 0, started_at: 1, result: null, seats: [], play: { number: 4 } };
const welcome = (number: number): ServerMessage => ({
  t: "welcome",
  you: 0,
  number,
  now: Date.now(),
  view: VIEW as unknown as TableView,
  events: [],
});

/** What followed event `from`: facts of the game with these events, and the number of its view. */
const update = (from: number, ...game: GameEvent[]): ServerMessage => ({
  t: "update",
  number: from + game.length,
  events: game.map((event, index) => ({
    number: from + 1 + index,
    at: 0,
    fact: { kind: "entered" },
    game: [event],
  })),
  changes: { play: { number: [from + game.length] } },
});
const KEPT: GameEvent = { kind: "kept", seat: 0 };
const LIFTED: GameEvent = { kind: "lifted", seat: 0, tile: "T01", slot: "a1" };

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

test("backoff doubles up to fifteen seconds, with jitter", () => {
  const waits = [0, 1, 2, 3, 9].map((tries) => backoff(tries, () => 1));
  expect(waits).toEqual([500, 1000, 2000, 4000, 15000]);
  expect(backoff(3, () => 0)).toBe(2000);
});

test("resumes after the last known event", () => {
  const table = new LiveTable("abc");
  expect(latest().url).toMatch(/\/ws\?table=abc$/); // for load balancers
  latest().open();
  expect(latest().sent[0]).toEqual({ t: "hello", table: "abc", last: 0, at: null, you: null });
  latest().says(welcome(7));
  latest().says(update(7, KEPT));
  latest().break();
  expect(table.link.value).toBe("lost");
  vi.advanceTimersByTime(1000);
  latest().open();
  expect(latest().sent[0]).toEqual({ t: "hello", table: "abc", last: 8, at: 5, you: 0 });
  latest().says(update(8, KEPT, LIFTED));
  expect(table.link.value).toBe("open");
  expect(table.history.value.map((each) => each.number)).toEqual([8, 9, 10]);
  table.close();
});

test("a move made while disconnected is sent after the reconnect, with the same id", () => {
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

test("an unanswered move survives a reload", () => {
  const first = new Connection("abc", { held: () => ({}), received: () => undefined });
  first.ask({ kind: "make", move: "swap" }, "00000000-1");
  first.close();
  const second = new Connection("abc", { held: () => ({}), received: () => undefined });
  latest().open();
  latest().says(welcome(2));
  expect(latest().did()[0]).toMatchObject({ id: "00000000-1" });
  second.close();
});

test("a refusal is shown, and the move is taken back", () => {
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
    wait: null,
  });
  expect(table.refusal.value?.rule).toBe("cell-occupied");
  expect(table.sent.value).toBe(null);
  table.close();
});

test("an update changes the view, and its events are shown together", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  latest().says(update(7, KEPT, LIFTED));
  expect(table.play.value?.number).toBe(9);
  expect(table.fresh.value).toEqual([KEPT, LIFTED]);
  expect(table.history.value.map((each) => each.number)).toEqual([8, 9]);
  table.close();
});

test("an update without events still changes the view", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  latest().says(update(7, KEPT));
  latest().says({ t: "update", number: 8, events: [], changes: {} });
  expect(table.fresh.value).toEqual([KEPT]);
  expect(FakeSocket.all.length).toBe(1);
  table.close();
});

test.each([[[welcome(7), update(8, KEPT)]], [[welcome(7), update(6, KEPT)]], [[update(7, KEPT)]]])(
  "an update of another view than ours is not applied: all is asked for again",
  (messages) => {
    const table = new LiveTable("abc");
    latest().open();
    const before = FakeSocket.all.length;
    for (const message of messages) latest().says(message);
    expect(FakeSocket.all.length).toBe(before + 1);
    latest().open();
    const held = table.view.value === null ? { at: null, you: null } : { at: 5, you: 0 };
    expect(latest().sent).toEqual([{ t: "hello", table: "abc", last: 0, ...held }]);
    latest().says(welcome(9));
    expect(table.link.value).toBe("open");
    latest().says(update(9, LIFTED));
    expect(table.history.value.map((each) => each.number)).toEqual([10]);
    table.close();
  },
);

test("reconnects after the delay that a restarting server sent", () => {
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

test("no pong means a lost connection", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  vi.advanceTimersByTime(9000);
  expect(table.link.value).toBe("lost");
  table.close();
});

const pings = () => latest().sent.filter((message) => message.t === "ping");
const pong = () => latest().says({ t: "pong", n: Number(pings().at(-1)?.n), now: Date.now() });

test("a heartbeat pings again as soon as the pong arrives", () => {
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

test("knows who is there, and that bots think less long on a busy server", () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(7));
  latest().says({ t: "presence", seats: [true, false], spectators: 2, hurried: true });
  expect(table.presence.value).toEqual([true, false]);
  expect(table.spectators.value).toBe(2);
  expect(table.hurried.value).toBe(true);
  latest().says({ t: "presence", seats: [true, false], spectators: 2, hurried: false });
  expect(table.hurried.value).toBe(false);
  table.close();
});

test("a command that waits for its answer is mentioned after a moment, not after eight seconds", () => {
  const connection = new Connection("t", {
    held: () => ({ last: 0, at: null, you: null }),
    received() {},
  });
  latest().open();
  latest().says(welcome(1));
  const id = connection.ask({ kind: "begin" });
  expect(connection.slow.value).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(connection.slow.value).toBe(true);
  latest().says({ t: "done", id, number: 2 });
  expect(connection.slow.value).toBe(false);
  connection.close();
});

test("hints stay while others decide at the same time, and go with our own decision", async () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(4));
  const hints: Hints = { number: 4, moves: [] };
  await table.showHints(Promise.resolve(hints));
  expect(table.hints.value).toEqual(hints);
  latest().says(update(4, { kind: "kept", seat: 1 }));
  expect(table.hints.value).toEqual(hints);
  latest().says(update(5, KEPT));
  expect(table.hints.value).toBeNull();
  table.close();
});

test("hints that come after our decision are not shown", async () => {
  const table = new LiveTable("abc");
  latest().open();
  latest().says(welcome(4));
  let answer: (hints: Hints) => void = () => undefined;
  const shown = table.showHints(new Promise((resolve) => (answer = resolve)));
  latest().says(update(4, KEPT));
  answer({ number: 4, moves: [] });
  await shown;
  expect(table.hints.value).toBeNull();
  table.close();
});

test("a reaction is shown when it happens, not again after loading the page", () => {
  const table = new LiveTable("abc");
  latest().open();
  const fact = { kind: "reacted", seat: 1, reaction: "hello" } as const;
  const reacted = { number: 4, at: 0, fact, game: [] };
  latest().says({ ...welcome(4), events: [reacted] } as ServerMessage);
  expect(table.reaction.value).toBeNull();
  const again = { ...reacted, number: 5 };
  latest().says({ t: "update", number: 5, events: [again], changes: {} } as ServerMessage);
  expect(table.reaction.value).toEqual(fact);
  table.close();
});
