"""Takebacks, resigning, rematches and reactions.

What is refused here, by rule name (code; when; params):

==================  =========  =====================================================================
no-takeback         illegal    the last action is another's, or something was revealed since
takeback-pending    too-late   a request is pending already
nothing-asked       too-late   an answer without a pending request
already-resigned    too-late   the seat has resigned already
not-finished        illegal    a rematch before the end
no-rematch          too-late   the server announces a next table without everybody's consent
unknown-reaction    malformed  found, expected
too-many-reactions  too-late   more than three in ten seconds; seconds (how long to wait)
==================  =========  =====================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Code, Refused
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.evolve import REACTIONS_KEPT
from tuilerie.match.lobby import check_growth, mark_back
from tuilerie.match.moves import check_playing

REACTION_SPAN = 10_000
"""The time, in ms, in which a person may react `REACTIONS_KEPT` times."""

RESIGNED = "resigned"
"""The reason of the end if somebody resigned."""


def ask_takeback(batch: Batch, command: c.AskTakeback) -> None:
    """A person asks to take the last action back; without other persons it is done at once."""
    seat = mark_back(batch, command.player)
    check_playing(batch.table)
    if batch.table.takeback is not None:
        raise Refused(Code.TOO_LATE, "takeback-pending")
    check_growth(batch.table)
    if not batch.table.can_take_back(seat):
        raise Refused(Code.ILLEGAL, "no-takeback")
    batch.add(f.TakebackAsked(batch.at, seat))


def answer_takeback(batch: Batch, command: c.AnswerTakeback) -> None:
    """Another person agrees or not."""
    seat = mark_back(batch, command.player)
    if seat not in batch.table.silent():
        raise Refused(Code.TOO_LATE, "nothing-asked")
    batch.add(f.TakebackAnswered(batch.at, seat, command.yes))


def resign(batch: Batch, command: c.Resign) -> None:
    """A person resigns: with two seats the game ends, with more a bot plays on."""
    seat = mark_back(batch, command.player)
    table = batch.table
    check_playing(table)
    holder, players = table.seats[seat], table.config.players
    if holder.resigned:
        raise Refused(Code.TOO_LATE, "already-resigned")
    batch.add(f.Resigned(batch.at, seat))
    if players <= 2:
        places = tuple(players if each == seat else 1 for each in range(players))
        batch.add(f.Finished(batch.at, RESIGNED, places, ()))
    elif not holder.for_good:
        batch.add(f.TakenOver(batch.at, seat, table.config.level, True))


def ask_rematch(batch: Batch, command: c.AskRematch) -> None:
    """A person asks for a rematch."""
    seat = mark_back(batch, command.player)
    if batch.table.result is None:
        raise Refused(Code.ILLEGAL, "not-finished")
    if seat not in batch.table.votes:
        batch.add(f.RematchAsked(batch.at, seat))


def rematched(batch: Batch, command: c.Rematch) -> None:
    """The rematch's table was created."""
    if not batch.table.rematch_agreed:
        raise Refused(Code.TOO_LATE, "no-rematch")
    batch.add(f.Rematched(batch.at, command.table_id))


def react(batch: Batch, command: c.React) -> None:
    """A person shows a reaction; rate-limited."""
    seat = mark_back(batch, command.player)
    if command.reaction not in c.REACTIONS:
        expected = ", ".join(c.REACTIONS)
        raise Refused(Code.MALFORMED, "unknown-reaction", found=command.reaction, expected=expected)
    check_growth(batch.table)
    times = batch.table.reacted[seat]
    wait = times[0] + REACTION_SPAN - batch.at if len(times) == REACTIONS_KEPT else 0
    if wait > 0:
        raise Refused(Code.TOO_LATE, "too-many-reactions", seconds=-(-wait // 1000))
    batch.add(f.Reacted(batch.at, seat, command.reaction))
