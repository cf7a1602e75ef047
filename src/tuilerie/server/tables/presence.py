"""Presence: who is connected to which table, on this node and on all others.

Each node publishes on the bus which seats and how many spectators it serves: when that changes, and
again with every heartbeat. A node that falls silent is forgotten after a while. We also receive our
own messages: where we do not, it is the bus that is lost and not the others, and nobody is
forgotten until it is back.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tuilerie.games.game import Seat
from tuilerie.server.ops.limits import PRESENCE_BEAT_SECONDS, PRESENCE_LOST_SECONDS

TABLES_A_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """The seats whose people are connected, and how many others are."""

    seats: frozenset[Seat] = frozenset()
    spectators: int = 0


NOBODY = Seen()


class Presence:
    """What all nodes know of each other's people."""

    def __init__(
        self,
        publish: Callable[[Mapping[str, Any]], None],
        changed: Callable[[str], None],
        *,
        single_node: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.node = secrets.token_hex(8)
        self._publish = publish
        self._changed = changed  # called with a table where somebody elsewhere has come or gone
        self._single_node = single_node
        self._clock = clock
        self._ours: dict[str, Seen] = {}
        self._theirs: dict[str, dict[str, tuple[Seen, float]]] = {}  # by table, then by node
        self._echo = -PRESENCE_LOST_SECONDS  # when we last heard ourselves

    @property
    def is_sure(self) -> bool:
        """Whether we would know of people on other nodes."""
        return self._single_node or self._clock() - self._echo < PRESENCE_BEAT_SECONDS * 1.5

    def elsewhere(self, table: str) -> Seen:
        """Who is connected to a table by other nodes."""
        seen = [each for each, _ in self._theirs.get(table, {}).values()]
        seats = frozenset[Seat]().union(*(each.seats for each in seen))
        return Seen(seats, sum(each.spectators for each in seen))

    # --- what we publish --------------------------------------------------------------------------

    def set_local(self, table: str, seen: Seen) -> None:
        """These are connected to a table by us."""
        if self._ours.get(table, NOBODY) == seen:
            return
        if seen == NOBODY:
            del self._ours[table]
        else:
            self._ours[table] = seen
        self._publish_tables([(table, seen)])

    def heartbeat(self) -> None:
        """Say again who is here; forget the people of nodes that no longer say so."""
        ours = list(self._ours.items())
        # With nobody here too: we want to hear ourselves, to know that we would hear others.
        for start in range(0, max(1, len(ours)), TABLES_A_MESSAGE):
            self._publish_tables(ours[start : start + TABLES_A_MESSAGE])
        self._forget_the_lost()

    def goodbye(self) -> None:
        """This node stops: nobody is here any more."""
        self._ours.clear()
        if not self._single_node:
            self._publish({"node": self.node, "gone": True})

    def _publish_tables(self, tables: Iterable[tuple[str, Seen]]) -> None:
        if not self._single_node:
            message = {table: [sorted(seen.seats), seen.spectators] for table, seen in tables}
            self._publish({"node": self.node, "tables": message})

    # --- what we receive --------------------------------------------------------------------------

    def receive(self, news: Mapping[str, Any]) -> None:
        """Something that a node has told, ourselves included."""
        node = news.get("node")
        if node == self.node:
            self._echo = self._clock()
        elif isinstance(node, str) and news.get("gone"):
            for table in [table for table, nodes in self._theirs.items() if node in nodes]:
                self._set(table, node, NOBODY)
        elif isinstance(node, str):
            for table, seen in _read(news.get("tables")):
                self._set(table, node, seen)

    def _set(self, table: str, node: str, seen: Seen) -> None:
        nodes = self._theirs.setdefault(table, {})
        before = nodes.get(node)
        if seen == NOBODY:
            nodes.pop(node, None)
        else:
            nodes[node] = (seen, self._clock())
        if not nodes:
            del self._theirs[table]
        if before is None and seen != NOBODY and table in self._ours:
            self._publish_tables([(table, self._ours[table])])  # they cannot have heard of ours
        if (before[0] if before else NOBODY) != seen:
            self._changed(table)

    def _forget_the_lost(self) -> None:
        now, sure = self._clock(), self.is_sure
        for table, nodes in tuple(self._theirs.items()):
            for node, (seen, at) in tuple(nodes.items()):
                if not sure:
                    nodes[node] = (seen, now)  # it is we who hear nothing
                elif now - at > PRESENCE_LOST_SECONDS:
                    self._set(table, node, NOBODY)


def _read(tables: Any) -> Iterable[tuple[str, Seen]]:
    """The tables of a message; whatever no node of ours would say is left out."""
    if not isinstance(tables, dict):
        return
    for table, message in tables.items():
        match message:
            case [[*seats], int(spectators)] if all(isinstance(seat, int) for seat in seats):
                yield table, Seen(frozenset(seats), spectators)
