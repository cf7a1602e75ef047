"""What every request needs: the hub, who asks, cookies, links and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from tuilerie.server.gateway import address_of
from tuilerie.server.hub import Hub
from tuilerie.server.identity import Identity
from tuilerie.server.limits import Limiter, Rate
from tuilerie.server.live import LiveTable
from tuilerie.server.problems import Problem
from tuilerie.server.security import COOKIE_SECONDS
from tuilerie.server.settings import Settings
from tuilerie.store.people import Account

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """One for the whole server."""

    hub: Hub
    identity: Identity
    limiter: Limiter
    settings: Settings

    def limit(self, request: AnyRequest, rule: str, rate: Rate) -> None:
        """Count this request by its address. Raises `TooOften`."""
        self.limiter.take(rule, address_of(request.scope), rate)

    async def table(self, slug: str) -> LiveTable:
        """The live table of this name, or a 404."""
        live = await self.hub.fresh(slug)
        if live is None:
            raise Problem(404, "not-found", "no-such-table")
        return live

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

    async def player(
        self, request: AnyRequest, live: LiveTable, *, sure: bool = False
    ) -> str | None:
        """Who this browser is at a table; `sure`, if it is to get a token for that."""
        return await self.identity.player(live.slug, live.table, request.cookies, sure=sure)

    async def account(self, request: AnyRequest) -> Account | None:
        """The account that this browser is logged in to."""
        return await self.identity.account(request.cookies)

    # --- cookies and links ------------------------------------------------------------------------

    async def seat_token(
        self, request: AnyRequest, slug: str, player: str, name: str
    ) -> tuple[str, str]:
        """A seat token for this browser, and a recovery token for its other devices."""
        account = await self.account(request)
        people = self.hub.people
        token = await people.issue_seat_token(slug, player, name, account.id if account else None)
        recovery = await people.issue_recovery(token)
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


Given = NamedDependency[Context]
"""The context, as a handler asks for it."""
