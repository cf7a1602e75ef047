import { effect, signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";
type Motion = "system" | "reduce" | "full";
export type Lang = "en" | "fr";

function kept<T extends string>(name: string, values: readonly T[], otherwise: T) {
  let first = otherwise;
  try {
    const found = localStorage.getItem(`tuilerie.${name}`);
    if (found !== null && (values.length === 0 || values.includes(found as T))) first = found as T;
  } catch {
    // Without storage the defaults apply.
  }
  const value = signal<T>(first);
  let started = false;
  effect(() => {
    const now = value.value;
    if (started) {
      try {
        localStorage.setItem(`tuilerie.${name}`, now);
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
    }
    started = true;
  });
  return value;
}

function browserLanguage(): Lang {
  const first = navigator.languages?.find((each) => /^(fr|en)\b/i.test(each)) ?? navigator.language;
  return first?.toLowerCase().startsWith("fr") ? "fr" : "en";
}

export const theme = kept<Theme>("theme", ["system", "light", "dark"], "system");
export const motion = kept<Motion>("motion", ["system", "reduce", "full"], "system");
export const lang = kept<Lang>("lang", ["en", "fr"], browserLanguage());
export const sounds = kept<"on" | "off">("sounds", ["on", "off"], "on");
/** The player's name, as others see it. */
export const playerName = kept<string>("name", [], "");
/** The bot level played against last. */
export const level = kept<string>("level", [], "");
/** How many seconds a turn stays open for an undo: '0' ends it at once, 'press' waits. */
export type TurnEnd = "0" | "3" | "10" | "press";
export const TURN_ENDS: readonly TurnEnd[] = ["0", "3", "10", "press"];
export const turnEnd = kept<TurnEnd>("turn-end", TURN_ENDS, "3");
/** Show the board as text as well. */
export const textBoard = kept<"on" | "off">("text", ["on", "off"], "off");

const slow = matchMedia("(prefers-reduced-motion: reduce)");
const systemSlow = signal(slow.matches);
slow.addEventListener("change", () => {
  systemSlow.value = slow.matches;
});

/** Whether animations are on. */
export function moves(): boolean {
  return motion.value === "full" || (motion.value === "system" && !systemSlow.value);
}

/** Mirror the settings in attributes of the root element, for the style sheets. */
export function applySettings(): void {
  effect(() => {
    const root = document.documentElement;
    root.lang = lang.value;
    if (theme.value === "system") root.removeAttribute("data-theme");
    else root.dataset.theme = theme.value;
    root.dataset.motion = moves() ? "full" : "reduce";
  });
}
