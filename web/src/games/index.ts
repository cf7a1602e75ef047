import type { GameModule } from "./types";

/** The games, loaded on demand. */
const LOADERS: Record<string, () => Promise<{ game: unknown }>> = {
  genial: () => import("./genial"),
  blockers: () => import("./blockers"),
  kaosmos: () => import("./kaosmos"),
};

export const GAME_NAMES = Object.keys(LOADERS);

/** Load a game's module. It only gets views and events of its own game. */
export async function loadGame(name: string): Promise<GameModule> {
  const loader = LOADERS[name];
  if (!loader) throw new Error(name);
  return (await loader()).game as GameModule;
}
