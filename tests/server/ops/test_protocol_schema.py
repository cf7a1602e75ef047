"""The client's types are generated from the types of everything that is sent, completely."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, cast, get_args

import msgspec
import pytest

from tuilerie.codec import kind_of, public_fields
from tuilerie.games import GAMES
from tuilerie.games.game import Ended
from tuilerie.match import facts
from tuilerie.match.replay import Replayed
from tuilerie.match.view import TableEvent, TableView
from tuilerie.server.http import schemas
from tuilerie.server.ops import protocol_schema
from tuilerie.server.ops.protocol_schema import Module, files, typescript
from tuilerie.server.ws import messages

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("path", "text"), files(ROOT).items(), ids=lambda each: str(each)[-20:])
def test_generated_files_are_up_to_date(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "run: python -m tuilerie.server.ops.protocol_schema"


def interfaces() -> dict[str, list[str]]:
    """The names of the fields of every interface in the client's types."""
    found = re.findall(r"^export interface (\w+) \{(.*?)\}$", typescript(), re.M | re.S)
    return {name: re.findall(r"^  (\w+)\??: ", body, re.M) for name, body in found}


def members(union: str) -> list[str]:
    """The names of a union of the client's types."""
    found = re.search(rf"^export type {union} =\n((?:  \| \w+;?\n)+)", typescript(), re.M)
    assert found is not None, union
    return re.findall(r"\w+", found[1])


def test_every_view_and_event_is_generated() -> None:
    types = interfaces()
    for name, game in GAMES.items():
        title, view = name.capitalize(), cast("Any", game.view_type)
        assert types[f"{title}View"] == list(public_fields(view))
        events = members(f"{title}Event")
        assert len(events) == len(game.event_types) + 1
        kinds: tuple[Any, ...] = (*game.event_types, Ended)
        for event in kinds:
            written = "Ended" if event is Ended else f"{title}{event.__name__}"
            assert written in events
            assert types[written] == list(public_fields(event))
            assert f'kind: "{kind_of(event)}"' in typescript()
    assert members("PlayView") == [f"{name.capitalize()}View" for name in GAMES]
    assert members("GameEvent") == [f"{name.capitalize()}Event" for name in GAMES]
    assert types["TableView"] == list(public_fields(TableView))
    assert types["TableEvent"] == list(public_fields(TableEvent))


def test_facts_are_generated_with_open_fields_only() -> None:
    types, sent = interfaces(), members("VisibleFact")
    assert len(sent) == len(facts.KINDS)
    kinds: Mapping[str, Any] = facts.KINDS
    for kind, fact in kinds.items():
        name = f"{fact.__name__}Fact"
        assert name in sent
        assert types[name] == [each for each in facts.open_fields(fact) if each != "at"]
        assert f'kind: "{kind}"' in typescript()
    secret = {"player", "entry", "pressed", "arrived", "rtt", "places", "scores", "entries"}
    assert not secret & {field for name in sent for field in types[name]}


@pytest.mark.parametrize(
    ("union", "kinds"),
    [
        ("Command", messages.AnyCommand),
        ("ClientMessage", messages.ClientMessage),
        ("ServerMessage", messages.ServerMessage),
    ],
)
def test_every_message_and_command_is_generated(union: str, kinds: Any) -> None:
    types = interfaces()
    assert members(union) == [kind.__name__ for kind in get_args(kinds)]
    for kind in get_args(kinds):
        if not issubclass(kind, msgspec.Struct):
            assert types[kind.__name__] == list(public_fields(kind))
            continue
        config = kind.__struct_config__
        names = [field.encode_name for field in msgspec.structs.fields(kind)]
        assert types[kind.__name__] == [config.tag_field, *names]
        assert f'{config.tag_field}: "{config.tag}"' in typescript()


def test_every_request_and_response_body_is_generated() -> None:
    types = interfaces()
    for body in get_args(schemas.RestMessage):
        if issubclass(body, msgspec.Struct):
            names = [field.encode_name for field in msgspec.structs.fields(body)]
        else:
            names = list(public_fields(body))
        assert [name for name in types[body.__name__] if name in names] == names
    assert types["Replayed"] == list(public_fields(Replayed))
    assert types["ReplayStep"] == ["line", "entry", "events", "changes", "hands"]


@pytest.mark.parametrize("game", GAMES)
def test_removing_a_view_field_changes_the_generated_file(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the client's types cannot be out of date unnoticed."""
    before = typescript()
    everything = protocol_schema._fields
    kind: Any = GAMES[game].view_type
    for name in public_fields(kind):

        def without(each: Any, name: str = name) -> Any:
            return [field for field in everything(each) if each is not kind or field[0] != name]

        monkeypatch.setattr(protocol_schema, "_fields", without)
        assert typescript() != before, name


def test_private_fields_are_not_generated() -> None:
    kind = make_dataclass("Thing", [("shown", int), ("_hidden", int)])
    kind.__module__ = "tuilerie.match.thing"
    made = Module()
    made.interface(kind)
    assert "shown: number" in made.types["Thing"]
    assert "_hidden: number" not in made.types["Thing"]


def test_two_types_of_one_name_are_refused() -> None:
    made = Module()
    for number in range(2):

        @dataclass
        class Thing:
            field: int

        Thing.__module__ = "tuilerie.match.thing"
        if number == 0:
            made.interface(Thing)
        else:
            with pytest.raises(ValueError, match="Thing"):
                made.interface(Thing)


def test_an_unknown_field_or_tag_is_refused() -> None:
    decoder = msgspec.json.Decoder(messages.ClientMessage)
    good = {"t": "do", "id": "12345678", "command": {"kind": "begin"}}
    assert isinstance(decoder.decode(json.dumps(good)), messages.Do)
    for bad in (
        good | {"seat": 1},
        good | {"command": {"kind": "begin", "player": "x"}},
        good | {"command": {"kind": "make", "move": "a1", "rtt": 5}},
        good | {"command": {"kind": "tick"}},
        good | {"command": {"c": "begin"}},
        {"t": "welcome"},
        {"t": "hello", "table": "x", "you": 16},
        {"t": "hello", "table": "x", "you": "0"},
    ):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(json.dumps(bad))
