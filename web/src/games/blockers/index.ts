import { t } from "../../i18n";
import type { BlockersView } from "../../protocol";
import { keyLines, press } from "../common/keys";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { advice, Hand } from "./Hand";
import { Line } from "./Line";
import { decides, Move } from "./Move";
import { Model } from "./model";
import { Scores } from "./Scores";
import { Bit, Defs, LOOK, SmallTile } from "./Sign";
import { because, points, say, score, sound } from "./say";
import { tally } from "./Tally";
import { TextBoard } from "./TextBoard";
import { canMove, coloursOf, pointsOf, readMove } from "./view";

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
  return press(
    event,
    {
      walk: (right, down) => model.walk(right, down),
      choose: (index) => model.chooseAt(index),
      enter: () => model.enter(),
      cancel: () => model.cancel(),
    },
    { n: (by) => model.seek(by) },
  );
}

export const game: GameModule<BlockersView, Model> = {
  name: "blockers",
  words: { en: () => import("./en.ftl?raw"), fr: () => import("./fr.ftl?raw") },
  model: (desk) => new Model(desk),
  canMove,
  Board,
  Hand,
  Scores,
  TextBoard,
  Defs,
  effect: (desk, model) =>
    model.tile.value !== null || model.at.value !== null || !banner(desk)
      ? advice(desk, model)
      : null,
  look: (view, seat) => LOOK[coloursOf(view, seat)[0] ?? "b"],
  landing: (event) =>
    event.kind === "laid" || event.kind === "captured"
      ? { seat: event.seat, at: event.cell }
      : null,
  decides,
  Move,
  SmallTile,
  total: (view, seat) => pointsOf(view, view.groups[seat] ?? 0, view.captures[seat] ?? []),
  Line,
  banner,
  say,
  score,
  tally,
  points,
  because,
  Bit,
  turns: true,
  sound,
  take: (model, move) => model.take(move),
  key,
  keys: keyLines("1–9, 0", false, [["N, ⇧N", "key-next"]]),
};
