"""Messages: complete in every language, one per refusal, none unused."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tuilerie.games import GAMES
from tuilerie.games.blockers.board import SYMBOLS
from tuilerie.games.blockers.score import result_of
from tuilerie.games.blockers.tiles import COLOURS as BLOCKERS_COLOURS
from tuilerie.games.game import Code, Refused
from tuilerie.games.genial.rules import BOARD_FULL, MARKERS_FULL
from tuilerie.games.genial.tiles import COLOURS
from tuilerie.games.kaosmos.card import MARKERS
from tuilerie.games.kaosmos.cards import CARDS, SOURCES
from tuilerie.games.kaosmos.score import final
from tuilerie.language import DEFAULT, LANGUAGES, Language, language
from tuilerie.record import Fault

SOURCE = Path(__file__).parent.parent / "src" / "tuilerie"


def sentences(lang: str) -> dict[str, str]:
    return dict(language(lang)._sentences)


def braces(sentence: str) -> set[str]:
    """Return the placeholders."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def under(table: str) -> dict[str, str]:
    """Return the messages of a table in the default language, by key."""
    found = sentences(DEFAULT)
    return {key.removeprefix(table): found[key] for key in found if key.startswith(table)}


# --- consistency across languages -----------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_have_the_same_keys(lang: str) -> None:
    assert sentences(lang).keys() == sentences(DEFAULT).keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_have_the_same_placeholders(lang: str) -> None:
    ours, theirs = sentences(lang), sentences(DEFAULT)
    assert {k: braces(ours[k]) for k in ours} == {k: braces(theirs[k]) for k in ours}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_messages_are_not_empty_and_use_named_placeholders(lang: str) -> None:
    for key, sentence in sentences(lang).items():
        assert sentence.strip(), key
        assert all(re.fullmatch(r"[a-z_]+", name) for name in braces(sentence)), key


def test_french_typography() -> None:
    """No-break spaces before double punctuation and inside quotation marks, and typographic
    apostrophes."""
    for key, sentence in sentences("fr").items():
        if key.split(".")[0] not in OURS:
            continue
        text = re.sub(r"\{[\w:]*\}", "x", sentence).replace("Génial!", "").replace("Blockers!", "")
        assert not re.search(r"(?<!\u00a0)[:;!?»]", text), (key, sentence)
        assert not re.search(r"«(?!\u00a0)", text), (key, sentence)
        assert "'" not in text, (key, sentence)


OURS = {"game", "option", "card", "colour", "symbol", "reason", "record", "rule", "set", "source"}
"""The tables of refusals."""


# --- refusals -------------------------------------------------------------------------------------


class Site(NamedTuple):
    """A call in the source that refuses something: its rule name and parameters."""

    where: str
    name: str
    params: frozenset[str]


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def keys_of(name: str, function: ast.AST) -> set[str]:
    """Return the keys of the dict literal called `name` in this function."""
    return {
        str(key.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        if [target.id for target in node.targets if isinstance(target, ast.Name)] == [name]
        for key in node.value.keys
        if isinstance(key, ast.Constant)
    }


def sites_in(source: str, where: str, makers: set[str]) -> Iterator[Site]:
    """Yield every call of these functions whose second argument is a literal name."""
    if not any(f"{maker}(" in source for maker in makers):
        return
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or called(node) not in makers or len(node.args) < 2:
                continue
            name = node.args[1]
            if not isinstance(name, ast.Constant):
                continue  # the name comes from another call
            params: set[str] = set()
            for keyword in node.keywords:
                if keyword.arg is not None:
                    params.add(keyword.arg)
                elif isinstance(keyword.value, ast.Name):
                    params |= keys_of(keyword.value.id, function)
            yield Site(f"{where}:{node.lineno}", str(name.value), frozenset(params))


def sites(makers: set[str]) -> list[Site]:
    return [
        site
        for file in sorted(SOURCE.rglob("*.py"))
        for site in sites_in(
            file.read_text("utf-8"), file.relative_to(SOURCE).as_posix(), set(makers)
        )
    ]


@pytest.mark.parametrize(
    ("makers", "table"),
    [
        ({"Refused", "_fault"}, "rule."),
        ({"fault"}, "set.code."),  # of `Reader`, in the files of a Kaosmos box
    ],
    ids=["rule", "set"],
)
def test_every_refusal_has_a_message(makers: set[str], table: str) -> None:
    messages, found = under(table), sites(makers)
    assert len(found) > 15, "the search works"
    for site in found:
        assert site.name in messages, f"{site.where}: no sentence {table}{site.name}"
        unknown = braces(messages[site.name]) - site.params
        assert not unknown, f"{site.where}: {site.name} is not messages {sorted(unknown)}"
    assert messages.keys() == {site.name for site in found}, "no unused message"


def test_search_finds_forwarded_parameters() -> None:
    source = 'def f():\n    facts = {"a": 1}\n    raise Refused(C, "x-y", b=2, **facts)\n'
    assert list(sites_in(source, "f.py", {"Refused"})) == [Site("f.py:3", "x-y", frozenset("ab"))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusal_is_formatted_as_a_message(lang: str) -> None:
    refused = Refused(Code.ILLEGAL, "not-in-bag", tiles=["RB", "YY"])
    fault = Fault(7, Code.ILLEGAL, "not-in-bag", refused.params)
    said = Language(lang).refusal(refused)
    assert "RB, YY" in said
    assert Language(lang).fault(fault).endswith(f"{said} [not-in-bag]")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_messages_count_seats_from_one(lang: str) -> None:
    say = Language(lang).refusal
    assert "1" in say(Refused(Code.TOO_LATE, "taken-over", seat=0))
    assert "2" in say(Refused(Code.NOT_YOUR_TURN, "turn-not-ended", seat=1))
    lost = say(Refused(Code.MALFORMED, "no-such-seat", seat=2, expected=2))
    assert re.findall(r"\d", lost) == ["3", "2"]


# --- the other tables -----------------------------------------------------------------------------


def test_every_game_and_option_is_explained() -> None:
    wanted = {f"game.{game}.{part}" for game in GAMES for part in ("title", "line")}
    for game in GAMES.values():
        for option in game.card.options:
            key = f"option.{game.card.name}.{option.name}"
            wanted |= {f"{key}.name", f"{key}.text"}
            wanted |= {f"{key}.value.{value}" for value in option.values if type(value) is str}
    messages = {key for key in sentences(DEFAULT) if key.startswith(("game.", "option."))}
    assert messages == wanted
    for name, game in GAMES.items():
        assert sentences(DEFAULT)[f"game.{name}.title"] == game.card.title


def test_every_card_is_explained() -> None:
    assert list(under("card.")) == [f"{card}.{part}" for card in CARDS for part in ("name", "text")]
    for lang in LANGUAGES:
        names = [Language(lang).say(f"card.{card}.name") for card in CARDS]
        assert len(set(names)) == 20


def test_every_source_of_a_card_has_a_word() -> None:
    assert tuple(under("source.")) == SOURCES


def test_every_end_of_a_game_is_explained() -> None:
    reasons = {BOARD_FULL, MARKERS_FULL, result_of(()).reason, final(()).reason}
    assert under("reason.").keys() == reasons


def test_every_colour_and_symbol_has_a_name() -> None:
    words = sentences(DEFAULT).keys()
    assert {f"symbol.{symbol}" for symbol in SYMBOLS.values()} <= words
    assert {f"symbol.genial.{letter}" for letter in COLOURS} <= words
    assert {f"colour.genial.{letter}" for letter in COLOURS} <= words
    assert {f"colour.blockers.{letter}" for letter in BLOCKERS_COLOURS} <= words
    assert {f"colour.{word}" for word in MARKERS} <= words
