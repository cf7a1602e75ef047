import { t } from "../../i18n";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { SmallChip } from "./Sign";
import { COLOURS, type Colour, type GenialView, sides, type Track } from "./view";

type Props = PartProps<GenialView, Model>;

/** Where a track ends, for drawing. */
const FULL = { standard: 18, solo: 36, teams: 36, duel: 9 };

export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  const names = desk.labels.value;
  return (
    <div class="genial-scores">
      <ol class={`genial-players of-${view.tracks.length}`}>
        {sides(view).map((seats, index) => {
          const track = view.tracks[index]!;
          const acting = seats.some((seat) => view.actors.includes(seat));
          const you = desk.you.value !== null && seats.includes(desk.you.value);
          return (
            <li key={index} class={`genial-player${acting ? " acting" : ""}${you ? " you" : ""}`}>
              <h3>
                <span>{seats.map((seat) => names[seat]).join(" + ")}</span>
                {acting && <em>{t("genial-plays")}</em>}
              </h3>
              <Tracks
                track={track}
                full={FULL[view.options.variant]}
                duel={view.options.variant === "duel"}
                gains={you ? gains(model) : {}}
              />
            </li>
          );
        })}
      </ol>
      <p class="genial-bag">{t("genial-bag", { count: view.bag_count })}</p>
    </div>
  );
}

/** What the ghost would bring, by colour. */
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
  return (
    <ul class="genial-tracks">
      {COLOURS.map((colour) => {
        const value = track[colour];
        const gain = gains[colour] ?? 0;
        const low = value === lowest;
        const after = Math.min(full, value + gain);
        return (
          <li
            key={colour}
            class={`${low ? "low" : ""}${value >= full ? " full" : ""}${gain > 0 ? " gain" : ""}`}
          >
            <SmallChip colour={colour} />
            <Bar value={value} after={after} full={full} duel={duel} colour={colour} />
            <span class="genial-value">
              <span class="hidden">{t(`symbol-genial-${colour}`)} </span>
              <span class="genial-now">{value}</span>
              {gain > 0 && <b class="genial-gain">+{gain}</b>}
              {gain > 0 && (
                <b class="genial-then" aria-hidden="true">
                  {after}
                </b>
              )}
              {low && <span class="hidden"> ({t("genial-lowest")})</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

interface BarProps {
  value: number;
  after: number;
  full: number;
  duel: boolean;
  colour: Colour;
}

function Bar({ value, after, full, duel, colour }: BarProps) {
  const [least, span] = duel ? [-full, 2 * full] : [0, full];
  const at = (number: number) => ((number - least) / span) * 100;
  const from = duel ? at(Math.min(0, value)) : 0;
  const width = duel ? at(Math.max(0, value)) - from : at(value);
  return (
    <svg class="genial-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="genial-bar-ground" width="100" height="8" rx="2" />
      {after > value && (
        <rect
          class={`genial-bar-gain genial-${colour}`}
          x={at(value)}
          width={at(after) - at(value)}
          height="8"
        />
      )}
      <rect class={`genial-bar-fill genial-${colour}`} x={from} width={width} height="8" rx="2" />
      {duel && <rect class="genial-bar-middle" x="49.5" width="1" height="8" />}
    </svg>
  );
}
