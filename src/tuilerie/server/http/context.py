"""Request context: the table registry, authentication, cookies, links and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from tuilerie.server.http.auth import Identity
from tuilerie.server.http.errors import ApiError
from tuilerie.server.http.security import COOKIE_SECONDS, header, network_of, read_cookies
from tuilerie.server.ops.limits import Limiter, Rate
from tuilerie.server.ops.upkeep import Upkeep
from tuilerie.server.records.replayer import Replayer
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
    upkeep: Upkeep
    replayer: Replayer

    def limit(self, request: AnyRequest, rate: Rate) -> None:
        """Count this request by its network. Raises `TooOften`."""
        self.limiter.take(rate, network_of(request.scope))

    async def table(self, slug: str) -> Room:
        """The room of this table, or a 404."""
        room = await self.registry.fresh(slug)
        if room is None:
            raise ApiError(404, "not-found", "no-such-table")
        return room

    # --- authentication ---------------------------------------------------------------------------

    def cookies(self, request: AnyRequest) -> Mapping[str, str]:
        """The cookies of a request. Not `request.cookies`, see `read_cookies`."""
        return read_cookies(header(request.scope, b"cookie"))

    def seat_tokens(self, request: AnyRequest) -> dict[str, str]:
        """The seat tokens of a browser, by table."""
        return self.identity.seat_tokens(self.cookies(request))

    def has_cookie(self, request: AnyRequest, slug: str) -> bool:
        """Whether the browser holds a seat cookie for this table."""
        return self.identity.seat_cookie(slug) in self.cookies(request)

    async def player(self, request: AnyRequest, room: Room, *, sure: bool = False) -> str | None:
        """The player of this browser at a table; `sure`: bypass the token cache."""
        return await self.identity.player(room.slug, room.table, self.cookies(request), sure=sure)

    async def account(self, request: AnyRequest) -> Account | None:
        """The account that this browser is logged in to."""
        return await self.identity.account(self.cookies(request))

    # --- cookies and links ------------------------------------------------------------------------

    async def seat_token(
        self, request: AnyRequest, slug: str, player: str, name: str
    ) -> tuple[str, str]:
        """A seat token for this browser, and a recovery token for its other devices."""
        account = await self.account(request)
        token = self.seat_tokens(request).get(slug, "")
        holder = await self.seats.resolve(token) if token else None
        owner = account.id if account else None
        if (
            holder is None
            or (holder.table, holder.id) != (slug, player)
            or owner not in (None, holder.account)
        ):
            token = await self.seats.issue_token(slug, player, name, owner)
        recovery = await self.seats.issue_recovery(token)
        assert recovery is not None, "the token was just issued"
        return token, recovery

    def seat_cookies(self, request: AnyRequest, slug: str, token: str) -> list[Cookie]:
        """The cookie for a seat, and expired ones for the oldest seats."""
        held = self.cookies(request)
        old = [self.cookie(name, "", 0) for name in self.identity.too_many(held)]
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
        """An absolute URL on this server."""
        base = self.settings.public_url or str(request.base_url)
        return base.rstrip("/") + path


InjectedContext = NamedDependency[RequestContext]
"""The context, as a handler asks for it."""
