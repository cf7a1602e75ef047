import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import { signal } from "@preact/signals";
import type { Problem } from "../protocol";
import { type Lang, lang } from "../ui/settings";
import kinds from "./kinds.json";

type Words = Record<Lang, () => Promise<{ default: string }>>;

/** The texts of the app; those of tables and lessons, with the ones shared with the terminal. */
const SHELL: Words = {
  en: () => import("./en.ftl?raw"),
  fr: () => import("./fr.ftl?raw"),
};
const SHARED: Words = {
  en: () => both(import("./shared.en.ftl?raw"), import("./table.en.ftl?raw")),
  fr: () => both(import("./shared.fr.ftl?raw"), import("./table.fr.ftl?raw")),
};

/** Two texts as one. */
async function both(...texts: Promise<{ default: string }>[]): Promise<{ default: string }> {
  const found = await Promise.all(texts);
  return { default: found.map((text) => text.default).join("\n") };
}

const ACCOUNT: Words = {
  en: () => import("./account.en.ftl?raw"),
  fr: () => import("./account.fr.ftl?raw"),
};

const sets = new Set<Words>([SHELL]);
const bundle = signal<FluentBundle>(new FluentBundle("en"));
let loaded: { lang: Lang; sets: Set<Words> } | undefined;

/** Load texts in the current language, once. */
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

/** Load the texts; `more` are those of a game, which refusals need, too. */
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

type Vars = Record<string, FluentVariable>;

export function has(id: string): boolean {
  return bundle.value.hasMessage(id);
}

/** The text with this id, with its variables. */
export function t(id: string, vars?: Vars): string {
  const pattern = bundle.value.getMessage(id)?.value;
  if (!pattern) return id;
  return bundle.value.formatPattern(pattern, vars ?? null, []);
}

type Kind = keyof typeof kinds.keys;

/** A refusal as a sentence. Codes of the rules become words; moves in a file stay in notation. */
export function refusalText(refusal: Problem): string {
  const codes: Record<string, string> =
    (kinds.rules as Record<string, Record<string, string>>)[refusal.rule] ?? {};
  const vars: Vars = {};
  for (const [name, value] of Object.entries(refusal.params)) {
    const kind = codes[name] as Kind | undefined;
    const literal = !kind || (kind === "move" && "line" in refusal);
    vars[name] = literal ? word(counted(name, value)) : codeWords(kind, value);
  }
  const id = `rule-${refusal.rule}`;
  if (has(id)) return t(id, vars);
  return t("refused", { rule: refusal.rule });
}

/** One code or several, in words. A code without a word stays as it is. */
function codeWords(kind: Kind, value: unknown): string {
  if (kind === "move") return String(value).replace(/[a-z]{2,}/g, (code) => codeWord(kind, code));
  let codes = Array.isArray(value) ? value.map(String) : String(value).split(", ");
  // 'by': both colours of a player of Blockers!
  if (kind === "colour")
    codes = codes.flatMap((code) => (/^[bygrk]+$/.test(code) ? [...code] : [code]));
  return codes.map((code) => codeWord(kind, code)).join(", ");
}

function codeWord(kind: Kind, code: string): string {
  const id = kinds.keys[kind].map((key) => key.replace("{}", code)).find(has);
  if (!id) return code;
  const said = kind === "move" ? (t(id).split(", ")[0] ?? code) : t(id);
  return kinds.typed.includes(kind) && said.toLowerCase() !== code ? `${said} (${code})` : said;
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

/** Names as a list in words: 'a, b and c'. */
export function list(words: string[]): string {
  return new Intl.ListFormat(lang.value, { type: "conjunction" }).format(words);
}
