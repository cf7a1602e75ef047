import { t } from "../../i18n";
import type { HintFacts } from "../../protocol";
import { lang } from "../../ui/settings";
import type { Desk } from "../types";
import "./Hints.css";

/** The rank of a suggested move, on the board. */
export function HintBadge({ x, y, rank }: { x: number; y: number; rank: number }) {
  return (
    <g class={`hint-badge rank-${rank}`} transform={`translate(${x} ${y})`}>
      <circle r="4.6" />
      <text y="2.300">{rank}</text>
    </g>
  );
}

/** What is expected of each suggested move. */
export function HintLine({ desk }: { desk: Pick<Desk, "hints"> }) {
  const hints = desk.hints.value;
  if (hints.length === 0) return null;
  return (
    <ol class="hint-line" aria-label={t("hint-title")}>
      {hints.map((hint, index) => (
        <li key={hint.move}>
          <b>{index + 1}</b> <span class="hidden">{hint.move}</span> {expected(hint)}
        </li>
      ))}
    </ol>
  );
}

/** The chance to win and the lead that is expected; without a search, nothing. */
export function expected({ value, margin }: HintFacts): string {
  if (value === null) return t("hint-unknown");
  const chance = new Intl.NumberFormat(lang.value, { style: "percent" }).format(value);
  if (margin === null) return t("hint-chance", { chance });
  const lead = new Intl.NumberFormat(lang.value, {
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  }).format(margin);
  return t("hint-expected", { chance, lead });
}
