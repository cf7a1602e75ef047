"""Request context: the table registry, who asks, cookies, links and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from tuilerie.server.http.auth import Identity
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.security import COOKIE_SECONDS, address_of
from tuilerie.server.ops.limits import Limiter, Rate
from tuilerie.server.settings import Settings
from tuilerie.server.tables.registry import TableRegistry
from tuilerie.server.tables.room import Room
from tuilerie.store.accounts import Account, Accounts
from tuilerie.store.seats import Seats

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What request handlers share: one for the whole server."""

    registry: TableRegistry
    accounts: Accounts
    seats: Seats
    identity: Identity
    limiter: Limiter
    settings: Settings

    def limit(self, request: AnyRequest, rule: str, rate: Rate) -> None:
        """Count this request by its address. Raises `TooOften`."""
        self.limiter.take(rule, address_of(request.scope), rate)

    async def table(self, slug: str) -> Room:
        """The room of this table, or a 404."""
        room = await self.registry.fresh(slug)
        if room is None:
            raise ApiError(404, "not-found", "no-such-table")
        return room

    # --- who asks ---------------------------------------------------------------------------------

    def cookies(self, request: AnyRequest) -> Mapping[str, str]:
        """The cookies of a request."""
        return request.cookies

    def seat_tokens(self, request: AnyRequest) -> dict[str, str]:
        """The seat tokens of a browser, by table."""
        return self.identity.seat_tokens(request.cookies)

    def has_cookie(self, request: AnyRequest, slug: str) -> bool:
        """Whether the browser holds a seat cookie for this table."""
        return self.identity.seat_cookie(slug) in request.cookies

    async def player(self, request: AnyRequest, room: Room, *, sure: bool = False) -> str | None:
        """Who this browser is at a table; `sure`, if it is to get a token for that."""
        return await self.identity.player(room.slug, room.table, request.cookies, sure=sure)

    async def account(self, request: AnyRequest) -> Account | None:
        """The account that this browser is logged in to."""
        return await self.identity.account(request.cookies)

    # --- cookies and links ------------------------------------------------------------------------

    async def seat_token(
        self, request: AnyRequest, slug: str, player: str, name: str
    ) -> tuple[str, str]:
        """A seat token for this browser, and a recovery token for its other devices."""
        account = await self.account(request)
        token = await self.seats.issue_token(slug, player, name, account.id if account else None)
        recovery = await self.seats.issue_recovery(token)
        assert recovery is not None, "the token was just made"
        return token, recovery

    def seat_cookies(self, request: AnyRequest, slug: str, token: str) -> list[Cookie]:
        """The cookie for a seat; cookies of long ago are ended."""
        old = [self.cookie(name, "", 0) for name in self.identity.too_many(request.cookies)]
        return [*old, self.cookie(self.identity.seat_cookie(slug), token)]

    def cookie(self, name: str, value: str, seconds: int = COOKIE_SECONDS) -> Cookie:
        """A cookie that scripts cannot read and other sites cannot send."""
        return Cookie(
            key=name,
            value=value,
            max_age=seconds,
            httponly=True,
            secure=self.settings.secure,
            samesite="lax",
            path="/",
        )

    def link(self, request: AnyRequest, path: str) -> str:
        """A whole address on this server."""
        base = self.settings.public_url or str(request.base_url)
        return base.rstrip("/") + path


InjectedContext = NamedDependency[RequestContext]
"""The context, as a handler asks for it."""
