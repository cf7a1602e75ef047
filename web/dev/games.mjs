/**
 * Plays games in the Python of a browser, for tests/local: `node games.mjs ENGINE GAME NUMBER`.
 * Python starts from an image of its memory, as it does there. Prints one line of JSON for each:
 * its record, and the places of its seats.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";
import { Core } from "../src/local/core.ts";

const [folder, game, number] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const read = (name) => {
  const listed = manifest.files.find((each) => each.name === name);
  const packed = readFileSync(join(folder, listed.file));
  if (createHash("sha256").update(packed).digest("hex") !== listed.sha256) throw new Error(name);
  return gunzipSync(packed);
};
const library = join(mkdtempSync(join(tmpdir(), "tuilerie-")), "python.zip");
writeFileSync(library, read("python.zip"));
const options = {
  stdLibURL: library,
  lockFileContents: { info: manifest.info, packages: {} },
};
const first = await loadPyodide({ ...options, _makeSnapshot: true });
first.runPython("from tuilerie.local.prepare import prepare\nprepare()");
const python = await loadPyodide({ ...options, _loadSnapshot: first.makeMemorySnapshot() });
const core = await Core.load(read(`${game}.wasm`));
python.registerJsModule("tuilerie_core", { ask: (_game, request) => core.ask(request) });
python.registerJsModule("tuilerie_out", { say: (text) => console.log(text) });
python.globals.set("game", game);
python.globals.set("number", Number(number));
python.runPython(readFileSync(new URL("./games.py", import.meta.url), "utf8"));
