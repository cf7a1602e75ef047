"""The next game of the same people."""

from __future__ import annotations

from tuilerie.games.game import Pick
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.decide import open_table
from tuilerie.match.evolve import fold
from tuilerie.match.table import BOT, Table


def rematch(table: Table, now: int, pick: Pick) -> tuple[f.Fact, ...]:
    """The first facts of the next table: the same game, config, people and bots, each one seat on,
    so that another one begins. Who has left keeps no seat. With all seats taken the game begins at
    once.

    Append them to the log of the next table, then tell this one by `Rematch(table_id)`. An id that
    follows from this table's own lets only one of several nodes make it."""
    opened = open_table(table.game, table.config, now)
    batch = Batch(fold(opened), now, pick)
    # In the order in which they sat down, so that the host stays the host.
    for seat, place in sorted(enumerate(table.seats), key=lambda pair: pair[1].since):
        there = (seat - 1) % table.config.players
        if place.kind == BOT:
            batch.add(f.BotSeated, there, place.level, f"{place.level} {there + 1}")
        elif place.is_present:
            batch.add(f.Seated, there, place.player, place.name)
            batch.add(f.Readied, there, True)
    batch.conclude()
    return (*opened, *(stage.fact for stage in batch.stages))
