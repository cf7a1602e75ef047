import { t } from "../../i18n";
import type { GenialView, Result } from "../../protocol";
import type { Figure } from "../types";
import { FULL } from "./Scores";
import { SmallChip } from "./Sign";
import { COLOURS, type Track } from "./view";

const INKS: Record<string, string> = {
  R: "red",
  Y: "yellow",
  B: "blue",
  G: "green",
  P: "purple",
  O: "orange",
};

/** The six markers; the lowest decides. In a duel each has a sign, and none is the lowest. */
export function tally(own: Result["scores"][number], view: GenialView): Figure[] {
  const track = own as unknown as Track;
  const { variant } = view.options;
  const lowest = Math.min(...COLOURS.map((colour) => track[colour]));
  return COLOURS.map((colour) => ({
    label: t(`symbol-genial-${colour}`),
    sign: <SmallChip colour={colour} />,
    value: track[colour],
    decides: variant !== "duel" && track[colour] === lowest,
    bar:
      variant === "duel"
        ? undefined
        : { part: track[colour] / (FULL[variant] ?? 18), ink: `var(--${INKS[colour]}-ink)` },
  }));
}
