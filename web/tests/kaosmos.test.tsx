import { render } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import cards from "../../src/tuilerie/games/kaosmos/cards.json";
import fixture from "../fixtures/kaosmos.json";
import { game } from "../src/games/kaosmos";
import { CardArt } from "../src/games/kaosmos/CardArt";
import { filledFor } from "../src/games/kaosmos/count";
import { SHAPES } from "../src/games/kaosmos/frame";
import { type Position, withMove, withoutConfirmed } from "../src/games/kaosmos/position";
import { MARKERS } from "../src/games/kaosmos/view";
import { setLanguage, sharedWords, speak } from "../src/i18n";
import type { KaosmosEvent } from "../src/protocol";
import { announced } from "../src/ui/announce";
import { motion } from "../src/ui/settings";
import { deskOf, draw, drawn, NAMES, sceneOf, scenes } from "./kaosmosDesk";

beforeEach(async () => {
  motion.value = "full";
  await setLanguage("en");
  await speak(sharedWords, game.words);
});

afterEach(() => {
  vi.useRealTimers();
  document.body.textContent = "";
});

describe("optimistic moves", () => {
  test("agree with the server's galaxies through a whole game", () => {
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

  test("confirmed moves are removed, and others' moves confirm nothing", () => {
    const pending = ["put T01 a1 0", "put T01 a1 1", "lift T01"];
    const laid = (seat: number): KaosmosEvent => ({
      kind: "placed",
      seat,
      tile: "T01",
      slot: "a1",
      turns: 1,
      source: "a1",
      displaced: null,
    });
    expect(withoutConfirmed(pending, [laid(0)], 0)).toEqual(["lift T01"]);
    expect(withoutConfirmed(pending, [laid(1)], 0)).toEqual(pending);
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

  test("a laid tile swaps with another, and returns to the tray when dragged off", () => {
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

  test("when all moves are answered the view is drawn, also after a refusal", () => {
    const { model, sent } = deskOf("building begins");
    model.dropped(model.nine.value[0]!, "a1");
    expect(Object.keys(model.position.value.galaxy)).toEqual(["a1"]);
    sent.value = null;
    expect(model.position.value.galaxy).toEqual({});
  });

  test("moves that come before the timer starts wait for it, at tables of rules version 1", () => {
    vi.useFakeTimers();
    const { model, moves, timer } = deskOf("building begins");
    timer(61.5);
    model.dropped(model.nine.value[0]!, "a1");
    model.dropped(model.nine.value[1]!, "a2");
    expect(moves).toEqual([]);
    expect(Object.keys(model.position.value.galaxy)).toHaveLength(2);
    timer(60);
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

  test("a tile can be left out if the card requires it", () => {
    const { model, moves } = deskOf("trou-noir");
    const tile = model.position.value.supply[0]!;
    model.dropped(tile, "aside");
    expect(moves).toEqual([`leave ${tile}`]);
    expect(model.position.value.aside).toBe(tile);
  });

  test("bonus tiles are reserved together, which finishes the galaxy", () => {
    const early = deskOf("building begins");
    expect(early.model.finish()).toBe(false);
    const { model, moves, view, legal } = deskOf("complete");
    const free = (["orange", "green"] as const).filter((c) => view.value.bonuses[c] === null);
    for (const colour of free) model.toggleBonus(colour);
    expect(model.finish()).toBe(true);
    expect(legal).toContain(moves[0]);
    expect(moves[0]).toBe(`grab ${[...free].sort().join(" ")}`);
    expect(model.position.value.finished).toBe(true);
    model.tapSlot("a1");
    expect(moves).toHaveLength(1);
  });

  test("a player is shown as done while a race is not decided, and builds on if another was first", () => {
    vi.useFakeTimers();
    const { model, sent, view } = deskOf("complete");
    model.toggleBonus("green");
    model.finish();
    view.value = { ...view.value, number: view.value.number + 1 };
    expect(model.building.value).toBe(false);
    expect(model.reserving.value).toBe(false);
    sent.value = null; // another was first
    expect(model.building.value).toBe(true);
  });

  test("a pending 'done' is drawn as done", () => {
    const { model, sent, view } = deskOf("complete");
    expect(model.finish()).toBe(true);
    expect(model.position.value.finished).toBe(true);
    expect(model.reserving.value).toBe(false);
    view.value = { ...view.value, number: view.value.number + 1, locked: [view.value.viewer ?? 0] };
    sent.value = null;
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
    expect(table.legal).toContain(moves[0]);
    expect(model.building.value).toBe(false);
  });

  test("the warning is repeated after more building", () => {
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

  test("after done only bonus tiles can be reserved", async () => {
    vi.useFakeTimers();
    const table = deskOf("done");
    const { model, moves, legal } = table;
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
    expect(legal).toContain(moves[0]);
    await drawn();
    expect(root.querySelector(".kaosmos-done")?.textContent).not.toContain("still be reserved");
  });

  test("a new round clears the selected bonus tiles", () => {
    const { model, view } = deskOf("complete");
    model.toggleBonus("green");
    expect(model.wanted()).toEqual(["green"]);
    view.value = { ...view.value, round: view.value.round + 1, number: view.value.number + 1 };
    expect(model.wanted()).toEqual([]);
  });

  test("everything works with keys", () => {
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
    expect(root.querySelector(".rack [data-tile], .kaosmos-laid")).toBeNull();
    expect(root.querySelector(".rack button")).toBeNull();
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
    const { timer: seconds } = table.view.value;
    const shown = () => root.querySelector(".kaosmos-countdown b")?.textContent;
    table.timer(seconds! + 2.9);
    const root = draw(table);
    await drawn();
    expect(shown()).toBe("3");
    await drawn();
    await drawn();
    expect(announced.value.text).toContain("Ready?");
    table.timer(seconds! + 0.4);
    await drawn();
    expect(shown()).toBe("1");
    const later = sceneOf("building begins").view;
    table.view.value = { ...later, number: table.view.value.number };
    await drawn();
    expect(root.querySelector(".kaosmos-countdown")).toBeNull();
    expect(root.querySelectorAll(".rack.turned-up [data-tile]")).toHaveLength(9);
    expect(root.querySelector(".kaosmos-tile.down")).toBeNull();
  });

  test("the last count is shown until three seconds before the start, and not again", async () => {
    vi.useFakeTimers();
    const table = deskOf("ready after a count");
    const { timer: seconds } = table.view.value;
    table.timer(seconds! + 9.5);
    const root = draw(table);
    await drawn();
    expect(root.querySelector(".kaosmos-count")).not.toBeNull();
    expect(root.querySelector(".kaosmos-timer.starts")?.textContent).toContain("10");
    expect(root.querySelector(".kaosmos-countdown")).toBeNull();
    table.timer(seconds! + 2.8);
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

  test("the selection is cleared with the packet", () => {
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
    const { model, moves, legal } = deskOf("transfer");
    model.choices.shift();
    const offered = legal.find((move) => !move.endsWith(" 0"))!.split(" ");
    const [source, target] = [offered[1] as "green", offered[2] as "blue"];
    model.choices.transfer.value = { source, target, points: model.choices.most(source, target) };
    model.choices.shift();
    expect(moves).toHaveLength(2);
    for (const move of moves) expect(legal).toContain(move);
  });
});

describe("the count", () => {
  test("is shown line by line, then for the others, and can be skipped", () => {
    vi.useFakeTimers();
    const { desk, model } = deskOf("count");
    const you = model.seat.value;
    expect(model.count.now.value).toMatchObject({ line: 0, playing: true });
    vi.advanceTimersByTime(1300);
    expect(model.count.now.value).toMatchObject({ seat: you, line: 1 });
    expect(game.heading?.(desk, model)).toBe("Count, round 1");
    while (model.count.now.value?.seat === you) vi.advanceTimersByTime(100);
    expect(model.count.now.value).toMatchObject({ playing: true, all: false });
    vi.advanceTimersByTime(60_000);
    expect(model.count.now.value).toMatchObject({ playing: false, all: true });
    expect(game.counting?.(model)).toBe(true);
    model.count.end();
    expect(game.counting?.(model)).toBe(false);
    expect(model.count.now.value).toBeNull();
  });

  test("tells no score before its line", () => {
    vi.useFakeTimers();
    const { model, view } = deskOf("count");
    const { counts, players } = view.value;
    const you = model.seat.value;
    const next = (you + 1) % players;
    const begun = (seat: number) => counts[seat]!.before;
    expect(model.count.markersOf(next)).toEqual(begun(next));
    const [first] = model.count.lines.value;
    const own = begun(you)[first!.marker] + first!.points;
    expect(model.count.markersOf(you)?.[first!.marker]).toBe(own);
    model.count.hold(you);
    expect(model.count.markersOf(you)).toEqual(begun(you));
    model.count.begin();
    while (model.count.now.value?.seat === you) vi.advanceTimersByTime(100);
    expect(model.count.markersOf(you)).toEqual(counts[you]!.after);
    vi.advanceTimersByTime(60_000);
    expect(model.count.markersOf(next)).toBeNull(); // all of it is told
  });

  test("tells no score before its count with reduced motion, nor when a count is looked up", () => {
    vi.useFakeTimers();
    for (const setting of ["reduce", "full"] as const) {
      motion.value = setting;
      const { model, view } = deskOf("count");
      const { counts, players } = view.value;
      const you = model.seat.value;
      const [next, last] = [(you + 1) % players, (you + players - 1) % players];
      if (setting === "full") model.count.show(you);
      expect(model.count.markersOf(you)).toEqual(counts[you]!.after);
      for (const seat of [next, last]) {
        expect(model.count.markersOf(seat)).toEqual(counts[seat]!.before);
        expect(model.count.waits(seat)).toBe(true);
      }
      model.count.show(last);
      expect([you, next, last].map((seat) => model.count.markersOf(seat))).toEqual([
        counts[you]!.after,
        counts[next]!.before,
        counts[last]!.after,
      ]);
      model.count.compare();
      expect(model.count.markersOf(next)).toBeNull();
      model.count.end();
      model.count.show(you); // the last count again
      expect(model.count.waits(next)).toBe(false);
      expect(model.count.markersOf(next)).toBeNull();
      model.count.end();
    }
  });

  test("says how many tiles were placed at random for a seat", () => {
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

  test("is not animated with reduced motion", () => {
    motion.value = "reduce";
    const { model } = deskOf("count");
    expect(model.count.now.value?.playing).toBe(false);
  });

  test("goes from player to player, and then compares what each has gained", async () => {
    vi.useFakeTimers();
    motion.value = "reduce";
    const table = deskOf("count");
    const { counts, players } = table.view.value;
    const root = draw(table);
    const next = () => root.querySelector<HTMLElement>(".kaosmos-count .primary")!.click();
    for (let told = 0; told < players; told++) {
      expect(root.querySelectorAll(".kaosmos-turn-to")).toHaveLength(players);
      const gained = root.querySelector(".kaosmos-title b")?.textContent;
      const { before, after } = counts[table.model.seat.value]!;
      const sum = MARKERS.reduce((all, marker) => all + after[marker] - before[marker], 0);
      expect(gained).toBe(sum > 0 ? `+${sum}` : `${sum}`);
      next();
      await drawn();
    }
    expect(root.querySelectorAll(".kaosmos-galaxies li")).toHaveLength(players);
    const totals = [...root.querySelectorAll(".kaosmos-compared strong")].map((each) =>
      Number(each.textContent),
    );
    expect(totals).toHaveLength(players);
    expect(totals).toEqual([...totals].sort((one, two) => two - one));
    next();
    await drawn();
    expect(root.querySelector(".kaosmos-count")).toBeNull();
  });

  test("each card has a drawing of its own", () => {
    const drawings = cards.map(({ id: card }) => {
      const root = document.createElement("div");
      render(<CardArt card={card} />, root);
      return root.innerHTML;
    });
    expect(drawings).toHaveLength(20);
    expect(new Set(drawings).size).toBe(20);
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

  test("every event of a whole game has a text or needs none", async () => {
    await setLanguage(code);
    const silent = new Set<string>();
    for (const event of fixture.game as unknown as KaosmosEvent[]) {
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

describe("moments that are shown once", () => {
  const next = (table: ReturnType<typeof deskOf>, events: KaosmosEvent[]) => {
    table.fresh.value = events;
    table.view.value = { ...table.view.value, number: table.view.value.number + 1 };
  };

  test("when time is up, tiles laid at random are shown before the count", async () => {
    vi.useFakeTimers();
    const table = deskOf("count");
    table.model.count.end();
    const root = draw(table);
    const you = table.desk.you.value!;
    const slots = Object.keys(table.view.value.counts[you]!.galaxy).slice(0, 5);
    const puts = slots.map((slot, index): [string, string, number] => [`T0${index + 1}`, slot, 0]);
    next(table, [
      { kind: "time-up" },
      { kind: "filled", seat: you, taken: [], puts },
      { kind: "counted" } as KaosmosEvent,
    ]);
    await drawn();
    const words = root.querySelector(".kaosmos-time-up")?.textContent;
    expect(words).toContain("Time is up");
    expect(words).toContain("5 tiles were placed at random");
    expect(root.querySelectorAll(".kaosmos-chance > g")).toHaveLength(5);
    expect(game.counting?.(table.model)).toBe(true); // no result covers it
    expect(root.querySelector(".kaosmos-count, .kaosmos-turn-to")).toBeNull();
    root.querySelector<HTMLElement>(".kaosmos-time-up .primary")!.click();
    await drawn();
    expect(root.querySelector(".kaosmos-time-up")).toBeNull();
    expect(root.querySelector(".kaosmos-count")).not.toBeNull();
  });

  test("clocks wait until the count and the next card were seen", async () => {
    vi.useFakeTimers();
    const table = deskOf("count");
    const seen = vi.fn();
    Object.assign(table.desk, { seen });
    table.model.count.end();
    seen.mockClear();
    const root = draw(table);
    next(table, [{ kind: "counted" } as KaosmosEvent, { kind: "card", card: "trou-noir" }]);
    await drawn();
    expect(root.querySelector(".kaosmos-reveal")).toBeNull();
    table.model.count.end();
    await drawn();
    expect(root.querySelector(".kaosmos-reveal")?.textContent).toContain("Black Hole");
    expect(root.querySelectorAll(".kaosmos-card-shape rect")).toHaveLength(8);
    expect(seen).not.toHaveBeenCalled();
    root.querySelector<HTMLElement>(".kaosmos-reveal")!.click();
    await drawn();
    expect(seen).toHaveBeenCalledOnce();
    expect(root.querySelector(".kaosmos-reveal")).toBeNull();
  });

  test("beside a card lie the tiles that wait for the timer", async () => {
    vi.useFakeTimers();
    const table = deskOf("ready");
    const root = draw(table);
    next(table, [{ kind: "card", card: "breche" }]);
    await drawn();
    expect(root.querySelector(".kaosmos-reveal")).not.toBeNull();
    expect(root.querySelectorAll(".kaosmos-unseen .kaosmos-tile.down")).toHaveLength(9);
    expect(root.querySelector(".kaosmos-unseen p:last-child")?.textContent).toContain("9 tiles");
    expect(root.querySelector(".rack [data-tile]")).toBeNull();
  });

  test("a card goes away by itself, or with the first tile that is chosen", async () => {
    vi.useFakeTimers();
    for (const away of [
      () => vi.advanceTimersByTime(12_000),
      (table: ReturnType<typeof deskOf>) => table.model.pick(table.view.value.packet![0]!),
    ]) {
      const table = deskOf("draft");
      const root = draw(table);
      next(table, [{ kind: "card", card: "breche" }]);
      await drawn();
      expect(root.querySelector(".kaosmos-reveal")).not.toBeNull();
      away(table);
      await drawn();
      expect(root.querySelector(".kaosmos-reveal")).toBeNull();
    }
  });

  test("a card never covers a galaxy that is being built", async () => {
    vi.useFakeTimers();
    const table = deskOf("building begins");
    const root = draw(table);
    next(table, [{ kind: "card", card: "loterie" }]);
    await drawn();
    expect(root.querySelector(".kaosmos-reveal")).toBeNull();
  });
});
