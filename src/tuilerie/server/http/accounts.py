"""HTTP API of accounts: create, log in and out, change the password, claim seats, delete."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.ops import limits
from tuilerie.store.accounts import Account
from tuilerie.store.errors import BadName, NameTaken
from tuilerie.store.tokens import name_key

AnyRequest = Request[Any, Any, Any]

LOGIN_LEAST = 3
"""The shortest name of an account."""

MOST_GAMES = 100_000
"""More games than anybody plays."""


@post("/account")
async def create_account(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.Credentials]
) -> Response[schemas.AccountFacts]:
    """Make an account and log in. Its name may be as long as a player's."""
    context.limit(request, "logins", limits.LOGINS)
    name = " ".join(data.login.split())
    try:
        if not LOGIN_LEAST <= len(name) <= limits.NAME_LENGTH:
            raise BadName("too short, or too long to be shown at a table")
        account = await context.accounts.create(name, data.password)
    except NameTaken:
        raise ApiError(409, "illegal", "name-taken") from None
    except BadName:
        raise ApiError(400, "malformed", "bad-login", expected=limits.NAME_LENGTH) from None
    token = await context.accounts.open_session(account.id)
    return await _logged_in(request, context, account, token)


@post("/account/password")
async def change_password(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.NewPassword]
) -> Response[schemas.AccountFacts]:
    """Change the password. Whoever else is logged in to the account is so no more, and holds none
    of its seats."""
    account = await _proven(request, context, data.password)
    rows = await context.seats.games_of(account.id, limit=MOST_GAMES)
    token = await context.accounts.change_password(account.id, data.new)
    await context.registry.dismiss([(row.table, player.id) for row, player in rows])
    cookies = await _worthless(request, context, keep=account.id)
    cookies.append(context.cookie(context.identity.session_cookie, token))
    return Response(schemas.AccountFacts(account.name), cookies=cookies)


@get("/session")
async def who_is_here(request: AnyRequest, context: InjectedContext) -> schemas.Visitor:
    """Who this browser is; also where nobody is logged in."""
    account = await context.account(request)
    tokens = context.seat_tokens(request).values()
    seats = await context.seats.unclaimed(tokens, account.id if account else None)
    return schemas.Visitor(
        login=account.name if account else None,
        seats=[
            schemas.GuestSeat(row.table, row.game, player.name, row.updated)
            for row, player in seats
        ],
    )


@post("/session")
async def log_in(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.LogIn]
) -> Response[schemas.AccountFacts]:
    """Log in."""
    context.limit(request, "logins", limits.LOGINS)
    context.limiter.take("passwords", name_key(data.login), limits.LOGINS)
    found = await context.accounts.log_in(data.login, data.password)
    if found is None:
        raise ApiError(403, "forbidden", "wrong-password")
    return await _logged_in(request, context, *found)


async def _logged_in(
    request: AnyRequest, context: RequestContext, account: Account, token: str
) -> Response[schemas.AccountFacts]:
    """The answer to who is now logged in. If somebody else was, in this browser, they are not any
    more, and their seats are not here."""
    cookies = await _given_back(request, context, keep=account.id)
    cookies.append(context.cookie(context.identity.session_cookie, token))
    return Response(schemas.AccountFacts(account.name), cookies=cookies)


@delete("/session", status_code=204)
async def log_out(request: AnyRequest, context: InjectedContext) -> Response[None]:
    """Log out; also where nobody is logged in.

    Seats that belong to an account are given back: who uses this browser next must not play them.
    """
    cookies = await _given_back(request, context)
    return Response(None, cookies=[*cookies, _ended(context)])


async def _given_back(
    request: AnyRequest, context: RequestContext, keep: str | None = None
) -> list[Cookie]:
    """End the session of this browser, and take from it all seats of accounts but for `keep`: their
    tokens, and the sockets of open pages. Tells what ends their cookies."""
    account = await context.account(request)
    seats = set(await context.seats.revoke(context.seat_tokens(request).values(), keep))
    if token := context.cookies(request).get(context.identity.session_cookie):
        await context.accounts.close_session(token)
    if account is not None and account.id != keep:
        # Pages may be known by the session alone. Those of other devices come back by themselves.
        rows = await context.seats.games_of(account.id, limit=MOST_GAMES)
        seats |= {(row.table, player.id) for row, player in rows}
    await context.registry.dismiss(sorted(seats))
    return await _worthless(request, context, keep)


async def _worthless(
    request: AnyRequest, context: RequestContext, keep: str | None
) -> list[Cookie]:
    """What ends those seat cookies of this browser that stand for nobody any more."""
    held = context.seat_tokens(request)
    rows = await context.seats.games_of(None, held.values(), limit=len(held))
    good = {row.table for row, player in rows if player.account in (None, keep)}
    return [
        context.cookie(context.identity.seat_cookie(slug), "", 0)
        for slug in held
        if slug not in good
    ]


@delete("/account", status_code=204)
async def delete_account(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.Farewell]
) -> Response[None]:
    """Delete the account with its sessions, names and tokens. The games stay, without its name."""
    account = await _proven(request, context, data.password)
    rows = await context.seats.games_of(account.id, limit=MOST_GAMES)
    await context.accounts.delete(account.id)
    await context.registry.dismiss([(row.table, player.id) for row, player in rows])
    return Response(None, cookies=[_ended(context)])


@post("/account/claim")
async def claim(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.Claim]
) -> schemas.Claimed:
    """Make seats that this browser holds the account's own. They are named by their tables: where
    several people share a browser, not all of its seats are one's own."""
    account = await _account(request, context)
    wanted = set(data.tables)
    tokens = [token for slug, token in context.seat_tokens(request).items() if slug in wanted]
    return schemas.Claimed(await context.seats.claim(account.id, tokens))


async def _account(request: AnyRequest, context: RequestContext) -> Account:
    account = await context.account(request)
    if account is None:
        raise ApiError(403, "forbidden", "not-logged-in")
    return account


async def _proven(request: AnyRequest, context: RequestContext, password: str) -> Account:
    """The account that is logged in, to whoever knows its password once more."""
    context.limit(request, "logins", limits.LOGINS)
    account = await _account(request, context)
    # Not the limit of those who try to log in: they could keep the owner from it.
    context.limiter.take("own-passwords", account.id, limits.LOGINS)
    if await context.accounts.check_password(account.name, password) is None:
        raise ApiError(403, "forbidden", "wrong-password")
    return account


def _ended(context: RequestContext) -> Cookie:
    return context.cookie(context.identity.session_cookie, "", seconds=0)


HANDLERS = [
    create_account,
    change_password,
    who_is_here,
    log_in,
    log_out,
    delete_account,
    claim,
]
