import { t } from "../../i18n";
import type { BlockersView, Result } from "../../protocol";
import type { Figure } from "../types";
import type { Score } from "./say";

/** Groups, the captures that count, and their sum: the lowest wins. */
export function tally(own: Result["scores"][number], view: BlockersView): Figure[] {
  const { groups, score } = own as unknown as Score;
  const sum = { label: t("blockers-points"), value: score, decides: true };
  if (view.options.scoring === "uptown") return [sum];
  return [
    { label: t("blockers-groups-head"), value: groups, decides: false },
    { label: t("blockers-captures-head"), value: score - groups, decides: false },
    sum,
  ];
}
