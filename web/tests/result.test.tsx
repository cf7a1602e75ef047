import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, expect, test } from "vitest";
import fixture from "../fixtures/genial.json";
import { stillDesk } from "../src/app/desk";
import { rememberDevice } from "../src/app/device";
import { canGoOn, others } from "../src/app/games";
import { cards } from "../src/app/levels";
import { Play } from "../src/app/Play";
import { RematchAsked, ResultPanel } from "../src/app/Result";
import { standings } from "../src/app/standing";
import { WaitingRoom } from "../src/app/WaitingRoom";
import { game } from "../src/games/genial";
import type { Desk, GameModule } from "../src/games/types";
import { sharedWords, speak } from "../src/i18n";
import type { LiveTable } from "../src/live/table";
import type { GameFacts, PlayView, SeatView, TableFacts, TableView } from "../src/protocol";

const NAMES = ["Ana", "Bo", "Cy", "Di"];
const TRACK = { R: 20, Y: 21, B: 22, G: 23, P: 24, O: 25 };

interface Ending {
  places: number[];
  you: number | null;
  variant?: string;
  votes?: number[];
  resigned?: number[];
  track?: Record<string, number>;
}

const roots: HTMLElement[] = [];
beforeAll(async () => {
  // What a browser does with dialogs is tested in a browser.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  cards.value = [{ name: "genial", levels: [], options: [] } as unknown as GameFacts]; // else they are asked for
  await speak(sharedWords, game.words);
});
afterEach(() => {
  for (const root of roots.splice(0)) render(null, root);
});

function seat(name: string, resigned = false): SeatView {
  const bot = resigned ? "clay" : null;
  return {
    kind: "person",
    name,
    level: null,
    ready: true,
    away: false,
    bot,
    for_good: resigned,
    resigned,
  };
}

/** A table whose game has ended like this. */
function ended({ places, you, variant = "standard", votes = [], resigned = [], track }: Ending) {
  const scores = places.map(() => track ?? TRACK);
  const seats = places.map((_, at) => seat(NAMES[at] ?? "", resigned.includes(at)));
  const result = { reason: "board-full", places, scores };
  const view = { game: "genial", seats, votes, result, rematch: null } as unknown as TableView;
  const tracks = Array.from({ length: variant === "teams" ? 2 : places.length }, () => TRACK);
  const play = {
    ...fixture.scenes[0]?.view,
    options: { variant, adjacent: false },
    tracks,
  } as unknown as PlayView;
  const live = { slug: "t", view: signal(view), you: signal(you), status: signal("over") };
  const names = signal(NAMES);
  const desk = stillDesk(game, { view: signal(play), fresh: signal([]), names });
  return { live: live as unknown as LiveTable, desk };
}

function shown(part: preact.JSX.Element): HTMLElement {
  const root = document.createElement("div");
  roots.push(root);
  act(() => render(part, root));
  return root;
}

function result(ending: Ending): HTMLElement {
  const { live, desk } = ended(ending);
  const module = game as unknown as GameModule;
  return shown(<ResultPanel table={live} game={module} desk={desk as Desk} onClose={() => {}} />);
}

const head = (ending: Ending) => result(ending).querySelector("h2")?.textContent;
const rows = (root: HTMLElement) =>
  [...root.querySelectorAll(".places [data-seat]")].map((row) =>
    [...row.querySelectorAll(".place, strong")].map((each) => each.textContent).join(" "),
  );

test.each([
  [[1, 3, 1, 3], 0, "Your team has won!"],
  [[1, 3, 1, 3], 3, "The other team has won"],
  [[1, 1, 1, 1], 1, "Both teams share first place!"],
  [[1, 3, 1, 3], null, "The game is over"],
])("partners see the rank of their team: %j for %j", (places, you, words) => {
  const root = result({ places, you, variant: "teams" });
  expect(root.querySelector("h2")?.textContent).toBe(words);
  const second = places[1] === 1 ? 1 : 2;
  expect(rows(root)).toEqual(["1 Ana + Cy", `${second} Bo + Di`]);
});

test("the numbers of each side stand below common signs, and what decides is marked", () => {
  const root = result({ places: [1, 2], you: 0 });
  const head = [...root.querySelectorAll(".places-head .figure")];
  expect(head).toHaveLength(6);
  const own = [...root.querySelectorAll("[data-seat='0'] .figure b")];
  expect(own.map((each) => each.textContent)).toEqual(["20", "21", "22", "23", "24", "25"]);
  expect(own.filter((each) => each.matches(".decides"))).toHaveLength(1);
  expect(root.querySelector("[data-seat='0'] .decides")?.textContent).toBe("20");
});

test("a partner who resigned does not lower the team's rank", () => {
  const given = { places: [4, 2, 1, 2], variant: "teams", resigned: [0] };
  expect(head({ ...given, you: 2 })).toBe("Your team has won!");
  expect(head({ ...given, you: 3 })).toBe("The other team has won");
  expect(head({ ...given, you: 0 })).toBe("The game is over");
});

test("single players see their own rank", () => {
  expect(head({ places: [1, 3, 1, 3], you: 3 })).toBe("You came 3rd");
  expect(head({ places: [1, 3, 1, 3], you: 2 })).toBe("You share first place!");
  expect(head({ places: [2, 1], you: 1 })).toBe("You have won!");
  expect(standings([3, 1, 2], [[0], [1], [2]]).map((each) => each.seats[0])).toEqual([1, 2, 0]);
});

test("a solo result shows the lowest colour, and no rank", () => {
  const root = result({ places: [1], you: 0, variant: "solo" });
  expect(root.querySelector("h2")?.textContent).toBe("Your result: 20");
  expect(rows(root)).toEqual(["Ana"]);
  const full = Object.fromEntries(Object.keys(TRACK).map((colour) => [colour, 36]));
  expect(head({ places: [1], you: 0, variant: "solo", track: full })).toContain("nobody can do");
});

test("a rematch request names who asks, and can be accepted", () => {
  const root = result({ places: [1, 2], you: 0, votes: [1] });
  expect(root.querySelector("[role=status]")?.textContent).toBe("Bo would like to play again.");
  expect(root.querySelector(".primary")?.textContent).toBe("Yes, play again");
  const { live } = ended({ places: [1, 2, 3], you: 0, votes: [2, 1] });
  const closed = shown(<RematchAsked table={live} />);
  expect(closed.querySelector("[role=alert] p")?.textContent).toContain("Cy and Bo");
});

test.each([[[]], [[0]], [[0, 1]]])("no rematch request is shown: %j", (votes) => {
  const root = result({ places: [1, 2], you: 0, votes });
  expect(root.querySelector("[role=status]")?.textContent).toBe("");
  const { live } = ended({ places: [1, 2], you: 0, votes });
  expect(shown(<RematchAsked table={live} />).textContent).toBe("");
});

test.each([
  [null, 60, /60 seconds late/],
  [null, 0, /starts the game/],
  [0, 60, /start when you like/],
])("a delayed spectator sees that the game may have started: %j, %j", (you, late, words) => {
  const view = { game: "genial", host: 0, seats: NAMES.map((name) => seat(name)) };
  const config = { spectators: late, players: 4, options: {} };
  const live = {
    presence: signal([]),
    slug: "t",
    view: signal({ ...view, config }),
    you: signal(you),
    refusal: signal(null),
    ask: () => {},
  };
  const root = shown(<WaitingRoom table={live as unknown as LiveTable} held={[]} />);
  expect(root.querySelector("[role=status]")?.textContent).toMatch(words);
});

const summary = (status: string, you: number | null, ...resigned: number[]) =>
  ({
    table: "mine",
    status,
    you,
    players: 3,
    seats: ["Ana", "Bo", "Cy"].map((name, at) => seat(name, resigned.includes(at))),
  }) as unknown as TableFacts;

test("a resigned game cannot be continued", () => {
  expect(canGoOn(summary("playing", 0))).toBe(true);
  expect(canGoOn(summary("waiting", 0))).toBe(true);
  expect(canGoOn(summary("over", 0))).toBe(false);
  expect(canGoOn(summary("playing", 0, 0))).toBe(false);
  expect(canGoOn(summary("playing", 1, 0))).toBe(true);
});

test("on one device it can, as long as one seat has not resigned", () => {
  rememberDevice(
    "mine",
    [0, 1, 2].map((each) => ({ seat: each, recovery: "r" })),
  );
  expect(canGoOn(summary("playing", 0, 0))).toBe(true);
  expect(canGoOn(summary("playing", 0, 0, 1, 2))).toBe(false);
  localStorage.removeItem("tuilerie.device.mine");
});

test("a solo game waits for nobody", () => {
  const table = { ...summary("playing", 0), players: 1, seats: [seat("Ana")] };
  expect(others(table as TableFacts)).toBe("alone");
});

test("after a resignation it says who it was, and ranks everybody without scores", () => {
  const { live, desk } = ended({ places: [2, 1], you: 1, resigned: [0] });
  const view = live.view.value!;
  const module = game as unknown as GameModule;
  view.result = { ...view.result!, reason: "resigned", scores: [] };
  const root = shown(
    <ResultPanel table={live} game={module} desk={desk as Desk} onClose={() => {}} />,
  );
  expect(root.textContent).toContain("Ana resigns.");
  expect(rows(root)).toEqual(["1 Bo", "2 Ana"]);
  expect(root.querySelector<HTMLElement>(".places")?.style.getPropertyValue("--columns")).toBe("1");
  expect(root.querySelector(".podium")).not.toBeNull();
});

test("the table stays as it is while the last count is shown", () => {
  const { desk } = ended({ places: [2, 1], you: 1 });
  const counting = signal(true);
  const module = { ...game, counting: () => counting.value } as unknown as GameModule;
  const root = shown(<Play game={module} desk={desk as Desk} kind="ended" top={null} />);
  expect(root.querySelector(".table")?.classList.contains("ended")).toBe(false);
  act(() => {
    counting.value = false;
  });
  expect(root.querySelector(".table")?.classList.contains("ended")).toBe(true);
});
