// Builds what a browser needs to play without a server: Python, our rules and the core.
//
//   node build.mjs OUT WASM_DIR SOURCE…
//
// Writes OUT/<name>-<hash>.bin (gzip) and OUT/manifest.json. Python is Pyodide's; its library is cut
// to the modules that are imported and compiled to bytecode (pack.py), by that Python itself.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = join(HERE, "..", "..", "src", "tuilerie");
const RUNTIME = join(HERE, "..", "node_modules", "pyodide");
const [out, wasm, ...sources] = process.argv.slice(2);

async function pack() {
  const python = await loadPyodide();
  for (const path of sources) {
    const to = `/src/tuilerie/${relative(PACKAGE, path).replaceAll("\\", "/")}`;
    python.FS.mkdirTree(dirname(to));
    python.FS.writeFile(to, new Uint8Array(readFileSync(path)));
  }
  const packed = python.runPython(readFileSync(join(HERE, "pack.py"), "utf8"));
  return packed.toJs();
}

const contents = {
  "python.wasm": readFileSync(join(RUNTIME, "pyodide.asm.wasm")),
  "python.zip": await pack(),
};
for (const game of ["genial", "blockers", "kaosmos"]) {
  contents[`${game}.wasm`] = readFileSync(join(wasm, `${game}.wasm`));
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const listed = Object.entries(contents).map(([name, content]) => {
  const packed = gzipSync(content, { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const file = `${name.replace(".", "-")}-${sha256.slice(0, 12)}.bin`;
  writeFileSync(join(out, file), packed);
  return { name, file, size: packed.length, sha256 };
});
const { info } = JSON.parse(readFileSync(join(RUNTIME, "pyodide-lock.json"), "utf8"));
writeFileSync(join(out, "manifest.json"), `${JSON.stringify({ info, files: listed }, null, 1)}\n`);
