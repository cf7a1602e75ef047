import { beforeAll, expect, test } from "vitest";
import { cards } from "../src/app/levels";
import { handsOf, momentAt, momentsOf } from "../src/app/moments";
import { levelAbove } from "../src/app/Result";
import { game } from "../src/games/blockers";
import type { GameModule } from "../src/games/types";
import type { GameFacts, Replayed, SeatView, TableView } from "../src/protocol";

const blockers = game as unknown as GameModule;

/** Two hands are dealt; then a tile is laid and another drawn, twice. */
const record = {
  hands: [[], []],
  steps: [
    { events: [{ kind: "dealt", seat: 0 }], hands: [["b1"], []] },
    { events: [{ kind: "dealt", seat: 1 }], hands: [["b1"], ["r1"]] },
    { events: [{ kind: "laid", seat: 0 }], hands: [[], ["r1"]] },
    { events: [{ kind: "drawn", seat: 0 }], hands: [["b2"], ["r1"]] },
    { events: [{ kind: "laid", seat: 1 }], hands: null },
    { events: [], hands: null },
  ],
} as unknown as Replayed;

test("a replay stops at decisions, each with what was drawn after it", () => {
  const moments = momentsOf(blockers, record);
  expect(moments.map(({ step }) => step)).toEqual([0, 4, 6]);
  expect(moments.map(({ decision }) => decision?.seat)).toEqual([undefined, 0, 1]);
});

test("a link leads to the first moment that has made so many steps", () => {
  const moments = momentsOf(blockers, record);
  expect([0, 1, 4, 5, 6, 99].map((step) => momentAt(moments, step))).toEqual([0, 1, 1, 2, 2, 2]);
});

test("a record without a decision has one moment: its end", () => {
  const steps = record.steps.slice(0, 2);
  expect(momentsOf(blockers, { ...record, steps })).toEqual([{ step: 2, end: 0, decision: null }]);
});

test("hands are those after the last step that changed them", () => {
  const hands = handsOf(record);
  expect(hands?.[0]).toEqual([[], []]);
  expect(hands?.[6]).toEqual([["b2"], ["r1"]]);
  expect(handsOf({ ...record, hands: null })).toBeNull();
});

beforeAll(() => {
  const levels = ["clay", "terracotta", "glaze"].map((id) => ({ id }));
  cards.value = [{ name: "genial", levels } as unknown as GameFacts];
});

const PERSON = { kind: "person", level: null };

test.each([
  [["clay"], "terracotta"],
  [["terracotta", "terracotta"], "glaze"],
  [["glaze"], null],
  [["clay", "glaze"], null],
  [["clay", null], null],
  [[], null],
])("after a win against %j the next level is %s", (levels, next) => {
  const others = levels.map((level) => (level ? { kind: "bot", level } : PERSON));
  const seats = [PERSON, ...others] as SeatView[];
  expect(levelAbove({ game: "genial", seats } as TableView, 0)).toBe(next);
  expect(levelAbove({ game: "genial", seats } as TableView, null)).toBeNull();
});
