import { Core } from "./core";
import type { Answer, Engine, Question } from "./port";
import { startPython } from "./python";

type Think = (question: string) => string;

/** The bots' worker: the bots of the server, with the core as WebAssembly. */
export function runBots(tables: MessagePort): void {
  let begin: (engine: Engine) => void;
  const think = new Promise<Engine>((resolve) => {
    begin = resolve;
  }).then(start);
  think.catch((error) => console.warn(error));
  tables.onmessage = async ({ data }: MessageEvent<Engine | Question>) => {
    if ("cores" in data) return begin(data);
    let move: string | null = null;
    try {
      move = (await think)(data.question);
    } catch (error) {
      console.warn(error);
    }
    tables.postMessage({ id: data.id, move } satisfies Answer);
  };
}

async function start(engine: Engine): Promise<Think> {
  const cores = new Map(engine.cores.map(([game, module]) => [game, new Core(module)]));
  const python = await startPython(engine);
  python.registerJsModule("tuilerie_core", {
    ask(game: string, request: string): string {
      try {
        return cores.get(game)!.ask(request);
      } catch (error) {
        return `!${(error as Error).message}`;
      }
    },
  });
  return python.runPython("from tuilerie.local.rehearsal import answer\nanswer") as Think;
}
