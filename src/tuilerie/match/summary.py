"""What lists show of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tuilerie.codec import to_builtins
from tuilerie.games.game import Json, Seat
from tuilerie.match.bodies import SeatFacts, TableFacts, TableStatus
from tuilerie.match.config import Clock, PerGame
from tuilerie.match.table import SeatState, Table
from tuilerie.record import ACTION


def status_of(table: Table) -> TableStatus:
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
        "seats": [to_builtins(_seat(holder)) for holder in table.seats],
        "ids": [holder.player for holder in table.seats],
        "spectators": _spectators(table.config.spectators),
        "clock": _clock(table.config.clock),
        "actors": list(table.actors),
        "moves": sum(entry["kind"] == ACTION for entry in table.entries),
        "assisted": bool(table.hinted),
        "result": result and to_builtins(result),
    }


def facts_of(  # noqa: PLR0913, PLR0917 - what a row holds beside its summary
    summary: Mapping[str, Any],
    table: str,
    game: str,
    status: TableStatus,
    public: bool,
    number: int,
    updated: int,
    you: Seat | None,
) -> TableFacts:
    """Return what lists show to the player in this seat."""
    return TableFacts(
        table=table,
        game=game,
        players=summary["players"],
        options=summary["options"],
        seats=[SeatFacts(**seat) for seat in summary["seats"]],
        status=status,
        public=public,
        spectators=summary["spectators"],
        number=number,
        created=summary["created"],
        updated=updated,
        clock=summary["clock"],
        moves=summary["moves"],
        assisted=summary["assisted"],
        actors=[] if you is None else summary["actors"],
        result=summary["result"],
        you=you,
    )


def _seat(holder: SeatState) -> SeatFacts:
    return SeatFacts(
        kind=holder.kind,
        name=holder.name or None,
        level=holder.level,
        for_good=holder.for_good,
        away=holder.away is not None,
    )


def _spectators(seconds: int | None) -> str:
    if seconds is None:
        return "none"
    return "delayed" if seconds else "live"


def _clock(clock: Clock | None) -> dict[str, Any]:
    if clock is None:
        return {"kind": "none"}
    increment = {"increment": clock.increment} if isinstance(clock, PerGame) else {}
    return {"kind": clock.kind, "seconds": clock.seconds, **increment}
