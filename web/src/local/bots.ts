import { Core } from "./core";
import { readFiles, readManifest } from "./files";
import type { Answer, Question } from "./port";
import { startPython } from "./python";

const GAMES = ["genial", "blockers", "kaosmos"];

/** The bots' worker: the bots of the server, with the core as WebAssembly. */
export async function runBots(folder: string, tables: MessagePort): Promise<void> {
  const think = start(folder);
  tables.onmessage = async ({ data }: MessageEvent<Question>) => {
    let move: string | null = null;
    try {
      move = (await think)(data.question);
    } catch (error) {
      console.warn(error);
    }
    tables.postMessage({ id: data.id, move } satisfies Answer);
  };
}

async function start(folder: string): Promise<(question: string) => string> {
  const manifest = await readManifest(folder);
  if (!manifest) throw new Error("no engine");
  const files = await readFiles(folder, manifest, () => undefined);
  const cores = new Map<string, Core>();
  for (const game of GAMES) {
    const bytes = files.get(`${game}.wasm`) as Uint8Array<ArrayBuffer>;
    cores.set(game, await Core.load(bytes));
  }
  const python = await startPython(manifest, files);
  python.registerJsModule("tuilerie_core", {
    ask(game: string, request: string): string {
      try {
        return cores.get(game)!.ask(request);
      } catch (error) {
        return `!${(error as Error).message}`;
      }
    },
  });
  return python.runPython(BOTS) as (question: string) => string;
}

const BOTS = `
from tuilerie.local import core
import tuilerie_core
core.install(tuilerie_core.ask)
from tuilerie.bots.thinker import Question, decode, think

def answer(text):
    found = think(decode(Question, text.encode()))
    if not found.good:
        raise ValueError(found.text)
    return found.text

answer
`;
