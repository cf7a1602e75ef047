import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../ui/Icon";
import { link } from "./router";
import { SettingsSheet } from "./Settings";

/** The bar above every page but the table. */
export function Top() {
  const [settings, setSettings] = useState(false);
  return (
    <header class="top">
      <a class="brand" {...link("/")}>
        <svg viewBox="0 0 44 36" width="2.1rem" height="1.75rem" aria-hidden="true">
          <path class="brand-a" d="M14 1 25.300 7.500v13L14 27 2.700 20.500v-13z" />
          <path class="brand-b" d="M29 9 40.300 15.500v13L29 35 17.700 28.500v-13z" />
        </svg>
        <span class="brand-name">Tuilerie</span>
      </a>
      <nav class="top-nav" aria-label={t("nav")}>
        <a {...link("/lobby")}>{t("lobby")}</a>
        <a {...link("/replay")}>{t("replay")}</a>
      </nav>
      <a class="icon-button" aria-label={t("account")} title={t("account")} {...link("/account")}>
        <Icon name="person" />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={t("settings")}
        onClick={() => setSettings(true)}
      >
        <Icon name="settings" />
      </button>
      {settings && <SettingsSheet onClose={() => setSettings(false)} />}
    </header>
  );
}
