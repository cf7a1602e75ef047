import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import cardsJson from "../../src/tuilerie/games/kaosmos/cards.json";
import tilesJson from "../../src/tuilerie/games/kaosmos/tiles.json";
import fixture from "../fixtures/kaosmos.json";
import { game } from "../src/games/kaosmos";
import { filledFor } from "../src/games/kaosmos/count";
import { layout, outline, placeAt, SHAPES, shapeOf, wayAlong } from "../src/games/kaosmos/frame";
import { Model } from "../src/games/kaosmos/model";
import { type Position, withMove, withoutHeard } from "../src/games/kaosmos/position";
import { CARD_SHAPES, TILES } from "../src/games/kaosmos/tiles";
import type { KaosmosEvent, KaosmosView } from "../src/games/kaosmos/view";
import type { Desk } from "../src/games/types";
import { setLanguage, sharedWords, speak } from "../src/i18n";
import type { GameEvent } from "../src/live/wire";
import { announced } from "../src/ui/announce";
import { motion } from "../src/ui/settings";

interface Scene {
  name: string;
  view: KaosmosView;
  events: GameEvent[];
}

const scenes = fixture.scenes as unknown as Scene[];
const NAMES = ["Léa", "Marc", "Inès", "Tom", "Zoé", "Ali"];

function sceneOf(name: string): Scene {
  const found = scenes.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return structuredClone(found);
}

/** A desk as at a live table: moves are on their way until `answer` is called. */
function deskOf(name: string) {
  const scene = sceneOf(name);
  const view = signal(scene.view);
  const fresh = signal<GameEvent[]>(scene.events);
  const sent = signal<string | null>(null);
  const claim = signal<string | null>(null);
  const moves: string[] = [];
  let left: number | null = null;
  const desk: Desk<KaosmosView> = {
    view,
    fresh,
    sent,
    claim,
    you: signal(scene.view.viewer),
    names: signal(NAMES),
    labels: signal(NAMES),
    past: signal([]),
    may: signal(scene.view.legal.length > 0),
    secondsLeft: () => left,
    move: (text) => {
      moves.push(text);
      sent.value = text;
    },
    hint: () => undefined,
  };
  const model = new Model(desk);
  const glass = (seconds: number) => {
    left = seconds;
  };
  return { desk, model, view, fresh, sent, claim, moves, glass };
}

/** The parts of a table, drawn. */
function draw({ desk, model }: Pick<ReturnType<typeof deskOf>, "desk" | "model">): HTMLElement {
  const root = document.createElement("div");
  document.body.append(root);
  const { Board, Hand, Scores, TextBoard } = game;
  const parts = (
    <>
      <Board desk={desk} model={model} />
      <Hand desk={desk} model={model} />
      <Scores desk={desk} model={model} />
      <TextBoard desk={desk} model={model} />
    </>
  );
  void act(() => render(parts, root));
  return root;
}

/** A moment later, with all that is drawn anew in it. */
async function drawn(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(150);
  });
}

beforeEach(async () => {
  motion.value = "full";
  await setLanguage("en");
  await speak(sharedWords, game.words);
});

afterEach(() => {
  vi.useRealTimers();
  document.body.textContent = "";
});

describe("the data of the package", () => {
  test("the tiles are drawn as they are", () => {
    expect(Object.entries(TILES).map(([id, { cells, arms }]) => ({ id, cells, arms }))).toEqual(
      tilesJson,
    );
  });

  test("the shapes that cards give are known", () => {
    const shapes = cardsJson.filter((card) => card.effect === "shape");
    expect(CARD_SHAPES).toEqual(Object.fromEntries(shapes.map(({ id, shape }) => [id, shape])));
  });

  test("each shape has the slots where tiles may be put", () => {
    for (const { view } of scenes.filter(
      ({ view }) => view.phase === "building" && view.actors.includes(view.viewer ?? -1),
    )) {
      const puts = view.legal.filter((move) => move.startsWith("put"));
      const slots = new Set(puts.map((move) => move.split(" ")[2]));
      expect([...slots].sort()).toEqual([...SHAPES[shapeOf(view.card)]].sort());
    }
  });
});

describe("drawing moves before they are answered", () => {
  test("ends where the server's own galaxies end, through a whole game", () => {
    let seats: Position[] = [];
    let counted = 0;
    for (const event of fixture.game as unknown as KaosmosEvent[]) {
      if (event.kind === "supplied") {
        seats[event.seat] = { galaxy: {}, supply: [], aside: null, finished: false };
      } else if (event.kind === "placed") {
        const move = `put ${event.tile} ${event.slot} ${event.turns}`;
        seats[event.seat] = withMove(seats[event.seat]!, move);
      } else if (event.kind === "counted") {
        expect(seats[event.seat]?.galaxy).toEqual(event.count.galaxy);
        counted++;
      } else if (event.kind === "round") seats = [];
    }
    expect(counted).toBe(15);
  });

  test("a tile that is covered goes back to the supply, and one that is left out comes back", () => {
    const first: Position = { galaxy: {}, supply: ["T01", "T02"], aside: null, finished: false };
    const moves = ["put T01 a1 0", "put T02 a1 3", "leave T01", "leave T02", "lift T02"];
    const [laid, covered, out, swapped] = moves.map((_, index) =>
      moves.slice(0, index + 1).reduce(withMove, first),
    );
    expect(laid).toMatchObject({ galaxy: { a1: ["T01", 0] }, supply: ["T02"] });
    expect(covered).toMatchObject({ galaxy: { a1: ["T02", 3] }, supply: ["T01"] });
    expect(out).toMatchObject({ supply: [], aside: "T01" });
    expect(swapped).toMatchObject({ galaxy: {}, supply: ["T01"], aside: "T02" });
    expect(withMove(first, "grab green").finished).toBe(true);
  });

  test("what is heard is no longer drawn twice, and others' moves settle nothing", () => {
    const pending = ["put T01 a1 0", "put T01 a1 1", "lift T01"];
    const heard = (seat: number): KaosmosEvent => ({
      kind: "placed",
      seat,
      tile: "T01",
      slot: "a1",
      turns: 1,
      source: "a1",
      displaced: null,
    });
    expect(withoutHeard(pending, [heard(0)], 0)).toEqual(["lift T01"]);
    expect(withoutHeard(pending, [heard(1)], 0)).toEqual(pending);
  });
});

describe("building", () => {
  test("tap a tile, tap a slot, tap again to turn: nothing waits for an answer", () => {
    const { model, moves } = deskOf("building begins");
    const [first, second] = model.nine.value as [string, string];
    model.tapTray(first);
    model.tapSlot("a1");
    model.tapSlot("a1");
    model.tapTray(second);
    model.tapTray(second);
    model.tapSlot("b2");
    expect(moves).toEqual([`put ${first} a1 0`, `put ${first} a1 1`, `put ${second} b2 1`]);
    expect(model.position.value.galaxy).toEqual({ a1: [first, 1], b2: [second, 1] });
    expect(model.position.value.supply).toHaveLength(7);
  });

  test("a tile that lies changes places with another, and goes back when pulled off", () => {
    const { model, moves } = deskOf("building begins");
    const [first, second] = model.nine.value as [string, string];
    model.dropped(first, "a1");
    model.dropped(second, "b1");
    model.dropped(first, "b1");
    expect(moves.slice(2)).toEqual([`put ${first} b1 0`, `put ${second} a1 0`]);
    model.dropped(second, "supply");
    expect(model.position.value.galaxy).toEqual({ b1: [first, 0] });
    model.dropped(second, null);
    expect(moves).toHaveLength(5);
  });

  test("when all is answered the view is drawn, also after a refusal", () => {
    const { model, sent } = deskOf("building begins");
    model.dropped(model.nine.value[0]!, "a1");
    expect(Object.keys(model.position.value.galaxy)).toEqual(["a1"]);
    sent.value = null;
    expect(model.position.value.galaxy).toEqual({});
  });

  test("moves that come before the timer starts wait for it, at tables of rules version 1", () => {
    vi.useFakeTimers();
    const { model, moves, glass } = deskOf("building begins");
    glass(61.5);
    model.dropped(model.nine.value[0]!, "a1");
    model.dropped(model.nine.value[1]!, "a2");
    expect(moves).toEqual([]);
    expect(Object.keys(model.position.value.galaxy)).toHaveLength(2);
    glass(60);
    vi.advanceTimersByTime(1600);
    expect(moves).toHaveLength(2);
  });

  test("a tile is not turned where the card forbids it", () => {
    const { model, moves } = deskOf("gyroscope-bloque");
    const slot = Object.keys(model.position.value.galaxy)[0]!;
    model.tapSlot(slot);
    expect(moves).toEqual([]);
    expect(model.chosen.value).toBe(model.position.value.galaxy[slot]?.[0]);
  });

  test("a tile can be left out where the card wants one out", () => {
    const { model, moves } = deskOf("trou-noir");
    const tile = model.position.value.supply[0]!;
    model.dropped(tile, "aside");
    expect(moves).toEqual([`leave ${tile}`]);
    expect(model.position.value.aside).toBe(tile);
  });

  test("bonus tiles are reserved all at once, and a finished galaxy is done by it", () => {
    const early = deskOf("building begins");
    expect(early.model.finish()).toBe(false);
    const { model, moves, view } = deskOf("complete");
    const free = (["orange", "green"] as const).filter((c) => view.value.bonuses[c] === null);
    for (const colour of free) model.toggleBonus(colour);
    expect(model.finish()).toBe(true);
    expect(view.value.legal).toContain(moves[0]);
    expect(moves[0]).toBe(`grab ${[...free].sort().join(" ")}`);
    expect(model.position.value.finished).toBe(true);
    model.tapSlot("a1");
    expect(moves).toHaveLength(1);
  });

  test("whoever asks for a bonus tile stays done until it is settled who gets it", () => {
    vi.useFakeTimers();
    const { model, sent, claim, view } = deskOf("complete");
    model.toggleBonus("green");
    model.finish();
    claim.value = "grab green";
    sent.value = null;
    view.value = { ...view.value, number: view.value.number + 1 };
    expect(model.building.value).toBe(false);
    expect(model.reserving.value).toBe(false);
    claim.value = null; // another was first
    expect(model.building.value).toBe(true);
  });

  test("a 'done' that is held is drawn as done until it is settled", () => {
    const { model, sent, claim, view } = deskOf("complete");
    expect(model.finish()).toBe(true);
    claim.value = "done";
    sent.value = null;
    expect(model.position.value.finished).toBe(true);
    expect(model.reserving.value).toBe(false);
    view.value = { ...view.value, number: view.value.number + 1, locked: [view.value.viewer ?? 0] };
    claim.value = null;
    expect(model.position.value.finished).toBe(true);
    expect(model.outbox.pending.value).toEqual([]);
  });

  test("bonus tiles are reserved with an unfinished galaxy only by a second press", async () => {
    vi.useFakeTimers();
    const table = deskOf("building");
    const { model, moves } = table;
    const colour = (["green", "blue", "orange"] as const).find(
      (each) => table.view.value.bonuses[each] === null,
    )!;
    const root = draw(table);
    const button = () => root.querySelector<HTMLButtonElement>(".kaosmos-finish > .button")!;
    expect(button().disabled).toBe(true);
    model.toggleBonus(colour);
    await drawn();
    expect(button().textContent).toBe("Reserve the bonus tile");
    button().click();
    await drawn();
    expect(moves).toEqual([]);
    expect(root.querySelector("[role=alert]")?.textContent).toContain("placed at random");
    button().click();
    expect(moves).toEqual([`grab ${colour}`]);
    expect(table.view.value.legal).toContain(moves[0]);
    expect(model.building.value).toBe(false);
  });

  test("whoever goes on building after the warning is warned again", () => {
    const { model, moves } = deskOf("building begins");
    model.toggleBonus("blue");
    model.finish();
    expect(model.warned.value).toBe(true);
    model.dropped(model.nine.value[0]!, "a1");
    expect(model.warned.value).toBe(false);
    model.finish();
    expect(moves).toHaveLength(1);
    model.finish();
    expect(moves.at(-1)).toBe("grab blue");
  });

  test("a galaxy that has just been finished needs no second press", () => {
    const { model, moves } = deskOf("building begins");
    for (const [index, tile] of [...model.nine.value].entries()) {
      model.dropped(tile, SHAPES[model.shape.value][index]!);
    }
    model.toggleBonus("blue");
    model.finish();
    expect(moves.at(-1)).toBe("grab blue");
  });

  test("who is done can still reserve bonus tiles, and change nothing else", async () => {
    vi.useFakeTimers();
    const table = deskOf("done");
    const { model, moves, view } = table;
    const root = draw(table);
    expect(model.building.value).toBe(false);
    expect(root.querySelector(".kaosmos-done")?.textContent).toContain("still be reserved");
    expect(root.querySelectorAll(".kaosmos-tile:not(:disabled)")).toHaveLength(0);
    model.tapSlot(Object.keys(model.position.value.galaxy)[0]!);
    expect(moves).toEqual([]);
    root.querySelector<HTMLButtonElement>(".kaosmos-bonus:not(:disabled)")!.click();
    await drawn();
    root.querySelector<HTMLButtonElement>(".kaosmos-finish > .button")!.click();
    expect(moves).toHaveLength(1);
    expect(view.value.legal).toContain(moves[0]);
    await drawn();
    expect(root.querySelector(".kaosmos-done")?.textContent).not.toContain("still be reserved");
  });

  test("a new round begins without a wish for a bonus tile, also where it begins with building", () => {
    const { model, view } = deskOf("complete");
    model.toggleBonus("green");
    expect(model.wanted()).toEqual(["green"]);
    view.value = { ...view.value, round: view.value.round + 1, number: view.value.number + 1 };
    expect(model.wanted()).toEqual([]);
  });

  test("keys do all of it", () => {
    const { desk, model, moves } = deskOf("building begins");
    const press = (key: string) => game.key?.(new KeyboardEvent("keydown", { key }), desk, model);
    const tile = model.nine.value[2];
    for (const key of [
      "3",
      "ArrowDown",
      "ArrowDown",
      "Enter",
      "r",
      "Enter",
      "ArrowRight",
      "Enter",
    ]) {
      expect(press(key)).toBe(true);
    }
    press("Delete");
    expect(moves).toEqual([
      `put ${tile} a2 0`,
      `put ${tile} a2 1`,
      `put ${tile} b2 1`,
      `lift ${tile}`,
    ]);
  });
});

describe("before the timer starts", () => {
  test("nine tiles lie face down, and nothing can be picked up", () => {
    const table = deskOf("ready");
    const root = draw(table);
    expect(root.querySelectorAll(".kaosmos-tile.down .kaosmos-back")).toHaveLength(9);
    expect(root.querySelector(".kaosmos-tray [data-tile], .kaosmos-laid")).toBeNull();
    expect(root.querySelector(".kaosmos-tray button")).toBeNull();
    for (const key of ["1", "Enter", "g", "d"]) {
      game.key?.(new KeyboardEvent("keydown", { key }), table.desk, table.model);
    }
    table.model.tapSlot("a1");
    expect(table.moves).toEqual([]);
    expect(table.model.bonus.value).toEqual([]);
    expect(root.textContent).toContain("9 tiles, face down until the timer starts");
  });

  test("three, two, one; then the tiles are turned up", async () => {
    vi.useFakeTimers();
    const table = deskOf("ready");
    const { glass: seconds } = table.view.value;
    const shown = () => root.querySelector(".kaosmos-countdown b")?.textContent;
    table.glass(seconds! + 2.9);
    const root = draw(table);
    await drawn();
    expect(shown()).toBe("3");
    await drawn();
    await drawn();
    expect(announced.value.text).toContain("Ready?");
    table.glass(seconds! + 0.4);
    await drawn();
    expect(shown()).toBe("1");
    const later = sceneOf("building begins").view;
    table.view.value = { ...later, number: table.view.value.number };
    await drawn();
    expect(root.querySelector(".kaosmos-countdown")).toBeNull();
    expect(root.querySelectorAll(".kaosmos-tray.turned-up [data-tile]")).toHaveLength(9);
    expect(root.querySelector(".kaosmos-tile.down")).toBeNull();
  });

  test("the last count is shown until three seconds before the start, and not again", async () => {
    vi.useFakeTimers();
    const table = deskOf("ready after a count");
    const { glass: seconds } = table.view.value;
    table.glass(seconds! + 9.5);
    const root = draw(table);
    await drawn();
    expect(root.querySelector(".kaosmos-count")).not.toBeNull();
    expect(root.querySelector(".kaosmos-glass.starts")?.textContent).toContain("10");
    expect(root.querySelector(".kaosmos-countdown")).toBeNull();
    table.glass(seconds! + 2.8);
    await drawn();
    expect(root.querySelector(".kaosmos-count")).toBeNull();
    expect(root.querySelector(".kaosmos-countdown b")?.textContent).toBe("3");
    table.view.value = { ...table.view.value, phase: "building" };
    await drawn();
    expect(root.querySelector(".kaosmos-count")).toBeNull();
  });
});

describe("draft and choices", () => {
  test("three tiles are kept; a fourth takes the place of the first", () => {
    const { model, moves, view } = deskOf("draft");
    const packet = view.value.packet!;
    expect(model.choices.keep()).toBe(false);
    for (const tile of [packet[5], packet[2], packet[8], packet[0]]) model.pick(tile!);
    expect(model.choices.keep()).toBe(true);
    expect(moves).toEqual([`keep ${packet[0]} ${packet[2]} ${packet[8]}`]);
  });

  test("what was picked of a packet that is gone is forgotten", () => {
    const { model, view } = deskOf("draft");
    const packet = view.value.packet!;
    for (const tile of packet.slice(0, 3)) model.pick(tile);
    view.value = { ...view.value, number: view.value.number + 3, packet: packet.slice(2, 8) };
    expect(model.choices.picked.value).toEqual([packet[2]]);
  });

  test("a tile of the next player is picked to turn", () => {
    const { model, moves, view } = deskOf("interference");
    expect(model.seat.value).not.toBe(view.value.viewer);
    model.tapSlot("b2");
    expect(model.choices.interfere()).toBe(true);
    expect(moves).toEqual(["turn b2"]);
  });

  test("points are moved, or left", () => {
    const { model, moves, view } = deskOf("transfer");
    model.choices.shift();
    const offered = view.value.legal.find((move) => !move.endsWith(" 0"))!.split(" ");
    const [source, target] = [offered[1] as "green", offered[2] as "blue"];
    model.choices.transfer.value = { source, target, points: model.choices.most(source, target) };
    model.choices.shift();
    expect(moves).toHaveLength(2);
    for (const move of moves) expect(view.value.legal).toContain(move);
  });
});

describe("the count", () => {
  test("is told line by line, then for the others, and can be skipped", () => {
    vi.useFakeTimers();
    const { model } = deskOf("count");
    const you = model.seat.value;
    expect(model.count.now.value).toMatchObject({ line: 0, playing: true });
    vi.advanceTimersByTime(1300);
    expect(model.count.now.value).toMatchObject({ seat: you, line: 1 });
    vi.advanceTimersByTime(60_000);
    expect(model.count.now.value?.playing).toBe(false);
    expect(model.count.now.value?.seat).not.toBe(you);
    expect(game.telling?.(model)).toBe(true);
    model.count.end();
    expect(game.telling?.(model)).toBe(false);
    expect(model.count.now.value).toBeNull();
  });

  test("says how many tiles chance has laid for a seat in that round", () => {
    const round: KaosmosEvent = { kind: "round", round: 2, direction: "left", phase: "draw" };
    const filled = (seat: number, count: number): KaosmosEvent => ({
      kind: "filled",
      seat,
      taken: [],
      puts: Array.from({ length: count }, () => ["T01", "a1", 0]),
    });
    const counted = { kind: "counted" } as KaosmosEvent;
    const past = [filled(0, 5), counted, round, filled(0, 2), filled(1, 0), counted];
    expect(filledFor(past, 0)).toBe(2);
    expect(filledFor([...past, round], 0)).toBe(2);
    expect(filledFor(past, 1)).toBe(0);
    expect(filledFor(past.slice(0, 2), 0)).toBe(5);
    expect(filledFor([], 0)).toBe(0);
  });

  test("moves nothing for those who want no movement", () => {
    motion.value = "reduce";
    const { model } = deskOf("count");
    expect(model.count.now.value?.playing).toBe(false);
  });

  test("gives every point of every seat a reason", () => {
    const { model, view } = deskOf("end");
    for (const count of view.value.counts) {
      model.count.show(count.seat);
      const sum = (marker: string) =>
        model.count.lines.value
          .filter((line) => line.marker === marker)
          .reduce((total, line) => total + line.points, 0);
      for (const marker of ["green", "blue", "orange", "star"] as const) {
        expect(sum(marker)).toBe(count.after[marker] - count.before[marker]);
      }
    }
  });
});

describe("the frame", () => {
  test("an outline runs around a zone once, inside its fields", () => {
    const all = layout("square", false, null);
    expect(outline(all, [["a1", "NW"]]).match(/M/g)).toHaveLength(4);
    const two = outline(all, [
      ["a1", "NE"],
      ["b1", "NW"],
    ]);
    expect(two.match(/M/g)).toHaveLength(6);
  });

  test("a row is broken in two on a narrow screen, and its path goes on", () => {
    const all = layout("row", true, null);
    expect(all.places).toHaveLength(10);
    expect(wayAlong(all, ["d1", "e1", "f1"]).match(/M/g)).toHaveLength(2);
    expect(placeAt(all, "row", 20, 20)?.slot).toBe("a1");
    expect(placeAt(all, "row", 20, 75)?.slot).toBe("e1");
  });
});

describe.each(["en", "fr"] as const)("in %s", (code) => {
  test.each(scenes.map((scene) => scene.name))("the scene '%s' is drawn in words", async (name) => {
    await setLanguage(code);
    const { desk, model } = deskOf(name);
    const root = draw({ desk, model });
    const said = root.innerHTML.replace(/(class|id)="[^"]*"/g, "");
    expect(said).not.toMatch(/kaosmos-|colour-|card-[a-z]+-|NaN|undefined/);
    expect(root.querySelectorAll("h3").length).toBeGreaterThan(2);
    model.count.end();
    render(null, root);
  });

  test("every event of a whole game has words, or wants none", async () => {
    await setLanguage(code);
    const silent = new Set<string>();
    for (const event of fixture.game as unknown as GameEvent[]) {
      const words = game.say(event, NAMES, null);
      if (words === null) silent.add(event.kind);
      else expect(words).not.toMatch(/kaosmos-|colour-|card-[a-z]+-|undefined|NaN/);
    }
    expect([...silent].sort()).toEqual(["drawn", "passed", "phase", "supplied"]);
  });

  test("the score is explained", async () => {
    await setLanguage(code);
    const { view } = sceneOf("end");
    const words = game.score(view.result!.scores[0]!, view);
    expect(words).toContain(String(view.result?.scores[0]?.score));
    expect(words).not.toContain("kaosmos-");
  });
});
