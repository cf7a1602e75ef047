"""Small things about sentences: one or many, words that mean a command, names to show."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tuilerie.language import LANGUAGES, Language, language

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
"""Everything that can be said at the table beside moves."""

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
"""The words of the notation that have a French form too."""

_BOT = re.compile(r"(?P<name>.+) \((?P<level>[a-z]+)\)")


def plural(say: Language, key: str, count: int, **params: Any) -> str:
    """The sentence for one thing, where there is one, or for many. In French none is singular."""
    one = count == 1 or (count == 0 and say.code == "fr")
    single = one and say.has(f"{key}-one")
    return say.say(f"{key}-one" if single else key, count=count, **params)


def simple(word: str) -> str:
    """A word in small letters without accents, as it may be typed."""
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


@cache
def _words(table: str, names: tuple[str, ...]) -> Mapping[str, str]:
    """What each typed word means. Those of all languages are understood at every table."""
    meanings = {}
    for code in LANGUAGES:
        for name in names:
            for word in language(code).say(f"play.{table}.{name}").split(", "):
                meanings[simple(word)] = name
    return meanings


def command(text: str) -> tuple[str, str] | None:
    """The command that a line begins with, and what comes after it."""
    first, _, rest = text.strip().partition(" ")
    name = _words("word", COMMANDS).get(simple(first))
    return None if name is None else (name, rest.strip())


def word_for(name: str, say: Language) -> str:
    """How a command is called in a language."""
    return say.say(f"play.word.{name}").split(", ")[0]


def in_notation(text: str) -> list[str]:
    """The words of a move, those of any language turned into the notation's."""
    known = _words("move-word", MOVE_WORDS)
    parts = text.replace(",", " ").split()
    return [known.get(simple(part), part) for part in parts]


def bot_name(name: str, level: str) -> str:
    """How a bot is called in a record."""
    return f"{name} ({level})"


def bot_level(name: str) -> str | None:
    """The level in a bot's name; `None` for a person."""
    match = _BOT.fullmatch(name)
    return match["level"] if match else None


def shown_names(seats: Sequence[str]) -> list[str]:
    """The names as they are shown: without the levels of bots."""
    return [match["name"] if (match := _BOT.fullmatch(seat)) else seat for seat in seats]
