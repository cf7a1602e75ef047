"""One table of this browser: its log, its viewers, and what is due at it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from tuilerie.bots import BOTS, HINT
from tuilerie.bots.thinker import encode, question
from tuilerie.games.game import AnyGame, AnyView, Seat
from tuilerie.local import messages
from tuilerie.match import commands as c
from tuilerie.match import facts
from tuilerie.match.batch import Applied
from tuilerie.match.bodies import TableFacts
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import evolve
from tuilerie.match.facts import Fact
from tuilerie.match.summary import facts_of, status_of, summary_of
from tuilerie.match.table import Table
from tuilerie.match.ticks import bots_due, bots_from, next_tick
from tuilerie.match.view import TableView, view

PREFIX = "local-"
"""How the id of a table in this browser begins: no server has such a table."""

pick = SystemRandom().randrange


def next_slug(slug: str) -> str:
    """The id of the rematch's table."""
    return PREFIX + hashlib.sha256(f"rematch/{slug}".encode()).hexdigest()[:22]


def apply_facts(happened: Sequence[Fact], table: Table | None = None) -> list[Applied]:
    """Facts, each with the table after it."""
    found = []
    for fact in happened:
        table = evolve(table, fact)
        found.append(Applied(fact, table))
    return found


def opened(game: str, config: Any, now: int, first: Sequence[c.Command]) -> list[Applied]:
    """The log of a new table, after these commands. Raises `Refused`."""
    past = apply_facts(open_table(game, config, now))
    for command in first:
        past += decide(past[-1].table, command, now, pick)
    return past


def fallback_move(rules: AnyGame, seen: AnyView) -> str:
    """The greedy bot's move, if the bots' worker fails."""
    return BOTS[rules.card.name]["greedy"](seen, pick)


@dataclass(slots=True)
class Viewer:
    """A connection: whom it belongs to, and the view that it holds."""

    player: str | None
    held: TableView | None = None


@dataclass(slots=True)
class Room:
    """A table with its whole past and its viewers."""

    slug: str
    past: list[Applied]
    answers: dict[str, int] = field(default_factory=dict)  # by command: its last fact
    viewers: dict[int, Viewer] = field(default_factory=dict)
    current: str | None = None  # the player for whom the next connection is

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.past[-1].table

    @classmethod
    def read(cls, slug: str, rows: Sequence[Mapping[str, Any]]) -> Room:
        """A table from its log. Raises `Malformed`, or `Refused` for unknown rules."""
        room = cls(slug, [])
        for row in rows:
            table = room.past[-1].table if room.past else None
            room.past += apply_facts([facts.from_json(each) for each in row["facts"]], table)
            if row["key"] is not None:
                room.answers[row["key"]] = room.table.number
        return room

    def seat(self) -> Seat | None:
        """The seat of the player who holds the device."""
        player = self.current or self.table.host
        return None if player is None else self.table.seat_of(player)

    def facts(self) -> TableFacts:
        """What lists show of it."""
        table, status = self.table, status_of(self.table)
        return facts_of(
            summary_of(table),
            self.slug,
            table.game,
            status,
            False,
            table.number,
            table.at,
            self.seat(),
        )

    # --- viewers ----------------------------------------------------------------------------------

    def join(self, connection: int, now: int) -> list[tuple[int, str]]:
        """Welcome a connection."""
        player = self.current or self.table.host
        viewer = self.viewers[connection] = Viewer(player)
        seat = self._seat_of(viewer)
        viewer.held = view(self.table, seat)
        return [
            (connection, messages.welcome(viewer.held, self.past, seat, now)),
            (connection, messages.presence(self.table)),
        ]

    def happened(self, new: Sequence[Applied]) -> list[tuple[int, str]]:
        """Extend the log, and send each viewer what they may know of it."""
        self.past += new
        sent = []
        for connection, viewer in self.viewers.items():
            seat = self._seat_of(viewer)
            before, viewer.held = viewer.held, view(self.table, seat)
            if before is not None:
                sent.append((connection, messages.update(new, before, viewer.held, seat)))
        return sent

    def _seat_of(self, viewer: Viewer) -> Seat | None:
        return None if viewer.player is None else self.table.seat_of(viewer.player)

    # --- what is due ------------------------------------------------------------------------------

    def due(self) -> dict[str, Any]:
        """The questions to bots, and when time will have passed."""
        table = self.table
        asked = []
        for seat in bots_due(table):
            level = table.bot_level(seat)
            if level is not None:
                seen = table.rules.view(table.shown_state, seat)
                text = encode(question(table.rules, level, seen)).decode()
                asked.append({"seat": seat, "number": table.number, "question": text})
        return {
            "slug": self.slug,
            "bots": asked,
            "from": bots_from(table),
            "together": table.rules.card.simultaneous,
            "wake": next_tick(table),
        }

    def hint(self, seat: Seat) -> dict[str, Any]:
        """The question to the strongest level for its best moves."""
        table = self.table
        seen = table.rules.view(table.shown_state, seat)
        text = encode(question(table.rules, HINT, seen)).decode()
        return {"number": table.number, "question": text}

    def simple_move(self, seat: Seat) -> str:
        """A move without the bots' worker."""
        table = self.table
        return fallback_move(table.rules, table.rules.view(table.shown_state, seat))
