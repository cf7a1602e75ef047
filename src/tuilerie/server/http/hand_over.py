"""HTTP API: hand a game that was played without the server over to an account, as a record.

It becomes a finished table, which is listed, looked back at, exported and erased like the others.
Its id begins with `PREFIX`. It was played on no server: no statistics count it.
"""

from __future__ import annotations

import contextlib

import msgspec
from litestar import post
from litestar.params import JSONBody

from tuilerie.server.http import schemas
from tuilerie.server.http.accounts import own_account
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.security import network_of
from tuilerie.server.http.tables import AnyRequest
from tuilerie.server.ops import limits
from tuilerie.server.records.worker import PREFIX, Import, Imported
from tuilerie.server.tables.actor import now_ms
from tuilerie.store.errors import TableExists
from tuilerie.store.log import Status, TableMeta


@post("/account/records", request_max_body_size=2 * limits.RECORD_LENGTH)
async def hand_over(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.HandOver]
) -> schemas.GameHanded:
    """Keep a finished game in the account. The same record twice is one game."""
    account = await own_account(request, context)
    context.limiter.take(limits.RECORDS_HANDED, account.id)
    context.limit(request, limits.NETWORK_RECORDS)
    if not context.upkeep.has_room:
        raise ApiError(503, "busy", "disk-low")
    made = await _imported(request, context, data, account.id)
    if not await context.registry.store.log.heads([made.slug]):
        many = await context.seats.count_tables(account.id, PREFIX)
        most = limits.GAMES_HANDED
        if many >= context.limiter.scaled(most.count, most.key):
            raise ApiError(409, "illegal", most.key, expected=many)
        with contextlib.suppress(TableExists):  # the same request, at the same time
            await context.registry.store.log.create(made.slug, made.log, _meta(made))
    await context.seats.assign(made.slug, made.player, made.name, account.id)
    return schemas.GameHanded(made.slug)


async def _imported(
    request: AnyRequest, context: RequestContext, data: schemas.HandOver, account: str
) -> Imported:
    asked = Import(
        record=data.record,
        account=account,
        seat=data.seat,
        bots={bot.seat: bot.level for bot in data.bots},
        resigned=data.resigned,
        now=now_ms(),
        seconds=limits.REPLAY_SECONDS,
    )
    return _read(await context.replayer.ask(network_of(request.scope), asked))


_read = msgspec.msgpack.Decoder(Imported).decode


def _meta(made: Imported) -> TableMeta:
    """It was played on no server: only its account sees it, and nobody goes on with it."""
    return TableMeta(made.game, made.rules, made.options, False, Status.OVER, made.summary)


HANDLERS = [hand_over]
