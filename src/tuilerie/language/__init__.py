"""Sentences, in the user's language. The rules speak in codes; here codes become words.

Each language is one file beside this one, `fr.toml` and `en.toml`, with the same keys and the same
names in braces (a test keeps them so). A sentence may hold `{name}`; what is filled in is data.
"""

from __future__ import annotations

import json
import locale
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import category

from tuilerie.games.game import Refused
from tuilerie.record import Fault

LANGUAGES = ("en", "fr")
DEFAULT = "en"


class Language:
    """One language's sentences."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._sentences = _load(code)

    def say(self, key: str, **params: Any) -> str:
        """The sentence with this key, such as 'play.your-turn', filled in."""
        filled = {name: self._word(name, value) for name, value in params.items()}
        return self._sentences[key].format_map(filled)

    def has(self, key: str) -> bool:
        """Whether there is a sentence with this key."""
        return key in self._sentences

    def level_name(self, level: str) -> str:
        """What a bot is called."""
        return self.say(f"level.{level}-name")

    def level_line(self, game: str, level: str) -> str:
        """A sentence on how a bot plays a game."""
        return self.say(f"level.{game}.{level}")

    def refusal(self, refused: Refused | Fault) -> str:
        """Why an entry was refused: the rule that it breaks, and what would be right."""
        params = {name: _counted(name, value) for name, value in refused.params.items()}
        return printable(self.say(f"rule.{refused.rule}", **params))

    def fault(self, fault: Fault) -> str:
        """What is wrong with a record, and in which line."""
        return self.say("record.fault", line=fault.line, why=self.refusal(fault), rule=fault.rule)

    def _word(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return value
        if value is None:
            return "–"
        if name == "found":  # something from a file: shown as it stands there
            return json.dumps(value, ensure_ascii=False, default=str)
        if isinstance(value, (list, tuple, frozenset)):
            return ", ".join(str(self._word("", item)) for item in value) or "–"
        if isinstance(value, dict):
            return ", ".join(f"{key} {self._word('', item)}" for key, item in value.items())
        return value


def _counted(name: str, value: Any) -> Any:
    """What is said of a value: seats are counted from 0 by the rules, and from 1 by people."""
    if name == "seat" and isinstance(value, int):
        return value + 1
    return [seat + 1 for seat in value] if name == "seats" else value


def printable(text: str) -> str:
    """A text from a file, safe to show: what would steer a terminal is written out instead."""
    return "".join(
        f"\\u{ord(sign):04x}" if category(sign) in UNPRINTABLE else sign for sign in text
    )


UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@cache
def language(code: str) -> Language:
    """The sentences of a language."""
    return Language(code)


def users_language() -> str:
    """The language of the user's machine, English where we do not speak it."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next((value for value in named if value), None) or locale.getlocale()[0] or DEFAULT
    return code[:2] if code[:2] in LANGUAGES else DEFAULT


def _load(code: str) -> Mapping[str, str]:
    text = (files("tuilerie.language") / f"{code}.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text)))


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs += _flat(value, f"{prefix}{key}.")
        else:
            pairs.append((prefix + key, value))
    return pairs
