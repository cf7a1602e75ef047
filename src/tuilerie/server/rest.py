"""The requests about tables: set one up, find one, take a seat, read its record."""

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
from tuilerie.server import bodies, limits
from tuilerie.server.context import Given
from tuilerie.server.live import LiveTable
from tuilerie.server.problems import Problem
from tuilerie.store.log import Status, TableRow
from tuilerie.store.people import Player
from tuilerie.texts import rules_text

AnyRequest = Request[Any, Any, Any]
SlugPath = Annotated[str, PathParameter(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]

LOBBY = 50
"""How many tables the lobby shows."""


# --- games ----------------------------------------------------------------------------------------


@get("/games", sync_to_thread=False)
def games() -> list[bodies.GameFacts]:
    """All games that can be played, with their options."""
    return [_game_facts(game) for game in GAMES.values()]


def _game_facts(game: AnyGame) -> bodies.GameFacts:
    card = game.card
    options = [
        bodies.OptionFacts(option.name, option.default, list(option.values))
        for option in card.options
    ]
    return bodies.GameFacts(
        name=card.name,
        title=card.title,
        players=(card.players[0], card.players[-1]),
        options=options,
        levels=[_level_facts(card.name, level) for level in offered(card.name)],
        hidden=card.hidden,
        simultaneous=card.simultaneous,
    )


def _level_facts(game: str, level: str) -> bodies.LevelFacts:
    spoken = {code: language(code) for code in LANGUAGES}
    return bodies.LevelFacts(
        id=level,
        name={code: words.level_name(level) for code, words in spoken.items()},
        line={code: words.level_line(game, level) for code, words in spoken.items()},
    )


@get("/rules/{game:str}", media_type="text/markdown", sync_to_thread=False)
def rules(game: FromPath[str], lang: FromQuery[str] = "en") -> str:
    """The rules of a game, in our own words."""
    if game not in GAMES:
        raise Problem(404, "not-found", "no-such-game")
    if lang not in LANGUAGES:
        raise Problem(404, "not-found", "no-such-language", expected=list(LANGUAGES))
    return rules_text(game, lang)


# --- tables ---------------------------------------------------------------------------------------


@post("/tables")
async def create_table(
    request: AnyRequest, context: Given, data: JSONBody[bodies.NewTable]
) -> Response[bodies.TableMade]:
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
    live = await context.hub.create(data.game, config, first)
    seat = live.session.seat_of(host)
    assert seat is not None, "the host has sat down"
    token, recovery = await context.seat_token(request, live.slug, host, data.name)
    made = bodies.TableMade(live.slug, seat, context.link(request, f"/t/{live.slug}"), recovery)
    return Response(made, cookies=context.seat_cookies(request, live.slug, token))


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


def _clock(choice: bodies.ClockChoice) -> Clock | None:
    if choice.kind == "none":
        return None
    if choice.seconds is None:
        raise Problem(400, "malformed", "clock-needs-seconds")
    if choice.kind == "move":
        return PerMove(choice.seconds)
    return PerGame(choice.seconds, choice.increment)


def _patience(clock: Clock | None) -> int:
    """How many seconds a person may be away: who has a day for a move need not sit and wait."""
    least = limits.TAKEOVER_SECONDS
    return max(least, clock.seconds) if isinstance(clock, PerMove) else least


@get("/tables")
async def lobby(context: Given) -> list[bodies.TableFacts]:
    """The public tables with open seats, the newest first."""
    rows = await context.hub.store.tables(status=[Status.OPEN], public=True, limit=LOBBY)
    found = []
    for row in rows:
        live = await context.hub.table(row.table)
        if live is not None and any(place.kind == "open" for place in live.table.seats):
            found.append(_facts(row.table, live.table))
    return found


@get("/tables/{slug:str}")
async def table_facts(
    request: AnyRequest, context: Given, slug: SlugPath
) -> Response[bodies.TableFacts]:
    """What everybody may know of a table who has its link."""
    live = await context.table(slug)
    known = context.has_cookie(request, slug)
    player = await context.player(request, live, sure=not known)
    seat = live.session.seat_of(player)
    cookies: Sequence[Cookie] = ()
    if player is not None and seat is not None and not known:
        # The next game of the same people: this browser is known from the last one.
        token = await context.hub.people.issue_seat_token(slug, player)
        cookies = context.seat_cookies(request, slug, token)
    table = await _table_for(live, seat)
    return Response(_facts(live.slug, table, seat), cookies=cookies)


async def _table_for(live: LiveTable, seat: Seat | None) -> Table:
    """The table as who sits there knows it, or as spectators do, who may be behind."""
    return await live.table_for_spectators() if seat is None else live.table


def _facts(slug: str, table: Table, you: Seat | None = None) -> bodies.TableFacts:
    return bodies.TableFacts(
        table=slug,
        game=table.game,
        players=table.config.players,
        options=dict(table.options or table.config.options),
        seats=[
            bodies.SeatFacts(place.kind, place.name or None, place.level, place.for_good)
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
    request: AnyRequest, context: Given, slug: SlugPath, data: JSONBody[bodies.TakeSeat]
) -> Response[bodies.SeatTaken]:
    """Take a seat. Who holds one already gets it again, with a fresh token."""
    live = await context.table(slug)
    player = await context.player(request, live, sure=True)
    seat = live.session.seat_of(player)
    if player is None:
        context.limit(request, "seats-taken", limits.TABLES_CREATED)
        player = new_player() if data.key is None else player_by_key(slug, data.key)
        seat = live.session.seat_of(player)
    if seat is None:
        await live.session.do(commands.Sit(player, data.seat, data.name))
        seat = live.session.seat_of(player)
    assert seat is not None, "it was just taken"
    token, recovery = await context.seat_token(request, slug, player, data.name)
    cookies = context.seat_cookies(request, slug, token)
    return Response(bodies.SeatTaken(seat, recovery), cookies=cookies)


@post("/tables/{slug:str}/seat/link")
async def link_to_seat(
    request: AnyRequest, context: Given, slug: SlugPath
) -> Response[bodies.SeatLink]:
    """A new link to the seat that this browser holds. Earlier ones stay good."""
    live = await context.table(slug)
    player = await context.player(request, live, sure=True)
    if player is None or live.session.seat_of(player) is None:
        raise Problem(403, "forbidden", "not-seated")
    context.limit(request, "seats-taken", limits.TABLES_CREATED)
    people = context.hub.people
    token = context.seat_tokens(request).get(slug, "")
    holder = await people.resolve(token)
    if holder is None or (holder.table, holder.id) != (slug, player):
        token = await people.issue_seat_token(slug, player)
    recovery = await people.issue_recovery(token)
    if recovery is None:
        raise Problem(403, "forbidden", "not-seated")
    link = context.link(request, f"/t/{slug}#{recovery}")
    picture = segno.make(link, error="m").svg_data_uri(scale=8, border=4, dark="#000", light="#fff")
    cookies = context.seat_cookies(request, slug, token)
    return Response(bodies.SeatLink(link, picture), cookies=cookies)


@post("/recover")
async def recover(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Recover]
) -> Response[bodies.Recovered]:
    """Come back to a seat with the token of a recovery link, on any device."""
    context.limit(request, "tokens-tried", limits.TOKENS_TRIED)
    found = await context.hub.people.recover(data.token)
    if found is None:
        raise Problem(404, "not-found", "no-such-token")
    player, token = found
    cookies = context.seat_cookies(request, player.table, token)
    return Response(bodies.Recovered(player.table), cookies=cookies)


@get("/my/tables")
async def my_tables(request: AnyRequest, context: Given) -> list[bodies.TableFacts]:
    """The tables at which this browser, or its account, holds a seat; the newest first."""
    account = await context.account(request)
    tokens = list(context.seat_tokens(request).values())
    rows = await context.hub.people.games_of(account.id if account else None, tokens, limit=LOBBY)
    found = []
    for slug, player in _one_each(rows, account.id if account else None).items():
        live = await context.hub.table(slug)
        if live is not None:
            seat = live.session.seat_of(player)
            found.append(_facts(slug, await _table_for(live, seat), seat))
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
async def qr_code(request: AnyRequest, context: Given, slug: SlugPath) -> bytes:
    """The link of a table as a QR code."""
    await context.table(slug)
    picture = io.BytesIO()
    code = segno.make(context.link(request, f"/t/{slug}"), error="m")
    code.save(picture, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return picture.getvalue()


@get("/tables/{slug:str}/record", media_type="application/x-ndjson")
async def read_record(request: AnyRequest, context: Given, slug: SlugPath) -> Response[str]:
    """The whole record of a game that is over. Before its end nobody gets it: it tells all."""
    live = await context.table(slug)
    player = await context.player(request, live)
    table = await _table_for(live, live.session.seat_of(player))
    if table.result is None:
        raise Problem(404, "not-found", "game-not-over")
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
