"""What lists show of a table."""

from __future__ import annotations

from typing import Any, Literal

from tuilerie.codec import to_builtins
from tuilerie.games.game import Json
from tuilerie.match.config import Clock, PerGame
from tuilerie.match.table import SeatState, Table
from tuilerie.record import ACTION


def status_of(table: Table) -> Literal["waiting", "playing", "over", "closed"]:
    """Whether it waits for players, is being played, is over, or was closed before it began."""
    if table.result is not None:
        return "over"
    if table.closed:
        return "closed"
    return "waiting" if table.started_at is None else "playing"


def summary_of(table: Table) -> dict[str, Json]:
    """Return the summary of a table. It holds player ids, which never leave the server. `number`
    says of which fact: it is not written at every move, so whose turn it is may have changed
    since."""
    result = table.result
    return {
        "number": table.number,
        "created": table.opened_at,
        "players": table.config.players,
        "options": dict(table.options or table.config.options),
        "seats": [_seat(holder) for holder in table.seats],
        "ids": [holder.player for holder in table.seats],
        "spectators": _spectators(table.config.spectators),
        "clock": _clock(table.config.clock),
        "actors": list(table.actors),
        "moves": sum(entry["kind"] == ACTION for entry in table.entries),
        "assisted": bool(table.hinted),
        "result": result and to_builtins(result),
    }


def _seat(holder: SeatState) -> dict[str, Json]:
    return {
        "kind": holder.kind,
        "name": holder.name or None,
        "level": holder.level,
        "for_good": holder.for_good,
        "away": holder.away is not None,
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
