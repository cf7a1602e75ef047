"""The facts of a log as bytes: encoded, decoded, and applied to a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from tuilerie.games.game import Refused
from tuilerie.match import facts
from tuilerie.match.batch import Applied
from tuilerie.match.evolve import evolve
from tuilerie.match.facts import Fact
from tuilerie.match.table import Table
from tuilerie.server.ops.limits import THREAD_FACTS
from tuilerie.store.errors import Damaged

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def write_fact(fact: Fact) -> bytes:
    """Encode a fact for the log."""
    return _encode(facts.to_json(fact))


def read_fact(data: bytes) -> Fact:
    """Decode a fact of the log."""
    return facts.from_json(_decode(data))


class UnknownRules(Damaged):
    """The table was started with a rules version that this program does not know."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused))
        self.refused = refused


def follow(table: Table | None, data: bytes) -> tuple[Fact, Table]:
    """Decode a fact of the log and apply it. Raises `Damaged` if that fails."""
    try:
        fact = read_fact(data)
        return fact, evolve(table, fact)
    except (Refused, facts.BadFact, msgspec.DecodeError) as error:
        if isinstance(error, Refused) and error.rule == "unknown-rules":
            raise UnknownRules(error) from error
        raise Damaged(f"the log cannot be replayed: {error}") from error


async def follow_all(table: Table | None, log: Sequence[bytes]) -> list[Applied]:
    """Facts of the log, each with the table after it. Many are followed in a thread: a long game
    takes longer than the event loop may wait."""
    if len(log) > THREAD_FACTS:
        return await asyncio.to_thread(_follow_here, table, log)
    return _follow_here(table, log)


def _follow_here(table: Table | None, log: Sequence[bytes]) -> list[Applied]:
    applied = []
    for data in log:
        fact, table = follow(table, data)
        applied.append(Applied(fact, table))
    return applied
