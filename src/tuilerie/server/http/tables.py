"""HTTP API of tables: create, list, take a seat, recover a seat, download the record."""

from __future__ import annotations

import hashlib
import io
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

import segno
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter

from tuilerie.bots import offered
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, Seat
from tuilerie.language import LANGUAGES, language
from tuilerie.match import commands
from tuilerie.match.config import Clock, Config, PerGame, PerMove
from tuilerie.match.entries import record_of
from tuilerie.match.table import Table
from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.ops import limits
from tuilerie.server.tables.room import Room
from tuilerie.store.log import Status, TableRow
from tuilerie.store.seats import Player
from tuilerie.texts import rules_text

AnyRequest = Request[Any, Any, Any]
SlugPath = Annotated[str, PathParameter(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]

LOBBY = 50
"""How many tables the lobby shows."""


# --- games ----------------------------------------------------------------------------------------


@get("/games", sync_to_thread=False)
def games() -> list[schemas.GameFacts]:
    """All games that can be played, with their options."""
    return [_game_facts(game) for game in GAMES.values()]


def _game_facts(game: AnyGame) -> schemas.GameFacts:
    card = game.card
    options = [
        schemas.OptionFacts(option.name, option.default, list(option.values))
        for option in card.options
    ]
    return schemas.GameFacts(
        name=card.name,
        title=card.title,
        players=(card.players[0], card.players[-1]),
        options=options,
        levels=[_level_facts(card.name, level) for level in offered(card.name)],
        hidden=card.hidden,
        simultaneous=card.simultaneous,
    )


def _level_facts(game: str, level: str) -> schemas.LevelFacts:
    spoken = {code: language(code) for code in LANGUAGES}
    return schemas.LevelFacts(
        id=level,
        name={code: words.level_name(level) for code, words in spoken.items()},
        line={code: words.level_line(game, level) for code, words in spoken.items()},
    )


@get("/rules/{game:str}", media_type="text/markdown", sync_to_thread=False)
def rules(game: FromPath[str], lang: FromQuery[str] = "en") -> str:
    """The rules of a game, in our own words."""
    if game not in GAMES:
        raise ApiError(404, "not-found", "no-such-game")
    if lang not in LANGUAGES:
        raise ApiError(404, "not-found", "no-such-language", expected=list(LANGUAGES))
    return rules_text(game, lang)


# --- tables ---------------------------------------------------------------------------------------


@post("/tables")
async def create_table(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.NewTable]
) -> Response[schemas.TableMade]:
    """Set up a table; who asks for it takes the first seat that no bot has."""
    context.limit(request, "tables-created", limits.TABLES_CREATED)
    host = new_player()
    clock = _clock(data.clock)
    config = Config(
        players=data.players,
        options=data.options,
        clock=clock,
        takeover_after=_patience(clock),
        public=data.public,
        spectators=_SPECTATORS[data.spectators],
        host=host,
    )
    first: list[commands.Command] = [
        commands.AddBot(host, bot.seat, bot.level) for bot in data.bots
    ]
    first.append(commands.Sit(host, None, data.name))
    room = await context.registry.create(data.game, config, first)
    seat = room.actor.seat_of(host)
    assert seat is not None, "the host has sat down"
    token, recovery = await context.seat_token(request, room.slug, host, data.name)
    made = schemas.TableMade(room.slug, seat, context.link(request, f"/t/{room.slug}"), recovery)
    return Response(made, cookies=context.seat_cookies(request, room.slug, token))


_SPECTATORS: dict[str, int | None] = {
    "none": None,
    "live": 0,
    "delayed": limits.SPECTATOR_DELAY_SECONDS,
}


def new_player() -> str:
    """An id that tells nothing."""
    return secrets.token_hex(12)


def player_by_key(slug: str, key: str) -> str:
    """The id of somebody who may have to ask twice."""
    return hashlib.sha256(f"player/{slug}/{key}".encode()).hexdigest()[:24]


def _clock(choice: schemas.ClockChoice) -> Clock | None:
    if choice.kind == "none":
        return None
    if choice.seconds is None:
        raise ApiError(400, "malformed", "clock-needs-seconds")
    if choice.kind == "move":
        return PerMove(choice.seconds)
    return PerGame(choice.seconds, choice.increment)


def _patience(clock: Clock | None) -> int:
    """How many seconds a person may be away: who has a day for a move need not sit and wait."""
    least = limits.TAKEOVER_SECONDS
    return max(least, clock.seconds) if isinstance(clock, PerMove) else least


@get("/tables")
async def lobby(context: InjectedContext) -> list[schemas.TableFacts]:
    """The public tables with open seats, the newest first."""
    rows = await context.registry.store.log.tables(status=[Status.OPEN], public=True, limit=LOBBY)
    found = []
    for row in rows:
        room = await context.registry.table(row.table)
        if room is not None and any(place.kind == "open" for place in room.table.seats):
            found.append(_facts(row.table, room.table))
    return found


@get("/tables/{slug:str}")
async def table_facts(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[schemas.TableFacts]:
    """What everybody may know of a table who has its link."""
    room = await context.table(slug)
    known = context.has_cookie(request, slug)
    player = await context.player(request, room, sure=not known)
    seat = room.actor.seat_of(player)
    cookies: Sequence[Cookie] = ()
    if player is not None and seat is not None and not known:
        # The next game of the same people: this browser is known from the last one.
        token = await context.seats.issue_token(slug, player)
        cookies = context.seat_cookies(request, slug, token)
    table = await _table_for(room, seat)
    return Response(_facts(room.slug, table, seat), cookies=cookies)


async def _table_for(room: Room, seat: Seat | None) -> Table:
    """The table as who sits there knows it, or as spectators do, perhaps with a delay."""
    return await room.table_for_spectators() if seat is None else room.table


def _facts(slug: str, table: Table, you: Seat | None = None) -> schemas.TableFacts:
    return schemas.TableFacts(
        table=slug,
        game=table.game,
        players=table.config.players,
        options=dict(table.options or table.config.options),
        seats=[
            schemas.SeatFacts(place.kind, place.name or None, place.level, place.for_good)
            for place in table.seats
        ],
        status=_status(table),
        public=table.config.public,
        spectators=_watchers(table.config.spectators),
        number=table.number,
        updated=table.at,
        clock=_clock_facts(table.config.clock),
        you=you,
    )


def _status(table: Table) -> Any:
    if table.result is not None:
        return "over"
    return "waiting" if table.started_at is None else "playing"


def _watchers(seconds: int | None) -> str:
    if seconds is None:
        return "none"
    return "delayed" if seconds else "live"


def _clock_facts(clock: Clock | None) -> dict[str, Any]:
    if clock is None:
        return {"kind": "none"}
    increment = {"increment": clock.increment} if isinstance(clock, PerGame) else {}
    return {"kind": clock.kind, "seconds": clock.seconds, **increment}


@post("/tables/{slug:str}/seat")
async def take_seat(
    request: AnyRequest, context: InjectedContext, slug: SlugPath, data: JSONBody[schemas.TakeSeat]
) -> Response[schemas.SeatTaken]:
    """Take a seat. Who holds one already gets it again, with a fresh token."""
    room = await context.table(slug)
    player = await context.player(request, room, sure=True)
    seat = room.actor.seat_of(player)
    if player is None:
        context.limit(request, "seats-taken", limits.TABLES_CREATED)
        player = new_player() if data.key is None else player_by_key(slug, data.key)
        seat = room.actor.seat_of(player)
    if seat is None:
        await room.actor.do(commands.Sit(player, data.seat, data.name))
        seat = room.actor.seat_of(player)
    assert seat is not None, "it was just taken"
    token, recovery = await context.seat_token(request, slug, player, data.name)
    cookies = context.seat_cookies(request, slug, token)
    return Response(schemas.SeatTaken(seat, recovery), cookies=cookies)


@post("/tables/{slug:str}/seat/link")
async def link_to_seat(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[schemas.SeatLink]:
    """A new link to the seat that this browser holds. Earlier ones stay good."""
    room = await context.table(slug)
    player = await context.player(request, room, sure=True)
    if player is None or room.actor.seat_of(player) is None:
        raise ApiError(403, "forbidden", "not-seated")
    context.limit(request, "seats-taken", limits.TABLES_CREATED)
    token = context.seat_tokens(request).get(slug, "")
    holder = await context.seats.resolve(token)
    if holder is None or (holder.table, holder.id) != (slug, player):
        token = await context.seats.issue_token(slug, player)
    recovery = await context.seats.issue_recovery(token)
    if recovery is None:
        raise ApiError(403, "forbidden", "not-seated")
    link = context.link(request, f"/t/{slug}#{recovery}")
    picture = segno.make(link, error="m").svg_data_uri(scale=8, border=4, dark="#000", light="#fff")
    cookies = context.seat_cookies(request, slug, token)
    return Response(schemas.SeatLink(link, picture), cookies=cookies)


@post("/recover")
async def recover(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.Recover]
) -> Response[schemas.Recovered]:
    """Come back to a seat with the token of a recovery link, on any device."""
    context.limit(request, "tokens-tried", limits.TOKENS_TRIED)
    found = await context.seats.recover(data.token)
    if found is None:
        raise ApiError(404, "not-found", "no-such-token")
    player, token = found
    cookies = context.seat_cookies(request, player.table, token)
    return Response(schemas.Recovered(player.table), cookies=cookies)


@get("/my/tables")
async def my_tables(request: AnyRequest, context: InjectedContext) -> list[schemas.TableFacts]:
    """The tables at which this browser, or its account, holds a seat; the newest first."""
    account = await context.account(request)
    tokens = list(context.seat_tokens(request).values())
    rows = await context.seats.games_of(account.id if account else None, tokens, limit=LOBBY)
    found = []
    for slug, player in _one_each(rows, account.id if account else None).items():
        room = await context.registry.table(slug)
        if room is not None:
            seat = room.actor.seat_of(player)
            found.append(_facts(slug, await _table_for(room, seat), seat))
    return found


def _one_each(rows: Sequence[tuple[TableRow, Player]], account: str | None) -> dict[str, str]:
    """One player for each table, in this order: the account's, where a browser around which several
    people sit holds another's seat as well."""
    found: dict[str, str] = {}
    for row, player in rows:
        if row.table not in found or (account is not None and player.account == account):
            found[row.table] = player.id
    return found


# --- papers of a table ----------------------------------------------------------------------------


@get("/tables/{slug:str}/qr.svg", media_type="image/svg+xml")
async def qr_code(request: AnyRequest, context: InjectedContext, slug: SlugPath) -> bytes:
    """The link of a table as a QR code."""
    await context.table(slug)
    picture = io.BytesIO()
    code = segno.make(context.link(request, f"/t/{slug}"), error="m")
    code.save(picture, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return picture.getvalue()


@get("/tables/{slug:str}/record", media_type="application/x-ndjson")
async def read_record(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[str]:
    """The whole record of a game that is over. Before its end nobody gets it: it tells all."""
    room = await context.table(slug)
    player = await context.player(request, room)
    table = await _table_for(room, room.actor.seat_of(player))
    if table.result is None:
        raise ApiError(404, "not-found", "game-not-over")
    name = f'attachment; filename="{table.game}-{slug[:8]}.jsonl"'
    return Response(record_of(table), headers={"Content-Disposition": name})


HANDLERS = [
    games,
    rules,
    create_table,
    lobby,
    table_facts,
    take_seat,
    link_to_seat,
    recover,
    my_tables,
    qr_code,
    read_record,
]
