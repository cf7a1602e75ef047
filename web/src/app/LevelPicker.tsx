import { LevelTile } from "../art/Level";
import { levelName, levelsOf } from "./levels";
import "./LevelPicker.css";

interface PickerProps {
  game: string;
  /** The chosen level. */
  level: string;
  /** Whose level it is, for screen readers. */
  label: string;
  pick(level: string): void;
}

/** The five levels of bots, as tiles of their materials. */
export function LevelPicker({ game, level, label, pick }: PickerProps) {
  return (
    <div class="levels" role="group" aria-label={label}>
      {levelsOf(game).map(({ id }) => (
        <button
          key={id}
          type="button"
          class={id === level ? "level on" : "level"}
          aria-pressed={id === level}
          aria-label={levelName(game, id)}
          title={levelName(game, id)}
          onClick={() => pick(id)}
        >
          <LevelTile level={id} />
        </button>
      ))}
    </div>
  );
}
