"""Text UI: event descriptions, move lists and prompts; no hidden information leaks."""

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
from tuilerie.terminal.text_ui import TEXT_UIS, Display


def display(lang: str = "en", me: int = 0) -> Display:
    return Display(me, ["You", "Bo", "Cyd"], language(lang), PLAIN)


def view_of(table: Table, steps: int) -> Any:
    moments = [moment for _, moment in zip(range(steps), random_game(table, 3), strict=False)]
    return table.rules.view(moments[-1].after, 0)


@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_descriptions_reveal_only_what_the_seat_may_know(game: str) -> None:
    """The same game described to two seats: only the owner reads which tiles were drawn."""
    table = Table(game, 3)
    rules, text_ui = table.rules, TEXT_UIS[game]
    described: dict[int, list[str]] = {0: [], 1: []}
    for _, moment in zip(range(120), random_game(table, 3), strict=False):
        for seat in described:
            for event in moment.events:
                seen = rules.redact(event, seat)
                described[seat] += text_ui.describe(
                    seen, rules.view(moment.before, seat), display(me=seat)
                )
    drawn = {
        seat: [line for line in lines if "You draw" in line] for seat, lines in described.items()
    }
    if game == "kaosmos":
        assert drawn == {0: [], 1: []}
    else:
        assert drawn[0]
        assert drawn[1]
        assert drawn[0] != drawn[1]
    assert described[0]


def test_blockers_discard_has_prompt_description_and_no_points() -> None:
    view = view_of(Table("blockers", 3), 12)
    text_ui = TEXT_UIS["blockers"]
    stuck = replace(view, legal=("discard b7", "discard bC"))
    assert "discard b7" in text_ui.prompt(stuck, display())
    assert text_ui.moves(stuck, "", display()) == ["discard b7", "discard bC"]
    event = Discarded(1, (Tile("y7"), Tile("y#4")), Tile("y7"))
    (line,) = text_ui.describe(event, view, display())
    assert line.startswith("Bo: no move")
    assert "y#4" in line
    assert text_ui.points(view, view, [event], display()) == [language("en").say("play.no-points")]


def test_blockers_captures_are_listed_with_the_captured_tile() -> None:
    table = Table("blockers", 3)
    for moment in random_game(table, 3):
        seat = table.rules.actors(moment.after)
        view = table.rules.view(moment.after, seat[0] if seat else 0)
        takes = [move for move in view.legal if "x" in move]
        if takes:
            break
    tile, cell = takes[0].split("x")
    lines = TEXT_UIS["blockers"].moves(view, "", display())
    (line,) = [line for line in lines if line.startswith(f"{tile} ")]
    text = " ".join(lines[lines.index(line) :])
    assert f"{cell} ({view.board[cell]})" in text


def test_kept_hand_is_described() -> None:
    view = view_of(Table("genial", 2), 5)
    assert TEXT_UIS["genial"].describe(Kept(1), view, display()) == ["Bo: the hand is kept"]
    assert TEXT_UIS["genial"].describe(Kept(1), view, display("fr")) == [
        "Bo\u00a0: la main est gardée"
    ]


def test_swap_phase_lists_only_swap_and_keep() -> None:
    view = replace(view_of(Table("genial", 2), 5), phase="swap", actors=(0,))
    assert TEXT_UIS["genial"].moves(view, "", display()) == ["swap", "keep"]
    assert TEXT_UIS["genial"].prompt(view, display()) == "swap or keep? "


def test_prompt_of_a_complete_galaxy_names_the_remaining_choices() -> None:
    table = Table("kaosmos", 2, {"kaos": False, "draft": False, "seconds": None})
    for moment in random_game(table, 3):
        view = table.rules.view(moment.after, 0)
        if view.phase == "building" and view.is_complete(0) and 0 in view.actors:
            break
    text_ui = TEXT_UIS["kaosmos"]
    assert "reserve green" in text_ui.prompt(
        replace(view, bonuses=dict.fromkeys(view.bonuses)), display()
    )
    assert "réserver bleu" in text_ui.prompt(
        replace(view, bonuses={"green": 1, "blue": None, "orange": None}), display("fr")
    )
    assert "grab" not in text_ui.prompt(
        replace(view, bonuses=dict.fromkeys(view.bonuses, 1)), display()
    )
