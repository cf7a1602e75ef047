"""Refusals say everything in the user's language: no code of the rules is left in a sentence."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.refusals import FILE, as_json, collect
from tests.test_language import sentences, under
from tuilerie.games.game import Code, Refused
from tuilerie.language import KINDS, LANGUAGES, TYPED, card_named, language
from tuilerie.record import Fault

MET = collect()

PLAIN = {
    "cell",
    "slot",
    "tile",
    "tiles",
    "first",
    "second",
    "parts",
    "points",
    "most",
    "turns",
    "laid",
    "needed",
    "number",
    "seat",
    "seats",
    "open",
    "seconds",
    "column",
}
"""Parameters that are numbers, or names of cells and tiles as they are printed."""

LITERAL = {
    "wrong-count": "",
    "bad-players": "",
    "variant-players": "",
    "bad-name": "",
    "no-such-seat": "",
    "unknown-rules": "",
    "too-few-tiles": "",
    "too-few-cards": "",
    "bad-seconds": "",
    "galaxy-slot": "slots",
    "unknown-tile": "tiles",
    "bad-option": "values, as they are typed",
    "bad-chance": "file",
    "bad-seat": "file",
    "bad-tiles": "file",
    "bad-card": "file",
    "bad-galaxy": "file",
    "not-utf8": "file",
    "no-header": "file",
    "not-an-object": "file",
    "bad-header": "file",
    "bad-kind": "file",
    "bad-clock": "file",
    "bad-ms": "file",
    "wrong-result": "file",
}
"""Rules whose `expected` is a number, or a literal that has to stand in a file or a command."""


def fields(sentence: str) -> Iterator[tuple[str, str]]:
    return ((name, kind or "") for _, name, kind, _ in string.Formatter().parse(sentence) if name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_parameter_is_a_word_a_number_or_notation(lang: str) -> None:
    for rule in under("rule."):
        for name, kind in fields(sentences(lang)[f"rule.{rule}"]):
            known = kind in KINDS or (name in PLAIN and not kind) or name == "found"
            assert known or rule in LITERAL, f"{rule}: {{{name}}} is a code without a word"


def test_languages_have_the_same_kinds() -> None:
    english, french = (language(code) for code in ("en", "fr"))
    for rule in under("rule."):
        key = f"rule.{rule}"
        assert english.kinds(key) == french.kinds(key), key


@cache
def vocabulary(lang: str, kind: str) -> set[str]:
    """Return all words of the language for this kind of code."""
    patterns = [re.escape(key).replace(r"\{\}", r"[\w-]+") for key in KINDS[kind]]
    known = sentences(lang)
    values = [known[key] for key in known if any(re.fullmatch(p, key) for p in patterns)]
    assert len(values) >= 3, kind
    return {word for value in values for word in re.findall(r"[^\W\d_]+", value)}


def is_in_language(lang: str, refused: Refused) -> bool:
    say = language(lang)
    for name, kind in say.kinds(f"rule.{refused.rule}").items():
        if name == "found":
            continue  # what the user has typed
        said = say.word(kind, refused.params[name])
        if kind in TYPED:
            said = re.sub(r" \([a-z_-]+\)", "", said)
        if kind == "move":
            said = re.sub(r"\b[A-Z]\S*|\b[a-z][#*]?\S*\d\S*|\b[a-z]\*\S*", "", said)
        words = set(re.findall(r"[^\W\d_]+", said))
        if not words <= vocabulary(lang, kind):
            return False
    return True


def test_random_games_and_lessons_meet_most_refusals_of_players() -> None:
    rules = {refused.rule for refused in MET}
    assert len(rules) > 25, sorted(rules)
    assert {"bad-move", "wrong-phase", "swap-not-allowed", "splits-group"} <= rules


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_met_refusal_leaks_a_code(lang: str) -> None:
    assert [str(refused) for refused in MET if not is_in_language(lang, refused)] == []


def test_a_code_without_a_word_is_found() -> None:
    assert not is_in_language("fr", Refused(Code.ILLEGAL, "bonus-taken", colours=["pink"]))
    assert is_in_language("fr", Refused(Code.ILLEGAL, "bonus-taken", colours=["green"]))


CODES = r"\b(swap|keep|discard|put|lift|leave|grab|done|turn|green|blue|building|draw|fill)\b"


@pytest.mark.parametrize("refused", MET, ids=lambda refused: refused.rule)
def test_french_sentences_hold_no_english_code(refused: Refused) -> None:
    said = language("fr").refusal(refused)
    typed = re.sub(r"« .*? »|\([a-z_-]+\)", "", said)
    assert re.findall(CODES, typed) == []


def test_moves_in_a_file_stay_in_notation() -> None:
    facts = {"found": "grab blue", "expected": "RB h8 h9, swap, keep"}
    typed = language("fr").refusal(Refused(Code.MALFORMED, "bad-move", **facts))
    assert "réserver bleu" in typed
    assert typed.endswith("RB h8 h9, échanger, garder.")
    read = language("fr").refusal(Fault(3, Code.MALFORMED, "bad-move", facts))
    assert read.endswith("RB h8 h9, swap, keep.")


def test_both_colours_of_a_player_are_named() -> None:
    refused = Refused(Code.ILLEGAL, "not-in-pile", tile="b7", colours="by")
    assert "(bleu, jaune)" in language("fr").refusal(refused)


@pytest.mark.parametrize("name", ["floraison", "Floraison", "Bloom", "bloom", "FLORAISON"])
def test_card_is_found_by_id_and_by_name_in_any_language(name: str) -> None:
    assert card_named(name, ("breche", "floraison")) == "floraison"
    assert card_named("Brèche", ("breche", "floraison")) == "breche"
    assert card_named("joker", ("breche", "floraison")) is None


def test_refusals_for_the_client_are_up_to_date() -> None:
    assert json.loads(FILE.read_text("utf-8")) == json.loads(as_json()), "run tests.refusals"


def test_shared_words_of_the_client_are_up_to_date() -> None:
    folder = Path(FILE).parent
    scope: dict[str, object] = {"__file__": str(folder / "words.py"), "__name__": "words"}
    exec((folder / "words.py").read_text("utf-8"), scope)
    words, kinds = scope["words"], scope["kinds"]
    assert callable(words)
    assert callable(kinds)
    shared = folder.parent / "src" / "i18n"
    for code in LANGUAGES:
        assert (shared / f"shared.{code}.ftl").read_text("utf-8") == words(code)
    assert json.loads((shared / "kinds.json").read_text("utf-8")) == json.loads(kinds())
