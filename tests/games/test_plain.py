"""Any value of the rules as what JSON can hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tuilerie.games.game import Code, Event, plain
from tuilerie.games.genial.notation import Keep


@dataclass(frozen=True, slots=True)
class Told(Event):
    kind: ClassVar[str] = "told"
    seat: int
    _quick: str = "kept only for speed"


@dataclass(frozen=True, slots=True)
class Thing:
    events: tuple[Told, ...]
    by_number: dict[int, Keep]
    none: None = None


def test_values_within_values_become_plain() -> None:
    thing = Thing((Told(1), Told(2)), {3: Keep()})
    told = [{"kind": "told", "seat": 1}, {"kind": "told", "seat": 2}]
    assert plain(thing) == {"events": told, "by_number": {"3": "keep"}, "none": None}


def test_a_code_is_told_by_its_word() -> None:
    (word,) = plain([Code.OVER])
    assert type(word) is str
    assert word == "over"


def test_each_answer_can_be_changed_without_harm() -> None:
    plain(Told(1))["seat"] = 9
    assert plain(Told(1)) == {"kind": "told", "seat": 1}
