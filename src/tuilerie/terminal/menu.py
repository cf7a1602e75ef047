"""The menu before a game; Enter takes the default answer of each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tuilerie.bots import offered, usual
from tuilerie.games.game import AnyGame, Json
from tuilerie.language import LANGUAGES, Language, language, simple, users_language
from tuilerie.terminal.console import Console
from tuilerie.terminal.saved_games import last_unfinished
from tuilerie.terminal.style import Style

T = TypeVar("T")

USUAL_PLAYERS: Mapping[str, tuple[int, ...]] = {
    "genial": (2, 4, 1),
    "blockers": (3, 2),
    "kaosmos": (3,),
}
"""Default numbers of players; the first one that the options allow is taken."""

TIMER = 60


@dataclass(frozen=True, slots=True)
class Choices:
    """The answers."""

    lang: str
    game: str = ""
    players: int = 0
    level: str | None = None
    options: Mapping[str, Json] | None = None
    resume: Path | None = None


def ask_all(
    console: Console, games: Mapping[str, AnyGame], lang: str | None, folder: Path
) -> Choices:
    """Ask all questions in order."""
    code = lang or _ask_language(console)
    say = language(code)
    title = Style(console.colour)("Tuilerie", "title")
    console.write(f"\n{title} · {say.say('play.welcome')}\n")
    saved = last_unfinished(folder)
    game = _ask_game(console, say, games, saved)
    if game is None:
        return Choices(code, resume=saved)
    card = games[game].card
    players = _ask_players(console, say, card.players, USUAL_PLAYERS[game][0])
    level = _ask_level(console, say, game) if players > 1 else None
    options: dict[str, Json] = {}
    if game == "kaosmos":
        options["seconds"] = _ask_timer(console, say)
        if _ask_beginner(console, say):
            options |= {"kaos": False, "draft": False}
    return Choices(code, game, players, level, options)


def _ask_language(console: Console) -> str:
    usual = users_language()
    names = [language(code).say("play.language-name") for code in LANGUAGES]
    question = "Language / Langue"
    return _choose(console, None, question, list(LANGUAGES), names, LANGUAGES.index(usual))


def _ask_game(
    console: Console, say: Language, games: Mapping[str, AnyGame], saved: Path | None
) -> str | None:
    names: list[str | None] = list(games)
    titles = [f"{games[name].card.title:<10} {say.say(f'play.about-{name}')}" for name in games]
    if saved is not None:
        names.append(None)
        titles.append(say.say("play.go-on-with", file=saved.name))
    return _choose(console, say, say.say("play.which-game"), names, titles, 0)


def _ask_players(console: Console, say: Language, allowed: range, usual: int) -> int:
    question = say.say("play.how-many", least=allowed[0], most=allowed[-1])

    def read(typed: str) -> int | None:
        return int(typed) if typed.isdecimal() and int(typed) in allowed else None

    return _ask_until_valid(console, say, f"{question} [{usual}] ", usual, read)


def _ask_level(console: Console, say: Language, game: str) -> str:
    levels = offered(game)
    names = [f"{say.level_word(level)} ({say.level_name(level)})" for level in levels]
    wide = max(map(len, names))
    lines = [say.level_line(game, level) for level in levels]
    titles = [f"{name:<{wide}}  {line}" for name, line in zip(names, lines, strict=True)]
    question = say.say("play.which-level")
    return _choose(console, say, question, levels, titles, levels.index(usual(game)))


def _ask_timer(console: Console, say: Language) -> int | None:
    titles = [say.say("play.no-timer"), say.say("play.with-timer", seconds=TIMER)]
    values: list[int | None] = [None, TIMER]
    return _choose(console, say, say.say("play.which-timer"), values, titles, 0)


def _ask_beginner(console: Console, say: Language) -> bool:
    titles = [say.say("play.beginner"), say.say("play.whole-game")]
    return _choose(console, say, say.say("play.which-kaosmos"), [True, False], titles, 0)


def _choose(  # noqa: PLR0913, PLR0917 - one question
    console: Console,
    say: Language | None,
    question: str,
    values: Sequence[T],
    titles: Sequence[str],
    usual: int,
) -> T:
    """Ask for one of several values, by number or by a prefix of its title."""
    console.write(question)
    for number, title in enumerate(titles, 1):
        console.write(f"  {number}  {title}")

    # A value may be None, so the answer is an index.
    def index_of(typed: str) -> int | None:
        if typed.isdecimal():
            return int(typed) - 1 if 0 < int(typed) <= len(values) else None
        fitting = [at for at, title in enumerate(titles) if simple(title).startswith(simple(typed))]
        return fitting[0] if len(fitting) == 1 else None

    return values[_ask_until_valid(console, say, f"[{usual + 1}] ", usual, index_of)]


def _ask_until_valid(
    console: Console,
    say: Language | None,
    prompt: str,
    usual: T,
    read: Callable[[str], T | None],
) -> T:
    """Ask until the answer is valid; Enter takes the default."""
    while True:
        typed = (console.ask(prompt) or "").strip()
        if not typed:
            return usual
        answer = read(typed)
        if answer is not None:
            return answer
        console.write((say or language(users_language())).say("play.not-among"))
