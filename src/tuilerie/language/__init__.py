"""Messages in the user's language. The rules use codes; this package turns them into sentences.

Each language is one file beside this one, `fr.toml` and `en.toml`, with the same keys and the same
names in braces (a test checks this). A sentence may hold `{name}`, which is filled in as it is,
and `{name:kind}`, a code of the rules that becomes a word: `{colour:colour}` with 'green' says
'vert'.
"""

from __future__ import annotations

import json
import locale
import os
import re
import string
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import category, combining, normalize

from tuilerie.games.game import Refused
from tuilerie.record import Fault

LANGUAGES = ("en", "fr")
DEFAULT = "en"

KINDS: Mapping[str, tuple[str, ...]] = {
    "colour": ("colour.{}", "colour.blockers.{}", "colour.genial.{}"),
    "phase": ("phase.{}",),
    "card": ("card.{}.name",),
    "clock": ("clock.{}",),
    "move": ("play.move-word.{}",),
    "game": ("game.{}.title",),
    "level": ("level.{}-name",),
    "option": ("option.genial.{}.name", "option.blockers.{}.name", "option.kaosmos.{}.name"),
    "reaction": ("reaction.{}",),
    "variant": ("variant.{}",),
}
"""Where the words for each kind of code are. The client has the same table in web/src/i18n."""

TYPED = frozenset({"game", "level", "option", "reaction", "variant"})
"""Kinds whose code is typed in commands and requests: it is shown beside the word."""


class _Formatter(string.Formatter):
    """Fills in `{name:kind}` like `{name}`: the value is a word already."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return str(value)


_FORMATTER = _Formatter()


class Language:
    """One language's sentences."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._sentences = _load(code)

    def say(self, key: str, **params: Any) -> str:
        """The sentence with this key, such as 'play.your-turn', filled in."""
        filled = {name: self._word(name, value) for name, value in params.items()}
        return _FORMATTER.vformat(self._sentences[key], (), filled)

    def has(self, key: str) -> bool:
        """Whether there is a sentence with this key."""
        return key in self._sentences

    def level_name(self, level: str) -> str:
        """The name of a bot."""
        return self.say(f"level.{level}-name")

    def level_word(self, level: str) -> str:
        """How strong a bot is in a plain word, from 'Beginner' to 'Expert'."""
        return self.say(f"level.word.{level}")

    def level_line(self, game: str, level: str) -> str:
        """A sentence on how a bot plays a game."""
        return self.say(f"level.{game}.{level}")

    def refusal(self, refused: Refused | Fault) -> str:
        """Why an entry was refused: the rule that it breaks, and what would be right."""
        params = {name: _counted(name, value) for name, value in refused.params.items()}
        for name, kind in self.kinds(f"rule.{refused.rule}").items():
            if kind == "move" and isinstance(refused, Fault):
                continue  # moves in a file are in notation
            params[name] = self.word(kind, params[name])
        return printable(self.say(f"rule.{refused.rule}", **params))

    def kinds(self, key: str) -> dict[str, str]:
        """The kinds of word in the sentence with this key, by the name in its braces."""
        parts = string.Formatter().parse(self._sentences[key])
        return {name: kind for _, name, kind, _ in parts if name and kind}

    def word(self, kind: str, value: Any) -> str:
        """One code or several, in words. A code without a word stays as it is."""
        if kind == "move":
            return re.sub(r"[a-z]{2,}", lambda code: self._translate(kind, code[0]), str(value))
        codes = value.split(", ") if isinstance(value, str) else list(value)
        if kind == "colour":  # 'by': both colours of a player of Blockers!
            both = [code for code in codes if set(code) <= set("bygrk")]
            codes = [each for code in codes for each in (code if code in both else (code,))]
        return ", ".join(self._translate(kind, str(code)) for code in codes)

    def _translate(self, kind: str, code: str) -> str:
        keys = (pattern.format(code) for pattern in KINDS[kind])
        found = next((self._sentences[key] for key in keys if self.has(key)), code)
        word = found.split(", ")[0] if kind == "move" else found
        return f"{word} ({code})" if kind in TYPED and word.casefold() != code else word

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
    """The text of a value. Seats count from 0 in the rules, and from 1 for people."""
    if name == "seat" and isinstance(value, int):
        return value + 1
    return [seat + 1 for seat in value] if name == "seats" else value


def card_named(text: str, cards: Collection[str]) -> str | None:
    """The id of the Kaos card that is meant: by its id, or by its name in any language."""
    for card in cards:
        names = (
            language(code).say(f"card.{card}.name")
            for code in LANGUAGES
            if language(code).has(f"card.{card}.name")
        )
        if simple(text) in {simple(card), *map(simple, names)}:
            return card
    return None


def simple(word: str) -> str:
    """A word in lower case, without accents."""
    apart = normalize("NFD", word.casefold().replace("’", "'"))
    return "".join(sign for sign in apart if not combining(sign))


def printable(text: str) -> str:
    """A text from a file, safe to print: control characters are escaped."""
    return "".join(
        f"\\u{ord(sign):04x}" if category(sign) in UNPRINTABLE else sign for sign in text
    )


UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@cache
def language(code: str) -> Language:
    """The sentences of a language."""
    return Language(code)


def users_language() -> str:
    """The language of the user's machine, or English if it is not supported."""
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
