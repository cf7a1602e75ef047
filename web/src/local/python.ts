import { loadPyodide, type PyodideInterface } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";

/** What Python is started from. */
export interface Parts {
  /** What Pyodide's package index says of this Python. */
  info: Record<string, string>;
  python: WebAssembly.Module;
  /** Its library and our rules. */
  library: Uint8Array;
  /** Python's memory when all that is needed had been imported; null: it is yet to be made. */
  image: Uint8Array | null;
}

/** Where Pyodide believes its files to be. Nothing is fetched from there. */
const NOWHERE = "https://engine.invalid/";
const LIBRARY = `${NOWHERE}python.zip`;
const PYTHON = `${NOWHERE}pyodide.asm.wasm`;

/** Start Python. If it had no image, there is one afterwards. */
export async function startPython(parts: Parts): Promise<PyodideInterface> {
  serve(parts);
  const options = {
    indexURL: NOWHERE,
    stdLibURL: LIBRARY,
    packageBaseUrl: NOWHERE,
    lockFileContents: { info: parts.info, packages: {} },
    createPyodideModule,
    ...(parts.image ? { _loadSnapshot: parts.image } : { _makeSnapshot: true }),
  };
  const python = await loadPyodide(options as unknown as Parameters<typeof loadPyodide>[0]);
  if (!parts.image) {
    python.runPython("from tuilerie.local.prepare import prepare\nprepare()");
    parts.image = python.makeMemorySnapshot();
  }
  return python;
}

const fetchElsewhere = globalThis.fetch.bind(globalThis);

/** Answer Pyodide's two requests with what is here already: its library, and its module, compiled. */
function serve({ python, library }: Parts): void {
  globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address === LIBRARY) return new Response(library as Uint8Array<ArrayBuffer>);
    return address === PYTHON ? new Response() : fetchElsewhere(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    return { module: python, instance: await WebAssembly.instantiate(python, imports) };
  };
}
