import { signal } from "@preact/signals";
import { isLocal } from "../local/here";
import { LocalSocket } from "../local/page";
import {
  type ClientMessage,
  type Command,
  type Hello,
  PROTOCOL,
  type ServerMessage,
} from "../protocol";

type Link = "connecting" | "open" | "lost" | "closed";

interface Waiting {
  id: string;
  command: Command;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 15_000;
/**
 * Round trips of a heartbeat, the first one and all others: each ping but the first is sent as soon
 * as the previous pong arrives, so that the server can measure the round trip.
 */
const FIRST_TRIPS = 5;
const TRIPS = 3;
/** A socket without an answer for this long after a ping is closed. */
const SILENCE = 8_000;
/** A command without an answer for this long is mentioned. */
const SLOW = 1_500;

/** Exponential backoff: doubling, with up to 50 % jitter. */
export function backoff(tries: number, chance: () => number = Math.random): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return most / 2 + (most / 2) * chance();
}

export function freshId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Listener {
  /** The view that we hold: its number (0: none), time and seat. Sent with every hello. */
  held(): Pick<Hello, "last" | "at" | "you">;
  received(message: ServerMessage): void;
}

/**
 * One connection to one table, which reconnects by itself.
 *
 * Commands are kept, with their ids, until the server has answered them; after a lost connection
 * they are sent again, and the server answers a repeated id with its first answer.
 */
export class Connection {
  readonly link = signal<Link>("connecting");
  /** Whether a command has been waiting for its answer for a while. */
  readonly slow = signal(false);
  /** Server time minus our time, from the quickest ping so far. */
  offset = 0;
  private socket: WebSocket | LocalSocket | null = null;
  private tries = 0;
  /** The server's delay before reconnecting, in ms; null: our own backoff. */
  private comeBack: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private slowly: ReturnType<typeof setTimeout> | undefined;
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
    private readonly url = socketUrl(table),
  ) {
    this.storage = `${PROTOCOL}.unsent.${table}`;
    this.waiting = this.recall();
    addEventListener("online", this.wake);
    addEventListener("offline", this.away);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  /** Send a command. The answer is `done` or `refused` with the same id. */
  ask(command: Command, id = freshId()): string {
    this.waiting.push({ id, command });
    this.keep();
    clearTimeout(this.slowly);
    this.slowly = setTimeout(() => {
      this.slow.value = this.waiting.length > 0;
    }, SLOW);
    if (this.welcomed) this.send({ t: "do", id, command });
    return id;
  }

  /** The device has no network: nothing else tells it as soon. */
  private readonly away = (): void => {
    if (!isLocal(this.table)) this.link.value = "lost";
  };

  /** Close the socket and connect again. */
  again(): void {
    this.drop();
    this.open();
  }

  close(): void {
    this.link.value = "closed";
    clearTimeout(this.slowly);
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.away);
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
    const socket = isLocal(this.table) ? new LocalSocket() : new WebSocket(this.url, PROTOCOL);
    this.socket = socket;
    this.welcomed = false;
    socket.onopen = () => {
      this.send({ t: "hello", table: this.table, ...this.listener.held() });
    };
    socket.onmessage = (event: { data: unknown }) => {
      if (this.socket === socket) this.received(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private received(message: ServerMessage): void {
    clearTimeout(this.silence);
    switch (message.t) {
      case "welcome":
        if (this.quickest === Number.POSITIVE_INFINITY) this.offset = message.now - Date.now();
        this.begin(message);
        return;
      case "update":
        this.begin(message);
        return;
      case "done":
      case "refused":
        this.waiting = this.waiting.filter((each) => each.id !== message.id);
        this.keep();
        if (this.waiting.length === 0) this.slow.value = false;
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
    this.listener.received(message);
  }

  /** Handle a welcome or update. The first one answers our hello: then all unanswered commands are
   * sent again, unless the listener has closed the connection. */
  private begin(message: ServerMessage): void {
    const socket = this.socket;
    this.listener.received(message);
    if (this.welcomed || this.socket !== socket) return;
    this.welcomed = true;
    this.tries = 0;
    this.link.value = "open";
    for (const { id, command } of this.waiting) this.send({ t: "do", id, command });
    this.beat();
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

  /** Reconnect at once when the network is back or the page becomes visible. */
  private readonly wake = (): void => {
    if (this.link.value === "lost" && document.visibilityState === "visible") {
      this.again();
    }
  };

  private send(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private keep(): void {
    try {
      if (this.waiting.length === 0) sessionStorage.removeItem(this.storage);
      else sessionStorage.setItem(this.storage, JSON.stringify(this.waiting));
    } catch {
      // Playing works without storage.
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

/** The server needs no table here: a load balancer does, to send all its players to one node. */
function socketUrl(table: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws?table=${encodeURIComponent(table)}`;
}
