import { signal } from "@preact/signals";
import { GAME_NAMES } from "../games";
import { base, isStatic } from "../local/here";

export type Route =
  | { page: "home" }
  | { page: "table"; slug: string }
  | { page: "lobby" }
  | { page: "games" }
  | { page: "account"; back: string | null }
  | { page: "learn"; game: string }
  | { page: "rules"; game: string }
  | { page: "replay"; slug: string | null; at: number | null; seat?: number }
  | { page: "scene"; game: string }
  | { page: "lost" };

export function parse(path: string, search = ""): Route {
  const parts = path.split("/").filter(Boolean);
  const [first, second] = parts;
  const at = Number(new URLSearchParams(search).get("at") ?? Number.NaN);
  if (first === undefined) return { page: "home" };
  if (first === "lobby" && parts.length === 1) return { page: "lobby" };
  if (first === "games" && parts.length === 1) return { page: "games" };
  if (first === "account" && parts.length === 1) return { page: "account", back: back(search) };
  if (first === "replay" && parts.length === 1) return { page: "replay", slug: null, at: null };
  if (second === undefined || parts.length > 2) return { page: "lost" };
  if (first === "t") return { page: "table", slug: second };
  if (first === "r") {
    const seat = /[?&]seat=([0-5])\b/.exec(search)?.[1];
    const moment = Number.isInteger(at) && at >= 0 ? at : null;
    return { page: "replay", slug: second, at: moment, ...(seat ? { seat: Number(seat) } : {}) };
  }
  if (!GAME_NAMES.includes(second)) return { page: "lost" };
  if (first === "learn") return { page: "learn", game: second };
  if (first === "rules") return { page: "rules", game: second };
  if (first === "scene" && import.meta.env.DEV) return { page: "scene", game: second };
  return { page: "lost" };
}

/** The table to return to; other addresses are ignored (no open redirect). */
function back(search: string): string | null {
  const slug = new URLSearchParams(search).get("table") ?? "";
  return /^[\w-]+$/.test(slug) ? `/t/${slug}` : null;
}

/**
 * The address of a path of the app. A static site has one page, so that it works on any host and in
 * any folder: its paths are in the query.
 */
export function address(path: string): string {
  if (!isStatic) return path;
  return path === "/" ? base : `${base}?${path.replace("?", "&")}`;
}

/** The path of the app at this address: the other way round. */
function here(): [path: string, search: string] {
  if (!isStatic) return [location.pathname, location.search];
  const [path = "", ...others] = location.search.slice(1).split("&");
  return [path.startsWith("/") ? path : "/", `?${others.join("&")}`];
}

export const route = signal<Route>(parse(...here()));

addEventListener("popstate", () => {
  before = "";
  route.value = parse(...here());
});

/** The path of the previous page. */
let before = "";

export function go(path: string, replace = false): void {
  before = replace ? "" : here()[0];
  history[replace ? "replaceState" : "pushState"](null, "", address(path));
  const { pathname, search } = new URL(path, location.origin);
  route.value = parse(pathname, search);
  scrollTo(0, 0);
}

/** Go back if the previous page was this path; else replace the current page by it. */
export function goBack(path: string): void {
  if (before === path) history.back();
  else go(path, true);
}

/** For a link that stays within the app. */
export function link(path: string) {
  return {
    href: address(path),
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go(path);
    },
  };
}
