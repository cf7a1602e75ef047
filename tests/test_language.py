"""The sentences: the same in every language, one for each thing that can be refused, all in use."""

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
from tuilerie.games.blockers.tiles import COLOUR_NAMES
from tuilerie.games.game import Code, Refused
from tuilerie.games.genial.rules import BOARD_FULL, MARKERS_FULL
from tuilerie.games.genial.tiles import COLOURS
from tuilerie.games.kaosmos.card import MARKERS
from tuilerie.games.kaosmos.cards import CARDS, SOURCES
from tuilerie.games.kaosmos.score import final
from tuilerie.language import DEFAULT, LANGUAGES, Language
from tuilerie.record import Fault

SOURCE = Path(__file__).parent.parent / "src" / "tuilerie"


def sentences(lang: str) -> dict[str, str]:
    return dict(Language(lang)._sentences)


def braces(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def under(table: str) -> dict[str, str]:
    """The sentences of a table in the default language, by the rest of their keys."""
    found = sentences(DEFAULT)
    return {key.removeprefix(table): found[key] for key in found if key.startswith(table)}


# --- one language like another --------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_sentences(lang: str) -> None:
    assert sentences(lang).keys() == sentences(DEFAULT).keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_fills_in_the_same(lang: str) -> None:
    ours, theirs = sentences(lang), sentences(DEFAULT)
    assert {k: braces(ours[k]) for k in ours} == {k: braces(theirs[k]) for k in ours}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_empty_or_filled_in_by_its_place(lang: str) -> None:
    for key, sentence in sentences(lang).items():
        assert sentence.strip(), key
        assert all(re.fullmatch(r"[a-z_]+", name) for name in braces(sentence)), key


def test_french_keeps_its_spaces() -> None:
    """No-break spaces before double signs and inside quotation marks, and real apostrophes."""
    for key, sentence in sentences("fr").items():
        if key.split(".")[0] not in OURS:
            continue
        text = re.sub(r"\{\w*\}", "x", sentence).replace("Génial!", "").replace("Blockers!", "")
        assert not re.search(r"(?<!\u00a0)[:;!?»]", text), (key, sentence)
        assert not re.search(r"«(?!\u00a0)", text), (key, sentence)
        assert "'" not in text, (key, sentence)


OURS = {"game", "option", "card", "colour", "symbol", "reason", "record", "rule", "set", "source"}
"""The tables that tell of rules."""


# --- refusals -------------------------------------------------------------------------------------


class Site(NamedTuple):
    """A place in the source where something is refused: by which name, with which facts."""

    where: str
    name: str
    params: frozenset[str]


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def keys_of(name: str, function: ast.AST) -> set[str]:
    """The keys of a dict that is written out in this function and called `name`."""
    return {
        str(key.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        if [target.id for target in node.targets if isinstance(target, ast.Name)] == [name]
        for key in node.value.keys
        if isinstance(key, ast.Constant)
    }


def sites_in(source: str, where: str, makers: set[str]) -> Iterator[Site]:
    """Every call of one of these makers whose second argument is a name written out."""
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or called(node) not in makers or len(node.args) < 2:
                continue
            name = node.args[1]
            if not isinstance(name, ast.Constant):
                continue  # a name that comes from another site
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
        for site in sites_in(file.read_text("utf-8"), file.relative_to(SOURCE).as_posix(), makers)
    ]


REFUSALS = sites({"Refused", "_fault"})
SET_FAULTS = sites({"fault"})  # of `Reader`, in the files of a Kaosmos box


@pytest.mark.parametrize(
    ("found", "table"), [(REFUSALS, "rule."), (SET_FAULTS, "set.code.")], ids=["rule", "set"]
)
def test_each_refusal_has_its_sentence(found: list[Site], table: str) -> None:
    told = under(table)
    assert len(found) > 15, "the search works"
    for site in found:
        assert site.name in told, f"{site.where}: no sentence {table}{site.name}"
        unknown = braces(told[site.name]) - site.params
        assert not unknown, f"{site.where}: {site.name} is not told {sorted(unknown)}"
    assert told.keys() == {site.name for site in found}, "no sentence that nothing uses"


def test_the_search_sees_facts_that_are_handed_on() -> None:
    source = 'def f():\n    facts = {"a": 1}\n    raise Refused(C, "x-y", b=2, **facts)\n'
    assert list(sites_in(source, "f.py", {"Refused"})) == [Site("f.py:3", "x-y", frozenset("ab"))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_becomes_a_sentence(lang: str) -> None:
    refused = Refused(Code.ILLEGAL, "not-in-bag", tiles=["RB", "YY"])
    fault = Fault(7, Code.ILLEGAL, "not-in-bag", refused.params)
    said = Language(lang).refusal(refused)
    assert "RB, YY" in said
    assert Language(lang).fault(fault).endswith(f"{said} [not-in-bag]")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_people_count_seats_from_one(lang: str) -> None:
    say = Language(lang).refusal
    assert "1" in say(Refused(Code.TOO_LATE, "taken-over", seat=0))
    assert "2, 4" in say(Refused(Code.ILLEGAL, "not-ready", seats=[1, 3]))
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
    told = {key for key in sentences(DEFAULT) if key.startswith(("game.", "option."))}
    assert told == wanted
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
    assert {f"colour.blockers.{letter}" for letter in COLOUR_NAMES} <= words
    assert {f"colour.{word}" for word in (*COLOUR_NAMES.values(), *MARKERS)} <= words
