"""Fuzzing of the core's parsers for Blockers!: any input gives an answer or a ValueError."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.perft import after
from tests.tables import Table
from tuilerie import native
from tuilerie.games.blockers import GAME
from tuilerie.games.game import Action

if not native.is_compiled():
    pytest.skip(f"the core is not built: {native.why_not_compiled()}", allow_module_level=True)

from tuilerie.native import _blockers
from tuilerie.native.blockers import state_of, text_of_state, text_of_view

SIGNS = "bygrk123456789ABCDEFGHI#*?-x., \t\n0éplaydrwov"
QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck))


def texts() -> list[str]:
    """Positions of several games: at the deal, in play, before a draw, at the end, and views."""
    found = []
    for players in (2, 3, 5):
        table = Table("blockers", players)
        found.append(text_of_state(GAME.start(players, {})))
        for actions in (0, 20, 66):
            state = after(table, actions)
            found += [text_of_state(state), text_of_view(GAME.view(state, state.seat))]
        move = GAME.legal(state, state.seat)[0]
        found.append(text_of_state(GAME.apply(state, Action(state.seat, move)).state))
    found.append(text_of_state(after(Table("blockers", 3), 72)))
    return found


TEXTS = texts()


def use(text: str) -> None:
    """Call every function on a position."""
    for ask in (
        _blockers.legal,
        _blockers.greedy,
        _blockers.scores,
        _blockers.standings,
        lambda text: state_of(_blockers.resample(text, 1)),
        lambda text: _blockers.random_game(text, 1),
        lambda text: _blockers.playouts(text, 2, 1, True),
        lambda text: _blockers.perft(text, 2),
    ):
        try:
            ask(text)
        except ValueError as refused:
            assert ": found '" in str(refused)  # noqa: PT017


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid text with a few characters changed, removed, added or moved."""
    text = list(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text) - 1))
        other = draw(st.integers(0, len(text) - 1))
        how = draw(st.sampled_from(("change", "drop", "add", "swap")))
        if how == "change":
            text[at] = draw(st.sampled_from(SIGNS))
        elif how == "drop" and len(text) > 1:
            del text[at]
        elif how == "add":
            text.insert(at, draw(st.sampled_from(SIGNS)))
        else:
            text[at], text[other] = text[other], text[at]
    return "".join(text)


@QUICK
@given(mutated())
def test_mutated_position_is_answered_or_refused(text: str) -> None:
    use(text)


@st.composite
def recombined(draw: st.DrawFn) -> str:
    """A valid text with some words replaced by those of another."""
    first, second = (draw(st.sampled_from(TEXTS)).split(" ") for _ in range(2))
    return " ".join(draw(st.sampled_from(pair)) for pair in zip(first, second, strict=True))


@QUICK
@given(recombined())
def test_recombined_position_is_answered_or_refused(text: str) -> None:
    use(text)


@QUICK
@given(st.text(SIGNS) | st.text())
@example("\0" * 12)
@example(" " * 12)
def test_arbitrary_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=": found '"):
        _blockers.legal(text)


@QUICK
@given(
    st.sampled_from(TEXTS),
    st.text() | st.text(SIGNS, max_size=12).map(lambda t: f"deal {t}") | st.text(SIGNS, max_size=6),
)
def test_arbitrary_entry_is_accepted_or_refused(text: str, entry: str) -> None:
    try:
        after_it = _blockers.after(text, entry)
    except ValueError as refused:
        assert ": found '" in str(refused)  # noqa: PT017
    else:
        assert state_of(after_it) != state_of(text)
