import { signal } from "@preact/signals";
import { api } from "../live/api";
import type { GameFacts, LevelFacts } from "../protocol";
import { lang, level } from "../ui/settings";

/** The games, in the order in which every page shows them. */
export const GAMES = ["genial", "blockers", "kaosmos"];

/** The games with the levels of their bots, in that order; empty until loaded. */
export const cards = signal<GameFacts[]>([]);

/** Load the games, once. */
export async function gameCards(): Promise<GameFacts[]> {
  if (cards.value.length === 0) {
    const place = ({ name }: GameFacts) => GAMES.indexOf(name) + 1 || GAMES.length + 1;
    cards.value = (await api.games()).sort((a, b) => place(a) - place(b));
  }
  return cards.value;
}

/** The levels of a game, weakest first. */
export function levelsOf(game: string): LevelFacts[] {
  return cards.value.find((card) => card.name === game)?.levels ?? [];
}

/** The level played against last, if this game has it; else the second, which a newcomer can beat. */
export function usualLevel(game: string): string {
  const levels = levelsOf(game);
  const last = levels.find((each) => each.id === level.value);
  return (last ?? levels[1])?.id ?? "";
}

/** A level by its number, a plain word for its strength, and its name. */
export function levelName(game: string, id: string): string {
  const level = levelsOf(game).find((each) => each.id === id);
  if (!level) return id;
  return `${level.number} · ${level.word[lang.value]} · ${level.name[lang.value]}`;
}

/** A sentence on how a level plays. */
export function levelLine(game: string, id: string): string {
  return levelsOf(game).find((each) => each.id === id)?.line[lang.value] ?? "";
}
