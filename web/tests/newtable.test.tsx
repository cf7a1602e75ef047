import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { NewTableSheet } from "../src/app/NewTable";
import { sharedWords, speak } from "../src/i18n";
import type { GameFacts, NewTable } from "../src/protocol";

const option = (name: string, value: unknown, ...values: unknown[]) => ({
  name,
  default: value,
  values,
});
const GENIAL = {
  name: "genial",
  players: [1, 4],
  options: [option("variant", "standard", "standard", "solo"), option("first", 0)],
} as unknown as GameFacts;
const KAOSMOS = {
  name: "kaosmos",
  players: [2, 6],
  options: [option("kaos", true, true, false), option("seconds", 60, 60, null)],
} as unknown as GameFacts;

let asked: NewTable[] = [];
let root: HTMLElement;

beforeAll(async () => {
  HTMLDialogElement.prototype.showModal = () => undefined;
  await speak(sharedWords);
});

beforeEach(() => {
  asked = [];
  root = document.createElement("div");
  document.body.append(root);
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    asked.push(JSON.parse(String(init.body)) as NewTable);
    return new Response(JSON.stringify({ code: "busy", rule: "busy", params: {} }), {
      status: 409,
    });
  });
});

afterEach(() => {
  render(null, root);
  root.remove();
  vi.unstubAllGlobals();
});

async function open(card: GameFacts): Promise<void> {
  await act(() => render(<NewTableSheet card={card} onClose={() => undefined} />, root));
}

async function pick(value: string): Promise<void> {
  await act(() => root.querySelector<HTMLInputElement>(`input[value='${value}']`)!.click());
}

async function create(): Promise<Record<string, unknown> | undefined> {
  await act(async () => {
    root.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
  });
  return asked.at(-1)?.options;
}

test("the first seat begins Génial!, unless it is drawn by lot", async () => {
  await open(GENIAL);
  expect(await create()).toEqual({});
  await pick("lot");
  expect(await create()).toEqual({ first: "lot" });
  await pick("seat");
  expect(await create()).toEqual({});
});

test("a solo table does not ask who begins", async () => {
  await open(GENIAL);
  await pick("lot");
  await pick("1");
  expect(root.querySelector("input[value=lot]")).toBeNull();
  expect(await create()).toEqual({});
});

test("on one device Kaosmos has no timer, and the form says so", async () => {
  await open(KAOSMOS);
  expect(root.querySelector("input[value='60']")).not.toBeNull();
  expect(await create()).toEqual({});
  await pick("device");
  expect(root.querySelector("input[value='60']")).toBeNull();
  expect(root.textContent).toContain("there is no timer");
  expect(await create()).toEqual({ seconds: null });
});
