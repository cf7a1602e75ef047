import { t } from "../../i18n";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Hand } from "./Hand";
import { key } from "./keys";
import { Model } from "./model";
import { Scores } from "./Scores";
import "./style.css";
import { say, score, sound } from "./say";
import { TextBoard } from "./TextBoard";
import { type KaosmosView, nextTo } from "./view";

function banner(desk: Desk<KaosmosView>): string | null {
  const view = desk.view.value;
  const you = desk.you.value;
  if (you === null || !view.actors.includes(you)) return null;
  if (view.phase === "ingerence") {
    return t("kaosmos-banner-interfere", { name: desk.names.value[nextTo(view, you)] ?? "" });
  }
  return view.phase === "transfert" ? t("kaosmos-banner-transfer") : null;
}

export const game: GameModule<KaosmosView, Model> = {
  name: "kaosmos",
  words: { en: () => import("./en.ftl?raw"), fr: () => import("./fr.ftl?raw") },
  model: (desk) => new Model(desk),
  Board,
  Hand,
  Scores,
  TextBoard,
  banner,
  telling: (model) => model.count.now.value !== null,
  say,
  score,
  sound,
  key,
  keys: [
    ["1–9", "kaosmos-key-choose"],
    ["← ↑ → ↓", "kaosmos-key-place"],
    ["↵", "kaosmos-key-lay"],
    ["r, R", "kaosmos-key-turn"],
    ["Del", "kaosmos-key-lift"],
    ["l", "kaosmos-key-leave"],
    ["g, b, o", "kaosmos-key-bonus"],
    ["d", "kaosmos-key-done"],
    ["Esc", "kaosmos-key-back"],
  ],
};
