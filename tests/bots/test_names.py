"""Every bot has a name and a sentence, in every language; levels are called as they should be."""

from __future__ import annotations

import pytest

from tuilerie.bots import BOTS, LEVELS, offered, usual
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level
from tuilerie.bots.thinker import Question, think
from tuilerie.games import GAMES
from tuilerie.language import LANGUAGES, language

ALL = ("random", "greedy", *LEVEL_NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_levels_come_after_the_simple_bots_weakest_first(game: str) -> None:
    names = tuple(level.name for level in LEVELS[game])
    assert names in ((), LEVEL_NAMES)
    assert tuple(BOTS[game]) == ("random", "greedy", *names)
    assert offered(game) == (names or ("random", "greedy"))
    assert usual(game) == ("glaze" if names else "greedy")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_bot_has_a_name_and_a_sentence(code: str) -> None:
    words = language(code)
    names = [words.level_name(bot) for bot in ALL]
    assert len(set(names)) == len(ALL)
    for game in GAMES:
        lines = [words.level_line(game, bot) for bot in ALL]
        assert len(set(lines)) == len(ALL)
        assert all(line.endswith(".") for line in lines)
        assert max(map(len, lines)) + max(map(len, names)) + 7 <= 80, "a line of the menu"


def echo(view: str, seed: int, budget: Budget) -> tuple[Candidate, ...]:
    return (Candidate(f"{view} {seed % 100} {budget.nodes}", 0.5),)


def test_a_question_carries_seed_and_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level("clay", echo, Budget(nodes=3))
    monkeypatch.setitem(BOTS["genial"], "clay", level)
    own = think(Question("genial", "clay", "view", seed=1))
    assert own.good
    assert own.text.endswith(" 3")
    other = think(Question("genial", "clay", "view", seed=1, budget=Budget(nodes=9)))
    assert other.text == own.text.removesuffix("3") + "9"
    assert think(Question("genial", "clay", "view", seed=2)).text != own.text


def test_a_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = think(Question("genial", "nobody", "view"))
    assert (answer.good, answer.text) == (False, "KeyError: 'nobody'")
