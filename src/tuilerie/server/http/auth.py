"""Authentication by cookies: seat tokens, one per table, and perhaps a login session."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping

from tuilerie.match.table import Table
from tuilerie.server.http.security import SEAT_COOKIE, SESSION_COOKIE, cookie_name
from tuilerie.store.accounts import Account, Accounts
from tuilerie.store.seats import Player, Seats

MOST_SEATS = 60
"""How many seat cookies a browser may keep; the oldest are expired first."""

OTHER_SEATS = 12
"""How many of a browser's other seats are checked, to recognise a player of the last game."""

CACHED_TOKENS = 20_000
CACHE_SECONDS = 60.0
"""A token revoked by another server is refused here after this time at the latest."""


class Identity:
    """Finds the player behind a browser's cookies."""

    def __init__(self, accounts: Accounts, seats: Seats, *, secure: bool) -> None:
        self._accounts = accounts
        self._seats = seats
        self._prefix = cookie_name(SEAT_COOKIE, secure=secure)
        self.session_cookie = cookie_name(SESSION_COOKIE, secure=secure)
        self._known: OrderedDict[str, tuple[Player, float]] = OrderedDict()

    def seat_cookie(self, slug: str) -> str:
        """The name of the cookie for a table."""
        return self._prefix + slug

    def seat_tokens(self, cookies: Mapping[str, str]) -> dict[str, str]:
        """The seat tokens among these cookies, by table, oldest first."""
        start = len(self._prefix)
        return {
            name[start:]: value
            for name, value in cookies.items()
            if name.startswith(self._prefix) and 16 <= len(value) <= 128
        }

    def too_many(self, cookies: Mapping[str, str]) -> list[str]:
        """The names of the oldest seat cookies, those beyond `MOST_SEATS`."""
        slugs = list(self.seat_tokens(cookies))
        return [self.seat_cookie(slug) for slug in slugs[: max(0, len(slugs) - MOST_SEATS)]]

    async def account(self, cookies: Mapping[str, str]) -> Account | None:
        """The account that this browser is logged in to."""
        token = cookies.get(self.session_cookie)
        if not token or len(token) > 128:
            return None
        return await self._accounts.session_account(token)

    async def player(
        self, slug: str, table: Table, cookies: Mapping[str, str], *, sure: bool = False
    ) -> str | None:
        """The player of this browser at a table: by its seat cookie, its account, or, at a
        rematch, by its seat at the last table.

        `sure`: bypass the cache. Needed where a new token is issued: the old one may have been
        revoked on another node.
        """
        tokens = self.seat_tokens(cookies)
        own = tokens.pop(slug, None)
        if own is not None:
            player = await self._resolve(own, sure)
            if player is not None and player.table == slug:
                return player.id
        account = await self.account(cookies)
        if account is not None:
            player = await self._seats.player_of(account.id, slug)
            if player is not None:
                return player.id
        for token in list(tokens.values())[-OTHER_SEATS:]:
            player = await self._resolve(token, sure)
            if player is not None and table.seat_of(player.id) is not None:
                here = (await self._seats.players(slug)).get(player.id)
                if here is None or here.account is None:  # else it belongs to that account
                    return player.id
        return None

    async def _resolve(self, token: str, sure: bool) -> Player | None:
        known, until = self._known.get(token, (None, 0.0))
        if known is not None and not sure and time.monotonic() < until:
            return known
        player = await self._seats.resolve(token)
        if player is not None:
            self._known[token] = (player, time.monotonic() + CACHE_SECONDS)
            if len(self._known) > CACHED_TOKENS:
                self._known.popitem(last=False)
        return player

    def forget(self) -> None:
        """Clear the cache: tokens were revoked, here or on another node."""
        self._known.clear()
