"""What people settle among themselves: taking back, giving up, playing again, reactions.

What is refused here, by rule name (code; when; params):

==================  =========  =====================================================================
no-takeback         illegal    there is nothing of one's own to take back, or something was revealed
takeback-pending    too-late   somebody asks already
nothing-asked       too-late   an answer that nobody waits for (any more)
already-resigned    too-late   a second time
not-finished        illegal    a rematch before the end
no-rematch          too-late   the server tells of a next table on which not all agree
unknown-reaction    malformed  found, expected
too-many-reactions  too-late   more than three in ten seconds; seconds (how long to wait)
==================  =========  =====================================================================
"""

from __future__ import annotations

from tuilerie.games.game import Code, Refused
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.evolve import REMEMBERED
from tuilerie.match.lobby import welcome
from tuilerie.match.moves import check_playing

REACTION_SPAN = 10_000
"""The time, in ms, in which a person may react `REMEMBERED` times."""

RESIGNED = "resigned"
"""The reason of a game that ends because somebody gave up."""


def ask_takeback(batch: Batch, command: c.AskTakeback) -> None:
    """A person asks to take the last action back; with nobody to ask, it is done at once."""
    seat = welcome(batch, command.player)
    check_playing(batch.table)
    if batch.table.takeback is not None:
        raise Refused(Code.TOO_LATE, "takeback-pending")
    if not batch.table.can_take_back(seat):
        raise Refused(Code.ILLEGAL, "no-takeback")
    batch.add(f.TakebackAsked, seat)


def answer_takeback(batch: Batch, command: c.AnswerTakeback) -> None:
    """Another person agrees or not."""
    seat = welcome(batch, command.player)
    if seat not in batch.table.silent():
        raise Refused(Code.TOO_LATE, "nothing-asked")
    batch.add(f.TakebackAnswered, seat, command.yes)


def resign(batch: Batch, command: c.Resign) -> None:
    """A person gives up: with one other that ends the game, with more a bot plays on."""
    seat = welcome(batch, command.player)
    table = batch.table
    check_playing(table)
    place, players = table.seats[seat], table.config.players
    if place.resigned:
        raise Refused(Code.TOO_LATE, "already-resigned")
    batch.add(f.Resigned, seat)
    if players <= 2:
        places = tuple(players if each == seat else 1 for each in range(players))
        batch.add(f.Finished, RESIGNED, places, ())
    elif not place.for_good:
        batch.add(f.TakenOver, seat, table.config.level, True)


def ask_rematch(batch: Batch, command: c.AskRematch) -> None:
    """A person would like to play again."""
    seat = welcome(batch, command.player)
    if batch.table.result is None:
        raise Refused(Code.ILLEGAL, "not-finished")
    if seat not in batch.table.votes:
        batch.add(f.RematchAsked, seat)


def rematched(batch: Batch, command: c.Rematch) -> None:
    """The next table was made."""
    if not batch.table.rematch_agreed:
        raise Refused(Code.TOO_LATE, "no-rematch")
    batch.add(f.Rematched, command.table_id)


def react(batch: Batch, command: c.React) -> None:
    """A person shows something; not too often."""
    seat = welcome(batch, command.player)
    if command.reaction not in c.REACTIONS:
        expected = ", ".join(c.REACTIONS)
        raise Refused(Code.MALFORMED, "unknown-reaction", found=command.reaction, expected=expected)
    times = batch.table.reacted[seat]
    wait = times[0] + REACTION_SPAN - batch.at if len(times) == REMEMBERED else 0
    if wait > 0:
        raise Refused(Code.TOO_LATE, "too-many-reactions", seconds=-(-wait // 1000))
    batch.add(f.Reacted, seat, command.reaction)
