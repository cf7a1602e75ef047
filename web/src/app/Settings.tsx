import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { setLanguage, t } from "../i18n";
import { KeepOffline } from "../local/Anywhere";
import { NAME_LENGTH } from "../protocol";
import { Sheet } from "../ui/Sheet";
import {
  type Lang,
  lang,
  motion,
  playerName,
  sounds,
  TURN_ENDS,
  textBoard,
  theme,
  turnEnd,
} from "../ui/settings";
import "./Settings.css";

export function SettingsSheet({ onClose }: { onClose(): void }) {
  return (
    <Sheet title={t("settings")} onClose={onClose}>
      <SettingsForm />
    </Sheet>
  );
}

export function SettingsForm() {
  const id = useId();
  return (
    <div class="stack">
      <label class="field" for={`${id}-name`}>
        <span>{t("your-name")}</span>
        <input
          id={`${id}-name`}
          maxLength={NAME_LENGTH}
          autocomplete="nickname"
          value={playerName.value}
          onInput={(event) => {
            playerName.value = event.currentTarget.value;
          }}
        />
      </label>
      <Choice
        label={t("language")}
        value={lang.value}
        options={[
          ["fr", "Français"],
          ["en", "English"],
        ]}
        pick={(code) => void setLanguage(code as Lang)}
      />
      <Choice
        label={t("theme")}
        value={theme.value}
        options={["system", "light", "dark"].map((each) => [each, t(`theme-${each}`)])}
        pick={into(theme)}
      />
      <Choice
        label={t("sounds")}
        value={sounds.value}
        options={["on", "off"].map((each) => [each, t(each)])}
        pick={into(sounds)}
      />
      <Choice
        label={t("motion")}
        value={motion.value}
        options={["system", "full", "reduce"].map((each) => [each, t(`motion-${each}`)])}
        pick={into(motion)}
      />
      <Choice
        label={t("turn-end")}
        value={turnEnd.value}
        options={TURN_ENDS.map((each) => [each, t(`turn-end-${each}`)])}
        pick={into(turnEnd)}
      />
      <Choice
        label={t("text-board")}
        value={textBoard.value}
        options={["on", "off"].map((each) => [each, t(each)])}
        pick={into(textBoard)}
      />
      <KeepOffline />
    </div>
  );
}

function into<T extends string>(value: Signal<T>) {
  return (picked: string) => {
    value.value = picked as T;
  };
}

interface ChoiceProps {
  label: string;
  value: string;
  options: string[][];
  pick(value: string): void;
}

/** A group of radio buttons. */
export function Choice({ label, value, options, pick }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-row">
        {options.map(([key = "", words]) => (
          <label key={key} class={key === value ? "on" : ""}>
            <input
              type="radio"
              name={id}
              value={key}
              checked={key === value}
              onChange={() => pick(key)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
