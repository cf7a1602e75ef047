import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pictures } from "../dev/pictures";
import data from "../fixtures/pictures.json";

const PUBLIC = join(import.meta.dirname, "../public");
const drawn = pictures(data);

// UPDATE=1 writes the files.
if (process.env.UPDATE) {
  for (const [path, text] of drawn) writeFileSync(join(PUBLIC, path), text);
}

test.each([...drawn])("%s is drawn as at the table", (path, text) => {
  expect(readFileSync(join(PUBLIC, path), "utf8") === text, "run with UPDATE=1").toBe(true);
  expect(text).not.toMatch(/undefined|NaN|\[object/);
  expect(text).toMatch(/--[\w-]+:.*fill:/s); // with tokens, and rules that use them
  expect(new DOMParser().parseFromString(text, "image/svg+xml").querySelector("svg")).toBeTruthy();
});

test("there are no other pictures", () => {
  const files = ["pictures", "examples"].flatMap((folder) =>
    readdirSync(join(PUBLIC, folder)).map((name) => `${folder}/${name}`),
  );
  expect(files.sort()).toEqual([...drawn.keys()].sort());
});
