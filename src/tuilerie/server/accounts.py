"""The requests about accounts, which nobody needs in order to play."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from tuilerie.server import bodies, limits
from tuilerie.server.context import Context, Given
from tuilerie.server.problems import Problem
from tuilerie.store.people import Account, BadName, NameTaken

AnyRequest = Request[Any, Any, Any]


@post("/account")
async def create_account(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Credentials]
) -> Response[bodies.AccountFacts]:
    """Make an account and log in."""
    context.limit(request, "logins", limits.LOGINS)
    try:
        account = await context.hub.people.create_account(data.login, data.password)
    except NameTaken:
        raise Problem(409, "illegal", "name-taken") from None
    except BadName:
        raise Problem(400, "malformed", "bad-name") from None
    return await _logged_in(context, account)


@get("/account")
async def read_account(request: AnyRequest, context: Given) -> bodies.AccountFacts:
    """Who is logged in."""
    return bodies.AccountFacts((await _account(request, context)).name)


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
    """Log out; also where nobody is logged in."""
    token = context.cookies(request).get(context.identity.session_cookie)
    if token:
        await context.hub.people.close_session(token)
    return Response(None, cookies=[_ended(context)])


@delete("/account", status_code=204)
async def delete_account(
    request: AnyRequest, context: Given, data: JSONBody[bodies.Farewell]
) -> Response[None]:
    """Delete the account with its sessions, names and tokens. The games stay, without its name."""
    context.limit(request, "logins", limits.LOGINS)
    account = await _account(request, context)
    if await context.hub.people.check_password(account.name, data.password) is None:
        raise Problem(403, "forbidden", "wrong-password")
    rows = await context.hub.people.games_of(account.id, limit=100_000)
    await context.hub.people.delete_account(account.id)
    context.identity.forget()
    await context.hub.erase([(row.table, player.id) for row, player in rows])
    return Response(None, cookies=[_ended(context)])


@post("/account/claim")
async def claim(request: AnyRequest, context: Given) -> bodies.Claimed:
    """Make the seats that this browser holds the account's own."""
    account = await _account(request, context)
    tokens = context.seat_tokens(request)
    count = await context.hub.people.claim_seats(account.id, tokens.values())
    context.identity.forget()
    return bodies.Claimed(count)


async def _account(request: AnyRequest, context: Context) -> Account:
    account = await context.account(request)
    if account is None:
        raise Problem(403, "forbidden", "not-logged-in")
    return account


def _ended(context: Context) -> Cookie:
    return context.cookie(context.identity.session_cookie, "", seconds=0)


HANDLERS = [create_account, read_account, log_in, log_out, delete_account, claim]
