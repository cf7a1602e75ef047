"""Plurals, command and move words in all languages, and player names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tuilerie.bots import offered
from tuilerie.language import LANGUAGES, Language, language, simple

COMMANDS = (
    "help",
    "moves",
    "points",
    "hint",
    "undo",
    "history",
    "rules",
    "cells",
    "table",
    "save",
    "quit",
)
"""All commands at the prompt."""

MOVE_WORDS = (
    "swap",
    "keep",
    "discard",
    "put",
    "lift",
    "leave",
    "grab",
    "done",
    "turn",
    "move",
    "green",
    "blue",
    "orange",
)
"""The words of the notation that have translations."""

_BOT = re.compile(r"(?P<name>.+) \((?P<level>[a-z]+)\)")


def plural(say: Language, key: str, count: int, **params: Any) -> str:
    """Return a message in its singular or plural form. In French zero is singular."""
    one = count == 1 or (count == 0 and say.code == "fr")
    single = one and say.has(f"{key}-one")
    return say.say(f"{key}-one" if single else key, count=count, **params)


@cache
def _words(table: str, names: tuple[str, ...]) -> Mapping[str, str]:
    """Map each word to its command or notation word. All languages are always understood."""
    meanings = {}
    for code in LANGUAGES:
        for name in names:
            for word in language(code).say(f"play.{table}.{name}").split(", "):
                meanings[simple(word)] = name
    return meanings


def command(text: str) -> tuple[str, str] | None:
    """Return the command that a line begins with and its argument; `None` if there is none."""
    first, _, rest = text.strip().partition(" ")
    name = _words("word", COMMANDS).get(simple(first))
    return None if name is None else (name, rest.strip())


def word_for(name: str, say: Language) -> str:
    """Return the name of a command in a language."""
    return say.say(f"play.word.{name}").split(", ")[0]


def in_notation(text: str) -> list[str]:
    """Split a move into words, translated into the notation."""
    known = _words("move-word", MOVE_WORDS)
    parts = text.replace(",", " ").split()
    return [known.get(simple(part), part) for part in parts]


def bot_name(name: str, level: str) -> str:
    """Return a bot's name in a record, which includes its level."""
    return f"{name} ({level})"


def bot_level(name: str) -> str | None:
    """Return the level in a bot's name; `None` for a person."""
    match = _BOT.fullmatch(name)
    return match["level"] if match else None


def shown_names(seats: Sequence[str]) -> list[str]:
    """Return the names without the bots' levels."""
    return [match["name"] if (match := _BOT.fullmatch(seat)) else seat for seat in seats]


def level_title(game: str, level: str, say: Language) -> str:
    """Return a level's number, its strength in a plain word and its name; a simple bot's name."""
    levels = offered(game)
    if level not in levels:
        return say.level_name(level)
    return f"{levels.index(level) + 1} · {say.level_word(level)} · {say.level_name(level)}"
