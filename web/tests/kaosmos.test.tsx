import { signal } from "@preact/signals";
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import cardsJson from "../../src/tuilerie/games/kaosmos/cards.json";
import tilesJson from "../../src/tuilerie/games/kaosmos/tiles.json";
import fixture from "../fixtures/kaosmos.json";
import { game } from "../src/games/kaosmos";
import { layout, outline, placeAt, SHAPES, shapeOf, wayAlong } from "../src/games/kaosmos/frame";
import { Model } from "../src/games/kaosmos/model";
import { type Position, withMove, withoutHeard } from "../src/games/kaosmos/position";
import { CARD_SHAPES, TILES } from "../src/games/kaosmos/tiles";
import type { KaosmosEvent, KaosmosView } from "../src/games/kaosmos/view";
import type { Desk } from "../src/games/types";
import { setLanguage, sharedWords, speak } from "../src/i18n";
import type { GameEvent } from "../src/live/wire";
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
  const moves: string[] = [];
  let left: number | null = null;
  const desk: Desk<KaosmosView> = {
    view,
    fresh,
    sent,
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
  return { desk, model, view, fresh, sent, moves, glass };
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
    for (const { view } of scenes.filter((each) => each.view.phase === "building")) {
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

  test("moves that come before the glass is turned wait for it", () => {
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

  test("bonus tiles are taken all at once when done, not before the galaxy is complete", () => {
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
    const { model, sent, view } = deskOf("complete");
    model.toggleBonus("green");
    model.finish();
    sent.value = null;
    view.value = { ...view.value, number: view.value.number + 1 };
    expect(model.building.value).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(model.building.value).toBe(true);
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
    const root = document.createElement("div");
    const { Board, Hand, Scores, TextBoard } = game;
    render(
      <>
        <Board desk={desk} model={model} />
        <Hand desk={desk} model={model} />
        <Scores desk={desk} model={model} />
        <TextBoard desk={desk} model={model} />
      </>,
      root,
    );
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
