"""The requests about accounts, which nobody needs in order to play."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from tuilerie.server import bodies, limits
from tuilerie.server.context import Context, Given
from tuilerie.server.problems import Problem
from tuilerie.store.log import TableRow
from tuilerie.store.people import Account, BadName, NameTaken, Player

AnyRequest = Request[Any, Any, Any]


@post("/account")
async def create_account(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Credentials]
) -> Response[bodies.AccountFacts]:
    """Make an account and log in. Its name may be as long as a player's."""
    context.limit(request, "logins", limits.LOGINS)
    try:
        if len(data.login) > limits.NAME_LENGTH:
            raise BadName("too long to be shown at a table")
        account = await context.hub.people.create_account(data.login, data.password)
    except NameTaken:
        raise Problem(409, "illegal", "name-taken") from None
    except BadName:
        raise Problem(400, "malformed", "bad-login", expected=limits.NAME_LENGTH) from None
    return await _logged_in(context, account)


@post("/account/password")
async def change_password(
    request: AnyRequest, context: Given, data: JSONBody[bodies.NewPassword]
) -> Response[bodies.AccountFacts]:
    """Change the password. Whoever else is logged in to the account is so no more."""
    account = await _proven(request, context, data.password)
    await context.hub.people.change_password(account.id, data.new)
    return await _logged_in(context, account)


@get("/session")
async def who_is_here(request: AnyRequest, context: Given) -> bodies.Visitor:
    """Who this browser is; also where nobody is logged in."""
    account = await context.account(request)
    return bodies.Visitor(
        login=account.name if account else None,
        seats=[
            bodies.GuestSeat(row.table, row.game, player.name, row.updated)
            for row, player in await _guest_seats(request, context)
        ],
    )


async def _guest_seats(request: AnyRequest, context: Context) -> list[tuple[TableRow, Player]]:
    tokens = list(context.seat_tokens(request).values())
    held = await context.hub.people.games_of(None, tokens) if tokens else []
    return [(row, player) for row, player in held if player.account is None]


@post("/session")
async def log_in(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Credentials]
) -> Response[bodies.AccountFacts]:
    """Log in."""
    context.limit(request, "logins", limits.LOGINS)
    context.limiter.take("passwords", data.login.casefold(), limits.LOGINS)
    account = await context.hub.people.check_password(data.login, data.password)
    if account is None:
        raise Problem(403, "forbidden", "wrong-password")
    return await _logged_in(context, account)


async def _logged_in(context: Context, account: Account) -> Response[bodies.AccountFacts]:
    token = await context.hub.people.open_session(account.id)
    cookie = context.cookie(context.identity.session_cookie, token)
    return Response(bodies.AccountFacts(account.name), cookies=[cookie])


@delete("/session", status_code=204)
async def log_out(request: AnyRequest, context: Given) -> Response[None]:
    """Log out; also where nobody is logged in.

    The seats of the account are given back with it: who uses this browser next must not play them.
    """
    token = context.cookies(request).get(context.identity.session_cookie)
    account = await context.account(request)
    cookies = [_ended(context)]
    if account is not None:
        cookies += await _seats_given_back(request, context, account)
    if token:
        await context.hub.people.close_session(token)
    return Response(None, cookies=cookies)


async def _seats_given_back(
    request: AnyRequest, context: Context, account: Account
) -> list[Cookie]:
    """What ends the seat cookies of an account in this browser; their tokens end as well."""
    people, held = context.hub.people, context.seat_tokens(request)
    rows = await people.games_of(None, held.values(), limit=len(held)) if held else []
    theirs = {row.table for row, player in rows if player.account == account.id}
    await people.drop_seat_tokens(account.id, held.values())
    context.identity.forget()
    return [context.cookie(context.identity.seat_cookie(slug), "", 0) for slug in sorted(theirs)]


@delete("/account", status_code=204)
async def delete_account(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Farewell]
) -> Response[None]:
    """Delete the account with its sessions, names and tokens. The games stay, without its name."""
    account = await _proven(request, context, data.password)
    rows = await context.hub.people.games_of(account.id, limit=100_000)
    await context.hub.people.delete_account(account.id)
    context.identity.forget()
    await context.hub.erase([(row.table, player.id) for row, player in rows])
    return Response(None, cookies=[_ended(context)])


@post("/account/claim")
async def claim(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Claim]
) -> bodies.Claimed:
    """Make seats that this browser holds the account's own. They are named by their tables: where
    several people share a browser, not all of its seats are one's own."""
    account = await _account(request, context)
    wanted = set(data.tables)
    tokens = [token for slug, token in context.seat_tokens(request).items() if slug in wanted]
    count = await context.hub.people.claim_seats(account.id, tokens)
    context.identity.forget()
    return bodies.Claimed(count)


async def _account(request: AnyRequest, context: Context) -> Account:
    account = await context.account(request)
    if account is None:
        raise Problem(403, "forbidden", "not-logged-in")
    return account


async def _proven(request: AnyRequest, context: Context, password: str) -> Account:
    """The account that is logged in, to whoever knows its password once more."""
    context.limit(request, "logins", limits.LOGINS)
    account = await _account(request, context)
    context.limiter.take("passwords", account.name.casefold(), limits.LOGINS)
    if await context.hub.people.check_password(account.name, password) is None:
        raise Problem(403, "forbidden", "wrong-password")
    return account


def _ended(context: Context) -> Cookie:
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
