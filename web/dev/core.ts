/** Answers requests to the core with the client's own wrapper, for tests/local: lines of JSON. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Core } from "../src/local/core.ts";

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
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
