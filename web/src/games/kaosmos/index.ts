import { list, t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { keyLines } from "../common/keys";
import type { Desk, GameModule } from "../types";
import { Board } from "./Board";
import { Defs } from "./Defs";
import { Hand } from "./Hand";
import { key } from "./keys";
import { begins, decides, Move } from "./Move";
import { Model } from "./model";
import { Scores } from "./Scores";
import { because, points, say, score, sound, total } from "./say";
import { tally } from "./Tally";
import { TextBoard } from "./TextBoard";
import { Bit, TileImage } from "./Tile";
import { canMove } from "./view";

/** What happens now, instead of whose turn it is. */
function heading(desk: Desk<KaosmosView>, model: Model): string | null {
  const view = desk.view.value;
  const you = desk.you.value;
  if (model.moments.timeUp.value?.late) return t("kaosmos-time-up");
  if (model.count.now.value) return t("kaosmos-counting", { round: model.count.round.value });
  if (model.revealed.value) return t("kaosmos-card-round", { round: view.round });
  const looking = desk.looking.value.filter((seat) => seat !== you);
  if (looking.length > 0) {
    const names = looking.map((seat) => desk.names.value[seat] ?? "");
    const words = view.counts.length > 0 ? "kaosmos-still-looking" : "kaosmos-still-reading";
    return t(words, { names: list(names), count: looking.length });
  }
  if (you === null || !view.actors.includes(you)) return null;
  if (view.phase === "ingerence") return t("kaosmos-banner-interfere");
  return view.phase === "transfert" ? t("kaosmos-banner-transfer") : null;
}

export const game: GameModule<KaosmosView, Model> = {
  name: "kaosmos",
  words: { en: () => import("./en.ftl?raw"), fr: () => import("./fr.ftl?raw") },
  model: (desk) => new Model(desk),
  canMove,
  Board,
  Hand,
  Scores,
  TextBoard,
  Defs,
  decides,
  begins,
  Move,
  SmallTile: TileImage,
  total,
  banner: () => null, // the galaxy needs all of the mat
  heading,
  counting: (model) => model.count.now.value !== null || model.moments.timeUp.value !== null,
  say,
  score,
  tally,
  points,
  because,
  Bit,
  sound,
  key,
  keys: keyLines("1–9", true, [
    ["↵", "kaosmos-key-take"],
    ["Del", "kaosmos-key-lift"],
    ["L", "kaosmos-key-leave"],
    ["G, B, O", "kaosmos-key-bonus"],
    ["D", "kaosmos-key-done"],
  ]),
};
