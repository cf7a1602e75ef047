// Made by `python -m tuilerie.server.schema` from src/tuilerie/server/messages.py. Do not edit.
// Views of games are described by their own game folder; here they are whatever JSON holds.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const PROTOCOL = "tuilerie.v1";

/** The longest name of a player. */
export const NAME_LENGTH = 24;

/** Who is logged in. */
export interface AccountFacts {
  login: string;
}

/** Put a bot on an open seat. */
export interface AddBot {
  c: "add-bot";
  seat: number;
  level: string;
}

/** Agree to a takeback, or not. */
export interface AnswerTakeback {
  c: "answer-takeback";
  yes: boolean;
}

export type AnyCommand =
  | Sit
  | Stand
  | AddBot
  | RemoveBot
  | Ready
  | Begin
  | Make
  | Resign
  | AskTakeback
  | AnswerTakeback
  | AskRematch
  | React;

/** Ask for another game at the same table. */
export interface AskRematch {
  c: "ask-rematch";
}

/** Ask to take the last move back. */
export interface AskTakeback {
  c: "ask-takeback";
}

/** Begin the game. */
export interface Begin {
  c: "begin";
}

/** A bot and where it sits. */
export interface BotChoice {
  seat: number;
  level: string;
}

/** The socket closes. Come back after `wait` milliseconds, where it says so. */
export interface Bye {
  t: "bye";
  code: string;
  wait?: number | null;
}

/** The tables whose seats an account is to have, of those that this browser holds. */
export interface Claim {
  tables: string[];
}

/** How many seats now belong to the account. */
export interface Claimed {
  seats: number;
}

export type ClientMessage = Hello | Do | Ping;

/** The turn clock: none, so many seconds a move, or so many a game with an increment. */
export interface ClockChoice {
  kind?: "game" | "move" | "none";
  seconds?: number | null;
  increment?: number;
}

/** The login name and the password of a new account. */
export interface Credentials {
  login: string;
  password: string;
}

/** A command with an id of the client's own. A repeated id gets the first answer again. */
export interface Do {
  t: "do";
  id: string;
  command:
    | Sit
    | Stand
    | AddBot
    | RemoveBot
    | Ready
    | Begin
    | Make
    | Resign
    | AskTakeback
    | AnswerTakeback
    | AskRematch
    | React;
}

/** The command was carried out; its facts end with this number. */
export interface Done {
  t: "done";
  id: string;
  number: number;
}

/** One for each fact, in order, without a gap. `game` are the redacted events of the rules. `view` is the whole new view, where the event changes what the viewer sees or may do. */
export interface Event {
  t: "event";
  number: number;
  at: number;
  kind: string;
  data: Json;
  game?: Json;
  view?: Json;
}

/** The password once more, before an account is deleted. */
export interface Farewell {
  password: string;
}

/** The facts of a game, for a lobby. */
export interface GameFacts {
  name: string;
  title: string;
  players: [number, number];
  options: OptionFacts[];
  levels: LevelFacts[];
  hidden: boolean;
  simultaneous: boolean;
}

/** A seat that this browser holds and no account has. */
export interface GuestSeat {
  table: string;
  game: string;
  name: string | null;
  updated: number;
}

/** Whether the server can do its work. */
export interface Health {
  status: "no-store" | "ok";
}

/** Sit down before a table, and hear of it after event number `last` (0: from a snapshot). */
export interface Hello {
  t: "hello";
  table: string;
  last?: number;
}

/** A level of bots: its id, and by language its name and a sentence on how it plays. */
export interface LevelFacts {
  id: string;
  name: Record<string, string>;
  line: Record<string, string>;
}

/** A login name and a password, whatever they are: what cannot be right is just wrong. */
export interface LogIn {
  login: string;
  password: string;
}

/** Make a move, in notation. `pressed` is when, by the server's clock as the client knows it. */
export interface Make {
  c: "make";
  move: string;
  pressed?: number | null;
}

/** Another password for an account, and the one that it has. */
export interface NewPassword {
  password: string;
  new: string;
}

/** A table to be set up. Who asks for it takes the first open seat under `name`. */
export interface NewTable {
  game: string;
  players: number;
  name: string;
  options?: Record<string, Json>;
  clock?: ClockChoice;
  public?: boolean;
  spectators?: "delayed" | "live" | "none";
  bots?: BotChoice[];
}

/** One thing that a table can choose. */
export interface OptionFacts {
  name: string;
  default: Json;
  values: Json[];
}

/** Measure the way. */
export interface Ping {
  t: "ping";
  n: number;
}

/** The answer to a ping, with the server's clock. */
export interface Pong {
  t: "pong";
  n: number;
  now: number;
}

/** Who is connected. It has no number: only the newest one counts. */
export interface Presence {
  t: "presence";
  seats: boolean[];
  spectators: number;
}

/** Why a request was refused. `wait` is how many seconds to wait before another try. */
export interface Problem {
  code: string;
  rule: string;
  params: Record<string, Json>;
  wait?: number | null;
}

/** Show one of the reactions that there are. */
export interface React {
  c: "react";
  reaction: string;
}

/** Say that one is ready, or not. */
export interface Ready {
  c: "ready";
  ready: boolean;
}

/** Come back to one's seat with the token of a recovery link. */
export interface Recover {
  token: string;
}

/** The table to which a recovery token belongs. */
export interface Recovered {
  table: string;
}

/** The command was not carried out, and why. `id` is missing where it could not be read. */
export interface Refusal {
  t: "refused";
  code: string;
  rule: string;
  params: Record<string, Json>;
  id?: string | null;
  wait?: number;
}

/** Take a bot from its seat before the game. */
export interface RemoveBot {
  c: "remove-bot";
  seat: number;
}

/** Give the game up. */
export interface Resign {
  c: "resign";
}

export type RestMessage =
  | NewTable
  | TakeSeat
  | Recover
  | Credentials
  | LogIn
  | NewPassword
  | Claim
  | Farewell
  | GameFacts
  | TableFacts
  | TableMade
  | SeatTaken
  | SeatLink
  | Recovered
  | AccountFacts
  | Visitor
  | Claimed
  | Version
  | Health
  | Problem;

/** Who holds a seat: a person, a bot, or nobody. `for_good`: its person has given up or was gone too often, and a bot plays it to the end. */
export interface SeatFacts {
  kind: "bot" | "open" | "person";
  name?: string | null;
  level?: string | null;
  for_good?: boolean;
}

/** The link that brings you back to your seat from any device, and a picture of it (a QR code, as the address of an image). */
export interface SeatLink {
  link: string;
  qr: string;
}

/** Your seat, and the token that brings you back to it from any device. */
export interface SeatTaken {
  seat: number;
  recovery: string;
}

export type ServerMessage = Welcome | Event | Done | Refusal | Presence | Pong | Bye;

/** Take a seat, the first open one where none is named. Only by a browser that is known. */
export interface Sit {
  c: "sit";
  name: string;
  seat?: number | null;
}

/** Give one's seat back before the game. */
export interface Stand {
  c: "stand";
}

/** A table as everybody may know it who has its link. */
export interface TableFacts {
  table: string;
  game: string;
  players: number;
  options: Record<string, Json>;
  seats: SeatFacts[];
  status: "over" | "playing" | "waiting";
  public: boolean;
  spectators: string;
  number: number;
  updated: number;
  clock: Record<string, Json>;
  you?: number | null;
}

/** A new table: its link to share, your seat, and the token that brings you back to it. */
export interface TableMade {
  table: string;
  seat: number;
  link: string;
  recovery: string;
}

/** Take a seat at a table. `key` is a secret of the browser's own making: where the answer is lost on its way, the same request with the same key gets the same seat again, instead of another one. */
export interface TakeSeat {
  name: string;
  seat?: number | null;
  key?: string | null;
}

/** Which program this is. */
export interface Version {
  version: string;
  protocol: string;
  engine: "compiled" | "python";
}

/** Who this browser is: its account, if it is logged in, and the seats that it holds besides. */
export interface Visitor {
  login: string | null;
  seats: GuestSeat[];
}

/** The table as its viewer may see it, or the events that the viewer has missed. */
export interface Welcome {
  t: "welcome";
  you: number | null;
  number: number;
  now: number;
  view?: Json;
  events?: Json[];
}
