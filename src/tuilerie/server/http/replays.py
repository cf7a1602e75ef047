"""Replay a record for the client, step by step, with views and scoring reasons. Nothing is stored.

The client draws views and knows no rules; so whoever looks back at a game, opens a record from
disk, or learns a game by trying moves in a position sends the record here and gets its views.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from litestar import Request, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from tuilerie import record
from tuilerie.games.game import plain
from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.ops.limits import RECORD_LENGTH, REPLAYS, STEPS
from tuilerie.server.ws.messages import SeatNumber


class Look(schemas.Body):
    """A record to look at, as `viewer` sees it (`None`: what all see), after so many entries."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    viewer: SeatNumber | None = None
    after: Annotated[int, Meta(ge=0)] = 0


class LookStep(Struct):
    """One entry: what stands in the record, what happened, and the view after it. Only the last
    view tells what may be done and what it would bring."""

    line: int
    entry: dict[str, Any]
    events: list[Any]
    view: dict[str, Any]


class LookFault(Struct):
    """Where a record breaks the rules."""

    line: int
    code: str
    rule: str
    params: dict[str, Any]


class Looked(Struct):
    """A record, replayed as far as it goes. `start` is the view before the first of `steps`."""

    game: str
    rules: int  # the version of the rules that it was replayed by
    players: int
    seats: list[str]
    options: dict[str, Any]
    start: dict[str, Any]
    steps: list[LookStep]
    fault: LookFault | None = None


@post("/replay", status_code=200, request_max_body_size=2 * RECORD_LENGTH, sync_to_thread=True)
def look(request: Request[Any, Any, Any], context: InjectedContext, data: JSONBody[Look]) -> Looked:
    """Replay a record by the rules."""
    context.limit(request, "replays", REPLAYS)
    fault = None
    try:
        replay = record.replay(data.record)
    except record.RecordError as error:
        wrong = error.fault
        if error.replay is None:
            raise ApiError(400, wrong.code.value, wrong.rule, **plain(wrong.params)) from None
        replay = error.replay
        fault = LookFault(wrong.line, wrong.code.value, wrong.rule, plain(wrong.params))
    players = len(replay.header.seats)
    if data.viewer is not None and data.viewer >= players:
        raise ApiError(400, "malformed", "bad-seat", found=data.viewer, expected=players - 1)
    return Looked(
        game=replay.header.game,
        rules=replay.header.rules,
        players=players,
        seats=list(replay.header.seats),
        options=dict(replay.header.options),
        start=_view(replay, data.after - 1, data.viewer),
        steps=_steps(replay, data.viewer, data.after),
        fault=fault,
    )


def _steps(replay: record.Replay, viewer: int | None, after: int) -> list[LookStep]:
    game = replay.game
    return [
        LookStep(
            line=played.line,
            entry=json.loads(record.entry_line(game, played.entry, played.ms)),
            events=[plain(game.redact(event, viewer)) for event in played.events],
            view=_view(replay, index, viewer),
        )
        for index, played in enumerate(replay.played[: after + STEPS])
        if index >= after
    ]


def _view(replay: record.Replay, index: int, viewer: int | None) -> dict[str, Any]:
    played = replay.played
    last = index >= len(played) - 1
    state = replay.start if index < 0 or not played else played[min(index, len(played) - 1)].state
    view: dict[str, Any] = plain(replay.game.view(state, viewer))
    if not last:
        view |= {"legal": [], **({"points": None} if "points" in view else {})}
    return view


HANDLERS = [look]
