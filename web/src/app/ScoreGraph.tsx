import { Avatar, type Look } from "../art/Avatar";
import { t } from "../i18n";
import "./ScoreGraph.css";

interface Props {
  /** What it shows. */
  title: string;
  /** The score of each seat at each moment. */
  lines: number[][];
  looks: Look[];
  /** The moment that is shown. */
  at: number;
}

/** The scores over the game, on the axis of the slider below it. */
export function ScoreGraph({ title, lines, looks, at }: Props) {
  const all = lines.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const moments = Math.max(1, (lines[0]?.length ?? 1) - 1);
  const x = (index: number) => (100 * index) / moments;
  const y = (value: number) => 94 - (88 * (value - low)) / (high - low);
  return (
    <div class="score-graph" role="img" aria-label={`${t("score-graph")}: ${title}`}>
      <small class="score-graph-title">{title}</small>
      <small class="score-graph-high">{high}</small>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="score-graph-grid" d="M0 6H100M0 50H100M0 94H100" />
        {lines.map((line, seat) => (
          <polyline
            key={seat}
            class={`score-graph-line avatar-${looks[seat] ?? 0}`}
            points={line.map((value, index) => `${x(index)},${y(value)}`).join(" ")}
          />
        ))}
        <path class="score-graph-now" d={`M${x(at)} 0V100`} />
      </svg>
      {lines.map((line, seat) => (
        <span
          key={seat}
          class="score-graph-mark"
          style={{ left: `${x(at)}%`, top: `${y(line[at] ?? 0)}%` }}
        >
          <Avatar look={looks[seat] ?? 0} size={14} />
        </span>
      ))}
    </div>
  );
}
