// @ts-expect-error: the types of Node are not installed
import { createHash } from "node:crypto";
// @ts-expect-error: the same
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Broken, type Manifest, readFiles, readManifest } from "../src/local/files";
import { isLocal } from "../src/local/here";
import { append, listTables, NotStored } from "../src/local/store";

const packed = gzipSync("the rules");
const manifest: Manifest = {
  info: {},
  files: [
    {
      name: "python.zip",
      file: "python-1.bin",
      size: packed.length,
      sha256: createHash("sha256").update(packed).digest("hex"),
    },
  ],
};

function serve(files: Record<string, Uint8Array | string>): void {
  vi.stubGlobal("fetch", (url: string) => {
    const found = files[url.replace("/engine/", "")];
    const status = found === undefined ? 404 : 200;
    return Promise.resolve(new Response((found ?? "") as BodyInit, { status }));
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the files of the engine", () => {
  it("are unpacked, with a report of the progress", async () => {
    serve({ "python-1.bin": packed });
    const shares: number[] = [];
    const files = await readFiles("/engine/", manifest, (share) => shares.push(share));
    expect(new TextDecoder().decode(files.get("python.zip"))).toBe("the rules");
    expect(shares.at(-1)).toBe(1);
  });

  it("are refused if they arrive changed", async () => {
    serve({ "python-1.bin": gzipSync("other rules") });
    await expect(readFiles("/engine/", manifest, () => undefined)).rejects.toThrow(Broken);
  });

  it("are refused if one is missing", async () => {
    serve({});
    await expect(readFiles("/engine/", manifest, () => undefined)).rejects.toThrow(Broken);
  });

  it("are not offered where there are none", async () => {
    serve({});
    expect(await readManifest("/engine/")).toBeNull();
    serve({ "manifest.json": JSON.stringify({ info: {}, files: [] }) });
    expect(await readManifest("/engine/")).toBeNull();
  });
});

describe("the store", () => {
  it("says that the browser refuses to store", async () => {
    vi.stubGlobal("indexedDB", {
      open() {
        throw new DOMException("no", "SecurityError");
      },
    });
    await expect(listTables()).rejects.toThrow(new NotStored("storage-refused"));
    const kept = { slug: "local-1", after: 0, number: 1, facts: [], key: null, row: {} as never };
    await expect(append(kept)).rejects.toThrow("storage-refused");
  });
});

it("tells tables of this browser by their ids", () => {
  expect(isLocal("local-abc")).toBe(true);
  expect(isLocal("abc")).toBe(false);
});
