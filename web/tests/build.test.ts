import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const WEB = join(import.meta.dirname, "..");

test("the lock file names no registry", () => {
  const lock = readFileSync(join(WEB, "package-lock.json"), "utf8");
  expect(lock).not.toContain('"resolved"');
  expect(lock).toContain('"integrity"');
});

test("the page holds no inline script or style", () => {
  const page = readFileSync(join(WEB, "index.html"), "utf8");
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/https?:/);
});
