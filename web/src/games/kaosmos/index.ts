import { t } from "../../i18n";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Hand } from "./Hand";
import { Model } from "./model";
import { Scores } from "./Scores";
import "./style.css";
import { say, score, sound } from "./say";
import { TextBoard } from "./TextBoard";
import { type Colour, type KaosmosView, nextTo } from "./view";

function banner(desk: Desk<KaosmosView>): string | null {
  const view = desk.view.value;
  const you = desk.you.value;
  if (you === null || !view.actors.includes(you)) return null;
  if (view.phase === "ingerence") {
    return t("kaosmos-banner-interfere", { name: desk.names.value[nextTo(view, you)] ?? "" });
  }
  return view.phase === "transfert" ? t("kaosmos-banner-transfer") : null;
}

const BONUS_KEYS: Record<string, Colour> = { g: "green", b: "blue", o: "orange" };

function key(event: KeyboardEvent, desk: Desk<KaosmosView>, model: Model): boolean {
  const pressed = event.key;
  const { phase, packet } = desk.view.value;
  if (pressed.startsWith("Arrow")) {
    if (phase !== "building" && phase !== "ingerence") return false;
    model.walk(pressed);
    return true;
  }
  if (/^[1-9]$/.test(pressed)) {
    const index = Number(pressed) - 1;
    const tile = phase === "draft" ? packet?.[index] : model.nine.value[index];
    if (!tile) return false;
    if (phase === "draft") model.pick(tile);
    else model.tapTray(tile);
    return true;
  }
  const meant = model.meant();
  const small = pressed.toLowerCase();
  switch (small) {
    case "r":
      if (meant) model.turn(meant, event.shiftKey ? -1 : 1);
      return meant !== null;
    case "delete":
    case "backspace":
      if (meant) model.lift(meant);
      return meant !== null;
    case "l":
      if (meant) model.leave(meant);
      return meant !== null;
    case "g":
    case "b":
    case "o":
      model.toggleBonus(BONUS_KEYS[small] ?? "green");
      return model.building.value;
    case "d":
      return model.finish();
    case "enter":
    case " ":
      return model.act();
    case "escape":
      model.drop();
      return true;
    default:
      return false;
  }
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
  say,
  score,
  sound,
  key,
};
