import { t } from "../../i18n";
import type { Result } from "../../protocol";
import type { Figure } from "../types";
import { Sign } from "./Tile";
import { COLOURS, MARKERS, type Markers } from "./view";

/** The four markers, and what ranks: the lowest colour and the star. */
export function tally(given: Result["scores"][number]): Figure[] {
  const own = given as unknown as Markers & { score: number };
  const lowest = Math.min(...COLOURS.map((colour) => own[colour]));
  const markers = MARKERS.map((marker) => ({
    label: t(`colour-${marker}`),
    sign: <Sign marker={marker} size={18} />,
    value: own[marker],
    decides: marker !== "star" && own[marker] === lowest,
  }));
  return [...markers, { label: t("kaosmos-total"), value: own.score, decides: false }];
}
