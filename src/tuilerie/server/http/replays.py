"""Replay games for the client, step by step, with views and scoring reasons. Nothing is stored.

The client draws views and knows no rules. A finished game is replayed from its table (GET); a
record from a file, or a lesson's position, is uploaded (POST). A step holds what it changed in the
view (`match.changes`), as at a live table.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from tuilerie import names, record
from tuilerie.codec import TsType, to_builtins
from tuilerie.games.game import Event, Json
from tuilerie.match.changes import changes
from tuilerie.match.table_record import record_of
from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.tables import AnyRequest, SlugPath, finished_table
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import RECORD_LENGTH, REPLAYS, STEPS
from tuilerie.server.tables.delivery import encode
from tuilerie.server.ws.messages import SeatNumber


class Look(schemas.Body):
    """A record to replay, as `viewer` sees it (`None`: a spectator), after so many entries."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    viewer: SeatNumber | None = None
    after: Annotated[int, Meta(ge=0)] = 0


class ReplayStep(Struct):
    """One entry of the record, its events, and what it changed in the view."""

    line: int
    entry: dict[str, Json]
    events: Annotated[list[Event], TsType("GameEvent[]")]
    changes: Annotated[dict[str, Any], TsType("Changes<PlayView>")]


class ReplayFault(Struct):
    """Where a record breaks the rules."""

    line: int
    code: str
    rule: str
    params: dict[str, Json]


class Replayed(Struct):
    """A record, replayed as far as it goes. `start` is the view before the first of `steps`."""

    game: str
    rules: int  # the version of the rules that it was replayed with
    players: int
    seats: list[str]
    options: dict[str, Json]
    start: Annotated[dict[str, Any], TsType("PlayView")]
    steps: list[ReplayStep]
    fault: ReplayFault | None = None


@post("/replay", status_code=200, request_max_body_size=2 * RECORD_LENGTH)
async def replay_record(
    request: AnyRequest, context: InjectedContext, data: JSONBody[Look]
) -> Response[bytes]:
    """Replay a record by the rules."""
    context.limit(request, REPLAYS)
    return await _answer(request, context, data)


@get("/tables/{slug:str}/replay")
async def replay_table(
    request: AnyRequest,
    context: InjectedContext,
    slug: SlugPath,
    viewer: Annotated[SeatNumber | None, QueryParameter()] = None,
) -> Response[bytes]:
    """Replay the finished game of a table."""
    context.limit(request, REPLAYS)
    table = await finished_table(request, context, slug)
    return await _answer(request, context, Look(record_of(table), viewer))


def _compute(look: Look, compress: bool) -> bytes:
    body = _replay(look, _stop_after(limits.REPLAY_SECONDS))
    return gzip.compress(body, 6) if compress else body


def _stop_after(seconds: float) -> Callable[[], None]:
    """Raises `ApiError` when it is called after so much CPU time of this thread."""
    end = time.thread_time() + seconds

    def check() -> None:
        if time.thread_time() > end:
            raise ApiError(400, "malformed", "too-long")

    return check


async def _answer(request: AnyRequest, context: RequestContext, look: Look) -> Response[bytes]:
    """The replay as JSON, gzipped if the client accepts that."""
    compress = _accepts_gzip(request.headers.get("accept-encoding", ""))
    body = await context.replays.run(_compute, look, compress)
    headers = {"Vary": "Accept-Encoding"}
    if compress:
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)


def _accepts_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding header accepts gzip (`q=0` refuses it)."""
    for each in accepted.lower().split(","):
        name, *given = each.replace(" ", "").split(";")
        if name == "gzip":
            return not any(quality.strip("0.") == "q=" for quality in given)
    return False


def _replay(look: Look, check: Callable[[], None]) -> bytes:
    fault = None
    try:
        replay = record.replay(look.record, check=check)
    except record.RecordError as error:
        wrong = error.fault
        params = to_builtins(wrong.params)
        if error.replay is None:
            raise ApiError(400, wrong.code.value, wrong.rule, **params) from None
        replay = error.replay
        fault = ReplayFault(wrong.line, wrong.code.value, wrong.rule, params)
    players = len(replay.header.seats)
    if look.viewer is not None and not 0 <= look.viewer < players:
        raise ApiError(400, "malformed", "bad-seat", found=look.viewer, expected=players - 1)
    states = [replay.start, *(played.state for played in replay.played)]
    after = min(look.after, len(replay.played))
    return encode(
        Replayed(
            game=replay.header.game,
            rules=replay.header.rules,
            players=players,
            seats=[names.shown(name) for name in replay.header.seats],
            options=dict(replay.header.options),
            start=to_builtins(replay.game.view(states[after], look.viewer)),
            steps=_steps(replay, look.viewer, after, check),
            fault=fault,
        )
    )


def _steps(
    replay: record.Replay, viewer: int | None, after: int, check: Callable[[], None]
) -> list[ReplayStep]:
    game = replay.game
    before = game.view(replay.played[after - 1].state if after else replay.start, viewer)
    steps = []
    for played in replay.played[after : after + STEPS]:
        check()
        view = game.view(played.state, viewer)
        tree = changes(before, view)
        steps.append(
            ReplayStep(
                line=played.line,
                entry=record.write_entry(game, played.entry, played.ms),
                events=[game.redact(event, viewer) for event in played.events],
                changes=tree if isinstance(tree, dict) else {},
            )
        )
        before = view
    return steps


HANDLERS = [replay_record, replay_table]
