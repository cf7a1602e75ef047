import type { GameModule } from "./types";

/** Each game is loaded when it is wanted. */
const LOADERS: Record<string, () => Promise<{ game: unknown }>> = {
  genial: () => import("./genial"),
  blockers: () => import("./blockers"),
  kaosmos: () => import("./kaosmos"),
};

export const GAME_NAMES = Object.keys(LOADERS);

export async function loadGame(name: string): Promise<GameModule> {
  const loader = LOADERS[name];
  if (!loader) throw new Error(name);
  return (await loader()).game as GameModule;
}
