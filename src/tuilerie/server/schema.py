"""The schema of all messages, and the client's types, both made from `messages.py` and `bodies.py`.

`python -m tuilerie.server.schema` writes them where they belong; a test keeps them fresh.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tuilerie.server import bodies, messages
from tuilerie.server.limits import NAME_LENGTH

UNIONS: Mapping[str, Any] = {
    "ClientMessage": messages.ClientMessage,
    "ServerMessage": messages.ServerMessage,
    "AnyCommand": messages.AnyCommand,
    "RestMessage": bodies.RestMessage,
}

Schema = Mapping[str, Any]

HEAD = """\
// Made by `python -m tuilerie.server.schema` from src/tuilerie/server/messages.py. Do not edit.
// Views of games are described by their own game folder; here they are whatever JSON holds.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const PROTOCOL = "tuilerie.v1";

/** The longest name of a player. */
export const NAME_LENGTH = %d;
"""


def protocol_schema() -> dict[str, Any]:
    """The JSON Schema of every message and body."""
    refs, components = msgspec.json.schema_components(
        _parts(), ref_template="#/$defs/{name}", schema_hook=None
    )
    roots = dict(zip(UNIONS, _grouped(refs), strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": messages.PROTOCOL,
        "$defs": dict(sorted({**components, **roots}.items())),
    }


def _parts() -> list[Any]:
    return [part for union in UNIONS.values() for part in union.__args__]


def _grouped(refs: Iterable[Any]) -> Iterable[dict[str, Any]]:
    left = iter(refs)
    for union in UNIONS.values():
        yield {"anyOf": [next(left) for _ in union.__args__]}


# --- TypeScript -----------------------------------------------------------------------------------

_SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def typescript(schema: Mapping[str, Any]) -> str:
    """The same as types of TypeScript."""
    parts = [HEAD % NAME_LENGTH]
    for name, each in schema["$defs"].items():
        words = each.get("description")
        note = f"/** {' '.join(words.split())} */\n" if words else ""
        if each.get("type") == "object" and "properties" in each:
            parts.append(f"{note}export interface {name} {_object(each)}\n")
        else:
            kind = _type(each)
            if len(kind) > 80:
                kind = "\n  | " + kind.replace(" | ", "\n  | ")
            parts.append(f"{note}export type {name} ={'' if kind[0] == chr(10) else ' '}{kind};\n")
    return "\n".join(parts)


def _object(schema: Schema) -> str:
    needed = set(schema.get("required", ()))
    lines = []
    for name, each in schema["properties"].items():
        mark = "" if name in needed else "?"
        line = f"  {_key(name)}{mark}: {_type(each)};"
        if len(line) > 100:  # as the client's formatter writes it
            line = line.replace(": ", ":\n    | ", 1).replace(" | ", "\n    | ")
            line = line.replace("\n   \n", "\n")
        lines.append(line)
    return "{\n" + "\n".join(lines) + "\n}"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _type(schema: Schema) -> str:
    """A schema as a type. Whatever can be anything is `Json`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        inner = _type(values) if isinstance(values, dict) else "Json"
        return f"Record<string, {inner}>"
    if kind == "null":
        return "null"
    return _SIMPLE.get(str(kind), "Json")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(_type(each) for each in schema["prefixItems"]) + "]"
    inner = _type(schema["items"]) if isinstance(schema.get("items"), dict) else "Json"
    return f"({inner})[]" if "|" in inner else f"{inner}[]"


# --- files ----------------------------------------------------------------------------------------


def files(root: Path) -> dict[Path, str]:
    """Each file that is made from the messages, with what should stand in it."""
    schema = protocol_schema()
    return {
        root / "docs" / "protocol.schema.json": json.dumps(schema, indent=2) + "\n",
        root / "web" / "src" / "protocol.ts": typescript(schema),
    }


def main() -> None:
    """Write the files into the checkout that this module is part of."""
    root = Path(__file__).resolve().parents[3]
    for path, text in files(root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(root))


if __name__ == "__main__":
    main()
