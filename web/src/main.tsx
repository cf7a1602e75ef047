import "./tokens.css";
import "./base.css";
import { render } from "preact";
import { App } from "./app/App";
import { speak } from "./i18n";
import { base } from "./local/here";
import { applySettings } from "./ui/settings";

applySettings();
await speak();
const root = document.getElementById("app");
if (root) render(<App />, root);
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(`${base}sw.js`).catch(() => undefined);
}
