import { expect, test } from "vitest";
import { applyChanges, viewsOf } from "../src/live/changes";
import type { Replayed } from "../src/protocol";

const VIEW = {
  turn: 1,
  last: null as string | null,
  board: { h8: "R", h9: "B" },
  seats: [{ points: 3 }, { points: 4 }],
};

test("a value is set, also to null and to a list", () => {
  expect(applyChanges(VIEW, { turn: [2], last: ["h8"] })).toEqual({ ...VIEW, turn: 2, last: "h8" });
  expect(applyChanges<typeof VIEW>({ ...VIEW, last: "h8" }, { last: [null] }).last).toBe(null);
  expect(applyChanges({ hand: ["RB"] }, { hand: [["RB", "YY"]] }).hand).toEqual(["RB", "YY"]);
  expect(applyChanges<string[] | null>(null, [["RB"]])).toEqual(["RB"]);
});

test("a key is added or removed", () => {
  const board: Record<string, string> = VIEW.board;
  expect(applyChanges(board, { i9: ["G"], h8: null })).toEqual({ h9: "B", i9: "G" });
});

test("a list is entered by index, and stays a list", () => {
  const { seats } = applyChanges(VIEW, { seats: { 1: { points: [9] } } });
  expect(seats).toEqual([{ points: 3 }, { points: 9 }]);
  expect(Array.isArray(seats)).toBe(true);
});

test("values are not mutated, and unchanged parts are shared", () => {
  const before = structuredClone(VIEW);
  const after = applyChanges(VIEW, { seats: { 1: { points: [9] } } });
  expect(VIEW).toEqual(before);
  expect(after.board).toBe(VIEW.board);
  expect(after.seats[0]).toBe(VIEW.seats[0]);
});

test("no change is the same value", () => {
  expect(applyChanges(VIEW, {})).toEqual(VIEW);
});

test("a replay has a view before its first step and one after each", () => {
  const steps = [{ changes: { turns: [1] } }, { changes: { turns: [2], bonus: [1] } }];
  const replayed = { start: { turns: 0, bonus: 0 }, steps } as unknown as Replayed;
  expect(viewsOf(replayed)).toEqual([
    { turns: 0, bonus: 0 },
    { turns: 1, bonus: 0 },
    { turns: 2, bonus: 1 },
  ]);
});
