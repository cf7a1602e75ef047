"""Every limit of the server, and rate limiting by token buckets. Errors say how long to wait."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tuilerie import names

# --- sizes ----------------------------------------------------------------------------------------

FRAME_BYTES = 4_096
"""The longest message that a client may send over a socket."""

BODY_BYTES = 16_384
"""The longest body of a request."""

HEAD_BYTES = 32_768
"""The longest head of a request: its first line and all headers."""

HEADERS = 100
"""How many headers a request may have."""

COOKIE_BYTES = 16_384
"""The longest `Cookie` header. Sixty seat cookies take a third of it."""

READ_BYTES = 8_192
"""How much of what a connection sends is parsed before its limits are checked again."""

ACCEPTS = 8
"""How many connections are accepted in one turn of the event loop."""

PIPELINED = 8
"""How many more requests a connection may send before the first is answered. No browser does."""

QUEUE_MESSAGES = 256
"""How many messages may be queued for a slow socket before it is closed; its client resumes."""

WAITING_MESSAGES = 8
"""How many received messages of one socket may be queued before reading is paused."""

RESUME_EVENTS = 500
"""How many events come along with a snapshot; if there are more, only the recent ones do."""

RECENT_TRANSITIONS = 6
"""How many transitions each table keeps in memory: a client that missed more gets a snapshot."""

HISTORY_SECONDS = 1.0
"""How long a log that was read is cached: after a restart many clients need it at once. The cache
of a hundred facts takes 350 kB."""

SPECTATORS_PER_TABLE = 224
"""Sockets of spectators open at one time at one table on one node."""

SOCKETS_PER_PLAYER = 16
"""Sockets of one player at one table. They are counted apart: else spectators, or an opponent,
could keep players from their own table."""

NAME_LENGTH = names.LONGEST
"""The longest name of a player."""

ID_LENGTH = 64
"""The longest id of a command."""

PASSWORD_LENGTH = (10, 128)
"""The shortest and the longest password."""

LONGEST_HOLD_MS = 3_600_000
"""The longest time for which a turn can be kept open for an undo."""

REFUSALS_PER_SOCKET = 200
"""Malformed messages that one socket may send before it is closed."""

RECORD_LENGTH = 400_000
"""The longest record that is replayed on request: ten times the longest game."""

STEPS = 2_000
"""How many entries of it are sent in one response."""

DISK_LOW_BYTES = 512 * 2**20
"""Below this free space no new tables are created, so that games in play can be finished."""

DISK_FULL_BYTES = 32 * 2**20
"""Below this free space the health check fails."""

# --- times ----------------------------------------------------------------------------------------

HEAD_SECONDS = 10.0
"""A connection whose request has no complete head by then is closed."""

BODY_SECONDS = 30.0
"""A connection whose request has no complete body by then is closed."""

READER_SECONDS = 10.0
"""How often it is checked that a client with a long answer reads it."""

READER_BYTES = 1_024
"""How many bytes a second it must read: the slowest phones read ten times as many."""

REPLAY_SECONDS = 2.0
"""How much CPU time a replay may take; ten times that of the longest game."""

REPLAY_HANG_SECONDS = 30.0
"""The process that replays is killed if it gives no answer for so long."""

REPLAYS_WAITING = 20
"""How many replays may wait for the one that is computed; more are refused."""

REPLAYS_EACH = 5
"""How many of them may be of one network."""

THREAD_FACTS = 32
"""More facts than this are applied in a thread, so that the event loop goes on."""

COMMAND_SECONDS = 5.0
"""A command that has waited so long for the store is answered with `busy`; it may still be done."""

HELLO_SECONDS = 10.0
"""A socket that has not said hello by then is closed."""

PING_SECONDS = 20.0
"""A socket that is silent for so long is pinged, and has as long to answer."""

SPECTATOR_DELAY_SECONDS = 60
"""The delay of delayed spectators."""

IDLE_TABLE_SECONDS = 300.0
"""A table without connections is unloaded after this time; its log stays."""

IDLE_SHARED_SECONDS = 15.0
"""The same for a table at which people are connected to another node."""

PRESENCE_SECONDS = 0.25
"""Changes of presence within this time are sent together."""

PRESENCE_BEAT_SECONDS = 0.5
"""How often a node sends a heartbeat."""

NODE_SILENT_SECONDS = 1.25
"""After so long without a heartbeat of the node that moves a table's bots, another one does."""

PRESENCE_LOST_SECONDS = 15.0
"""A node without heartbeats for so long counts as lost."""

LEAVE_SECONDS = 10.0
"""A player whose last socket closed has left the table after this time."""

TAKEOVER_SECONDS = 120
"""A bot takes over for a player who has left for so long, or for as long as a move may take."""

POLL_SECONDS = 2.0
"""How soon after a change the head of a table that several nodes follow is read, in case the bus
lost a hint. While the bus is down, the heads of all live tables are read as often."""

POLL_MOST_SECONDS = 30.0
"""Without a change the time to the next poll doubles, up to this."""

SWEEP_SECONDS = 5.0
"""How often this node looks for tables to load or unload."""

BOT_ROUND_SECONDS = 1.0
"""Within about this time every bot that is to move gets its answer, whatever the load: thinking
times are shortened for it. No longer than a bot's move is held back anyway (`BOT_SHOWN_MS`)."""

BOT_LEAST_SECONDS = 0.002
"""The shortest thinking time of a bot."""

BOT_HANG_SECONDS = 10.0
"""A process that computes one move for so long hangs, and is killed. No level thinks for more than
a second on an idle machine."""

BOT_PATIENCE_SECONDS = 30.0
"""How long a question waits for a free worker before the greedy bot plays instead: longer than it
takes to notice and to replace a worker that hangs."""

BOT_LOST_SECONDS = 0.9
"""A worker that does not renew its claim for so long loses its job to another one, which still has
time to compute the move."""

BOT_SHOWN_MS = (500, 1_100)
"""A bot's move is shown no sooner than this after it was due: a bot should seem to think."""

BOT_RACE_MS = (2_000, 4_000)
"""The pace of a bot where all build at the same time: slow enough for a person to race it."""

CLOSE_WAIT_MS = (500, 4_000)
"""When the server stops, clients reconnect after a random delay between these."""

CLOSE_WAIT_ELSEWHERE_MS = (0, 500)
"""The same while another node is up, which takes them at once."""

APPEND_TRIES = 5
"""How often a command is decided again after an append conflict."""


# --- rates ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, then `per_second` on average. `key` names it in refusals, metrics, settings
    and docs/limits.md."""

    key: str
    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Most:
    """So many at one time."""

    key: str
    count: int


CONNECTIONS_OPENED = Rate("connections-opened", 240, 20)
"""New TCP connections, by network. A network is an IPv4 address or an IPv6 /64."""

CONNECTIONS = Most("connections", 128)
"""TCP connections open at one time from one network (a school or an office shares one)."""

SOCKETS_OPENED = Rate("sockets-opened", 120, 10)
"""WebSocket handshakes, by network."""

SOCKETS = Most("sockets", 64)
"""WebSockets open at one time from one network."""

SOCKET_BYTES = Rate("socket-bytes", 65_536, 8_192)
"""Bytes that one WebSocket may send, frames of all kinds."""

SOCKET_FRAMES = Rate("socket-frames", 240, 40)
"""Frames that one WebSocket may send: pings, pongs and continuations count, too."""

SOCKET_MESSAGES = Rate("socket-messages", 60, 20)
"""Messages that one WebSocket may send."""

SOCKET_HELLOS = Rate("socket-hellos", 10, 0.5)
"""Subscriptions of one WebSocket: each may read a log and sends a whole view."""

HELLOS = Rate("hellos", 200, 5)
"""Subscriptions, by network."""

SEAT_COMMANDS = Rate("seat-commands", 60, 15)
"""Commands of one person at one table, over all sockets."""

LOBBY_COMMANDS = Rate("lobby-commands", 60, 2)
"""Changes of seats and readiness before the start, by network."""

REACTIONS_SENT = Rate("reactions", 5, 0.5)
"""Reactions of one person."""

TAKEBACKS = Rate("takebacks", 5, 0.2)
"""Takebacks of one person: each replays the game."""

HINTS = Rate("hints", 10, 0.2)
"""Hints for one person: each takes as long as a move of the strongest bot."""

REQUESTS = Rate("requests", 480, 20)
"""Requests, by network, each at its cost (`request_cost`). A new visitor takes about 40, and a
family or a class opens the page at the same time."""

ALL_REQUESTS = Rate("all-requests", 25, 250)
"""Requests of all networks together, each at its cost: what exceeds it waits its turn. A quarter
of the event loop's time is for pages, lists and new tables, the rest for games."""

REQUESTS_WAITING = 500
"""How many requests may wait for their turn; more are refused."""

REQUESTS_WAITING_EACH = 50
"""How many of them may be of one network."""

HEALTH_CHECKS = Rate("health-checks", 60, 5)
"""Health checks, by network."""

TABLES_CREATED = Rate("tables-created", 30, 0.2)
"""New tables, by network."""

SEATS_TAKEN = Rate("seats-taken", 30, 0.2)
"""Seats taken, tokens of rematches and links to seats, by network."""

LOGINS = Rate("logins", 10, 0.1)
"""Passwords tried and accounts made, by network."""

PASSWORDS = Rate("passwords", 10, 0.1)
"""Passwords tried for one account from one network."""

ACCOUNT_PASSWORDS = Rate("account-passwords", 1000, 0.02)
"""Passwords tried for one account from anywhere: so many that only a botnet locks its owner out,
so few that it finds no password that we accept."""

OWN_PASSWORDS = Rate("own-passwords", 10, 0.1)
"""Passwords tried in a session of the account."""

REPLAYS = Rate("replays", 60, 1)
"""Records to be replayed, by network."""

RECORDS_HANDED = Rate("records-handed", 60, 0.1)
"""Records of games played without the server that an account hands over."""

NETWORK_RECORDS = Rate("network-records", 240, 0.2)
"""The same of all accounts of a network: each record may take a megabyte, and an account costs
nothing."""

GAMES_HANDED = Most("games-handed", 500)
"""Games of an account that were handed over as records."""

TOKENS_TRIED = Rate("tokens-tried", 20, 0.2)
"""Recovery links tried that open no seat, by network. (Players around one device open theirs at
each turn.)"""

LOG_LINES = Rate("log-lines", 20, 0.2)
"""Lines that the log takes of one kind."""

RATES = {each.key: each for each in list(globals().values()) if isinstance(each, (Rate, Most))}
"""All of them by key."""


FILE_COST = 0.2
"""A file of the client."""

_COSTS = (
    ("POST", "/api/replay", 10),
    ("POST", "/api/tables", 5),
    ("POST", "/api/account", 10),
    ("POST", "/api/session", 10),
    ("DELETE", "/api/account", 10),
    ("GET", "/api/my/tables", 10),
    ("GET", "/api/session", 2),
    ("GET", "/api/tables", 2),
)
_COSTS_BY_ENDING = {"replay": 10} | dict.fromkeys(
    ("record", "qr.svg", "hint", "link", "seat", "recover"), 5
)


def request_cost(method: str, path: str) -> float:
    """What a request takes from `REQUESTS`: about one for each millisecond of work."""
    if method in ("GET", "HEAD") and not path.startswith("/api/"):
        return FILE_COST
    words = [word for word in path.split("/") if word] or [""]  # the router ignores empty ones
    path = "/" + "/".join(words)
    ending = _COSTS_BY_ENDING.get(words[-1], 1)
    return max(
        [
            ending,
            *(cost for verb, start, cost in _COSTS if verb == method and path.startswith(start)),
        ]
    )


class TooOften(Exception):
    """A limit was reached; `wait`: seconds until the next try."""

    def __init__(self, rule: str, wait: float) -> None:
        super().__init__(rule)
        self.rule = rule
        self.wait = max(1, math.ceil(wait))


class Bucket:
    """A token bucket: full at first, refilled steadily."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def take(self, now: float, cost: float = 1) -> float:
        """Take `cost` tokens; 0 if there were as many, else the seconds until there will be. What
        costs more than the bucket holds takes a full one."""
        cost = min(cost, self._rate.burst)
        self._fill(now)
        if self._left >= cost:
            self._left -= cost
            return 0.0
        return (cost - self._left) / self._rate.per_second

    def give_back(self) -> None:
        """Undo one use."""
        self._left = min(self._rate.burst, self._left + 1)

    def full_at(self, now: float) -> float:
        """When it will be full."""
        self._fill(now)
        return now + (self._rate.burst - self._left) / self._rate.per_second

    def _fill(self, now: float) -> None:
        grown = max(0.0, now - self._at) * self._rate.per_second
        self._left = min(self._rate.burst, self._left + grown)
        self._at = now


class Limiter:
    """Buckets by rate and key. The longest unused ones are forgotten when there are too many.

    A host multiplies all limits by `factor`, and single ones, by their keys, by `factors`.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        keep: int = 50_000,
        factor: float = 1,
        factors: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._factor = factor
        self._factors = factors
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def now(self) -> float:
        """The time by which buckets fill, in seconds."""
        return self._clock()

    def scaled(self, count: int, key: str = "") -> float:
        """A limit, multiplied by this server's factor."""
        return count * self._factor * self._factors.get(key, 1)

    def check(self, most: Most, count: int, wait: float = 10) -> None:
        """Raise `TooOften` if there are as many as allowed."""
        if count >= self.scaled(most.count, most.key):
            raise TooOften(most.key, wait)

    def bucket(self, rate: Rate) -> Bucket:
        """A bucket of one's own."""
        by = self.scaled(1, rate.key)
        return Bucket(Rate(rate.key, rate.burst * by, rate.per_second * by), self._clock())

    def full_at(self, rate: Rate, key: str) -> float:
        """When `key` may use everything again: the later, the more it has used lately."""
        now, bucket = self._clock(), self._buckets.get((rate.key, key))
        return now if bucket is None else bucket.full_at(now)

    def take(self, rate: Rate, key: str, cost: float = 1) -> None:
        """Count one use by `key`; raises `TooOften`."""
        now = self._clock()
        bucket = self._buckets.get((rate.key, key))
        if bucket is None:
            bucket = self._buckets[rate.key, key] = self.bucket(rate)
            if len(self._buckets) > self._keep:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end((rate.key, key))
        if wait := bucket.take(now, cost):
            raise TooOften(rate.key, wait)

    def give_back(self, rate: Rate, key: str) -> None:
        """Undo one use by `key`."""
        if (bucket := self._buckets.get((rate.key, key))) is not None:
            bucket.give_back()
