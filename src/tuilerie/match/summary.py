"""What lists show of a table."""

from __future__ import annotations

from typing import Any, Literal

from tuilerie.games.game import Json
from tuilerie.match.config import Clock, PerGame
from tuilerie.match.table import SeatState, Table


def status_of(table: Table) -> Literal["waiting", "playing", "over"]:
    """Whether it waits for players, is being played, or is over."""
    if table.result is not None:
        return "over"
    return "waiting" if table.started_at is None else "playing"


def summary_of(table: Table) -> dict[str, Json]:
    """Return the summary of a table. It holds player ids, which never leave the server."""
    result = table.result
    return {
        "players": table.config.players,
        "options": dict(table.options or table.config.options),
        "seats": [_seat(holder) for holder in table.seats],
        "ids": [holder.player for holder in table.seats],
        "spectators": _spectators(table.config.spectators),
        "clock": _clock(table.config.clock),
        "result": result and {"reason": result.reason, "places": list(result.places)},
    }


def _seat(holder: SeatState) -> dict[str, Json]:
    return {
        "kind": holder.kind,
        "name": holder.name or None,
        "level": holder.level,
        "for_good": holder.for_good,
    }


def _spectators(seconds: int | None) -> str:
    if seconds is None:
        return "none"
    return "delayed" if seconds else "live"


def _clock(clock: Clock | None) -> dict[str, Any]:
    if clock is None:
        return {"kind": "none"}
    increment = {"increment": clock.increment} if isinstance(clock, PerGame) else {}
    return {"kind": clock.kind, "seconds": clock.seconds, **increment}
