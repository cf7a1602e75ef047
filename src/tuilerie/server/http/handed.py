"""HTTP API: hand a game that was played without the server over to an account, as a record.

It becomes a finished table, which is listed, looked back at, exported and erased like the others.
Its id begins with `PREFIX`. It was played on no server: no statistics count it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence

from litestar import post
from litestar.params import JSONBody

from tuilerie import record
from tuilerie.games.game import Code, Refused
from tuilerie.match.facts import Fact
from tuilerie.match.import_record import import_record
from tuilerie.match.table import Table
from tuilerie.server.http import schemas
from tuilerie.server.http.accounts import own_account
from tuilerie.server.http.context import InjectedContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.replays import stop_after
from tuilerie.server.http.tables import AnyRequest, player_by_key
from tuilerie.server.ops import limits
from tuilerie.server.tables.actor import now_ms
from tuilerie.store.errors import TableExists

PREFIX = "device-"
"""How the id of a game that was handed over begins."""


@post("/account/records", request_max_body_size=2 * limits.RECORD_LENGTH)
async def hand_over(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.HandOver]
) -> schemas.GameHanded:
    """Keep a finished game in the account. The same record twice is one game."""
    account = await own_account(request, context)
    context.limiter.take(limits.RECORDS_HANDED, account.id)
    if not context.upkeep.has_room:
        raise ApiError(503, "busy", "disk-low")
    slug, log, table = await context.replays.run(_read, data, account.id)
    player = player_by_key(slug, account.id)
    if not await context.registry.store.log.heads([slug]):
        many = await context.seats.count_tables(account.id, PREFIX)
        most = limits.GAMES_HANDED
        if many >= context.limiter.scaled(most.count, most.key):
            raise ApiError(409, "illegal", most.key, expected=many)
        with contextlib.suppress(TableExists):  # the same request, at the same time
            await context.registry.add_finished(slug, log, table)
    await context.seats.assign(slug, player, table.names[data.seat], account.id)
    return schemas.GameHanded(slug)


def _read(given: schemas.HandOver, account: str) -> tuple[str, Sequence[Fact], Table]:
    """Replay a record by its rules. Returns the id, the log and the table of its game."""
    try:
        replay = record.replay(given.record, check=stop_after(limits.REPLAY_SECONDS))
    except record.RecordError as error:
        fault = error.fault
        raise Refused(fault.code, fault.rule, **fault.params) from None
    many = len(replay.header.seats)
    bots = {bot.seat: bot.level for bot in given.bots}
    wrong = [seat for seat in (given.seat, *bots) if seat >= many]
    if wrong or given.seat in bots:
        seat = (*wrong, given.seat)[0]
        raise Refused(Code.MALFORMED, "no-such-seat", seat=seat, expected=many)
    digest = hashlib.sha256(f"{account}\n{record.write(replay)}".encode()).hexdigest()
    slug = PREFIX + digest[:32]
    # Those who shared the device have no account here.
    players = {seat: player_by_key(slug, f"{seat}") for seat in range(many) if seat not in bots}
    players[given.seat] = player_by_key(slug, account)
    log, table = import_record(replay, players, bots, given.resigned, now_ms())
    if table.result is None:
        raise ApiError(409, "illegal", "unfinished-record")
    return slug, log, table


HANDLERS = [hand_over]
