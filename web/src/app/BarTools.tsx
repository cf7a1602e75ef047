import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { sounds } from "../ui/settings";
import { SettingsSheet } from "./Settings";

/** Sound and settings, in the bar of a table that has room for them; elsewhere the menu has them. */
export function BarTools() {
  const [settings, setSettings] = useState(false);
  const on = sounds.value === "on";
  const words = `${t("sounds")}${t("colon")} ${t(on ? "on" : "off")}`;
  return (
    <>
      <button
        type="button"
        class="icon-button bar-tool"
        aria-label={words}
        aria-pressed={on}
        title={words}
        onClick={() => {
          sounds.value = on ? "off" : "on";
        }}
      >
        <Icon name={on ? "sound" : "mute"} />
      </button>
      <IconButton
        icon="settings"
        label={t("settings")}
        class="bar-tool"
        onClick={() => setSettings(true)}
      />
      {settings && <SettingsSheet onClose={() => setSettings(false)} />}
    </>
  );
}
