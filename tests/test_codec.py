"""Values as JSON holds them, and back: strictly, by the types of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, NewType

import pytest

from tuilerie.codec import Lenient, Malformed, from_builtins, to_builtins
from tuilerie.games.game import Code
from tuilerie.games.genial.notation import Keep

Name = NewType("Name", str)


@dataclass(frozen=True, slots=True)
class Seen:
    kind: Literal["seen"] = field(default="seen", init=False)
    seat: int
    _cached: str = "never sent"


@dataclass(frozen=True, slots=True)
class Gone:
    kind: Literal["gone"] = field(default="gone", init=False)


@dataclass(frozen=True, slots=True)
class Thing:
    events: tuple[Seen | Gone, ...]
    names: Mapping[Name, int]
    pair: tuple[str, int]
    share: Annotated[float, "of one"]
    ways: list[Literal["up", "down"]]
    more: Seen | None
    anything: Any = None


@dataclass(frozen=True, slots=True)
class Order(Lenient):
    seat: int
    level: str = "greedy"
    ways: list[str] = field(default_factory=list)


THING = Thing((Seen(1), Gone()), {Name("Ana"): 3}, ("a", 1), 0.5, ["up"], None)
SENT: dict[str, Any] = {
    "events": [{"kind": "seen", "seat": 1}, {"kind": "gone"}],
    "names": {"Ana": 3},
    "pair": ["a", 1],
    "share": 0.5,
    "ways": ["up"],
    "more": None,
    "anything": None,
}


def test_private_fields_stay_and_kinds_are_sent() -> None:
    assert to_builtins(THING) == SENT


def test_what_clients_write_may_leave_out_defaults_and_nothing_else() -> None:
    assert from_builtins(Order, {"seat": 1}) == Order(1)
    assert from_builtins(Order, {"seat": 1, "ways": ["up"]}) == Order(1, ways=["up"])
    with pytest.raises(Malformed, match="missing seat"):
        from_builtins(Order, {"level": "clay"})
    with pytest.raises(Malformed, match="unknown colour"):
        from_builtins(Order, {"seat": 1, "colour": "red"})


def test_decoding_gives_the_same_value() -> None:
    assert from_builtins(Thing, SENT) == THING
    assert from_builtins(Thing, SENT | {"share": 1}).share == 1.0


def test_private_fields_are_given_by_the_reader() -> None:
    assert from_builtins(Seen, {"kind": "seen", "seat": 2}, _cached="mine") == Seen(2, "mine")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"events": 3}, "events is 3, expected a list"),
        ({"events": [7]}, r"events\[0\] is 7, expected an object"),
        ({"events": [{"kind": "lost"}]}, r"events\[0\] is of kind 'lost', expected one of seen"),
        ({"events": [{"kind": ["seen"]}]}, "is of kind"),
        ({"events": [{"kind": "seen"}]}, r"events\[0\]: missing seat; expected seat"),
        ({"events": [{"kind": "seen", "seat": True}]}, "seat is True, expected int"),
        ({"events": [{"kind": "gone", "seat": 1, "x": 2}]}, "unknown seat, x"),
        ({"names": {"Ana": "3"}}, "names.Ana is '3', expected int"),
        ({"names": [1]}, "names is"),
        ({"names": {1: 1}}, "expected an object"),
        ({"pair": ["a"]}, "pair is .* expected a list of 2"),
        ({"share": "half"}, "share is 'half', expected float"),
        ({"ways": ["left"]}, r"ways\[0\] is 'left', expected one of up, down"),
        ({"ways": [["up"]]}, r"ways\[0\] is"),
        ({"more": {"kind": "gone"}}, "more is of kind 'gone', expected one of seen"),
        ({"more": "x" * 500}, r"more is 'x+\.\.\., expected an object"),
        ({"extra": 1}, "unknown extra"),
    ],
)
def test_errors_say_what_is_wrong_and_where(change: dict[str, Any], why: str) -> None:
    with pytest.raises(Malformed, match=why):
        from_builtins(Thing, SENT | change)


def test_a_wrong_tag_of_a_single_class_is_refused() -> None:
    with pytest.raises(Malformed, match="is of kind None, expected 'seen'"):
        from_builtins(Seen, {"seat": 1})
    with pytest.raises(Malformed, match="value is 7, expected an object"):
        from_builtins(Seen, 7)


def test_enums_and_moves_are_their_texts() -> None:
    class Way(StrEnum):
        UP = "up"

    assert [type(each) for each in to_builtins([Code.OVER, Way.UP])] == [str, str]
    assert to_builtins({3: Keep()}) == {"3": "keep"}


def test_encoded_values_are_independent_copies() -> None:
    to_builtins(Seen(1))["seat"] = 9
    assert to_builtins(Seen(1)) == {"kind": "seen", "seat": 1}
