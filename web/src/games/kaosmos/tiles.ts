/* Made by make-tiles.mjs from the tiles and cards of the package. Do not edit. */

/** The fields of a tile, clockwise from the top left, and its asteroid lines. */
export interface Face {
  cells: [string, string, string, string];
  arms: string;
}

export const TILES: Record<string, Face> = {
  T01: { cells: ["B1", "B1", "B0", "B0"], arms: "" },
  T02: { cells: ["G1", "G1", "G0", "G0"], arms: "NE" },
  T03: { cells: ["G1", "G0", "G0", "G1"], arms: "NS" },
  T04: { cells: ["B0", "B2", "B0", "G1"], arms: "NW" },
  T05: { cells: ["B1", "B0", "B0", "G1"], arms: "NE" },
  T06: { cells: ["O0", "B1", "B1", "B1"], arms: "NS" },
  T07: { cells: ["B1", "G0", "G1", "G1"], arms: "NS" },
  T08: { cells: ["G1", "G1", "B0", "G1"], arms: "EW" },
  T09: { cells: ["G0", "G2", "G0", "B0"], arms: "SW" },
  T10: { cells: ["O1", "O0", "O1", "B0"], arms: "" },
  T11: { cells: ["G1", "G1", "G1", "O1"], arms: "SW" },
  T12: { cells: ["O0", "G0", "G1", "G1"], arms: "NW" },
  T13: { cells: ["O0", "G1", "G1", "G0"], arms: "NSW" },
  T14: { cells: ["G1", "G0", "O0", "G1"], arms: "ES" },
  T15: { cells: ["G1", "O1", "O0", "O0"], arms: "NS" },
  T16: { cells: ["G1", "G2", "B0", "B1"], arms: "NEW" },
  T17: { cells: ["G1", "G1", "B1", "B0"], arms: "" },
  T18: { cells: ["G1", "B0", "B1", "G0"], arms: "ES" },
  T19: { cells: ["B1", "G0", "B1", "O2"], arms: "EW" },
  T20: { cells: ["B1", "B2", "G0", "O1"], arms: "W" },
  T21: { cells: ["B1", "B0", "O0", "G2"], arms: "EW" },
  T22: { cells: ["B0", "O0", "B0", "O2"], arms: "" },
  T23: { cells: ["O0", "O1", "B0", "B0"], arms: "" },
  T24: { cells: ["G1", "O0", "O1", "B0"], arms: "NW" },
  T25: { cells: ["O1", "G1", "G1", "O0"], arms: "NES" },
  T26: { cells: ["O0", "G1", "G0", "O2"], arms: "S" },
  T27: { cells: ["G1", "O0", "O0", "G1"], arms: "NESW" },
  T28: { cells: ["O0", "G1", "G1", "O0"], arms: "NEW" },
  T29: { cells: ["G1", "O0", "O0", "G1"], arms: "" },
  T30: { cells: ["G0", "O0", "O1", "G1"], arms: "NES" },
  T31: { cells: ["O1", "O0", "G1", "G0"], arms: "NS" },
  T32: { cells: ["K", "B2", "B1", "B0"], arms: "NS" },
  T33: { cells: ["B1", "B0", "B1", "K"], arms: "SW" },
  T34: { cells: ["B1", "B0", "B0", "K"], arms: "" },
  T35: { cells: ["G1", "K", "G1", "G1"], arms: "NESW" },
  T36: { cells: ["K", "G0", "G1", "G1"], arms: "W" },
  T37: { cells: ["O2", "O0", "O0", "K"], arms: "S" },
  T38: { cells: ["O0", "O0", "O2", "K"], arms: "NW" },
  T39: { cells: ["G2", "K", "B1", "B0"], arms: "NE" },
  T40: { cells: ["K", "B1", "B0", "G1"], arms: "NW" },
  T41: { cells: ["B1", "K", "G1", "G1"], arms: "EW" },
  T42: { cells: ["G2", "G0", "K", "B1"], arms: "ES" },
  T43: { cells: ["G1", "B0", "K", "G1"], arms: "N" },
  T44: { cells: ["G1", "G0", "B1", "K"], arms: "ES" },
  T45: { cells: ["B2", "O1", "O1", "K"], arms: "ESW" },
  T46: { cells: ["O0", "B2", "K", "O1"], arms: "NES" },
  T47: { cells: ["O1", "K", "B1", "O0"], arms: "NES" },
  T48: { cells: ["G2", "G0", "O1", "K"], arms: "W" },
  T49: { cells: ["O0", "O1", "K", "G2"], arms: "NEW" },
  T50: { cells: ["G1", "K", "O0", "O0"], arms: "NSW" },
  T51: { cells: ["O1", "K", "G1", "B1"], arms: "NESW" },
  T52: { cells: ["B1", "K", "K", "B0"], arms: "EW" },
  T53: { cells: ["K", "B0", "G2", "K"], arms: "NE" },
  T54: { cells: ["O1", "K", "K", "O2"], arms: "NE" },
};

/** The cards that give the galaxy another shape than the square. */
export const CARD_SHAPES: Record<string, string> = {
  "une-dimension": "row",
  "univers-paralleles": "twins",
  derive: "free",
  "trou-noir": "ring",
};
