import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { keyLines, press } from "../common/keys";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Bit, Defs, SmallDomino } from "./Domino";
import { Hand } from "./Hand";
import { Line } from "./Line";
import { decides, effect, Move } from "./Move";
import { Model } from "./model";
import { Scores } from "./Scores";
import { alone, because, points, say, score, sound, total } from "./say";
import { tally } from "./Tally";
import { TextBoard } from "./TextBoard";
import { canMove, sides } from "./view";

/** What to begin with, where nothing else is said. */
function idle(desk: Desk<GenialView>): string | null {
  const placing = desk.may.value && desk.view.value.phase === "place";
  return placing && !banner(desk) ? t("genial-choose") : null;
}

function banner(desk: Desk<GenialView>): string | null {
  const view = desk.view.value;
  const mine = desk.you.value !== null && view.actors.includes(desk.you.value);
  const name = desk.names.value[view.seat] ?? "";
  if (view.phase === "swap") {
    // In a lesson the step is over before the choice: then it is not asked for.
    if (mine) return desk.may.value ? t("genial-banner-swap") : null;
    return t("genial-banner-swap-other", { name });
  }
  if (view.bonus > 0) {
    return mine
      ? t("genial-banner-bonus", { count: view.bonus })
      : t("genial-banner-bonus-other", { name, count: view.bonus });
  }
  if (desk.may.value && view.turns < view.players) return t("genial-banner-first");
  return null;
}

function key(event: KeyboardEvent, desk: Desk<GenialView>, model: Model): boolean {
  const answer = (move: string): boolean => {
    const asked = desk.may.value && desk.view.value.phase === "swap";
    if (asked) desk.move(move, true);
    return asked;
  };
  return press(event, model, {
    n: (by) => model.seek(by),
    f: () => model.flip(),
    s: () => answer("swap"),
    k: () => answer("keep"),
  });
}

export const game: GameModule<GenialView, Model> = {
  name: "genial",
  words: { en: () => import("./en.ftl?raw"), fr: () => import("./fr.ftl?raw") },
  model: (desk) => new Model(desk),
  canMove,
  Board,
  Hand,
  Scores,
  TextBoard,
  Defs,
  effect: (desk, model) => effect(model) ?? idle(desk),
  landing: (event) => (event.kind === "placed" ? { seat: event.seat, at: event.first } : null),
  decides,
  left: (view) => t("genial-bag", { count: view.bag_count }),
  Move,
  SmallTile: SmallDomino,
  total,
  Line,
  banner,
  say,
  score,
  tally,
  points,
  because,
  Bit,
  turns: true,
  sides,
  alone,
  sound,
  take: (model, move) => model.take(move),
  key,
  keys: keyLines("1–6", true, [
    ["N, ⇧N", "key-next"],
    ["F", "genial-key-flip"],
    ["S, K", "genial-key-swap"],
  ]),
};
