import { loadPyodide, type PyodideInterface } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import type { Manifest } from "./files";

/** Where Pyodide believes its files to be. Nothing is fetched from there. */
const NOWHERE = "https://engine.invalid/";

/** Start Python with these files. */
export async function startPython(
  manifest: Manifest,
  files: Map<string, Uint8Array>,
): Promise<PyodideInterface> {
  serve(`${NOWHERE}pyodide.asm.wasm`, files.get("python.wasm"), "application/wasm");
  serve(`${NOWHERE}python.zip`, files.get("python.zip"), "application/zip");
  const options = {
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}python.zip`,
    packageBaseUrl: NOWHERE,
    lockFileContents: { info: manifest.info, packages: {} },
    createPyodideModule,
  };
  return loadPyodide(options as unknown as Parameters<typeof loadPyodide>[0]);
}

const served = new Map<string, Response>();
const fetchElsewhere = globalThis.fetch.bind(globalThis);

/** Answer requests of this worker for an address with bytes that are here already. */
function serve(url: string, bytes: Uint8Array | undefined, type: string): void {
  if (!bytes) throw new Error(`no file for ${url}`);
  const body = bytes as Uint8Array<ArrayBuffer>;
  served.set(url, new Response(body, { headers: { "Content-Type": type } }));
  globalThis.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const found = served.get(address);
    if (!found) return fetchElsewhere(input, init);
    served.delete(address);
    return Promise.resolve(found);
  };
}
