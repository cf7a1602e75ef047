"""Every bot has a name and a description in every language."""

from __future__ import annotations

import pytest

from tuilerie.bots import BOTS, LEVELS, offered, usual
from tuilerie.bots.bot import LEVEL_NAMES, Budget, Candidate, Level
from tuilerie.bots.thinker import Question, hints_text, question, read_hints, think
from tuilerie.games import GAMES
from tuilerie.games.genial.view import View
from tuilerie.language import LANGUAGES, language

ALL = ("random", "greedy", *LEVEL_NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_levels_come_after_the_simple_bots_weakest_first(game: str) -> None:
    names = tuple(level.name for level in LEVELS[game])
    assert names in ((), LEVEL_NAMES)
    assert tuple(BOTS[game]) == ("random", "greedy", *names)
    assert offered(game) == (names or ("random", "greedy"))
    assert usual(game) == ("terracotta" if names else "greedy")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_bot_has_a_name_and_a_sentence(code: str) -> None:
    words = language(code)
    names = [words.level_name(bot) for bot in ALL]
    assert len(set(names)) == len(ALL)
    for game in GAMES:
        lines = [words.level_line(game, bot) for bot in ALL]
        assert len(set(lines)) == len(ALL)
        assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize("code", LANGUAGES)
def test_levels_have_a_plain_word_and_fit_into_the_menu(code: str) -> None:
    words = language(code)
    strengths = [words.level_word(level) for level in LEVEL_NAMES]
    assert len(set(strengths)) == 5
    assert (strengths[0], strengths[-1]) == {
        "en": ("Beginner", "Expert"),
        "fr": ("Débutant", "Expert"),
    }[code]
    titles = [f"{words.level_word(level)} ({words.level_name(level)})" for level in LEVEL_NAMES]
    for game in GAMES:
        lines = [words.level_line(game, level) for level in LEVEL_NAMES]
        assert max(map(len, lines)) + max(map(len, titles)) + 7 <= 80


def ask(bot: str, seed: int, budget: Budget | None = None) -> Question:
    game = GAMES["genial"]
    return question(game, bot, game.view(game.start(2, {}), 0), seed, budget)


def echo(view: View, seed: int, budget: Budget) -> tuple[Candidate, ...]:
    return (Candidate(f"{view.viewer} {seed % 100} {budget.nodes}", 0.5),)


def test_a_question_holds_seed_and_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level("clay", echo, Budget(nodes=3))
    monkeypatch.setitem(BOTS["genial"], "clay", level)
    own = think(ask("clay", 1))
    assert own.good
    assert own.text.endswith(" 3")
    other = think(ask("clay", 1, Budget(nodes=9)))
    assert other.text == own.text.removesuffix("3") + "9"
    assert think(ask("clay", 2)).text != own.text


def test_an_exception_becomes_an_error_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = think(ask("nobody", 1))
    assert (answer.good, answer.text) == (False, "KeyError: 'nobody'")


def test_a_hint_shows_the_best_candidates_in_the_order_of_their_values() -> None:
    preferred = (Candidate("a", 0.48), Candidate("b", 0.51), Candidate("c", 0.4), Candidate("d", 1))
    shown = read_hints(hints_text(preferred))
    assert [each.move for each in shown] == ["b", "a", "c"]
