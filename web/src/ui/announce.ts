import { signal } from "@preact/signals";

/** What a screen reader is to say next. A number makes the same words new again. */
export const announced = signal({ text: "", n: 0 });

export function announce(text: string): void {
  if (text) announced.value = { text, n: announced.value.n + 1 };
}
