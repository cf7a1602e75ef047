import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FluentBundle, FluentResource } from "@fluent/bundle";
import { describe, expect, test } from "vitest";
import refusals from "../fixtures/refusals.json";
import { refusalText, setLanguage, sharedWords, speak } from "../src/i18n";
import type { Problem } from "../src/protocol";
import type { Lang } from "../src/ui/settings";

const SRC = join(import.meta.dirname, "../src");
const LANGUAGES = ["en", "fr"];

/** Every set of words: the same path with `xx` for the language. */
function sets(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" });
  return [
    ...new Set(
      files
        .filter((name) => name.endsWith(".ftl"))
        .map((name) => name.replace(/(^|[/.])(en|fr)\.ftl$/, "$1xx.ftl")),
    ),
  ];
}

/**
 * The variables that each message shows. What only chooses between forms (`{ $count -> …`) is left
 * out: one language bends its words where another does not.
 */
function messages(path: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let id = "";
  for (const line of readFileSync(join(SRC, path), "utf8").split("\n")) {
    const start = /^([a-zA-Z][\w-]*) =/.exec(line);
    if (start) id = start[1] ?? "";
    if (!id || line.startsWith("#")) continue;
    const names = [...line.matchAll(/\{\s*\$([a-z_]+)\s*\}/gi)].map((match) => match[1] ?? "");
    found.set(id, [...new Set([...(found.get(id) ?? []), ...names])].sort());
  }
  return found;
}

describe.each(sets())("%s", (set) => {
  const [en, fr] = LANGUAGES.map((code) => messages(set.replace("xx.ftl", `${code}.ftl`)));

  test("has the same messages with the same variables in every language", () => {
    expect(Object.fromEntries(fr ?? [])).toEqual(Object.fromEntries(en ?? []));
  });

  test.each(LANGUAGES)("is valid Fluent: %s", (code) => {
    const path = set.replace("xx.ftl", `${code}.ftl`);
    const bundle = new FluentBundle(code);
    const errors = bundle.addResource(new FluentResource(readFileSync(join(SRC, path), "utf8")));
    expect(errors).toEqual([]);
    const text = readFileSync(join(SRC, path), "utf8");
    const given = Object.fromEntries(
      [...text.matchAll(/\$([a-z_]+)/gi)].map((match) => [match[1] ?? "", 2]),
    );
    for (const id of messages(path).keys()) {
      const pattern = bundle.getMessage(id)?.value;
      expect(pattern, id).toBeTruthy();
      const faults: Error[] = [];
      bundle.formatPattern(pattern ?? "", given, faults);
      expect(faults, id).toEqual([]);
    }
  });
});

/** Ids that are put together at run time, by their beginnings. */
const MADE =
  /^(game|theme|motion|where|value|reaction|table|reason|rule|colour|symbol|option|card|name)-/;

test("every text id used in the code exists", () => {
  const known = new Set(
    sets().flatMap((set) => [...messages(set.replace("xx.ftl", "en.ftl")).keys()]),
  );
  const asked = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(SRC, name), "utf8");
      return [...text.matchAll(/\bt\("([a-z][\w-]*)"/g)].map((match) => match[1] ?? "");
    });
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((id) => !known.has(id) && !MADE.test(id))).toEqual([]);
});

test("the texts of refusals are shared with the terminal", () => {
  const toml = readFileSync(join(SRC, "../../src/tuilerie/language/en.toml"), "utf8");
  const section = /\n\[rule\]\n([\s\S]*?)\n\[/.exec(toml)?.[1] ?? "";
  const rules = [...section.matchAll(/^([a-z0-9-]+) = /gm)].map((match) => `rule-${match[1]}`);
  expect(rules.length).toBeGreaterThan(30);
  const ours = messages("i18n/shared.en.ftl");
  expect(rules.filter((rule) => !ours.has(rule))).toEqual([]);
});

describe.each(LANGUAGES)("refusals in %s", (code) => {
  test.each(refusals.map((each) => [each.rule, each] as const))("%s", async (_, each) => {
    await setLanguage(code as Lang);
    await speak(sharedWords);
    expect(refusalText(each as unknown as Problem)).toBe(each.said[code as Lang]);
  });
});

test.each(sets())("French punctuation follows a no-break space: %s", (set) => {
  const lines = readFileSync(join(SRC, set.replace("xx.ftl", "fr.ftl")), "utf8").split("\n");
  const words = lines.filter((line) => !line.startsWith("#")).map((line) => line.trim());
  expect(words.filter((line) => /[\w’»}] [:;?!»]/.test(line))).toEqual([]);
});
