import { list, t } from "../../i18n";
import { symbolOf, tileSymbol } from "./grid";
import { type Cell, type Colour, colourOf, faceOf, type Tile } from "./view";

function faceWords(tile: Tile): string {
  const symbol = tileSymbol(tile);
  if (symbol) return t(`symbol-${symbol}`);
  return faceOf(tile) === "*" ? t("blockers-joker") : faceOf(tile);
}

function tileVars(tile: Tile) {
  return {
    colour: colourOf(tile),
    symbol: tileSymbol(tile) ?? "none",
    face: faceWords(tile),
  };
}

/** A tile's name: 'blue 7', 'green moon'. */
export function tileWords(tile: Tile): string {
  return t("blockers-tile", tileVars(tile));
}

/** A tile's name in a sentence: 'the blue 7'. */
export function theTile(tile: Tile): string {
  return t("blockers-the-tile", { ...tileVars(tile), tile: tileWords(tile) });
}

export function tileList(tiles: Tile[]): string {
  return list(tiles.map(tileWords));
}

export function colourWords(colour: Colour): string {
  return t(`colour-blockers-${colour}`);
}

/** Where a tile goes: 'column 7', 'row C', 'the moon region', 'any cell'. */
export function whereWords(tile: Tile): string {
  const face = faceOf(tile);
  const symbol = tileSymbol(tile);
  if (symbol) return t("blockers-where-region", { symbol: t(`symbol-${symbol}`) });
  if (face === "*") return t("blockers-where-any");
  return t(/\d/.test(face) ? "blockers-where-column" : "blockers-where-row", { face });
}

/** A cell with its symbol: 'C7, star'. */
export function cellWords(cell: Cell): string {
  return `${cell}, ${t(`symbol-${symbolOf(cell)}`)}`;
}
