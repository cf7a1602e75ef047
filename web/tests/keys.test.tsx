import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import blockers from "../fixtures/blockers.json";
import genial from "../fixtures/genial.json";
import kaosmos from "../fixtures/kaosmos.json";
import { stillDesk } from "../src/app/desk";
import { Play } from "../src/app/Play";
import { loadGame } from "../src/games";
import type { GameModule } from "../src/games/types";
import { has, setLanguage, sharedWords, speak } from "../src/i18n";
import type { PlayView } from "../src/protocol";

/** A position of each game in which a tile can be placed. */
const SCENES = {
  genial: genial.scenes.find((each) => each.name === "middle"),
  blockers: blockers.scenes.find((each) => each.name === "middle"),
  kaosmos: kaosmos.scenes.find((each) => each.name === "building begins"),
};
const GAMES = Object.keys(SCENES) as (keyof typeof SCENES)[];

let root: HTMLElement;
let modules: Record<string, GameModule>;

beforeAll(async () => {
  await setLanguage("en");
  modules = Object.fromEntries(
    await Promise.all(GAMES.map(async (name) => [name, await loadGame(name)])),
  );
  await speak(sharedWords, ...Object.values(modules).map((game) => game.words));
});
afterEach(() => void render(null, root));

function sit(name: keyof typeof SCENES, show: (draw: () => void) => unknown = act) {
  const move = vi.fn();
  const view = signal(SCENES[name]?.view as unknown as PlayView);
  const names = signal(["Ana", "Bo", "Cy"]);
  root = document.createElement("div");
  document.body.replaceChildren(root);
  const desk = stillDesk(modules[name]!, { view, fresh: signal([]), names }, move);
  void show(() => render(<Play game={modules[name]!} desk={desk} top={null} />, root));
  return move;
}

function press(key: string, on: Element = document.activeElement ?? document.body): void {
  act(() => {
    const event = new KeyboardEvent("keydown", {
      key,
      shiftKey: /^[A-Z]$/.test(key),
      bubbles: true,
      cancelable: true,
    });
    const free = on.dispatchEvent(event);
    // What a browser does with Enter on a button that nobody has taken.
    if (free && key === "Enter" && on instanceof HTMLButtonElement) on.click();
  });
}

const tiles = () => [...root.querySelectorAll<HTMLButtonElement>(".rack .tile")];
const chosen = () => tiles().findIndex((tile) => tile.classList.contains("on"));
const cursor = () => root.querySelector(".cursor")?.outerHTML ?? null;

/** A walk over the board that comes to each cell of a large square, from its middle. */
function* spiral(): Generator<string> {
  const ways = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
  for (let side = 0; side < 20; side++) {
    for (let i = 0; i <= side / 2; i++) yield ways[side % 4]!;
  }
}

/** Walk on until the key makes a move; the arrows that it took. */
function walkAnd(key: string, move: ReturnType<typeof vi.fn>): string[] {
  const arrows: string[] = [];
  for (const arrow of spiral()) {
    arrows.push(arrow);
    press(arrow);
    press(key);
    if (move.mock.calls.length > 0) break;
  }
  return arrows;
}

/** A new table with the cursor where the second tile may go. */
function sitThere(game: keyof typeof SCENES) {
  const first = sit(game);
  press("2");
  const arrows = walkAnd("Enter", first);
  void render(null, root);
  const move = sit(game);
  for (const arrow of arrows) press(arrow);
  return move;
}

test.each(GAMES)("%s: a key that is pressed before the first paint is not lost", (game) => {
  sit(game, (draw) => draw()); // without its effects, which come after the paint
  press("2");
  expect(chosen()).toBe(1);
});

test.each(GAMES)("%s: a digit chooses a tile, once and again; Escape puts it back", (game) => {
  sit(game);
  for (const key of ["2", "2"]) {
    press(key);
    expect(chosen()).toBe(1);
  }
  press("3");
  expect(chosen()).toBe(2);
  press("Escape");
  expect(chosen()).toBe(-1);
});

test.each(GAMES)("%s: arrows move the cursor there and back, Escape hides it", (game) => {
  sit(game);
  press("ArrowDown");
  const first = cursor();
  press("ArrowRight");
  expect(cursor()).not.toBe(first);
  press("ArrowLeft");
  expect(cursor()).toBe(first);
  for (const key of ["2", "Escape"]) press(key);
  expect(cursor()).toBe(first);
  press("Escape");
  expect(cursor()).toBeNull();
});

test.each(GAMES.flatMap((game) => ["Enter", " "].map((key) => [game, key] as const)))(
  "%s: a tile is chosen, the cursor walks, '%s' places it",
  (game, key) => {
    const move = sit(game);
    press("2");
    walkAnd(key, move);
    expect(move).toHaveBeenCalledOnce();
    expect(SCENES[game]?.legal).toContain(move.mock.calls[0]?.[0]);
  },
);

test.each(GAMES)("%s: the cursor first, then a tile, then Enter", (game) => {
  const move = sitThere(game);
  for (const key of ["2", "Enter"]) press(key);
  expect(move).toHaveBeenCalledOnce();
});

test.each(GAMES)("%s: Enter on the chosen tile of the hand places it at the cursor", (game) => {
  const move = sitThere(game);
  tiles()[1]?.focus();
  press("Enter");
  expect(chosen()).toBe(1);
  expect(move).not.toHaveBeenCalled();
  press("Enter");
  expect(move).toHaveBeenCalledOnce();
});

test.each(GAMES)("%s: r turns the chosen tile, R turns it back, where it can be turned", (game) => {
  sit(game);
  press("2");
  const looks = () => tiles()[1]?.innerHTML.replace(/ class="[a-z-]*turning"/, ' class=""');
  const before = looks();
  press("r");
  if (game === "blockers") expect(looks()).toBe(before);
  else expect(looks()).not.toBe(before);
  press("R");
  expect(looks()).toBe(before);
});

test.each(GAMES)("%s: the list of keys describes them", (game) => {
  const keys = modules[game]?.keys ?? [];
  const listed = keys.map(([, words]) => words);
  const turns = game === "blockers" ? [] : ["key-turn"];
  expect(listed.slice(0, 4 + turns.length)).toEqual([
    "key-choose",
    "key-cursor",
    "key-place",
    ...turns,
    "key-cancel",
  ]);
  expect(listed.filter((words) => !has(words))).toEqual([]);
});
