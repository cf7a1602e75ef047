import { has, list, t } from "../i18n";
import type { ClockChoice, GameFacts, Json, OptionFacts, TableView } from "../protocol";
import { clockName } from "./clocks";
import { cards } from "./levels";

/** The chosen value, or the server's default; for one player, the solo variant. */
export function picked(
  option: OptionFacts,
  chosen: Record<string, Json>,
  players: number,
): unknown {
  if (option.name in chosen) return chosen[option.name];
  return fits(option.default, players)
    ? option.default
    : option.values.find((value) => fits(value, players));
}

/** The description of the chosen value, or of the option. */
export function about(game: string, option: string, value: unknown): string {
  const own = `option-${game}-${option}-value-${String(value)}`;
  return t(has(own) ? own : `option-${game}-${option}-text`);
}

/** Hides variants for other numbers of players; the server decides in the end. */
export function fits(value: unknown, players: number): boolean {
  if (value === "solo") return players === 1;
  if (value === "standard") return players > 1;
  if (value === "teams") return players === 4;
  return value !== "duel" || players === 2;
}

export function valueName(game: string, option: string, value: unknown): string {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (value === null) return t("none");
  const own = `value-${game}-${option}-${String(value)}`;
  if (has(own)) return t(own);
  return typeof value === "number" && option === "seconds"
    ? t("seconds", { count: value })
    : String(value);
}

/** What an option is called, as a heading. */
export function optionName(game: string, option: string): string {
  const name = t(`option-${game}-${option}-name`);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The options of a game whose values can be listed. */
export function listed(card: GameFacts, timed = true): OptionFacts[] {
  return card.options.filter(
    ({ name, values }) => values.length > 1 && (timed || name !== "seconds"),
  );
}

type Terms = Pick<TableView["config"], "players" | "options">;

/** How a table is played: each option with its value, whether it was chosen or not. */
export function optionWords(card: GameFacts | undefined, config: Terms): string[] {
  if (!card) return [];
  const { players, options } = config;
  const words = listed(card).map((option) => {
    const value = valueName(card.name, option.name, picked(option, options, players));
    return `${optionName(card.name, option.name)}${t("colon")} ${value}`;
  });
  if (options.first === "lot") words.push(`${t("who-begins")}${t("colon")} ${t("who-begins-lot")}`);
  return words;
}

/** How long the timer runs, where the game has one: as chosen, or by default. */
function timerOf(game: string, options: object): unknown {
  if ("seconds" in options) return options.seconds;
  const card = cards.value.find((each) => each.name === game);
  return card?.options.find((option) => option.name === "seconds")?.default;
}

/** The clock and the number of players, in a line of a list. */
export function shortTerms(game: string, players: number, clock: object, options: object): string {
  const seconds = timerOf(game, options);
  const timer = seconds === undefined ? [] : [valueName(game, "seconds", seconds)];
  const given = "kind" in clock ? (clock as ClockChoice) : ({ kind: "none" } as const);
  const variant = (options as Record<string, unknown>).variant;
  const special = ["teams", "duel"].includes(String(variant))
    ? [valueName(game, "variant", variant)]
    : [];
  return [t("for-players", { count: players }), ...special, ...timer, clockName(given)].join(" · ");
}

/** Names as a list: people first, then the number of bots. */
export function company(names: string[], bots: number): string {
  return list([...names, ...(bots > 0 ? [t("bots-count", { count: bots })] : [])]);
}
