/** A desk of Kaosmos for tests, with the scenes of fixtures/kaosmos.json. */
import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { vi } from "vitest";
import fixture from "../fixtures/kaosmos.json";
import { game } from "../src/games/kaosmos";
import { Model } from "../src/games/kaosmos/model";
import type { Desk } from "../src/games/types";
import type { KaosmosEvent, KaosmosView } from "../src/protocol";
import { quietTurn } from "./quietTurn";

export interface Scene {
  name: string;
  view: KaosmosView;
  legal: string[];
  events: KaosmosEvent[];
}

export const scenes = fixture.scenes as unknown as Scene[];
export const NAMES = ["Léa", "Marc", "Inès", "Tom", "Zoé", "Ali"];

export function sceneOf(name: string): Scene {
  const found = scenes.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return structuredClone(found);
}

/** A desk as at a live table: moves are pending until `answer` is called. */
export function deskOf(name: string) {
  const scene = sceneOf(name);
  const view = signal(scene.view);
  const fresh = signal<KaosmosEvent[]>(scene.events);
  const sent = signal<string | null>(null);
  const moves: string[] = [];
  let left: number | null = null;
  const desk: Desk<KaosmosView> = {
    ...quietTurn,
    view,
    fresh,
    sent,
    you: signal(scene.view.viewer),
    names: signal(NAMES),
    labels: signal(NAMES),
    past: signal([]),
    may: signal(game.canMove(scene.view)),
    secondsLeft: () => left,
    move: (text) => {
      moves.push(text);
      sent.value = text;
    },
    people: signal([]),
    pointed: signal(null),
    now: () => 0,
    hint: () => undefined,
  };
  const model = new Model(desk);
  const timer = (seconds: number) => {
    left = seconds;
  };
  return { desk, model, view, legal: scene.legal, fresh, sent, moves, timer };
}

/** The parts of a table, drawn. */
export function draw({
  desk,
  model,
}: Pick<ReturnType<typeof deskOf>, "desk" | "model">): HTMLElement {
  const root = document.createElement("div");
  document.body.append(root);
  const { Board, Hand, Scores, TextBoard } = game;
  const parts = (
    <>
      <Board desk={desk} model={model} />
      <Hand desk={desk} model={model} />
      <Scores desk={desk} model={model} />
      <TextBoard desk={desk} model={model} />
    </>
  );
  void act(() => render(parts, root));
  return root;
}

/** Wait for the next render. */
export async function drawn(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(150);
  });
}
