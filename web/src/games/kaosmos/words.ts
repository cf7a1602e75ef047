import { list, t } from "../../i18n";
import { TILES } from "./tiles";
import type { TileId } from "./view";

const KINDS: Record<string, string> = { G: "green", B: "blue", O: "orange" };

/** A tile in words: its fields clockwise from the top left, then its asteroid lines. */
export function tileWords(tile: TileId, turns: number): string {
  const face = TILES[tile];
  if (!face) return tile;
  const fields = face.cells.map((_, index) => {
    const cell = face.cells[(index - turns + 4) % 4] ?? "K";
    const colour = KINDS[cell.charAt(0)];
    return colour
      ? t("kaosmos-field-words", { colour: t(`colour-${colour}`), planets: Number(cell.charAt(1)) })
      : t("kaosmos-constellation");
  });
  const arms = [..."NESW"].filter((_, index) =>
    face.arms.includes("NESW".charAt((index - turns + 4) % 4)),
  );
  const lines =
    arms.length === 0
      ? t("kaosmos-no-arms")
      : t("kaosmos-arms-words", { ways: list(arms.map((arm) => t(`kaosmos-way-${arm}`))) });
  return `${fields.join(", ")}; ${lines}`;
}
