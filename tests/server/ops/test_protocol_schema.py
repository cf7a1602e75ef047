"""The published schema and the client's types are those of the messages, and say all of them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tuilerie.server.ops.protocol_schema import files, protocol_schema, typescript
from tuilerie.server.ws import messages

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("path", "text"), files(ROOT).items(), ids=lambda each: str(each)[-20:])
def test_what_is_made_from_the_messages_is_fresh(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "run: python -m tuilerie.server.ops.protocol_schema"


def test_every_message_stands_in_the_schema_and_in_the_types() -> None:
    schema = protocol_schema()
    types = typescript(schema)
    for union in (messages.ClientMessage, messages.ServerMessage, messages.AnyCommand):
        for struct in union.__args__:
            assert struct.__name__ in schema["$defs"]
            assert f"export interface {struct.__name__} " in types
            tag = struct.__struct_config__.tag
            assert f'"{tag}"' in types


def test_an_unknown_field_or_tag_is_refused() -> None:
    decoder = msgspec.json.Decoder(messages.ClientMessage)
    good = {"t": "do", "id": "12345678", "command": {"c": "begin"}}
    assert isinstance(decoder.decode(json.dumps(good)), messages.Do)
    for bad in (
        good | {"seat": 1},
        good | {"command": {"c": "begin", "player": "x"}},
        good | {"command": {"c": "tick"}},
        {"t": "welcome"},
    ):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(json.dumps(bad))
