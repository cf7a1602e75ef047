import { render } from "preact";
import { beforeAll, expect, test, vi } from "vitest";
import { CLOCKS, clockName } from "../src/app/clocks";
import { GUESTS, labelOf } from "../src/app/desk";
import { cards, GAMES, gameCards, levelLine, levelName, usualLevel } from "../src/app/levels";
import { Markdown } from "../src/app/Markdown";
import { seatNames, seatNotes } from "../src/app/Replay";
import { parse } from "../src/app/router";
import { timeLeft } from "../src/games/common/Scores";
import { refusalText, setLanguage, sharedWords, speak, t } from "../src/i18n";
import en from "../src/i18n/en.ftl?raw";
import fr from "../src/i18n/fr.ftl?raw";
import { api } from "../src/live/api";
import type { GameFacts, Problem } from "../src/protocol";
import { lang, level, motion, moves, theme } from "../src/ui/settings";

beforeAll(() => speak(sharedWords));

test.each([
  ["/", { page: "home" }],
  ["/t/abc", { page: "table", slug: "abc" }],
  ["/lobby", { page: "lobby" }],
  ["/games", { page: "games" }],
  ["/learn/genial", { page: "learn", game: "genial" }],
  ["/rules/kaosmos", { page: "rules", game: "kaosmos" }],
  ["/replay", { page: "replay", slug: null, at: null }],
  ["/r/abc", { page: "replay", slug: "abc", at: null }],
  ["/account", { page: "account", back: null }],
  ["/nowhere", { page: "lost" }],
  ["/t/a/b", { page: "lost" }],
  ["/rules/chess", { page: "lost" }],
  ["/learn/chess", { page: "lost" }],
])("%s leads to its page", (path, page) => {
  expect(parse(path)).toEqual(page);
});

test("a move can be shared by its address", () => {
  expect(parse("/r/abc", "?at=12")).toEqual({ page: "replay", slug: "abc", at: 12 });
});

test.each(["-1", "1.5", "x"])("an invalid move number is not in the route: %s", (at) => {
  const found = parse("/r/abc", `?at=${at}`);
  expect(found).toEqual({ page: "replay", slug: "abc", at: null });
});

test("the account page returns only to a table", () => {
  expect(parse("/account", "?table=a-b_1")).toEqual({ page: "account", back: "/t/a-b_1" });
  for (const bad of ["//evil.example", "../x", "https://evil.example", ""]) {
    const search = `?${new URLSearchParams({ table: bad })}`;
    expect(parse("/account", search)).toEqual({ page: "account", back: null });
  }
});

test("a refusal becomes a sentence in the user's language", async () => {
  const refusal = { code: "illegal", rule: "cell-occupied", params: { cell: "h8" } };
  await setLanguage("en");
  expect(refusalText(refusal)).toContain("h8");
  const english = refusalText(refusal);
  await setLanguage("fr");
  expect(refusalText(refusal)).not.toBe(english);
  expect(document.documentElement.lang || lang.value).toBe("fr");
  await setLanguage("en");
});

test("an unknown rule is shown by its name", () => {
  expect(refusalText({ code: "x", rule: "brand-new", params: {} })).toContain("brand-new");
});

test.each(["en", "fr"] as const)("people count seats from one (%s)", async (code) => {
  await setLanguage(code);
  const said = (rule: string, params: Problem["params"]) =>
    refusalText({ code: "x", rule, params });
  expect(said("taken-over", { seat: 0 })).toMatch(/(seat|siège) 1 /);
  expect(said("turn-not-ended", { seat: 1 })).toContain("2");
  expect(said("seats-open", { open: 1 })).toContain("1");
  await setLanguage("en");
});

test("plurals follow the language", async () => {
  expect(t("bots-count", { count: 1 })).toBe("1 bot");
  expect(t("bots-count", { count: 3 })).toBe("3 bots");
});

test("reduced motion is respected and can be chosen", () => {
  motion.value = "reduce";
  expect(moves()).toBe(false);
  motion.value = "full";
  expect(moves()).toBe(true);
  motion.value = "system";
});

test("bot levels and their descriptions come from the server", () => {
  const words = (text: string) => ({ en: text, fr: `${text} (fr)` });
  const made = (id: string, at: number) => ({
    id,
    number: at + 1,
    word: words("Easy"),
    name: words(id.toUpperCase()),
    line: words(`${id} plays.`),
  });
  cards.value = [
    {
      name: "genial",
      levels: ["clay", "terracotta", "glaze", "stone"].map(made),
    } as unknown as GameFacts,
  ];
  expect(levelName("genial", "clay")).toBe("1 · Easy · CLAY");
  expect(levelLine("genial", "clay")).toBe("clay plays.");
  expect(levelName("genial", "unheard-of")).toBe("unheard-of");
  level.value = "";
  expect(usualLevel("genial")).toBe("terracotta");
  level.value = "stone";
  expect(usualLevel("genial")).toBe("stone");
  expect(usualLevel("blockers")).toBe("");
  expect(seatNames("genial", ["Léa", "clay 2", "clay 2"])).toEqual(["Léa", "Bot 2", "clay 2"]);
  expect(seatNotes("genial", ["Léa", "clay 2"])).toEqual(["", "1 · Easy · CLAY"]);
});

test("the games have the same order everywhere", async () => {
  cards.value = [];
  const made = ["kaosmos", "new", "genial", "blockers"].map((name) => ({ name }));
  vi.spyOn(api, "games").mockResolvedValue(made as unknown as GameFacts[]);
  await gameCards();
  expect(cards.value.map(({ name }) => name)).toEqual([...GAMES, "new"]);
  vi.restoreAllMocks();
});

test("who gave no name is 'you' to themself, in whatever language the table was begun", async () => {
  const guest = (words: string) => /^guest = (.+)$/m.exec(words)?.[1];
  expect(GUESTS).toEqual([guest(en), guest(fr)]);
  expect(labelOf("Joueur", true)).toBe("You");
  expect(labelOf("Joueur", false)).toBe("Joueur");
  expect(labelOf("Léa", true)).toBe("Léa");
});

test("settings are kept", () => {
  theme.value = "dark";
  expect(localStorage.getItem("tuilerie.theme")).toBe("dark");
  theme.value = "system";
});

test("the rule texts' Markdown becomes elements, never markup", () => {
  const root = document.createElement("div");
  const text = "# A\n\n- **b** and `c`\n- <img src=x>\n\n| x | y |\n|---|---|\n| 1 | 2 |\n";
  render(<Markdown text={text} game="genial" />, root);
  expect(root.querySelector("h1")?.textContent).toBe("A");
  expect(root.querySelectorAll("li").length).toBe(2);
  expect(root.querySelector("strong")?.textContent).toBe("b");
  expect(root.querySelector("img")).toBe(null);
  expect(root.querySelectorAll("td").length).toBe(2);
});

test("remaining time is formatted as m:ss", async () => {
  await setLanguage("en");
  expect([9, 99, 100, 605, 7199, 7200, 86_400].map(timeLeft)).toEqual([
    "0:09",
    "1:39",
    "1:40",
    "10:05",
    "119:59",
    "2 h",
    "24 h",
  ]);
});

test("every clock has its own text", () => {
  const names = Object.values(CLOCKS).map(clockName);
  expect(new Set(names).size).toBe(names.length);
  expect(names.join(" ")).not.toMatch(/clock-|\$/);
});
