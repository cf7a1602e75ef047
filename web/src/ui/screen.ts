import { signal } from "@preact/signals";

/** A phone, upright or across: boards go without the names of their rows there. */
const query = matchMedia("(max-width: 599px), (max-height: 499px)");
const small = signal(query.matches);
query.addEventListener("change", () => {
  small.value = query.matches;
});

export function useSmall(): boolean {
  return small.value;
}

/** A screen on which a galaxy has no more width than height: a row of nine tiles is broken in two. */
const upright = matchMedia("(max-width: 799px), (max-height: 499px), (max-aspect-ratio: 1)");
const narrow = signal(upright.matches);
upright.addEventListener("change", () => {
  narrow.value = upright.matches;
});

export function useNarrow(): boolean {
  return narrow.value;
}
