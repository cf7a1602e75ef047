"""Erase the names of deleted accounts from facts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any


def nameless(facts: Iterable[tuple[int, bytes]], players: Collection[str]) -> dict[int, bytes]:
    """Those facts of a table that name one of these players, with a number in the name's place.

    A name stands where somebody sits down, and where the game begins with the names of all seats.
    This is the one place where the store looks into facts.
    """
    changed: dict[int, bytes] = {}
    seats: dict[int, str | None] = {}  # who sits where, of those who are meant
    for number, body in facts:
        fact = _read(body)
        kind, seat = fact.get("kind"), fact.get("seat", -1)
        if kind == "seated":
            seats[seat] = fact["player"] if fact["player"] in players else None
            if seats[seat] is not None:
                fact["name"] = neutral(seat)
                changed[number] = _write(fact)
        elif kind == "vacated":
            seats.pop(seat, None)
        elif kind == "started":
            names = [
                neutral(place) if seats.get(place) is not None else name
                for place, name in enumerate(fact["names"])
            ]
            if names != fact["names"]:
                changed[number] = _write({**fact, "names": names})
            break  # nobody sits down after that
    return changed


def neutral(seat: int) -> str:
    """What stands in the place of a name, in any language."""
    return f"#{seat + 1}"


def _read(body: bytes) -> dict[str, Any]:
    """A fact, or nothing where somebody has written what is none."""
    try:
        fact = json.loads(body)
    except ValueError:
        return {}
    return fact if isinstance(fact, dict) else {}


def _write(fact: dict[str, Any]) -> bytes:
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":")).encode()
