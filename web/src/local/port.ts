import type { Problem } from "../protocol";
import type { Parts } from "./python";

/** What a page and the worker of its tables say to each other. */

export type ToTables =
  | { kind: "start"; folder: string; bots: MessagePort; pace: number }
  | { kind: "request"; id: number; method: string; path: string; body: unknown }
  | { kind: "open"; connection: number }
  | { kind: "send"; connection: number; text: string }
  | { kind: "close"; connection: number };

export type FromTables =
  | { kind: "progress"; share: number }
  | { kind: "started"; problem: Problem | null }
  | { kind: "answer"; id: number; status: number; body: unknown }
  | { kind: "message"; connection: number; text: string };

/** The bots' worker: it is given views as JSON, and nothing else. */
export interface ToBots {
  kind: "start";
  tables: MessagePort;
}

/** What the tables' worker gives to that of the bots, first of all: nothing is read or compiled twice. */
export interface Engine extends Parts {
  cores: [game: string, module: WebAssembly.Module][];
}

export interface Question {
  id: number;
  question: string;
}

export interface Answer {
  id: number;
  move: string | null;
}

export function problem(rule: string, params: Problem["params"] = {}): Problem {
  return { code: "failed", rule, params };
}
