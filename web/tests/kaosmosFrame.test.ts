import { describe, expect, test } from "vitest";
import cardsJson from "../../src/tuilerie/games/kaosmos/cards.json";
import tilesJson from "../../src/tuilerie/games/kaosmos/tiles.json";
import { layout, outline, placeAt, SHAPES, shapeOf, wayAlong } from "../src/games/kaosmos/frame";
import { CARD_SHAPES, TILES } from "../src/games/kaosmos/tiles";
import { scenes } from "./kaosmosDesk";

describe("the data of the package", () => {
  test("the client's tiles are those of the package", () => {
    expect(Object.entries(TILES).map(([id, { cells, arms }]) => ({ id, cells, arms }))).toEqual(
      tilesJson,
    );
  });

  test("the shapes that cards give are known", () => {
    const shapes = cardsJson.filter((card) => card.effect === "shape");
    expect(CARD_SHAPES).toEqual(Object.fromEntries(shapes.map(({ id, shape }) => [id, shape])));
  });

  test("each shape has the slots where tiles may be put", () => {
    for (const { view, legal } of scenes.filter(
      ({ view }) => view.phase === "building" && view.actors.includes(view.viewer ?? -1),
    )) {
      const puts = legal.filter((move) => move.startsWith("put"));
      const slots = new Set(puts.map((move) => move.split(" ")[2]));
      expect([...slots].sort()).toEqual([...SHAPES[shapeOf(view.card)]].sort());
    }
  });
});

describe("the frame", () => {
  test("an outline runs around a zone once, inside its fields", () => {
    const all = layout("square", null);
    expect(outline(all, [["a1", "NW"]]).match(/M/g)).toHaveLength(1);
    const two = outline(all, [
      ["a1", "NE"],
      ["b1", "NW"],
    ]);
    expect(two.match(/M/g)).toHaveLength(1);
    expect(two.match(/Q/g)).toHaveLength(4);
  });

  test("a row is broken in two, and its path continues", () => {
    const all = layout("row", null);
    expect(all.places).toHaveLength(10);
    expect(wayAlong(all, ["d1", "e1", "f1"]).match(/M/g)).toHaveLength(2);
    expect(placeAt(all, "row", 20, 20)?.slot).toBe("a1");
    expect(placeAt(all, "row", 20, 75)?.slot).toBe("e1");
  });
});
