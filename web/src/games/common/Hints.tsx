import { t } from "../../i18n";
import { lang } from "../../ui/settings";
import type { Desk, GameModule } from "../types";
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

interface LineProps {
  game: Pick<GameModule, "take">;
  desk: Pick<Desk, "hints">;
  model: unknown;
}

/** What is expected of each suggested move. A click takes the tile and holds it there. */
export function HintLine({ game, desk, model }: LineProps) {
  const hints = desk.hints.value;
  if (hints.length === 0) return null;
  const known = hints.some(({ value }) => value !== null);
  return (
    <div class="hint-line">
      <span>{t(known ? "hint-chance" : "hint-title")}</span>
      <ol>
        {hints.map(({ move, value }, index) => (
          <li key={move}>
            <button type="button" disabled={!game.take} onClick={() => game.take?.(model, move)}>
              <b>{index + 1}</b> <span class="hidden">{move}</span> {chance(value)}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The chance to win; without a search, nothing. */
export function chance(value: number | null): string {
  if (value === null) return "";
  return new Intl.NumberFormat(lang.value, { style: "percent" }).format(value);
}
