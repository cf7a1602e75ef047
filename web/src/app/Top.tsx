import { useState } from "preact/hooks";
import { Logo } from "../art/Logo";
import { t } from "../i18n";
import { isStatic } from "../local/here";
import { Icon } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { link } from "./router";
import { SettingsSheet } from "./Settings";
import "./Top.css";

/** The bar above every page but the table. */
export function Top() {
  const [settings, setSettings] = useState(false);
  return (
    <header class="top">
      <a class="brand" {...link("/")}>
        <Logo size={34} />
        <span class="brand-name">Tuilerie</span>
      </a>
      <nav class="top-nav" aria-label={t("nav")}>
        {!isStatic && <a {...link("/lobby")}>{t("lobby")}</a>}
        <a {...link("/games")}>{t("my-games")}</a>
      </nav>
      {!isStatic && (
        <a class="icon-button" aria-label={t("account")} title={t("account")} {...link("/account")}>
          <Icon name="person" />
        </a>
      )}
      <IconButton icon="settings" label={t("settings")} onClick={() => setSettings(true)} />
      {settings && <SettingsSheet onClose={() => setSettings(false)} />}
    </header>
  );
}
