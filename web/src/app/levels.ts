import { signal } from "@preact/signals";
import { api, type GameCard, type LevelCard } from "../live/api";
import { lang, level } from "../ui/settings";

/** The games as the server tells them, with the levels of their bots; none until they are heard. */
export const cards = signal<GameCard[]>([]);

/** Ask for the games, once. */
export async function gameCards(): Promise<GameCard[]> {
  if (cards.value.length === 0) cards.value = await api.games();
  return cards.value;
}

/** The levels of a game, weakest first. */
export function levelsOf(game: string): LevelCard[] {
  return cards.value.find((card) => card.name === game)?.levels ?? [];
}

/** The level that was played against last, where this game has it; otherwise one in the middle. */
export function usualLevel(game: string): string {
  const levels = levelsOf(game);
  const last = levels.find((each) => each.id === level.value);
  return (last ?? levels[Math.floor(levels.length / 2)])?.id ?? "";
}

export function levelName(game: string, id: string): string {
  return levelsOf(game).find((each) => each.id === id)?.name[lang.value] ?? id;
}

/** A sentence on how a level plays. */
export function levelLine(game: string, id: string): string {
  return levelsOf(game).find((each) => each.id === id)?.line[lang.value] ?? "";
}
