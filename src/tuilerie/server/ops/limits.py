"""Every limit of the server, and rate limiting by token buckets. Refusals say how long to wait."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from tuilerie.match.lobby import LONGEST_NAME

# --- sizes ----------------------------------------------------------------------------------------

FRAME_BYTES = 4_096
"""The longest message that a client may send over a socket."""

BODY_BYTES = 16_384
"""The longest body of a request."""

QUEUE_MESSAGES = 256
"""How many messages may wait for a slow socket before it is closed; it comes back and resumes."""

WAITING_MESSAGES = 8
"""How many messages of one socket may wait to be heard; while there are as many, none is read."""

RESUME_EVENTS = 500
"""How far back a client can catch up by events; further back it gets a snapshot."""

RECENT_CHANGES = 6
"""How many of them are kept in mind at each table; older ones are read from the log again."""

SOCKETS_PER_ADDRESS = 64
"""Sockets open at one time from one address (a school or an office shares one)."""

SOCKETS_PER_TABLE = 256
"""Sockets open at one time at one table on one node: the players' devices and all spectators."""

NAME_LENGTH = LONGEST_NAME
"""The longest name of a player."""

ID_LENGTH = 64
"""The longest id of a command."""

PASSWORD_LENGTH = (10, 128)
"""The shortest and the longest password."""

REFUSALS_PER_SOCKET = 200
"""Malformed messages that one socket may send before it is closed."""

RECORD_LENGTH = 400_000
"""The longest record that is replayed on request: ten times the longest game."""

STEPS = 2_000
"""How many entries of it are told in one answer."""

# --- times ----------------------------------------------------------------------------------------

HELLO_SECONDS = 10.0
"""A socket that has not said hello by then is closed."""

PING_SECONDS = 20.0
"""A socket that says nothing for so long is asked whether it still lives, and may take as long to
answer."""

SPECTATOR_DELAY_SECONDS = 60
"""The delay of delayed spectators."""

IDLE_TABLE_SECONDS = 300.0
"""A table without sockets leaves the memory after this time; its log stays."""

PRESENCE_SECONDS = 0.25
"""Changes of presence within this time are told together."""

PRESENCE_BEAT_SECONDS = 4.0
"""How often a node tells the others who is connected to it."""

PRESENCE_LOST_SECONDS = 15.0
"""The people of a node that was not heard of for so long are connected to it no more."""

LEAVE_SECONDS = 10.0
"""A person whose last socket closed has left the table after this time."""

TAKEOVER_SECONDS = 120
"""A bot plays for who has left for so long, or for as long as a move may take."""

POLL_SECONDS = 2.0
"""How often the heads of live tables are read, to heal what the bus has lost."""

SWEEP_SECONDS = 5.0
"""How often this node looks for tables that it should wake or unload."""

SWEEP_TABLES = 500
"""How many games that are being played it looks at."""

BOT_SECONDS = 3.0
"""How long a bot may think before a simple one plays for it."""

BOT_LOST_SECONDS = 0.9
"""A worker of which nothing is heard for so long has lost its job to another one, while there is
still time to think about it."""

BOT_SHOWN_MS = (500, 1_100)
"""A bot's move is never shown sooner than this after it was due: people like to see it think."""

BOT_RACE_MS = (2_000, 4_000)
"""The pace of a bot where all build at the same time: a person can race it."""

CLOSE_WAIT_MS = (500, 4_000)
"""When the server stops, clients come back after a time between these, not all at once."""

APPEND_TRIES = 5
"""How often a command is decided anew after somebody else was first."""


# --- rates ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, then `per_second` on average."""

    burst: float
    per_second: float


SOCKET_MESSAGES = Rate(60, 20)
"""What one socket may send."""

SEAT_COMMANDS = Rate(60, 15)
"""What one person may ask of one table, over all its sockets."""

REACTIONS = Rate(5, 0.5)
"""Reactions of one person."""

REQUESTS = Rate(120, 20)
"""Any request, by address."""

TABLES_CREATED = Rate(30, 0.2)
"""New tables, by address."""

SOCKETS_OPENED = Rate(120, 10)
"""New sockets, by address."""

LOGINS = Rate(10, 0.1)
"""Passwords tried and accounts made, by address; and passwords tried, by account."""

REPLAYS = Rate(60, 1)
"""Records to be replayed, by address."""

TOKENS_TRIED = Rate(20, 0.2)
"""Recovery links tried, by address."""


class TooOften(Exception):
    """A limit was reached; `wait` is how many seconds until the next try is worth it."""

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

    def take(self, now: float) -> float:
        """Take one token; 0 if there was one, else the seconds until there will be."""
        grown = max(0.0, now - self._at) * self._rate.per_second
        self._left = min(self._rate.burst, self._left + grown)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate.per_second


class Limiter:
    """Buckets by name and key. The longest unused ones are forgotten when there are too many."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, keep: int = 50_000, factor: float = 1
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._factor = factor
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def scaled(self, count: int) -> float:
        """A fixed number, as this server multiplies it."""
        return count * self._factor

    def bucket(self, rate: Rate) -> Bucket:
        """A bucket of one's own."""
        return Bucket(
            Rate(rate.burst * self._factor, rate.per_second * self._factor), self._clock()
        )

    def take(self, rule: str, key: str, rate: Rate) -> None:
        """Count one use of `rule` by `key`; raises `TooOften`."""
        now = self._clock()
        bucket = self._buckets.get((rule, key))
        if bucket is None:
            bucket = self._buckets[rule, key] = self.bucket(rate)
            if len(self._buckets) > self._keep:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end((rule, key))
        if wait := bucket.take(now):
            raise TooOften(rule, wait)
