import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { endOf, inOrder, pointsOf, turnOf } from "../src/app/games";
import { cards } from "../src/app/levels";
import { optionWords } from "../src/app/options";
import { WaitingRoom } from "../src/app/WaitingRoom";
import { ago, day } from "../src/app/when";
import { TurnButtons } from "../src/games/common/Hand";
import { chance } from "../src/games/common/Hints";
import { sharedWords, speak } from "../src/i18n";
import type { LiveTable } from "../src/live/table";
import type { Command, GameFacts, TableFacts } from "../src/protocol";

const LEVEL = { number: 1, word: { en: "Easy" }, line: { en: "" } };
const KAOSMOS = {
  name: "kaosmos",
  players: [2, 6],
  levels: ["clay", "terracotta", "glaze"].map((id) => ({ ...LEVEL, id, name: { en: id } })),
  options: [
    { name: "kaos", default: true, values: [true, false] },
    { name: "seconds", default: 60, values: [60, 90, null] },
  ],
} as unknown as GameFacts;

let root: HTMLElement;

beforeAll(async () => {
  cards.value = [KAOSMOS];
  await speak(sharedWords);
});
afterEach(() => {
  render(null, root);
  root.remove();
});

async function draw(element: preact.JSX.Element): Promise<void> {
  root = document.createElement("div");
  document.body.append(root);
  await act(() => render(element, root));
}

const place = (kind: string, name: string, level: string | null = null) => ({ kind, name, level });

/** A waiting table of Ana, a bot and as many others, as one of them sees it. */
function waiting(you: number | null, ...others: ReturnType<typeof place>[]) {
  const asked: Command[] = [];
  const seats = [place("person", "Ana"), place("bot", "clay 2", "clay"), ...others];
  const config = { players: seats.length, options: { kaos: false }, clock: null, spectators: 0 };
  const table = {
    slug: "t",
    view: signal({ game: "kaosmos", host: 0, seats, config }),
    you: signal(you),
    refusal: signal(null),
    presence: signal([]),
    ask: (command: Command) => asked.push(command),
  } as unknown as LiveTable;
  return { table, asked };
}

const press = (selector: string) => act(() => root.querySelector<HTMLElement>(selector)?.click());

test("the host sets levels, removes people, and starts when all are seated", async () => {
  const open = waiting(0, place("open", ""));
  await draw(<WaitingRoom table={open.table} held={[]} />);
  expect(root.querySelector<HTMLButtonElement>(".start-game")?.disabled).toBe(true);
  await press(".levels .level:nth-child(3)");
  await press("[data-seat='2'] .button");
  expect(open.asked).toEqual([
    { kind: "add-bot", seat: 1, level: "glaze" },
    { kind: "add-bot", seat: 2, level: "terracotta" },
  ]);
  render(null, root);
  const full = waiting(0, place("person", "Bo"));
  await draw(<WaitingRoom table={full.table} held={[]} />);
  await press("[data-seat='2'] .icon-button");
  await press(".waiting-foot .danger");
  expect(full.asked).toEqual([{ kind: "remove", seat: 2 }]);
  await press(".waiting-foot .danger");
  await press(".start-game");
  expect(full.asked.slice(1)).toEqual([{ kind: "close" }, { kind: "begin" }]);
});

test("a guest sees all options, can leave, and cannot start", async () => {
  const { table, asked } = waiting(2, place("person", "Bo"));
  await draw(<WaitingRoom table={table} held={[]} />);
  expect(root.querySelector(".start-game")).toBeNull();
  expect(root.querySelector(".levels")).toBeNull();
  const head = root.querySelector(".room-head")?.textContent ?? "";
  expect(head).toContain("Kaosmos for three");
  expect(head).toContain("no clock");
  for (const words of optionWords(KAOSMOS, { players: 3, options: { kaos: false } }))
    expect(head).toContain(words);
  expect(optionWords(KAOSMOS, { players: 3, options: { kaos: false } })).toHaveLength(2);
  await press(".waiting-foot .button");
  expect(asked).toEqual([{ kind: "stand" }]);
});

const SEATS = [place("person", "Ana"), place("person", "Bo")];
const facts = (table: string, more: Partial<TableFacts>) =>
  ({
    table,
    game: "blockers",
    players: 2,
    seats: SEATS,
    you: 0,
    actors: [],
    status: "playing",
    updated: 1,
    assisted: false,
    result: null,
    ...more,
  }) as unknown as TableFacts;

test("games are sorted by whose turn it is", () => {
  const open = facts("open", {
    status: "waiting",
    updated: 9,
    seats: [SEATS[0], place("open", "")] as TableFacts["seats"],
  });
  const theirs = facts("theirs", { actors: [1], updated: 5 });
  const mine = facts("mine", { actors: [0], updated: 2 });
  const sorted = inOrder([open, theirs, mine]);
  expect(sorted.map(({ table }) => table)).toEqual(["mine", "theirs", "open"]);
  expect(sorted.map(turnOf)).toEqual(["Your turn", "Bo is playing", "1 free seat"]);
});

test("a finished game says who won, with its score", () => {
  const result = { reason: "end", places: [2, 1], scores: [{ score: 5 }, { score: 3 }] };
  expect(endOf(facts("lost", { status: "over", result }))).toBe("won by Bo");
  const won = facts("won", {
    status: "over",
    assisted: true,
    result: { ...result, places: [1, 2] },
  });
  expect(endOf(won)).toBe("won · with Bo · assisted");
  expect(pointsOf("blockers", { groups: 3, score: 5 })).toBe(5);
  expect(pointsOf("genial", { R: 4, Y: 2, B: 9 })).toBe(2);
  expect(pointsOf("genial", undefined)).toBeNull();
});

test("times are relative, in words", () => {
  const noon = new Date(2026, 4, 10, 12).getTime();
  expect(ago(noon - 5 * 60_000, noon)).toBe("5 minutes ago");
  expect(ago(noon - 20_000, noon)).toBe("just now");
  expect([day(noon - 1000, noon), day(noon - 86_400_000, noon)]).toEqual(["today", "yesterday"]);
  expect(day(noon - 10 * 86_400_000, noon)).toContain("2026");
});

test("the end of a turn has a ring, unless it waits for a press", async () => {
  vi.useFakeTimers();
  const did: string[] = [];
  const turn = signal({ ends: 3_000, total: 3_000 });
  let now = 0;
  const desk = {
    turn,
    undo: () => did.push("undo"),
    endTurn: () => did.push("end"),
    now: () => now,
  };
  await draw(<TurnButtons desk={desk as unknown as Parameters<typeof TurnButtons>[0]["desk"]} />);
  expect(root.querySelector(".turn-ring text")?.textContent).toBe("3");
  now = 2_500;
  await act(() => {
    vi.advanceTimersByTime(200);
  });
  expect(root.querySelector(".turn-ring text")?.textContent).toBe("1");
  await press(".undo-button");
  root.querySelector(".primary")?.dispatchEvent(new MouseEvent("click", { detail: 2 }));
  expect(did).toEqual(["undo"]); // the second press of a double one
  await press(".primary");
  expect(did).toEqual(["undo", "end"]);
  await act(() => {
    turn.value = { ends: 3_600_000, total: 0 };
  });
  expect(root.querySelector(".turn-ring")).toBeNull();
  vi.useRealTimers();
});

test("a hint says the chance to win, where something was simulated", () => {
  expect(chance(0.62)).toBe("62%");
  expect(chance(null)).toBe("");
});
