/**
 * Writes tiles.ts: how the tiles and cards of the package look, for drawing.
 *
 * Run from anywhere:  node web/src/games/kaosmos/make-tiles.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";

const PACKAGE = new URL("../../../../src/tuilerie/games/kaosmos/", import.meta.url);
const TARGET = new URL("./tiles.ts", import.meta.url);

function read(name) {
  return JSON.parse(readFileSync(new URL(name, PACKAGE), "utf8"));
}

/** The text of tiles.ts. */
export function tilesModule() {
  const tiles = read("tiles.json").map(
    ({ id, cells, arms }) =>
      `  ${id}: { cells: [${cells.map((c) => `"${c}"`).join(", ")}], arms: "${arms}" },`,
  );
  const shapes = read("cards.json")
    .filter((card) => card.effect === "shape")
    .map(({ id, shape }) => `  ${/^[a-z]+$/.test(id) ? id : `"${id}"`}: "${shape}",`);
  return `/* Made by make-tiles.mjs from the tiles and cards of the package. Do not edit. */

/** The fields of a tile, clockwise from the top left, and its asteroid lines. */
export interface Face {
  cells: [string, string, string, string];
  arms: string;
}

export const TILES: Record<string, Face> = {
${tiles.join("\n")}
};

/** The cards that give the galaxy another shape than the square. */
export const CARD_SHAPES: Record<string, string> = {
${shapes.join("\n")}
};
`;
}

if (process.argv[1] && import.meta.url === new URL(process.argv[1], "file://").href) {
  writeFileSync(TARGET, tilesModule());
}
