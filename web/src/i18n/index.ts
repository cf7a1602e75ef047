import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import { signal } from "@preact/signals";
import type { Refusal } from "../live/wire";
import { type Lang, lang } from "../ui/settings";

type Words = Record<Lang, () => Promise<{ default: string }>>;

/** The words of the shell, and those that the client shares with the rest of the house. */
const SHELL: Words = {
  en: () => import("./en.ftl?raw"),
  fr: () => import("./fr.ftl?raw"),
};
const SHARED: Words = {
  en: () => import("./shared.en.ftl?raw"),
  fr: () => import("./shared.fr.ftl?raw"),
};

const ACCOUNT: Words = {
  en: () => import("./account.en.ftl?raw"),
  fr: () => import("./account.fr.ftl?raw"),
};

const sets = new Set<Words>([SHELL]);
const bundle = signal<FluentBundle>(new FluentBundle("en"));
let loaded: { lang: Lang; sets: Set<Words> } | undefined;

/** Load what is wanted in the language that is chosen, once. */
async function load(): Promise<void> {
  const code = lang.value;
  if (loaded?.lang === code && [...sets].every((set) => loaded?.sets.has(set))) return;
  const wanted = new Set(sets);
  const texts = await Promise.all([...wanted].map((set) => set[code]()));
  const made = new FluentBundle(code, { useIsolating: false });
  for (const text of texts) made.addResource(new FluentResource(text.default));
  if (code !== lang.value) return load();
  loaded = { lang: code, sets: wanted };
  bundle.value = made;
}

/** Get ready to speak; `more` are the words of a game. Also wanted where refusals are told. */
export async function speak(...more: Words[]): Promise<void> {
  for (const set of more) sets.add(set);
  await load();
}

export const sharedWords = SHARED;
export const accountWords = ACCOUNT;
export type { Words };

/** Change the language, now and for the next time. */
export async function setLanguage(code: Lang): Promise<void> {
  lang.value = code;
  await load();
}

export type Vars = Record<string, FluentVariable>;

export function has(id: string): boolean {
  return bundle.value.hasMessage(id);
}

/** The words with this name, filled in. */
export function t(id: string, vars?: Vars): string {
  const pattern = bundle.value.getMessage(id)?.value;
  if (!pattern) return id;
  return bundle.value.formatPattern(pattern, vars ?? null, []);
}

/** Why something was refused. */
export function refusalText(refusal: Refusal): string {
  const vars: Vars = {};
  for (const [name, value] of Object.entries(refusal.params))
    vars[name] = word(counted(name, value));
  const id = `rule-${refusal.rule}`;
  if (has(id)) return t(id, vars);
  return t("refused", { rule: refusal.rule });
}

/** Seats are counted from 0 by the server, and from 1 by people. */
function counted(name: string, value: unknown): unknown {
  if (name === "seat") return Number(value) + 1;
  return name === "seats" && Array.isArray(value) ? value.map((seat) => Number(seat) + 1) : value;
}

function word(value: unknown): FluentVariable {
  if (typeof value === "number" || typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => String(word(each))).join(", ") || "–";
  return value === null || value === undefined ? "–" : String(value);
}

/** Names joined as one says them: 'a, b and c'. */
export function list(words: string[]): string {
  return new Intl.ListFormat(lang.value, { type: "conjunction" }).format(words);
}
