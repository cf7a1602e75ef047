import { LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { PersonHead, ScoreCard, ScoreCards } from "../common/Scores";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { SmallChip } from "./Sign";
import { COLOURS, type Colour, sides, type Track } from "./view";
import "./Scores.css";

type Props = PartProps<GenialView, Model>;

/** Where a track ends, for drawing. */
export const FULL: Record<string, number> = { standard: 18, solo: 36, teams: 36, duel: 9 };

export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  return (
    <>
      <div class="genial-heads" aria-hidden="true">
        {COLOURS.map((colour) => (
          <SmallChip key={colour} colour={colour} />
        ))}
      </div>
      <ScoreCards count={view.tracks.length}>
        {sides(view).map((seats, index) => {
          const track = view.tracks[index]!;
          const acting = seats.some((seat) => view.actors.includes(seat));
          const you = desk.you.value !== null && seats.includes(desk.you.value);
          return (
            <ScoreCard key={index} acting={acting} you={you}>
              <PersonHead desk={desk} seats={seats} look={LOOKS[index] ?? 0} />
              <Tracks
                track={track}
                full={FULL[view.options.variant] ?? 18}
                duel={view.options.variant === "duel"}
                gains={you ? gains(model) : {}}
              />
            </ScoreCard>
          );
        })}
      </ScoreCards>
      <Unseen view={view} />
    </>
  );
}

/** How many symbols of each colour nobody has seen yet: in the bag, and in others' hands. */
function Unseen({ view }: { view: GenialView }) {
  const left = (colour: Colour) =>
    Object.entries(view.unseen).reduce(
      (sum, [tile, count]) => sum + count * (tile.split(colour).length - 1),
      0,
    );
  return (
    <section class="genial-unseen">
      <h3>
        {t("genial-unseen")} <small>{t("genial-bag", { count: view.bag_count })}</small>
      </h3>
      <ul>
        {COLOURS.map((colour) => (
          <li key={colour}>
            <SmallChip colour={colour} size={26} />
            <span class="hidden">{t(`symbol-genial-${colour}`)} </span>
            <b>{left(colour)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the ghost would score, by colour. */
function gains(model: Model): Partial<Record<Colour, number>> {
  const ghost = model.ghost.value;
  if (!ghost?.move) return {};
  const sums: Partial<Record<Colour, number>> = {};
  ghost.points.forEach((points, index) => {
    const colour = ghost.tile.charAt(index) as Colour;
    sums[colour] = (sums[colour] ?? 0) + points;
  });
  return sums;
}

interface TracksProps {
  track: Track;
  full: number;
  duel: boolean;
  gains: Partial<Record<Colour, number>>;
}

function Tracks({ track, full, duel, gains }: TracksProps) {
  const lowest = Math.min(...COLOURS.map((colour) => track[colour]));
  const at = (value: number) => (duel ? ((value + full) / (2 * full)) * 100 : (value / full) * 100);
  return (
    <div class="genial-board-of-tracks">
      <ul class="genial-tracks">
        {COLOURS.map((colour) => {
          const value = track[colour];
          const gain = Math.min(full - value, gains[colour] ?? 0);
          const low = value === lowest;
          return (
            <li key={colour} class={low ? "low" : ""}>
              <SmallChip colour={colour} />
              <Bar
                from={duel ? 50 : 0}
                value={at(value)}
                after={at(value + gain)}
                colour={colour}
              />
              <span class="genial-value">
                <span class="hidden">{t(`symbol-genial-${colour}`)} </span>
                <span class={low ? "genial-now decides" : "genial-now"}>{value}</span>
                {low && <span class="hidden"> ({t("genial-lowest")})</span>}
                {gain > 0 && <b class="genial-gain">+{gain}</b>}
              </span>
            </li>
          );
        })}
      </ul>
      <LowWater at={at(lowest)} lowest={lowest} />
    </div>
  );
}

/** The dotted line at the lowest marker: that number is the score. */
function LowWater({ at, lowest }: { at: number; lowest: number }) {
  return (
    <svg class="genial-low" aria-hidden="true">
      <g class="genial-low-mark" style={{ transform: `translateX(${at}%)` }}>
        <line y1="0" y2="100%" />
        <svg y="100%" class="genial-flag">
          <rect x="-12" y="-18" width="24" height="18" rx="6" />
          <text y="-4.5">{lowest}</text>
          <text class="genial-flag-word" x="18" y="-4.5">
            {t("genial-lowest")}
          </text>
        </svg>
      </g>
    </svg>
  );
}

interface BarProps {
  from: number;
  value: number;
  after: number;
  colour: Colour;
}

/** A groove with its bar and marker; a pale end where the ghost would move it. All in percent. */
function Bar({ from, value, after, colour }: BarProps) {
  const [left, width] = [Math.min(from, value), Math.abs(value - from)];
  return (
    <svg class="genial-bar" aria-hidden="true">
      <line class="genial-groove" x1="0" x2="100%" y1="50%" y2="50%" />
      {after > value && (
        <line
          class={`genial-bar-gain genial-ink-${colour}`}
          x1={`${value}%`}
          x2={`${after}%`}
          y1="50%"
          y2="50%"
        />
      )}
      <line
        class={`genial-bar-fill genial-ink-${colour}${width > 0 ? "" : " none"}`}
        x1="0"
        x2="100%"
        y1="50%"
        y2="50%"
        pathLength={100}
        stroke-dasharray={`${width} 200`}
        stroke-dashoffset={-left}
      />
      <circle class={`genial-marker genial-ink-${colour}`} cx={`${value}%`} cy="50%" />
      {value === 100 && (
        <svg x="100%" y="50%" class="genial-full">
          <path
            class={`genial-ink-${colour}`}
            d="M0-3.4.9-1.2 3.3-1.1 1.4.5 2 2.8 0 1.5-2 2.8-1.4.5-3.3-1.1-.9-1.2Z"
          />
        </svg>
      )}
    </svg>
  );
}
