"""Rematch: the next game of the same people."""

from __future__ import annotations

from tuilerie.games.game import Pick
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.decide import open_table
from tuilerie.match.evolve import fold
from tuilerie.match.table import BOT, Table


def rematch(table: Table, now: int, pick: Pick) -> tuple[f.Fact, ...]:
    """The first facts of the next table: the same game, config, people and bots, each moved by one
    seat, so that another player begins. People who have left get no seat. If all seats are taken
    the game starts at once.

    Append them to the log of the next table, then send `Rematch(table_id)` to this one. If the id
    is derived from this table's, only one of several nodes can create it."""
    opened = open_table(table.game, table.config, now)
    batch = Batch(fold(opened), now, pick)
    # In the order in which they took their seats, so that the host stays the host.
    for seat, holder in sorted(enumerate(table.seats), key=lambda pair: pair[1].since):
        there = (seat - 1) % table.config.players
        if holder.kind == BOT and holder.level is not None:
            batch.add(f.BotSeated(batch.at, there, holder.level, f"{holder.level} {there + 1}"))
        elif holder.is_present and holder.player is not None:
            batch.add(f.Seated(batch.at, there, holder.player, holder.name))
            batch.add(f.Readied(batch.at, there, True))
    batch.conclude()
    return (*opened, *(each.fact for each in batch.applied))
