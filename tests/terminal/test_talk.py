"""What is told of what happens: names, points, reasons; and nothing that is a secret."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.tables import Table, random_game
from tuilerie.games.blockers.events import Discarded
from tuilerie.games.blockers.tiles import Tile
from tuilerie.games.genial.events import Kept
from tuilerie.language import language
from tuilerie.terminal.style import PLAIN
from tuilerie.terminal.talk import TALKS, Ears


def ears(lang: str = "en", me: int = 0) -> Ears:
    return Ears(me, ["You", "Bo", "Cyd"], language(lang), PLAIN)


def view_of(table: Table, steps: int) -> Any:
    moments = [moment for _, moment in zip(range(steps), random_game(table, 3), strict=False)]
    return table.rules.view(moments[-1].after, 0)


@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_only_what_the_seat_may_know_is_told(game: str) -> None:
    """The same game told to two seats: tiles drawn are told to their owner alone."""
    table = Table(game, 3)
    rules, talk = table.rules, TALKS[game]
    told: dict[int, list[str]] = {0: [], 1: []}
    views = {seat: rules.view(next(random_game(table, 3)).before, seat) for seat in told}
    for _, moment in zip(range(120), random_game(table, 3), strict=False):
        for seat in told:
            for event in moment.events:
                seen = rules.redact(event, seat)
                views[seat] = rules.follow(views[seat], seen)
                told[seat] += talk.tell(seen, views[seat], ears(me=seat))
    drawn = {seat: [line for line in lines if "You draw" in line] for seat, lines in told.items()}
    if game == "kaosmos":
        assert drawn == {0: [], 1: []}
    else:
        assert drawn[0]
        assert drawn[1]
        assert drawn[0] != drawn[1]
    assert told[0]


def test_a_discard_in_blockers_is_asked_for_told_and_brings_nothing() -> None:
    view = view_of(Table("blockers", 3), 12)
    talk = TALKS["blockers"]
    stuck = replace(view, legal=("discard b7", "discard bC"))
    assert "discard b7" in talk.prompt(stuck, ears())
    assert talk.moves(stuck, "", ears()) == ["discard b7", "discard bC"]
    event = Discarded(1, (Tile("y7"), Tile("y#4")), Tile("y7"))
    (line,) = talk.tell(event, view, ears())
    assert line.startswith("Bo: no move")
    assert "y#4" in line
    assert talk.points(view, view, [event], ears()) == [language("en").say("play.no-points")]


def test_captures_in_blockers_are_listed_with_what_they_take() -> None:
    table = Table("blockers", 3)
    for moment in random_game(table, 3):
        seat = table.rules.actors(moment.after)
        view = table.rules.view(moment.after, seat[0] if seat else 0)
        takes = [move for move in view.legal if "x" in move]
        if takes:
            break
    tile, cell = takes[0].split("x")
    lines = TALKS["blockers"].moves(view, "", ears())
    (line,) = [line for line in lines if line.startswith(f"{tile} ")]
    text = " ".join(lines[lines.index(line) :])
    assert f"{cell} ({view.board[cell]})" in text


def test_a_hand_that_is_kept_is_told() -> None:
    view = view_of(Table("genial", 2), 5)
    assert TALKS["genial"].tell(Kept(1), view, ears()) == ["Bo: the hand is kept"]
    assert TALKS["genial"].tell(Kept(1), view, ears("fr")) == ["Bo\u00a0: la main est gardée"]


def test_swap_and_keep_are_all_that_may_be_done_when_they_are_asked_for() -> None:
    view = replace(view_of(Table("genial", 2), 5), phase="swap", legal=("swap", "keep"))
    assert TALKS["genial"].moves(view, "", ears()) == ["swap", "keep"]
    assert TALKS["genial"].prompt(view, ears()) == "swap or keep? "


def test_a_complete_galaxy_is_asked_what_can_still_be_done() -> None:
    table = Table("kaosmos", 2, {"kaos": False, "draft": False, "seconds": None})
    for moment in random_game(table, 3):
        view = table.rules.view(moment.after, 0)
        if view.phase == "building" and view.is_complete(0) and 0 in view.actors:
            break
    talk = TALKS["kaosmos"]
    assert "grab green" in talk.prompt(replace(view, bonuses=dict.fromkeys(view.bonuses)), ears())
    assert "prendre bleu" in talk.prompt(
        replace(view, bonuses={"green": 1, "blue": None, "orange": None}), ears("fr")
    )
    assert "grab" not in talk.prompt(replace(view, bonuses=dict.fromkeys(view.bonuses, 1)), ears())
