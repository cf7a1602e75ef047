import { t } from "../i18n";
import { lang } from "../ui/settings";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago something was: '5 minutes ago'. */
export function ago(when: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - when) / 1000);
  const words = new Intl.RelativeTimeFormat(lang.value, { numeric: "auto" });
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  }
  return t("just-now");
}

/** The day of a game: 'today', 'yesterday', or its date. */
export function day(when: number, now = Date.now()): string {
  const days = Math.round((midnight(now) - midnight(when)) / 86_400_000);
  if (days < 2)
    return new Intl.RelativeTimeFormat(lang.value, { numeric: "auto" }).format(-days, "day");
  return new Intl.DateTimeFormat(lang.value, { dateStyle: "medium" }).format(when);
}

function midnight(when: number): number {
  return new Date(when).setHours(0, 0, 0, 0);
}
