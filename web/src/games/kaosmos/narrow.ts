import { signal } from "@preact/signals";

/** A screen on which the board is higher than wide; the same border as in the style sheets. */
const query = matchMedia("(max-width: 799px)");
const narrow = signal(query.matches);
query.addEventListener("change", () => {
  narrow.value = query.matches;
});

export function useNarrow(): boolean {
  return narrow.value;
}
