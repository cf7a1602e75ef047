/** Answers requests to the core with the client's own wrapper, for tests/local: lines of JSON. */
// @ts-expect-error: the types of Node are not installed
import { readFileSync } from "node:fs";
// @ts-expect-error: the same
import { createInterface } from "node:readline";
import { Core } from "../src/local/core.ts";

declare const process: { argv: string[]; stdin: unknown };

const folder = process.argv[2];
const cores = new Map<string, Core>();
for (const game of ["genial", "blockers", "kaosmos"]) {
  cores.set(game, await Core.load(readFileSync(`${folder}/${game}.wasm`)));
}
for await (const line of createInterface({ input: process.stdin })) {
  const [game, request] = JSON.parse(line) as [string, string];
  let answer: string;
  try {
    answer = cores.get(game)!.ask(request);
  } catch (error) {
    answer = `!${(error as Error).message}`;
  }
  console.log(JSON.stringify(answer));
}
