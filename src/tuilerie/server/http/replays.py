"""Replay games for the client, step by step, with views and scoring reasons. Nothing is stored.

A finished game is replayed from its table (GET); a record from a file, or a lesson's position, is
uploaded (POST). `match.replay` does it, in a process of its own (`server.records`).
"""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from tuilerie.games.game import Refused
from tuilerie.match.table_record import record_of
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.schemas import ReplayRequest
from tuilerie.server.http.security import network_of
from tuilerie.server.http.tables import AnyRequest, SlugPath, finished_table
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import RECORD_LENGTH, REPLAYS, STEPS
from tuilerie.server.records.worker import Replay
from tuilerie.server.ws.messages import SeatNumber


@post("/replay", status_code=200, request_max_body_size=2 * RECORD_LENGTH)
async def replay_record(
    request: AnyRequest, context: InjectedContext, data: JSONBody[ReplayRequest]
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
    return await _answer(request, context, ReplayRequest(record=record_of(table), viewer=viewer))


async def _answer(
    request: AnyRequest, context: RequestContext, asked: ReplayRequest
) -> Response[bytes]:
    """The replay as JSON, gzipped if the client accepts that."""
    compress = _accepts_gzip(request.headers.get("accept-encoding", ""))
    job = Replay(asked.record, asked.viewer, asked.after, STEPS, compress, limits.REPLAY_SECONDS)
    try:
        body = await context.replayer.ask(network_of(request.scope), job)
    except Refused as wrong:
        raise ApiError(400, wrong.code.value, wrong.rule, **wrong.params) from None
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


HANDLERS = [replay_record, replay_table]
