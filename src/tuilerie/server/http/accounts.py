"""HTTP API of accounts: create, log in and out, change the password, claim seats, delete."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from tuilerie import names
from tuilerie.server.http import schemas
from tuilerie.server.http.context import InjectedContext, RequestContext
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.security import network_of
from tuilerie.server.ops import limits
from tuilerie.store.accounts import Account
from tuilerie.store.errors import BadName, Banned, NameTaken
from tuilerie.store.tokens import is_trivial, name_key

AnyRequest = Request[Any, Any, Any]

LOGIN_LEAST = 3
"""The shortest login name."""


@post("/account")
async def create_account(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.Credentials]
) -> Response[schemas.AccountFacts]:
    """Create an account and log in. Its name may be as long as a player's."""
    context.limit(request, limits.LOGINS)
    name = names.clean(data.login)
    if is_trivial(data.password, name):
        raise ApiError(400, "malformed", "weak-password")
    try:
        if len(name) < LOGIN_LEAST or not names.is_good(name):
            raise BadName("the name is too short, too long or cannot be shown")
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
    """Change the password. All other sessions of the account end and lose its seats."""
    account = await _confirm_password(request, context, data.password)
    if is_trivial(data.new, account.name):
        raise ApiError(400, "malformed", "weak-password")
    seats = await context.seats.seats_of(account.id)
    token = await context.accounts.change_password(account.id, data.new)
    await context.registry.dismiss(seats)
    cookies = await _expired_seats(request, context, keep=account.id)
    cookies.append(context.cookie(context.identity.session_cookie, token))
    return Response(schemas.AccountFacts(account.name), cookies=cookies)


@get("/session")
async def session_info(request: AnyRequest, context: InjectedContext) -> schemas.Visitor:
    """The account of this browser, if any, and the seats it holds as a guest."""
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
    context.limit(request, limits.LOGINS)
    # By name and network: else strangers could keep the owner from logging in.
    who = name_key(data.login)
    context.limiter.take(limits.PASSWORDS, f"{who}@{network_of(request.scope)}")
    context.limiter.take(limits.ACCOUNT_PASSWORDS, who)
    try:
        found = await context.accounts.log_in(data.login, data.password)
    except Banned:
        raise ApiError(403, "forbidden", "banned") from None
    if found is None:
        raise ApiError(403, "forbidden", "wrong-password")
    return await _logged_in(request, context, *found)


async def _logged_in(
    request: AnyRequest, context: RequestContext, account: Account, token: str
) -> Response[schemas.AccountFacts]:
    """The response after a login. A previous session of this browser ends, and with it the seats
    of other accounts."""
    cookies = await _end_session(request, context, keep=account.id)
    cookies.append(context.cookie(context.identity.session_cookie, token))
    return Response(schemas.AccountFacts(account.name), cookies=cookies)


@delete("/session", status_code=204)
async def log_out(request: AnyRequest, context: InjectedContext) -> Response[None]:
    """Log out; succeeds also if nobody is logged in.

    Seats that belong to an account are released: the next user of this browser must not play them.
    """
    cookies = await _end_session(request, context)
    return Response(None, cookies=[*cookies, _expired_session(context)])


async def _end_session(
    request: AnyRequest, context: RequestContext, keep: str | None = None
) -> list[Cookie]:
    """End the session of this browser and release its seats of accounts other than `keep`: revoke
    their tokens and close their sockets. Returns expired cookies for them."""
    account = await context.account(request)
    seats = set(await context.seats.revoke(context.seat_tokens(request).values(), keep))
    if token := context.cookies(request).get(context.identity.session_cookie):
        await context.accounts.close_session(token)
    if account is not None and account.id != keep:
        # Pages may be authenticated by the session alone. Other devices reconnect by themselves.
        seats.update(await context.seats.seats_of(account.id))
    await context.registry.dismiss(list(seats))
    return await _expired_seats(request, context, keep)


async def _expired_seats(
    request: AnyRequest, context: RequestContext, keep: str | None
) -> list[Cookie]:
    """Expired cookies for the seats of this browser whose tokens are no longer valid."""
    held = context.seat_tokens(request)
    rows = await context.seats.games_of(None, held.values(), limit=len(held))
    valid = {row.table for row, player in rows if player.account in (None, keep)}
    return [
        context.cookie(context.identity.seat_cookie(slug), "", 0)
        for slug in held
        if slug not in valid
    ]


@delete("/account", status_code=204)
async def delete_account(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.DeleteAccount]
) -> Response[None]:
    """Delete the account with its sessions, names and tokens. The games stay, without its name."""
    account = await _confirm_password(request, context, data.password)
    seats = await context.seats.seats_of(account.id)
    await context.accounts.delete(account.id)
    await context.registry.dismiss(seats)
    return Response(None, cookies=[_expired_session(context)])


@post("/account/claim")
async def claim(
    request: AnyRequest, context: InjectedContext, data: JSONBody[schemas.ClaimSeats]
) -> schemas.SeatsClaimed:
    """Move guest seats of this browser into the account. The request names their tables: where
    several people share a browser, not all of its seats belong to one of them."""
    account = await own_account(request, context)
    wanted = set(data.tables)
    tokens = [token for slug, token in context.seat_tokens(request).items() if slug in wanted]
    return schemas.SeatsClaimed(await context.seats.claim(account.id, tokens))


async def own_account(request: AnyRequest, context: RequestContext) -> Account:
    """The account that is logged in. Raises `ApiError`."""
    account = await context.account(request)
    if account is None:
        raise ApiError(403, "forbidden", "not-logged-in")
    return account


async def _confirm_password(request: AnyRequest, context: RequestContext, password: str) -> Account:
    """The account that is logged in, if the password is right. Raises `ApiError`."""
    context.limit(request, limits.LOGINS)
    account = await own_account(request, context)
    # A limit apart from that of logins, with which strangers could lock the owner out.
    context.limiter.take(limits.OWN_PASSWORDS, account.id)
    if await context.accounts.check_password(account.name, password) is None:
        raise ApiError(403, "forbidden", "wrong-password")
    return account


def _expired_session(context: RequestContext) -> Cookie:
    return context.cookie(context.identity.session_cookie, "", seconds=0)


HANDLERS = [
    create_account,
    change_password,
    session_info,
    log_in,
    log_out,
    delete_account,
    claim,
]
