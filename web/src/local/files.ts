/** The files of the engine: fetched when they are wanted, checked by hash, kept for next time. */

interface EngineFile {
  name: string;
  file: string;
  size: number;
  sha256: string;
}

export interface Manifest {
  /** What Pyodide's package index says of this Python. */
  info: Record<string, string>;
  files: EngineFile[];
}

export type Progress = (share: number) => void;

/** The cache of the engine. The service worker renews it with every version. */
export const CACHE = "tuilerie-engine";

/** A file arrived or was kept incomplete or changed. */
export class Broken extends Error {}

/** The list of the engine's files; null where the server has none: then the list is empty. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const url = `${folder}manifest.json`;
  try {
    const answer = await fetch(url, { cache: "no-cache" });
    if (answer.ok) {
      const found = (await answer.clone().json()) as Manifest;
      if (found.files.length === 0) return null;
      await (await openCache())?.put(url, answer);
      return found;
    }
    if (answer.status === 404) return null;
  } catch {
    // Without a network, the one that was kept.
  }
  const kept = await (await openCache())?.match(url);
  return kept ? ((await kept.json()) as Manifest) : null;
}

/** All files of the engine, by name, unpacked. */
export async function readFiles(
  folder: string,
  manifest: Manifest,
  progress: Progress,
): Promise<Map<string, Uint8Array>> {
  const total = manifest.files.reduce((sum, each) => sum + each.size, 0);
  let sum = 0;
  const more = (bytes: number) => {
    sum += bytes;
    progress(Math.min(1, sum / total));
  };
  const packed = await Promise.all(
    manifest.files.map(async (each) => [each.name, await readFile(folder, each, more)] as const),
  );
  await forget(folder, manifest);
  return new Map(
    await Promise.all(packed.map(async ([name, bytes]) => [name, await unpack(bytes)] as const)),
  );
}

async function readFile(
  folder: string,
  file: EngineFile,
  more: (bytes: number) => void,
): Promise<ArrayBuffer> {
  const url = folder + file.file;
  const cache = await openCache();
  const kept = await cache?.match(url);
  if (kept) {
    const bytes = await kept.arrayBuffer();
    if (await isSound(bytes, file)) {
      more(file.size);
      return bytes;
    }
    await cache?.delete(url);
  }
  const answer = await fetch(url, { cache: "no-cache" });
  if (!answer.ok || !answer.body) throw new Broken(file.name);
  const bytes = await new Response(answer.body.pipeThrough(counter(more))).arrayBuffer();
  if (!(await isSound(bytes, file))) throw new Broken(file.name);
  await cache?.put(url, new Response(bytes)).catch(() => undefined); // no room: fetch it next time
  return bytes;
}

function counter(more: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, out) {
      more(chunk.byteLength);
      out.enqueue(chunk);
    },
  });
}

async function isSound(bytes: ArrayBuffer, file: EngineFile): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === file.sha256;
}

async function unpack(bytes: ArrayBuffer): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Removes files of earlier versions. */
async function forget(folder: string, manifest: Manifest): Promise<void> {
  const cache = await openCache();
  const wanted = new Set(
    manifest.files.map((each) => new URL(folder + each.file, location.href).href),
  );
  for (const request of (await cache?.keys()) ?? []) {
    if (request.url.endsWith(".bin") && !wanted.has(request.url)) await cache?.delete(request);
  }
}

async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null; // private mode: everything is fetched again
  }
}
