import { computed, signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import fixture from "../fixtures/genial.json";
import { stillDesk } from "../src/app/desk";
import { Play } from "../src/app/Play";
import { game } from "../src/games/genial";
import { badgesOf, HintTiles } from "../src/games/genial/Hints";
import { cellsOf, linesFrom, nearest, pointOf, step } from "../src/games/genial/hex";
import { Model } from "../src/games/genial/model";
import { laidPairs } from "../src/games/genial/pairs";
import { COLOURS, legalMoves } from "../src/games/genial/view";
import type { Desk, GameModule } from "../src/games/types";
import { sharedWords, speak } from "../src/i18n";
import type { GenialEvent, GenialView, HintFacts, PlayView } from "../src/protocol";

const NAMES = ["Ana", "Bo", "Cy", "Di"];
const scene = (name: string) => fixture.scenes.find((each) => each.name === name)!;
const viewOf = (name: string) => scene(name).view as unknown as GenialView;

function deskFor(name: string, move = vi.fn()) {
  const view = signal(viewOf(name));
  const fresh = signal(scene(name).events as unknown as GenialEvent[]);
  const desk = stillDesk(
    game,
    { view: view as never, fresh, names: signal(NAMES) },
    move,
  ) as Desk<GenialView>;
  return { desk, view, move };
}

beforeAll(() => speak(sharedWords, game.words));
let mounted: HTMLElement | null = null;
afterEach(() => {
  if (mounted) render(null, mounted);
  mounted = null;
});

describe("the board's geometry", () => {
  test.each([
    [5, 91],
    [6, 127],
    [7, 169],
  ])("radius %i has %i cells", (radius, cells) => {
    expect(cellsOf(radius).length).toBe(cells);
  });

  test("names cells as the notation does", () => {
    expect(pointOf("h8")).toEqual({ x: 0, y: -0 });
    expect(step("h8", 0, 5)).toBe("h9");
    expect(step("h8", 5, 5)).toBe("i9");
    expect(step("h8", 4, 5)).toBe("i8");
    expect(step("h13", 0, 5)).toBe(null);
  });

  test("finds the cell under a point", () => {
    for (const cell of cellsOf(7)) {
      const { x, y } = pointOf(cell);
      expect(nearest({ x: x + 3, y: y - 3 }, 7)).toBe(cell);
    }
    expect(nearest({ x: 400, y: 0 }, 7)).toBe(null);
  });
});

test("the drawn lines agree with the points of the rules", () => {
  const view = viewOf("middle of four");
  for (const colour of COLOURS) {
    for (const [cell, points] of Object.entries(view.points?.[colour] ?? {})) {
      const lines = linesFrom(view.symbols, cell, colour, view.radius, -1);
      expect(lines.reduce((sum, line) => sum + line.cells.length, 0)).toBe(points);
    }
  }
});

test.each(fixture.scenes.map((each) => each.name))("lists the moves of the rules: %s", (name) => {
  expect(legalMoves(viewOf(name))).toEqual(scene(name).legal);
});

test("with the option adjacent, legal moves touch laid tiles; other seats have none", () => {
  const view = { ...viewOf("middle"), near: ["h8"] };
  expect(legalMoves(view).length).toBeLessThan(legalMoves(viewOf("middle")).length);
  expect(legalMoves(view).every((move) => move.split(" ").includes("h8"))).toBe(true);
  expect(legalMoves({ ...view, viewer: null, hand: null })).toEqual([]);
});

test("the badges of hints do not lie over each other", () => {
  const same = { first: "h8", second: "h9" };
  const moves = [same, { first: "h9", second: "h8" }, same, { first: "i9", second: "h9" }];
  const badges = badgesOf(moves);
  expect(badges.length).toBe(4);
  badges.forEach((badge, index) => {
    for (const other of badges.slice(index + 1)) {
      expect(Math.hypot(badge.x - other.x, badge.y - other.y)).toBeGreaterThan(9.2);
    }
  });
});

test("hints are drawn instead of the tile in hand, and then those for the tile that is chosen", () => {
  const { desk, view } = deskFor("middle");
  const hints = signal<HintFacts[]>([]);
  const model = new Model({ ...desk, hints });
  const tiles = view.value.hand ?? [];
  const move = (tile: string | undefined) =>
    legalMoves(view.value).find((m) => m.startsWith(`${tile} `));
  model.choose(0);
  const of = [move(tiles[0]), move(tiles[1])].map((each) => ({
    move: each ?? "",
    value: 0.5,
    margin: null,
  }));
  hints.value = of;
  expect(model.tile.value).toBeNull();
  const root = document.createElement("div");
  const drawn = () => {
    const chosen = model.tile.value;
    act(() => render(<HintTiles desk={{ hints }} chosen={chosen} />, root));
    return [...root.querySelectorAll(".hint-badge text")].map((each) => each.textContent).sort();
  };
  expect(drawn()).toEqual(["1", "2"]);
  model.choose(1);
  expect(model.tile.value).toBe(tiles[1]);
  expect(drawn()).toEqual(["2"]);
});

describe("two halves are one tile", () => {
  const placed = (first: string, second: string): GenialEvent => ({
    kind: "placed",
    seat: 0,
    tile: "RB",
    first,
    second,
  });
  const symbols = { h8: "R", h9: "B", i9: "G", i10: "Y" } as const;

  test("if they were laid together", () => {
    const past: GenialEvent[] = [
      placed("h8", "h9"),
      { kind: "kept", seat: 0 },
      placed("i9", "i10"),
    ];
    expect(laidPairs(past, symbols)).toEqual([
      ["h8", "h9"],
      ["i9", "i10"],
    ]);
    expect(laidPairs([], symbols)).toEqual([]);
  });

  test("not if the tile was taken back or replaced", () => {
    expect(laidPairs([placed("a1", "a2")], symbols)).toEqual([]);
    expect(laidPairs([placed("h8", "i9"), placed("h8", "h9")], symbols)).toEqual([["h8", "h9"]]);
  });
});

describe("a tile in hand", () => {
  test("every legal move can be made, with the points of the view", () => {
    const { desk, view } = deskFor("middle");
    const model = new Model(desk);
    const seen = new Set<string>();
    for (let index = 0; index < (view.value.hand?.length ?? 0); index++) {
      model.chosen.value = index;
      for (const cell of cellsOf(view.value.radius)) {
        for (let way = 0; way < 6; way++) {
          model.at.value = cell;
          model.way.value = way;
          const move = model.ghost.value?.move;
          if (move) seen.add(move);
        }
      }
    }
    expect([...seen].sort()).toEqual(legalMoves(view.value).sort());
  });

  test("turns only to legal positions", () => {
    const { desk, view } = deskFor("first turn");
    const model = new Model(desk);
    model.choose(0);
    const [, first = ""] = (legalMoves(view.value)[0] ?? "").split(" ");
    expect(model.set(first, true)).toBe(true);
    for (let i = 0; i < 7; i++) {
      model.turn(1);
      expect(model.ghost.value?.move).toBeTruthy();
    }
  });

  test("turning reaches every legal position on a cell, with either half on it", () => {
    const { desk, view } = deskFor("middle");
    const model = new Model(desk);
    const tile = view.value.hand?.findIndex((each) => each.charAt(0) !== each.charAt(1)) ?? -1;
    model.choose(tile);
    const own = legalMoves(view.value).filter((move) =>
      move.startsWith(`${view.value.hand?.[tile]} `),
    );
    for (const cell of new Set(own.map((move) => move.split(" ")[1] ?? ""))) {
      expect(model.set(cell, true)).toBe(true);
      const seen = new Set<string | null | undefined>();
      for (let i = 0; i < 12; i++) {
        model.turn(1);
        seen.add(model.ghost.value?.move);
      }
      const wanted = own.filter((move) => move.split(" ").includes(cell));
      expect([...seen].sort()).toEqual(wanted.sort());
    }
  });

  test("a second tap turns it around the cell that was touched, a tap on its other half flips it", () => {
    const { desk, view } = deskFor("middle");
    const model = new Model(desk);
    const tile = view.value.hand?.findIndex((each) => each.charAt(0) !== each.charAt(1)) ?? -1;
    model.choose(tile);
    const [, cell = ""] = (
      legalMoves(view.value).find((move) => move.startsWith(`${view.value.hand?.[tile]} `)) ?? ""
    ).split(" ");
    model.tap(cell);
    const { first, second } = model.ghost.value!;
    expect(first).toBe(cell);
    model.tap(second);
    expect(model.ghost.value).toMatchObject({ first: second, second: first });
    model.tap(cell);
    expect([model.ghost.value?.first, model.ghost.value?.second]).toContain(cell);
  });

  test("explains an illegal cell", () => {
    const { desk } = deskFor("first turn");
    const hint = vi.spyOn(desk, "hint");
    const model = new Model(desk);
    model.choose(0);
    expect(model.set("h8", true)).toBe(false);
    expect(model.ghost.value).toBe(null);
    expect(hint).toHaveBeenCalledOnce();
  });

  test("is dropped when the position changes", () => {
    const { desk, view } = deskFor("middle");
    const model = new Model(desk);
    model.choose(2);
    view.value = viewOf("end");
    expect(model.chosen.value).toBe(null);
  });
});

describe("the table", () => {
  function show(name: string) {
    const made = deskFor(name);
    const root = document.createElement("div");
    document.body.replaceChildren(root);
    mounted = root;
    act(() => {
      render(
        <Play game={game as unknown as GameModule} desk={made.desk as never} top={null} />,
        root,
      );
    });
    return { root, ...made };
  }
  const press = (key: string) =>
    act(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });

  test("a tile is chosen, moved, turned and placed by keys alone", () => {
    const { move, view } = show("middle");
    press("2");
    press("n");
    press("r");
    press("Enter");
    expect(move).toHaveBeenCalledOnce();
    expect(legalMoves(view.value)).toContain(move.mock.calls[0]?.[0]);
  });

  test("keys move the focus from the hand to the board, so that Enter lays the tile", () => {
    const { root, move } = show("middle");
    const tile = root.querySelector<HTMLButtonElement>(".rack button")!;
    tile.focus();
    act(() => {
      tile.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
    });
    expect(document.activeElement?.id).toBe("genial-board");
    press("n");
    press("Enter");
    expect(move).toHaveBeenCalledOnce();
  });

  test("a hint disappears when the view changes", () => {
    const { root, desk, view } = show("middle");
    act(() => desk.hint("Not here."));
    expect(root.querySelector(".toast")?.textContent).toBe("Not here.");
    act(() => {
      view.value = { ...view.value, number: view.value.number + 1 };
    });
    expect(root.querySelector(".toast")).toBe(null);
  });

  test("the choice to swap is offered, with its keys", () => {
    const { root, move } = show("swap");
    expect(root.querySelectorAll(".genial-swap button").length).toBe(2);
    expect(root.querySelector(".banner")?.textContent).toBeTruthy();
    press("k");
    expect(move).toHaveBeenCalledWith("keep");
  });

  test("a bonus turn shows a banner", () => {
    const { root } = show("bonus");
    expect(root.querySelector(".banner")?.textContent).toContain("Génial");
    expect(root.querySelector(".genial-party")).toBeTruthy();
  });

  test.each(fixture.scenes.map((each) => each.name))("draws the scene: %s", (name) => {
    const { root, view } = show(name);
    const cells = cellsOf(view.value.radius).length;
    expect(root.querySelectorAll(".genial-cell").length).toBe(cells);
    expect(root.querySelectorAll(".genial-cell.taken").length).toBe(
      Object.keys(view.value.symbols).length,
    );
    expect(root.querySelectorAll(".genial-tracks").length).toBe(view.value.tracks.length);
    expect(root.querySelectorAll(".genial-tracks .decides").length).toBeGreaterThan(0);
  });

  test("a view of a spectator has no hand", () => {
    const { root, view } = show("middle");
    act(() => {
      view.value = { ...view.value, viewer: null, hand: null, points: null };
    });
    expect(root.querySelector(".hand")).toBe(null);
  });
});

test("every event of a whole game has a text or none", () => {
  const said = (fixture.game as unknown as GenialEvent[]).map((event) =>
    game.say(event, NAMES, null),
  );
  const words = said.filter((line): line is string => line !== null);
  expect(words.length).toBeGreaterThan(60);
  expect(words.filter((line) => line.includes("genial-") || line.includes("{"))).toEqual([]);
});

test("no action is possible in a view without legal moves", () => {
  const view = computed(() => viewOf("end") as PlayView);
  const desk = stillDesk(game, { view, fresh: signal([]), names: signal(NAMES) }, vi.fn());
  expect(desk.may.value).toBe(false);
});

test("a result tells what counts: the lowest marker, in a duel the colours won", () => {
  const view = viewOf("end");
  const own = { R: 3, Y: -2, B: 9, G: -9, P: 1, O: 0 };
  expect(game.score(own, view)).toBe(
    "lowest colour: -9, then -2\u00a0· 0\u00a0· 1\u00a0· 3\u00a0· 9",
  );
  const duel = { ...view, options: { ...view.options, variant: "duel" as const } };
  expect(game.score(own, duel)).toBe("3 colours won, lowest -9");
});
