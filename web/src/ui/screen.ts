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
