import { announced } from "./announce";

/** The ARIA live region for screen readers. */
export function LiveRegion() {
  const { text, n } = announced.value;
  return (
    <div class="hidden" role="status" aria-live="polite" aria-atomic="true">
      {text}
      {n % 2 ? "\u00a0" : ""}
    </div>
  );
}
