import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import fixture from "../fixtures/blockers.json";
import { game } from "../src/games/blockers";
import en from "../src/games/blockers/en.ftl?raw";
import fr from "../src/games/blockers/fr.ftl?raw";
import { cellAt, groupsOf, matches, partsWithout, pointOf } from "../src/games/blockers/grid";
import type { Model } from "../src/games/blockers/model";
import { readMove } from "../src/games/blockers/view";
import type { Desk } from "../src/games/types";
import { setLanguage, sharedWords, speak } from "../src/i18n";
import type { BlockersDrawn, BlockersEvent, BlockersView } from "../src/protocol";
import { quietTurn } from "./quietTurn";

const NAMES = ["Léa", "Marc", "Inès", "Tom", "Zoé"];
const scenes = fixture.scenes as unknown as {
  name: string;
  view: BlockersView;
  events: BlockersEvent[];
}[];

function scene(name: string) {
  const found = scenes.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return found;
}

/** A desk with a view, which records the board's moves. */
function sit(view: BlockersView, events: BlockersEvent[] = []) {
  const moves: string[] = [];
  const hints: string[] = [];
  const shown = signal(view);
  const sent = signal<string | null>(null);
  const desk: Desk<BlockersView> = {
    ...quietTurn,
    view: shown,
    fresh: signal(events),
    you: signal(view.viewer),
    names: signal(NAMES),
    labels: signal(NAMES),
    past: signal([]),
    may: signal(view.legal.length > 0),
    sent,
    secondsLeft: () => null,
    move: (text) => moves.push(text),
    people: signal([]),
    pointed: signal(null),
    now: () => 0,
    hint: (text) => hints.push(text),
  };
  const model = game.model(desk) as Model;
  const press = (...keys: string[]) =>
    act(() => {
      for (const key of keys) game.key?.(new KeyboardEvent("keydown", { key }), desk, model);
    });
  return { desk, model, moves, hints, shown, sent, press };
}

function seat(name: string) {
  const { view, events } = scene(name);
  return sit(view, events);
}

function draw(table: ReturnType<typeof sit>): HTMLElement {
  const host = document.createElement("div");
  const { desk, model } = table;
  act(() =>
    render(
      <>
        <game.Scores desk={desk} model={model} />
        <game.Board desk={desk} model={model} />
        <game.Hand desk={desk} model={model} />
        <game.TextBoard desk={desk} model={model} />
      </>,
      host,
    ),
  );
  return host;
}

beforeAll(() => speak(sharedWords, game.words));
beforeEach(() => setLanguage("en"));

describe("the grid", () => {
  test("a tile goes to its column, its row or its region; a joker anywhere", () => {
    expect(["b2", "bG", "b#7", "b*"].every((tile) => matches(tile, "G2"))).toBe(true);
    expect(["b7", "bA", "b#1"].some((tile) => matches(tile, "G2"))).toBe(false);
  });

  test("a point on the board is the cell whose middle is there, and none outside", () => {
    for (const cell of ["A1", "C3", "D4", "I9", "G2"]) expect(cellAt(pointOf(cell))).toBe(cell);
    expect(cellAt({ x: -5, y: 10 })).toBeNull();
  });

  test("the number of drawn groups equals the view's count", () => {
    for (const { view } of scenes) {
      const counts = view.options.colours.map((own) =>
        [...own]
          .map((colour) => Object.keys(view.board).filter((c) => view.board[c]?.[0] === colour))
          .reduce((sum, cells) => sum + groupsOf(cells).length, 0),
      );
      expect(counts).toEqual(view.groups);
    }
  });

  test("a matching but illegal capture would split a group", () => {
    let seen = 0;
    for (const { view } of scenes.filter((each) => each.view.legal.length > 0)) {
      const own = view.options.colours[view.viewer ?? 0] ?? "";
      const live = new Set(view.legal.map((text) => readMove(text).tile.charAt(0)));
      for (const tile of (view.rack ?? []).filter((each) => live.has(each.charAt(0)))) {
        for (const [cell, there] of Object.entries(view.board)) {
          if (own.includes(there.charAt(0)) || !matches(tile, cell)) continue;
          const splits = partsWithout(view.board, cell).length > 1;
          expect(view.legal.includes(`${tile}x${cell}`)).toBe(!splits);
          seen += splits ? 1 : 0;
        }
      }
    }
    expect(seen).toBeGreaterThan(5);
  });
});

describe("choosing and placing", () => {
  test("tap a tile, tap a cell, place", () => {
    const { model, moves, desk } = seat("middle");
    model.choose("g#6");
    const legal = desk.view.value.legal.filter((move) => move.startsWith("g#6"));
    expect([...model.targets.value.values()].map((move) => move.text)).toEqual(legal);
    model.tap("F7");
    expect(moves).toEqual([]);
    expect(model.place()).toBe(true);
    expect(moves).toEqual(["g#6-F7"]);
  });

  test("a capture is shown with the tile that it takes", () => {
    const { model, moves } = seat("middle");
    model.choose("gC");
    model.tap("C5");
    expect(model.ghost.value?.taken).toBe("y5");
    model.place();
    expect(moves).toEqual(["gCxC5"]);
  });

  test("tap a cell first: the tiles that may go there are marked", () => {
    const { model, moves } = seat("middle");
    model.tap("A9");
    expect([...model.fits.value].sort()).toEqual(["g#3", "rA"]);
    model.choose("rA");
    model.place();
    expect(moves).toEqual(["rA-A9"]);
  });

  test("the chosen tile is dropped when the view changes", () => {
    const { model, shown } = seat("middle");
    model.choose("gC");
    shown.value = { ...shown.value, number: shown.value.number + 1 };
    expect(model.tile.value).toBeNull();
  });

  test("nothing can be chosen out of turn", () => {
    const { model } = seat("end");
    model.choose(scene("end").view.rack?.[0] ?? "");
    expect(model.tile.value).toBeNull();
  });

  test("a tile without a move says why: its colour has stopped, or it has no cell", () => {
    const { model, hints } = seat("last turn");
    model.choose("gC");
    model.choose("rG");
    expect(hints[0]).toContain("Your green has stopped");
    expect(hints[1]).toContain("no cell for the red G");
    expect(model.tile.value).toBeNull();
  });

  test("when nothing fits, the chosen tile is discarded", () => {
    const { view } = scene("middle");
    const table = sit({ ...view, legal: (view.rack ?? []).map((tile) => `discard ${tile}`) });
    expect(game.banner(table.desk)).toContain("discard");
    const host = draw(table);
    table.press("3");
    expect(host.querySelector(".primary")?.textContent).toBe("Discard");
    table.press("Enter");
    expect(table.moves).toEqual(["discard g#2"]);
  });
});

describe("protected tiles explain themselves", () => {
  test("one's own", () => {
    const { model, hints } = seat("middle");
    model.choose("gC");
    model.tap("C7");
    expect(hints).toEqual(["Protected: the red star on C7 is your own."]);
  });

  test("one that holds its group together, with the pieces drawn", () => {
    const table = seat("middle");
    const host = draw(table);
    act(() => {
      table.model.choose("g#3");
      table.model.tap("B7");
    });
    expect(table.hints[0]).toMatch(/^Protected: .* would break into 2 pieces\.$/);
    expect(host.querySelectorAll(".blockers-part")).toHaveLength(2);
    expect(table.model.ghost.value).toBeNull();
  });

  test("a cell that does not match says where the tile goes", () => {
    const { model, hints } = seat("middle");
    model.choose("r#7");
    model.tap("A1");
    expect(hints[0]).toContain("the region of the moon");
  });
});

describe("keys", () => {
  test("numbers choose, arrows walk, Enter places", () => {
    const { press, model, moves } = seat("middle");
    press("0");
    expect(model.tile.value).toBe("r#7");
    press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft");
    expect(model.cursor.value).toBe("H3");
    press("Enter");
    expect(moves).toEqual(["r#7-H3"]);
  });

  test("Escape takes back, and the edge of the board holds", () => {
    const { press, model } = seat("middle");
    press("1", ..."ArrowUp ".repeat(9).trim().split(" "));
    expect(model.cursor.value).toBe("A5");
    press("Escape");
    expect(model.tile.value).toBeNull();
  });

  test("Enter on a protected tile explains it", () => {
    const { press, hints } = seat("middle");
    press("4", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "Enter");
    expect(hints[0]).toContain("Protected");
  });
});

describe("the table as it is drawn", () => {
  test("every tile shows the symbol of its region, and lit cells are the legal ones", () => {
    const table = seat("middle");
    const host = draw(table);
    const { board, legal } = table.desk.view.value;
    expect(host.querySelectorAll("[data-tile]")).toHaveLength(Object.keys(board).length);
    const symbols = Object.values(board).filter((tile) => tile.includes("#"));
    expect(host.querySelectorAll("[data-tile] .blockers-region")).toHaveLength(
      Object.keys(board).length - symbols.length, // a symbol tile shows that of its region itself
    );
    act(() => table.model.choose("g#3"));
    const count = (start: string) => legal.filter((move) => move.startsWith(start)).length;
    expect(host.querySelectorAll(".blockers-cell.target")).toHaveLength(count("g#3-"));
    expect(host.querySelectorAll(".blockers-capture")).toHaveLength(count("g#3x"));
    expect(host.querySelectorAll(".blockers-lock")).toHaveLength(2);
  });

  test("the last move is marked where the view says so", () => {
    const table = seat("middle");
    const host = draw(table);
    expect(host.querySelector("[data-last]")?.getAttribute("data-last")).toBe("E3");
    const { view } = scene("middle");
    act(() => {
      table.shown.value = { ...view, number: 99, last: null };
    });
    expect(host.querySelector("[data-last]")).toBeNull();
  });

  test("a pending move is drawn on the board", () => {
    const table = seat("middle");
    const host = draw(table);
    act(() => {
      table.sent.value = "r2-I2";
    });
    expect(host.querySelectorAll(".sent")).toHaveLength(1);
  });

  test("discards and what was seen of a rack are shown", () => {
    const { view } = scene("middle");
    const host = draw(sit({ ...view, discards: ["b7"], shown: [["b1", "bC"], []] }));
    const words = [...host.querySelectorAll(".blockers-shown .hidden")].map((e) => e.textContent);
    expect(words).toEqual(["blue 7", "blue 1 and blue C"]);
  });

  test("a spectator has no rack and no buttons", () => {
    const { view } = scene("middle");
    const host = draw(sit({ ...view, viewer: null, rack: null, legal: [] }));
    expect(host.querySelectorAll("button")).toHaveLength(0);
  });

  test("the text board has every tile, and where the chosen one may go", () => {
    const table = seat("middle");
    const host = draw(table);
    act(() => table.model.choose("gC"));
    const words = host.textContent ?? "";
    expect(words).toContain("green C may go to: C1. It may capture on: C2, C5, C6.");
    expect(host.querySelectorAll("table:last-of-type td")).not.toHaveLength(0);
    expect(words).toContain("Last tile: yellow E on E3");
  });
});

describe("words", () => {
  test("the last turn and a forced capture are announced", () => {
    expect(game.banner(seat("last turn").desk)).toBe("Your last turn: you must capture");
    const { view } = scene("last turn");
    expect(game.banner(sit({ ...view, viewer: 0, legal: [] }).desk)).toBe("Last turn of Marc");
    expect(game.banner(seat("middle").desk)).toBeNull();
  });

  test("moves are described with their effect on groups", async () => {
    const [captured] = scene("capture").events;
    expect(game.say(captured!, NAMES, 0)).toMatch(
      /^Léa lays the .* and captures the green triangle\./,
    );
    await setLanguage("fr");
    expect(game.say(captured!, NAMES, 0)).toMatch(/^Léa pose .* et capture le triangle vert\./);
    const laid: BlockersEvent = { kind: "laid", seat: 1, tile: "b#7", cell: "G2", groups: [] };
    expect(game.say(laid, NAMES, 0)).toBe("Marc pose la lune bleue en G2.");
  });

  test("a drawn tile is described only to its owner", () => {
    const drawn: BlockersDrawn = { kind: "drawn", seat: 1, colour: "g", tile: "g*" };
    expect(game.say(drawn, NAMES, 1)).toBe("You draw the green joker.");
    expect(game.say({ ...drawn, tile: null }, NAMES, 0)).toBeNull();
  });

  test("the result gives its reasons", () => {
    const { view, events } = scene("end");
    expect(game.score(view.result!.scores[0]!, view)).toBe(
      "13 = 8 groups + 5 captured in one colour",
    );
    const scored = events.filter((event) => event.kind === "scored");
    expect(game.say(scored[0]!, NAMES, 0)).toBe(
      "Léa: 8 groups and 5 captured (green, the most), 13 in all.",
    );
  });

  test("every event of a whole game has a text, in both languages", async () => {
    for (const lang of ["en", "fr"] as const) {
      await setLanguage(lang);
      for (const event of fixture.game as unknown as BlockersEvent[]) {
        const words = game.say(event, NAMES, 0);
        if (words !== null) expect(words).not.toMatch(/blockers-|\{|undefined/);
      }
    }
  });

  test("both languages have the same ids, and every id begins with the game's name", () => {
    const ids = (text: string) => [...text.matchAll(/^([a-z][\w-]*) =/gm)].map((found) => found[1]);
    expect(ids(fr)).toEqual(ids(en));
    expect(ids(en).every((id) => id?.startsWith("blockers-"))).toBe(true);
  });
});
