import type { TableFacts } from "../protocol";

/** The tables of this browser, in IndexedDB: a row for lists, and the log of facts. */

/** What lists show of a table; `handed`: the account's copy of it, on the server. */
export type LocalTable = TableFacts & { handed?: string };

export interface Kept {
  slug: string;
  /** The number of the fact before these, and of the last of them. */
  after: number;
  number: number;
  facts: unknown[];
  key: string | null;
  row: TableFacts;
}

export interface LogRow {
  slug: string;
  after: number;
  facts: unknown[];
  key: string | null;
}

/** The browser did not store something; `rule` names why. */
export class NotStored extends Error {
  constructor(readonly rule: "storage-refused" | "storage-full" | "other-tab") {
    super(rule);
  }
}

const NAME = "tuilerie";
const VERSION = 1;

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("tables", { keyPath: "table" });
      asked.result.createObjectStore("log", { keyPath: ["slug", "after"] });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
    asked.onblocked = () => reject(asked.error);
  });
  opened.catch(() => {
    opened = null;
  });
  return opened.catch((error) => Promise.reject(reason(error)));
}

function reason(error: unknown): NotStored {
  const name = (error as DOMException | null)?.name;
  if (name === "ConstraintError") return new NotStored("other-tab");
  return new NotStored(name === "QuotaExceededError" ? "storage-full" : "storage-refused");
}

/**
 * Store facts. Resolves when they are with the operating system: a tab or a browser that crashes
 * loses none of them, but a power cut may. Rejects with `NotStored`, and then none is stored.
 */
export async function append({ slug, after, facts, key, row }: Kept): Promise<void> {
  const database = await open();
  await new Promise<void>((resolve, reject) => {
    const change = database.transaction(["tables", "log"], "readwrite", { durability: "relaxed" });
    change.oncomplete = () => resolve();
    change.onabort = () => reject(reason(change.error));
    try {
      change.objectStore("log").add({ slug, after, facts, key } satisfies LogRow);
      const tables = change.objectStore("tables");
      const put = (handed?: string) => {
        tables.put(handed ? { ...row, handed } : row);
        change.commit(); // at once, not when the browser finds that nothing follows
      };
      if (row.status !== "over") return put();
      const before = tables.get(slug) as IDBRequest<LocalTable | undefined>;
      before.onsuccess = () => put(before.result?.handed);
    } catch (error) {
      reject(reason(error));
      change.abort();
    }
  });
}

function all<T>(store: string, range?: IDBKeyRange): Promise<T[]> {
  return open().then(
    (database) =>
      new Promise((resolve, reject) => {
        const asked = database.transaction(store).objectStore(store).getAll(range);
        asked.onsuccess = () => resolve(asked.result as T[]);
        asked.onerror = () => reject(reason(asked.error));
      }),
  );
}

/** The log of a table, oldest first; empty if there is none. */
export function readLog(slug: string): Promise<LogRow[]> {
  return all("log", IDBKeyRange.bound([slug, 0], [slug, Number.MAX_SAFE_INTEGER]));
}

/** Note that a finished table was handed to an account. */
export async function noteHanded(table: LocalTable, handed: string): Promise<void> {
  const database = await open();
  await new Promise<void>((resolve, reject) => {
    const change = database.transaction("tables", "readwrite");
    change.oncomplete = () => resolve();
    change.onabort = () => reject(reason(change.error));
    change.objectStore("tables").put({ ...table, handed } satisfies LocalTable);
  });
}

/** All tables of this browser, the newest first. */
export async function listTables(): Promise<LocalTable[]> {
  const rows = await all<LocalTable>("tables");
  return rows.sort((one, other) => other.updated - one.updated);
}
