import { signal } from "@preact/signals";

/** The next announcement for screen readers. The number repeats an equal text. */
export const announced = signal({ text: "", n: 0 });

export function announce(text: string): void {
  if (text) announced.value = { text, n: announced.value.n + 1 };
}
