import { signal } from "@preact/signals";
import type { Command, FromServer, ToServer } from "./wire";

export type Link = "connecting" | "open" | "lost" | "closed";

interface Waiting {
  id: string;
  command: Command;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 15_000;
/**
 * Round trips of a heartbeat, the first one and all others: each ping but the first goes out as soon
 * as the pong before has come, and the server learns by that how long the way is.
 */
const FIRST_TRIPS = 5;
const TRIPS = 3;
/** A socket that says nothing for this long after a ping is given up. */
const SILENCE = 8_000;

/** How long to wait before the next try: doubling, with up to half of it left to chance. */
export function backoff(tries: number, chance: () => number = Math.random): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return most / 2 + (most / 2) * chance();
}

export function freshId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface Listener {
  /** The number of the last event that was applied; sent with every hello. */
  last(): number;
  heard(message: FromServer): void;
}

/**
 * One socket to one table, that comes back by itself.
 *
 * Commands are kept, with their ids, until the server has answered them; after a lost connection
 * they are sent again, and the server answers a repeated id with its first answer.
 */
export class Connection {
  readonly link = signal<Link>("connecting");
  /** Server time minus our time, from the quickest ping so far. */
  offset = 0;
  private socket: WebSocket | null = null;
  private tries = 0;
  /** When the server has said to come back, in milliseconds; else we decide. */
  private comeBack: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private waiting: Waiting[] = [];
  private welcomed = false;
  private pings = new Map<number, number>();
  private pinged = 0;
  private trips = 0;
  private quickest = Number.POSITIVE_INFINITY;
  private readonly storage: string;

  constructor(
    readonly table: string,
    private readonly listener: Listener,
    private readonly url = socketUrl(),
  ) {
    this.storage = `tuilerie.unsent.${table}`;
    this.waiting = this.recall();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  /** Ask something of the table. Answers come as `done` or `refused` with the same id. */
  ask(command: Command, id = freshId()): string {
    this.waiting.push({ id, command });
    this.keep();
    if (this.welcomed) this.send({ t: "do", id, command });
    return id;
  }

  /** Hang up and say hello again. */
  again(): void {
    this.drop();
    this.open();
  }

  close(): void {
    this.link.value = "closed";
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.drop();
  }

  /** The server's clock, in milliseconds. */
  now(): number {
    return Date.now() + this.offset;
  }

  private open(): void {
    clearTimeout(this.timer);
    if (this.link.value === "closed") return;
    const socket = new WebSocket(this.url, "tuilerie.v1");
    this.socket = socket;
    this.welcomed = false;
    socket.onopen = () => {
      this.send({ t: "hello", table: this.table, last: this.listener.last() });
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.heard(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private heard(message: FromServer): void {
    clearTimeout(this.silence);
    switch (message.t) {
      case "welcome":
        this.welcomed = true;
        this.tries = 0;
        if (this.quickest === Number.POSITIVE_INFINITY) this.offset = message.now - Date.now();
        this.listener.heard(message);
        this.link.value = "open";
        for (const { id, command } of this.waiting) this.send({ t: "do", id, command });
        this.beat();
        return;
      case "done":
      case "refused":
        this.waiting = this.waiting.filter((each) => each.id !== message.id);
        this.keep();
        break;
      case "pong":
        this.measure(message.n, message.now);
        if (this.trips > 0) this.ping();
        return;
      case "bye":
        this.tries = Math.max(this.tries, 2);
        this.comeBack = message.wait ?? null;
        break;
    }
    this.listener.heard(message);
  }

  private beat(): void {
    clearInterval(this.heartbeat);
    this.trips = FIRST_TRIPS;
    this.ping();
    this.heartbeat = setInterval(() => {
      this.trips = TRIPS;
      this.ping();
    }, PING_EVERY);
  }

  private ping(): void {
    this.trips--;
    const n = ++this.pinged;
    this.pings.set(n, performance.now());
    this.send({ t: "ping", n });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(), SILENCE);
  }

  private measure(n: number, now: number): void {
    const sent = this.pings.get(n);
    this.pings.clear();
    if (sent === undefined) return;
    const trip = performance.now() - sent;
    if (trip > this.quickest * 1.5) return;
    this.quickest = Math.min(trip, this.quickest);
    this.offset = now + trip / 2 - Date.now();
  }

  private lost(): void {
    this.drop();
    if (this.link.value === "closed") return;
    this.link.value = "lost";
    this.timer = setTimeout(() => this.open(), this.comeBack ?? backoff(this.tries++));
    this.comeBack = null;
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    clearInterval(this.heartbeat);
    this.welcomed = false;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** Try at once when the network is back or the page is looked at again. */
  private readonly wake = (): void => {
    if (this.link.value === "lost" && document.visibilityState === "visible") {
      this.again();
    }
  };

  private send(message: ToServer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private keep(): void {
    try {
      if (this.waiting.length === 0) sessionStorage.removeItem(this.storage);
      else sessionStorage.setItem(this.storage, JSON.stringify(this.waiting));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  private recall(): Waiting[] {
    try {
      return JSON.parse(sessionStorage.getItem(this.storage) ?? "[]") as Waiting[];
    } catch {
      return [];
    }
  }
}

function socketUrl(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
