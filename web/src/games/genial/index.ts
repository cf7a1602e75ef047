import { t } from "../../i18n";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Hand } from "./Hand";
import { Line } from "./Line";
import { Model } from "./model";
import { Scores } from "./Scores";
import "./style.css";
import { alone, say, score, sound } from "./say";
import { TextBoard } from "./TextBoard";
import { type GenialView, sides } from "./view";

function banner(desk: Desk<GenialView>): string | null {
  const view = desk.view.value;
  const mine = desk.you.value !== null && view.actors.includes(desk.you.value);
  const name = desk.names.value[view.seat] ?? "";
  if (view.phase === "swap") {
    return mine ? t("genial-banner-swap") : t("genial-banner-swap-other", { name });
  }
  if (view.bonus > 0) {
    return mine
      ? t("genial-banner-bonus", { count: view.bonus })
      : t("genial-banner-bonus-other", { name, count: view.bonus });
  }
  if (mine && view.turns < view.players) return t("genial-banner-first");
  return null;
}

function key(event: KeyboardEvent, desk: Desk<GenialView>, model: Model): boolean {
  const pressed = event.key;
  if (pressed.startsWith("Arrow")) {
    model.walk(pressed);
    return true;
  }
  if (/^[1-6]$/.test(pressed)) {
    model.choose(Number(pressed) - 1);
    return true;
  }
  const choosing = desk.may.value && desk.view.value.phase === "swap";
  switch (pressed.toLowerCase()) {
    case "r":
      model.turn(event.shiftKey ? -1 : 1);
      return true;
    case "n":
      model.seek(event.shiftKey ? -1 : 1);
      return true;
    case "f":
      model.flip();
      return true;
    case "enter":
    case " ":
      return model.place();
    case "escape":
      model.drop();
      return true;
    case "s":
      if (choosing) desk.move("swap");
      return choosing;
    case "k":
      if (choosing) desk.move("keep");
      return choosing;
    default:
      return false;
  }
}

export const game: GameModule<GenialView, Model> = {
  name: "genial",
  words: { en: () => import("./en.ftl?raw"), fr: () => import("./fr.ftl?raw") },
  model: (desk) => new Model(desk),
  Board,
  Hand,
  Scores,
  TextBoard,
  Line,
  banner,
  say,
  score,
  sides,
  alone,
  sound,
  key,
  keys: [
    ["1–6", "genial-key-choose"],
    ["n, N", "genial-key-place"],
    ["← ↑ → ↓", "genial-key-cell"],
    ["r, R", "genial-key-turn"],
    ["f", "genial-key-flip"],
    ["↵", "genial-key-lay"],
    ["s, k", "genial-key-swap"],
    ["Esc", "genial-key-back"],
  ],
};
