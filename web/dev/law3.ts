/**
 * What the browser makes of the server's messages, for the tests of the server. Plain Node runs it:
 *
 *     node web/dev/law3.ts
 *
 * Each line of the input is JSON: `{"view", "changes"}`, answered by the view after the changes, or
 * `{"legal": view}` with a view of Génial!, answered by the list of its moves.
 */
// @ts-expect-error: the types of Node are not installed
import { createInterface } from "node:readline";
import { legalMoves } from "../src/games/genial/view.ts";
import { applyChanges } from "../src/live/changes.ts";

declare const process: { stdin: unknown };

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = asked.legal ? legalMoves(asked.legal) : applyChanges(asked.view, asked.changes);
  console.log(JSON.stringify(answer));
}
