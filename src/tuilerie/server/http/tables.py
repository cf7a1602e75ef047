"""HTTP API of tables: create, list, take a seat, recover a seat, download the record."""

from __future__ import annotations

import io
import secrets
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import segno
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter

from tuilerie.bots import HINT, offered
from tuilerie.bots.thinker import read_hints
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, Seat
from tuilerie.language import LANGUAGES, language
from tuilerie.match import commands
from tuilerie.match.bodies import (
    Recovered,
    SeatTaken,
    TableFacts,
    TableMade,
    clock_of,
    first_commands,
)
from tuilerie.match.config import Clock, Config, PerMove
from tuilerie.match.summary import facts_of, summary_of
from tuilerie.match.table import Table
from tuilerie.match.table_record import record_of
from tuilerie.server.bots.pool import BotFailed
from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.ops import limits
from tuilerie.server.records.worker import player_by_key
from tuilerie.server.tables.room import Room
from tuilerie.server.tables.summary import SHOWN, status_of
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
    return [game_facts(game) for game in GAMES.values()]


def game_facts(game: AnyGame) -> schemas.GameFacts:
    """The facts of a game, for a lobby."""
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
        levels=[
            _level_facts(card.name, level, number)
            for number, level in enumerate(offered(card.name), 1)
        ],
        hidden=card.hidden,
        simultaneous=card.simultaneous,
    )


def _level_facts(game: str, level: str, number: int) -> schemas.LevelFacts:
    spoken = {code: language(code) for code in LANGUAGES}
    return schemas.LevelFacts(
        id=level,
        number=number,
        word={code: words.level_word(level) for code, words in spoken.items()},
        name={code: words.level_name(level) for code, words in spoken.items()},
        line={code: words.level_line(game, level) for code, words in spoken.items()},
    )


@get("/rules/{game:str}", media_type="text/markdown", sync_to_thread=False)
def rules(game: FromPath[str], lang: FromQuery[str] = "en") -> str:
    """The rules of a game, as Markdown."""
    if game not in GAMES:
        raise ApiError(404, "not-found", "no-such-game")
    if lang not in LANGUAGES:
        raise ApiError(404, "not-found", "no-such-language", expected=list(LANGUAGES))
    return rules_text(game, lang)


# --- tables ---------------------------------------------------------------------------------------


@post("/tables")
async def create_table(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.NewTable]
) -> Response[TableMade]:
    """Create a table; its creator takes the first seat without a bot."""
    context.limit(request, limits.TABLES_CREATED)
    if not context.upkeep.has_room:
        raise ApiError(503, "busy", "disk-low")
    host = new_player()
    clock = clock_of(data.clock)
    config = Config(
        players=data.players,
        options=data.options,
        clock=clock,
        takeover_after=_patience(clock),
        public=data.public,
        spectators=_SPECTATORS[data.spectators],
        host=host,
    )
    room = await context.registry.create(data.game, config, first_commands(data, host))
    seat = room.actor.seat_of(host)
    assert seat is not None, "the host has taken a seat"
    token, recovery = await context.seat_token(request, room.slug, host, data.name)
    made = TableMade(room.slug, seat, context.link(request, f"/t/{room.slug}"), recovery)
    return Response(made, cookies=context.seat_cookies(request, room.slug, token))


_SPECTATORS: dict[str, int | None] = {
    "none": None,
    "live": 0,
    "delayed": limits.SPECTATOR_DELAY_SECONDS,
}


def new_player() -> str:
    """A random id."""
    return secrets.token_hex(12)


def _patience(clock: Clock | None) -> int:
    """How many seconds a player may be away before a bot takes over: as long as a move may take."""
    least = limits.TAKEOVER_SECONDS
    return max(least, clock.seconds) if isinstance(clock, PerMove) else least


@get("/tables")
async def lobby(
    context: InjectedContext, status: FromQuery[Literal["waiting", "playing"]] = "waiting"
) -> list[TableFacts]:
    """The public tables, the newest first: those with open seats and somebody who waits, or those
    in play that can be watched."""
    playing = status == "playing"
    wanted = Status.PLAYING if playing else Status.OPEN
    rows = await context.registry.store.log.tables(status=wanted, public=True, limit=LOBBY)
    found = [await _listed(context, row) for row in rows]
    shown = _can_be_watched if playing else _can_be_joined
    return [facts for facts in found if facts is not None and shown(facts)]


def _can_be_joined(facts: TableFacts) -> bool:
    kinds = [seat.kind for seat in facts.seats]
    waits = any(seat.kind == "person" and not seat.away for seat in facts.seats)
    return facts.status == "waiting" and "open" in kinds and waits


def _can_be_watched(facts: TableFacts) -> bool:
    return facts.status == "playing" and facts.spectators != "none"


async def _listed(
    context: RequestContext, row: TableRow, player: str | None = None
) -> TableFacts | None:
    """Return a table for a list: from memory, or from its row. The log is read only if the row says
    too little: an older version stored it, or the player left a game that is shown with a delay."""
    if _says_enough(row, player) and not context.registry.is_in_memory(row.table):
        assert row.summary is not None
        ids = row.summary["ids"]
        you = ids.index(player) if player is not None and player in ids else None
        if player is None or you is not None or row.summary["spectators"] != "delayed":
            return _row_facts(row, you)
    room = await context.registry.table(row.table)
    if room is None:
        return None
    seat = room.actor.seat_of(player)
    return _facts(row.table, _table_for(room, seat), seat)


def _says_enough(row: TableRow, player: str | None) -> bool:
    """Whether a row's summary can be shown: a player wants to know whose turn it is now."""
    if row.summary is None or "number" not in row.summary:
        return False
    own_game = player is not None and row.status is Status.PLAYING
    return not own_game or row.summary["number"] == row.head


def _row_facts(row: TableRow, you: Seat | None) -> TableFacts:
    assert row.summary is not None
    status = SHOWN[row.status]
    return facts_of(
        row.summary, row.table, row.game, status, row.public, row.head, row.updated, you
    )


@get("/tables/{slug:str}")
async def table_facts(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[TableFacts]:
    """The public facts of a table, for everybody who has its link."""
    room = await context.table(slug)
    known = context.has_cookie(request, slug)
    player = await context.player(request, room, sure=not known)
    seat = room.actor.seat_of(player)
    cookies: Sequence[Cookie] = ()
    if player is not None and seat is not None and not known:
        # A rematch: this browser is known from the last table.
        token = await context.seats.issue_token(slug, player)
        cookies = context.seat_cookies(request, slug, token)
    table = _table_for(room, seat)
    return Response(_facts(room.slug, table, seat), cookies=cookies)


def _table_for(room: Room, seat: Seat | None) -> Table:
    """The table as a player may know it, or a spectator, perhaps with a delay."""
    return room.table_for_spectators() if seat is None else room.table


def _facts(slug: str, table: Table, you: Seat | None = None) -> TableFacts:
    """Return what a list would show, of a table in memory."""
    row = TableRow(
        table=slug,
        game=table.game,
        rules=table.rules_version,
        options=table.config.options,
        public=table.config.public,
        status=status_of(table),
        created=table.opened_at,
        updated=table.at,
        head=table.number,
        summary=summary_of(table),
    )
    return _row_facts(row, you)


@post("/tables/{slug:str}/seat")
async def take_seat(
    request: AnyRequest, context: InjectedContext, slug: SlugPath, data: JSONBody[schemas.TakeSeat]
) -> Response[SeatTaken]:
    """Take a seat. A player who holds one gets it again, with a new token."""
    room = await context.table(slug)
    player = await context.player(request, room, sure=True)
    seat = room.actor.seat_of(player)
    if player is None:
        context.limit(request, limits.SEATS_TAKEN)
        player = new_player() if data.key is None else player_by_key(slug, data.key)
        seat = room.actor.seat_of(player)
    if seat is None:
        await room.actor.do(commands.Sit(player, data.seat, data.name))
        seat = room.actor.seat_of(player)
    assert seat is not None, "it was just taken"
    token, recovery = await context.seat_token(request, slug, player, data.name)
    cookies = context.seat_cookies(request, slug, token)
    return Response(SeatTaken(seat, recovery), cookies=cookies)


@post("/tables/{slug:str}/seat/link")
async def link_to_seat(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[schemas.SeatLink]:
    """A new link to the seat that this browser holds. Earlier ones stay valid."""
    room = await context.table(slug)
    player = await context.player(request, room, sure=True)
    if player is None or room.actor.seat_of(player) is None:
        raise ApiError(403, "forbidden", "not-seated")
    context.limit(request, limits.SEATS_TAKEN)
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
) -> Response[Recovered]:
    """Recover a seat with the token of a recovery link, on any device."""
    context.limit(request, limits.TOKENS_TRIED)
    found = await context.seats.recover(data.token)
    if found is None:
        raise ApiError(404, "not-found", "no-such-token")
    player, token = found
    cookies = context.seat_cookies(request, player.table, token)
    return Response(Recovered(player.table), cookies=cookies)


@get("/my/tables")
async def my_tables(request: AnyRequest, context: InjectedContext) -> list[TableFacts]:
    """The tables at which this browser, or its account, holds a seat; the newest first."""
    account = await context.account(request)
    tokens = list(context.seat_tokens(request).values())
    rows = await context.seats.games_of(account.id if account else None, tokens, limit=LOBBY)
    mine = _one_each(rows, account.id if account else None)
    found = [await _listed(context, row, player) for row, player in mine]
    return [facts for facts in found if facts is not None and facts.status != "closed"]


def _one_each(
    rows: Sequence[tuple[TableRow, Player]], account: str | None
) -> list[tuple[TableRow, str]]:
    """One player per table, in this order. A shared browser may hold several seats of a table: then
    the account's one."""
    found: dict[str, tuple[TableRow, str]] = {}
    for row, player in rows:
        if row.table not in found or (account is not None and player.account == account):
            found[row.table] = row, player.id
    return list(found.values())


# --- hints ----------------------------------------------------------------------------------------


@post("/tables/{slug:str}/hint")
async def hint(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[schemas.Hints]:
    """The best moves for the player on turn, in a game against bots only. From then on the game
    counts as assisted."""
    room = await context.table(slug)
    player = await context.player(request, room)
    seat = room.actor.seat_of(player)
    if player is None or seat is None:
        raise ApiError(403, "forbidden", "not-seated")
    context.limiter.take(limits.HINTS, f"{slug}/{player}")
    await room.actor.do(commands.Hint(player))
    table = room.table
    view = table.rules.view(table.shown_state, seat)
    try:
        thought = await context.registry.bot_pool.think(table.rules, HINT, view, slug)
    except BotFailed:
        raise ApiError(503, "busy", "no-hint-now") from None
    moves = [
        schemas.HintFacts(each.move, *((each.value, each.margin) if each.visits else (None, None)))
        for each in read_hints(thought.move)
    ]
    return Response(schemas.Hints(table.number, moves), status_code=200)


# --- QR code and record ---------------------------------------------------------------------------


@get("/tables/{slug:str}/qr.svg", media_type="image/svg+xml")
async def qr_code(request: AnyRequest, context: InjectedContext, slug: SlugPath) -> bytes:
    """The link of a table as a QR code."""
    await context.table(slug)
    picture = io.BytesIO()
    code = segno.make(context.link(request, f"/t/{slug}"), error="m")
    code.save(picture, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return picture.getvalue()


async def finished_table(request: AnyRequest, context: RequestContext, slug: str) -> Table:
    """The table of a finished game. Raises `ApiError` while this viewer may not know its end."""
    room = await context.table(slug)
    player = await context.player(request, room)
    table = _table_for(room, room.actor.seat_of(player))
    if table.result is None:
        raise ApiError(404, "not-found", "game-not-over")
    return table


@get("/tables/{slug:str}/record", media_type="application/x-ndjson")
async def read_record(
    request: AnyRequest, context: InjectedContext, slug: SlugPath
) -> Response[str]:
    """The record of a finished game. Before the end it would reveal hidden tiles."""
    table = await finished_table(request, context, slug)
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
    hint,
    qr_code,
    read_record,
]
