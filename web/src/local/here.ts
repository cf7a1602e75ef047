import { signal } from "@preact/signals";

/** Whether this page belongs to a static site: a folder of files, without a server of ours. */
export const isStatic = document.documentElement.dataset.home === "static";

/** The path of the app: "/" on a server; a static site may lie in any folder. */
export const base = isStatic ? location.pathname.replace(/[^/]*$/, "") : "/";

/** Whether new tables are made in this browser: always on a static site, else by choice. */
export const playsHere = signal(isStatic);

/** Whether the last request found no server. */
export const serverAway = signal(false);

/** How much of the engine has been loaded, from 0 to 1; null: nothing is being loaded. */
export const loaded = signal<number | null>(null);

/** Whether a table of the server was played without it, and handed over (`server/http/hand_over.py`). */
export function wasHanded(slug: string): boolean {
  return slug.startsWith("device-");
}

/** Ids of tables in this browser begin so (`local/room.py`). */
export function isLocal(slug: string): boolean {
  return slug.startsWith("local-");
}
