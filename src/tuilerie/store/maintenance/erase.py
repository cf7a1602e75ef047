"""Erase the names of deleted accounts from facts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any


def nameless(facts: Iterable[tuple[int, bytes]], players: Collection[str]) -> dict[int, bytes]:
    """Return the facts of a table that name one of these players, with the names replaced.

    Names occur where a player takes a seat, and at the start of the game, which names all seats.
    Only this module of the store looks into facts.
    """
    changed: dict[int, bytes] = {}
    seats: dict[int, str | None] = {}  # the seats of these players
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
                neutral(seat) if seats.get(seat) is not None else name
                for seat, name in enumerate(fact["names"])
            ]
            if names != fact["names"]:
                changed[number] = _write({**fact, "names": names})
            break  # no seat is taken after that
    return changed


def neutral(seat: int) -> str:
    """Return the placeholder of an erased name, the same in every language."""
    return f"#{seat + 1}"


def _read(body: bytes) -> dict[str, Any]:
    """Parse a fact; empty if it is malformed."""
    try:
        fact = json.loads(body)
    except ValueError:
        return {}
    return fact if isinstance(fact, dict) else {}


def _write(fact: dict[str, Any]) -> bytes:
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":")).encode()
