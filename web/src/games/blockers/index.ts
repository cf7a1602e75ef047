import { t } from "../../i18n";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Hand } from "./Hand";
import { Line } from "./Line";
import { Model } from "./model";
import { Scores } from "./Scores";
import "./style.css";
import { say, score, sound } from "./say";
import { TextBoard } from "./TextBoard";
import { type BlockersView, readMove } from "./view";

function banner(desk: Desk<BlockersView>): string | null {
  const view = desk.view.value;
  const mine = desk.you.value !== null && view.actors.includes(desk.you.value);
  const moves = mine ? view.legal.map(readMove) : [];
  if (moves.length > 0 && moves.every((move) => move.cell === null)) {
    return t("blockers-banner-discard");
  }
  const forced = moves.length > 0 && moves.every((move) => move.capture);
  if (view.last_turn) {
    if (!mine) {
      return t("blockers-banner-last-other", { name: desk.names.value[view.turn ?? 0] ?? "" });
    }
    return t(forced ? "blockers-banner-last-capture" : "blockers-banner-last");
  }
  return forced ? t("blockers-banner-capture") : null;
}

function key(event: KeyboardEvent, _desk: Desk<BlockersView>, model: Model): boolean {
  const pressed = event.key;
  if (pressed.startsWith("Arrow")) {
    model.walk(pressed);
    return true;
  }
  if (/^[0-9]$/.test(pressed)) {
    model.chooseAt((Number(pressed) + 9) % 10);
    return true;
  }
  switch (pressed) {
    case "Enter":
    case " ":
      return model.enter();
    case "Escape":
      model.drop();
      return true;
    default:
      return false;
  }
}

export const game: GameModule<BlockersView, Model> = {
  name: "blockers",
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
  sound,
  key,
  keys: [
    ["1–9, 0", "blockers-key-choose"],
    ["← ↑ → ↓", "blockers-key-cell"],
    ["↵", "blockers-key-lay"],
    ["Esc", "blockers-key-back"],
  ],
};
