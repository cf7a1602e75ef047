"""Presence: which nodes follow which table, and who is connected to it there.

A node follows a table while it has it in memory. It announces that to all nodes, and those that
follow the same table answer. From then on they send each other, and nobody else, who is connected
when that changes. Each message is repeated twice, in case it was lost; everything is sent again
when the bus comes back. So the cost grows with changes at shared tables, not with tables.

Each node sends heartbeats. A node without heartbeats for a while is dropped with its people. A node
receives its own heartbeats, too: if it does not, the bus is down, and nobody is dropped until it is
back.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from tuilerie.games.game import Seat
from tuilerie.server.ops.limits import (
    NODE_SILENT_SECONDS,
    PRESENCE_BEAT_SECONDS,
    PRESENCE_LOST_SECONDS,
)

TABLES_A_MESSAGE = 500

REPEAT_BEATS = (2, 8)
"""After so many heartbeats a message is repeated."""

SURE_BEATS = 6
"""The bus counts as lost after so many of our own heartbeats did not come back."""

News = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """The seats whose people are connected, how many others are, and whether the bots that this
    node moves think for less time than they would."""

    seats: frozenset[Seat] = frozenset()
    spectators: int = 0
    hurried: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody is connected."""
        return not self.seats and not self.spectators


NOBODY = Seen()


class PresenceTracker:
    """Who is connected to the tables of this node, here and on other nodes.

    `publish(news, node)` sends to a node, or to all for `None`. `changed(table)`: somebody has come
    or gone elsewhere. `met(table, node)`: another node follows a table of ours.
    """

    def __init__(
        self,
        publish: Callable[[News, str | None], None],
        changed: Callable[[str], None],
        met: Callable[[str, str], None] = lambda _table, _node: None,
        *,
        single_node: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.node = secrets.token_hex(8)
        self._publish = publish
        self._changed = changed
        self._met = met
        self._single_node = single_node
        self._clock = clock
        self._ours: dict[str, Seen] = {}  # the tables that we follow
        self._theirs: dict[str, dict[str, Seen]] = {}  # by table, then by node
        self._tables_of: dict[str, set[str]] = {}  # the tables of ours that a node follows
        self._heard: dict[str, float] = {}  # when each node last sent a heartbeat
        self._echo = -PRESENCE_LOST_SECONDS  # when our own last heartbeat came back
        self._beats = 0
        self._new: dict[str, None] = {}  # tables to announce with the next heartbeat
        self._repeats: tuple[deque[tuple[int, str, bool]], ...] = tuple(
            deque() for _ in REPEAT_BEATS
        )

    @property
    def is_sure(self) -> bool:
        """Whether the bus works, so that we know who is connected to other nodes."""
        return self._single_node or self._clock() - self._echo < PRESENCE_BEAT_SECONDS * SURE_BEATS

    @property
    def is_alone(self) -> bool:
        """Whether no other node is up, as far as we know."""
        return self._single_node or not any(map(self._is_live, self._heard))

    def _is_live(self, node: str) -> bool:
        return self._clock() - self._heard[node] < NODE_SILENT_SECONDS

    def shared(self) -> Collection[str]:
        """The tables of ours that other nodes follow, too."""
        return self._theirs.keys()

    def followers(self, table: str) -> Collection[str]:
        """The other nodes that follow a table."""
        return self._theirs.get(table, {}).keys()

    def elsewhere(self, table: str) -> Seen:
        """Who is connected to a table on other nodes."""
        seen = self._theirs.get(table, {}).values()
        seats = frozenset[Seat]().union(*(each.seats for each in seen))
        hurried = any(each.hurried for each in seen)
        return Seen(seats, sum(each.spectators for each in seen), hurried)

    def leads(self, table: str) -> bool:
        """Whether this node moves the bots of a table: one of the live nodes that follow it, first
        of all one with people."""
        others = self._theirs.get(table)
        if not others:
            return True
        mine = _rank(table, self.node, self._ours.get(table, NOBODY))
        live = [(node, seen) for node, seen in others.items() if self._is_live(node)]
        return all(mine < _rank(table, node, seen) for node, seen in live)

    # --- what we publish --------------------------------------------------------------------------

    def follow(self, table: str) -> None:
        """This node has the table in memory from now on."""
        if not self._single_node and table not in self._ours:
            self._ours[table] = NOBODY
            self._announce([table])
            self._repeat_later(table, new=True)

    def unfollow(self, table: str) -> None:
        """This node has it in memory no longer."""
        if self._ours.pop(table, None) is not None:
            for node in self._theirs.pop(table, {}):
                self._tables_of[node].discard(table)
                self._say(node, {table: None})

    def set_local(self, table: str, seen: Seen) -> None:
        """Set who is connected to a table on this node."""
        if table in self._ours and self._ours[table] != seen:
            self._ours[table] = seen
            if self._theirs.get(table):
                self._tell(table)
                self._repeat_later(table, new=False)

    def heartbeat(self) -> None:
        """Send a heartbeat, repeat recent messages, drop nodes whose heartbeats have stopped."""
        self._beats += 1
        self._publish({"node": self.node}, None)
        due = dict.fromkeys(self._new)
        self._new.clear()
        again: dict[str, dict[str, Any]] = {}  # by node
        for waiting in self._repeats:
            while waiting and waiting[0][0] <= self._beats:
                _, table, new = waiting.popleft()
                if table in self._ours and new:
                    due[table] = None
                elif table in self._ours:
                    for node in self.followers(table):
                        again.setdefault(node, {})[table] = _write(self._ours[table])
        for node, seen in again.items():
            self._say(node, seen)
        tables = [table for table in due if table in self._ours]
        for start in range(0, len(tables), TABLES_A_MESSAGE):
            self._announce(tables[start : start + TABLES_A_MESSAGE])
        self._drop_lost_nodes()

    def goodbye(self) -> None:
        """Publish that this node stops."""
        self._ours.clear()
        self._theirs.clear()
        if not self._single_node:
            self._publish({"node": self.node, "gone": True}, None)

    def _repeat_later(self, table: str, *, new: bool) -> None:
        for beats, waiting in zip(REPEAT_BEATS, self._repeats, strict=True):
            waiting.append((self._beats + beats, table, new))

    def _announce(self, tables: list[str]) -> None:
        self._publish({"node": self.node, "follows": tables}, None)

    def _tell(self, table: str) -> None:
        for node in self.followers(table):
            self._say(node, {table: _write(self._ours[table])})

    def _say(self, node: str, tables: Mapping[str, Any]) -> None:
        self._publish({"node": self.node, "tables": tables}, node)

    # --- what we receive --------------------------------------------------------------------------

    def receive(self, news: News) -> None:
        """Handle the presence message of a node, which may be our own."""
        node = news.get("node")
        if node == self.node:
            if not self.is_sure:  # the bus is back: send everything again
                self._new = dict.fromkeys(self._ours)
            self._echo = self._clock()
        elif not isinstance(node, str):
            return
        elif news.get("gone"):
            self._drop(node)
        else:
            self._heard[node] = self._clock()
            self._receive_from(node, news)

    def _receive_from(self, node: str, news: News) -> None:
        asked = news.get("follows")
        ours = [table for table in asked if table in self._ours] if isinstance(asked, list) else []
        for table in ours:
            self._set(table, node, self._theirs.get(table, {}).get(node, NOBODY))
        if ours:
            self._say(node, {table: _write(self._ours[table]) for table in ours})
        unknown = {}
        for table, seen in _read(news.get("tables")):
            if table not in self._ours:
                continue
            if seen is None:
                self._remove(table, node)
                continue
            if node not in self._theirs.get(table, {}):
                unknown[table] = _write(self._ours[table])  # it may have missed ours
            self._set(table, node, seen)
        if unknown:
            self._say(node, unknown)

    def _set(self, table: str, node: str, seen: Seen) -> None:
        nodes = self._theirs.setdefault(table, {})
        before = nodes.get(node)
        nodes[node] = seen
        self._tables_of.setdefault(node, set()).add(table)
        if before is None:
            self._met(table, node)
        if (before or NOBODY) != seen:
            self._changed(table)

    def _remove(self, table: str, node: str) -> None:
        nodes = self._theirs.get(table, {})
        seen = nodes.pop(node, NOBODY)
        self._tables_of.get(node, set()).discard(table)
        if table in self._theirs and not nodes:
            del self._theirs[table]
        if seen != NOBODY:
            self._changed(table)

    def _drop(self, node: str) -> None:
        self._heard.pop(node, None)
        for table in tuple(self._tables_of.get(node, ())):
            self._remove(table, node)
        self._tables_of.pop(node, None)

    def _drop_lost_nodes(self) -> None:
        now, sure = self._clock(), self.is_sure
        for node, at in tuple(self._heard.items()):
            if not sure:
                self._heard[node] = now  # the bus is down: no heartbeat can arrive
            elif now - at > PRESENCE_LOST_SECONDS:
                self._drop(node)


def _rank(table: str, node: str, seen: Seen) -> tuple[bool, bytes]:
    """The order of nodes for a table: different for each table, the same on every node."""
    return seen.is_empty, blake2b(f"{table}/{node}".encode(), digest_size=8).digest()


def _write(seen: Seen) -> list[Any]:
    return [sorted(seen.seats), seen.spectators, seen.hurried]


def _read(tables: Any) -> Iterable[tuple[str, Seen | None]]:
    """The tables of a message; `None` for one that is followed no longer. Invalid ones are left
    out."""
    if not isinstance(tables, dict):
        return
    for table, message in tables.items():
        match message:
            case None:
                yield table, None
            case [[*seats], int(spectators), bool(hurried)] if all(
                isinstance(seat, int) for seat in seats
            ):
                yield table, Seen(frozenset(seats), spectators, hurried)
