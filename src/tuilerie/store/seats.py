"""Players, and the tokens by which a browser holds a seat.

A **player** is an opaque id at one table, the only thing that `match/` knows of a person. A **seat
token** is what a browser holds to be that player: 128 random bits, of which only the SHA-256 is
stored. A **recovery token** goes into a link: whoever opens it gets a seat token of their own, so
one seat can be had on several devices. An account is never needed; it can claim players by holding
their seat tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, literal_column, or_, select, update
from sqlalchemy import tuple_ as both
from sqlalchemy.ext.asyncio import AsyncConnection

from tuilerie.store.batch_loader import BatchLoader
from tuilerie.store.errors import NoSuchTable
from tuilerie.store.log import TableRow, is_name
from tuilerie.store.rows import ROW_COLUMNS, now_ms, table_row
from tuilerie.store.schema import accounts, players, seat_tokens, tables
from tuilerie.store.sql import Sql, insert_if_absent
from tuilerie.store.tokens import hashed, new_token


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits where: an opaque id, the table, the name to show, and perhaps an account.

    `name` is `None` for somebody who is not to be named (any more).
    """

    id: str
    table: str
    name: str | None = None
    account: str | None = None


class Seats:
    """All players and seat tokens of one database. Every method may raise `Unavailable`."""

    def __init__(self, sql: Sql, *, now: Callable[[], int] = now_ms) -> None:
        self._sql = sql
        self._now = now
        self._resolve = BatchLoader(self._players_of)

    async def close(self) -> None:
        """Stop looking up tokens; whoever waits is told so."""
        await self._resolve.close()

    async def issue_token(
        self, table: str, player: str, name: str | None = None, account: str | None = None
    ) -> str:
        """A seat token for a player, who is written down if not known yet.

        `account` is whose the player becomes, unless it is somebody's. Raises `NoSuchTable`,
        `NoSuchAccount`.
        """
        if not is_name(table):
            raise NoSuchTable(table)
        token = new_token()

        async def work(connection: AsyncConnection) -> None:
            if await connection.scalar(select(tables.c.slug).filter_by(slug=table)) is None:
                raise NoSuchTable(table)
            row = {"slug": table, "id": player, "name": name, "account": account}
            await insert_if_absent(connection, players, {**row, "created": self._now()})
            if account is not None:
                await connection.execute(_claim(account, [(table, player)]))
            await insert_if_absent(connection, seat_tokens, self._token_row(token, table, player))

        await self._sql.write(work)
        return token

    async def issue_recovery(self, token: str) -> str | None:
        """A recovery token for the seat that a seat token stands for, to be put into a link."""
        player = await self.resolve(token)
        if player is None:
            return None
        return await self._issue(player, recovery=True)

    async def recover(self, recovery: str) -> tuple[Player, str] | None:
        """The player of a recovery token, with a seat token for the device that asks."""
        player = await self._player(_holds(recovery, recovery=True))
        if player is None:
            return None
        return player, await self._issue(player, recovery=False)

    async def resolve(self, token: str) -> Player | None:
        """The player that a seat token stands for."""
        return await self._resolve(hashed(token))

    async def _players_of(self, hashes: Sequence[bytes]) -> dict[bytes, Player]:
        query = select(seat_tokens.c.token_hash, *PLAYER).join(seat_tokens, SEAT)
        rows = await self._sql.all(query.where(_is_held(hashes)))
        return {bytes(row[0]): Player(*row[1:]) for row in rows}

    async def player_of(self, account: str, table: str) -> Player | None:
        """The player that an account is at a table, if it sits there; the latest, of several."""
        if not is_name(table):
            return None
        query = select(*PLAYER).where(players.c.account == account, players.c.slug == table)
        row = await self._sql.one(query.order_by(players.c.created.desc(), players.c.id))
        return Player(*row) if row else None

    async def revoke(self, tokens: Iterable[str], keep: str | None = None) -> list[tuple[str, str]]:
        """Make those of these seat tokens worthless that stand for players of an account, except
        for the account `keep`. Tells whose: tables and players."""
        held = list(tokens)
        query = select(*PLAYER).join(seat_tokens, SEAT)
        query = query.where(_holds(*held), players.c.account.is_not(None))
        if keep is not None:
            query = query.where(players.c.account != keep)
        seats = sorted({(row.slug, row.id) for row in await self._sql.all(query)}) if held else []
        if seats:
            of_them = both(seat_tokens.c.slug, seat_tokens.c.player).in_(seats)
            await self._sql.execute(delete(seat_tokens).where(_holds(*held), of_them))
        return seats

    async def unclaimed(
        self, tokens: Iterable[str], account: str | None = None
    ) -> list[tuple[TableRow, Player]]:
        """The seats of these seat tokens that no account has, the newest first; without tables at
        which this account sits already: there, another seat is another person's."""
        rows = await self.games_of(None, tokens)
        own = await self._tables_of(account, [row.table for row, _ in rows])
        return [
            (row, player) for row, player in rows if player.account is None and row.table not in own
        ]

    async def _tables_of(self, account: str | None, slugs: Collection[str]) -> set[str]:
        """At which of these tables an account sits."""
        if account is None or not slugs:
            return set()
        query = select(players.c.slug).where(players.c.account == account)
        return {row.slug for row in await self._sql.all(query.where(players.c.slug.in_(slugs)))}

    async def claim(self, account: str, tokens: Iterable[str]) -> int:
        """Make the players of these seat tokens the account's; tells how many seats became so.

        A player who is somebody's stays so, and an account has one seat at a table. Who was the
        same player at other tables (at a rematch one is) is so for the account as well. Raises
        `NoSuchAccount`.
        """
        held = [(row.table, player.id) for row, player in await self.unclaimed(tokens, account)]
        if not held:
            return 0
        same = select(players.c.slug, players.c.id).where(
            players.c.account.is_(None), players.c.id.in_({player for _, player in held})
        )
        own = select(players.c.slug).where(players.c.account == account)

        async def work(connection: AsyncConnection) -> int:
            this = select(accounts.c.id).where(accounts.c.id == account)
            await connection.execute(this.with_for_update())  # one claim at a time
            taken = set(await connection.scalars(own))
            seats: dict[str, str] = {}
            for slug, player in [*held, *(await connection.execute(same)).all()]:
                if slug not in taken:
                    seats.setdefault(slug, player)
            done = await connection.execute(_claim(account, sorted(seats.items())))
            return done.rowcount

        return await self._sql.write(work)

    async def players(self, table: str) -> dict[str, Player]:
        """All players who ever sat at a table, by id."""
        if not is_name(table):
            return {}
        rows = await self._sql.all(select(*PLAYER).where(players.c.slug == table).order_by(*PLAYER))
        return {row.id: Player(*row) for row in rows}

    async def games_of(
        self, account: str | None = None, tokens: Iterable[str] = (), limit: int = 100
    ) -> list[tuple[TableRow, Player]]:
        """The tables at which an account or the holder of seat tokens sits, the newest first."""
        tokens = list(tokens)
        if account is None and not tokens:
            return []
        held = both(players.c.slug, players.c.id).in_(
            select(seat_tokens.c.slug, seat_tokens.c.player).where(_holds(*tokens))
        )
        mine = held if account is None else or_(players.c.account == account, held)
        query = select(*PLAYER, *TABLE_ROW).join(tables, tables.c.slug == players.c.slug)
        newest = (players.c.created.desc(), players.c.slug, players.c.id)
        rows = await self._sql.all(query.where(mine).order_by(*newest).limit(limit))
        return [(table_row(row[len(PLAYER) :]), Player(*row[: len(PLAYER)])) for row in rows]

    def _token_row(self, token: str, table: str, player: str) -> dict[str, Any]:
        row = {"token_hash": hashed(token), "slug": table, "player": player, "recovery": False}
        return {**row, "created": self._now()}

    async def _issue(self, player: Player, *, recovery: bool) -> str:
        token = new_token()
        row = {**self._token_row(token, player.table, player.id), "recovery": recovery}
        await self._sql.write(lambda connection: insert_if_absent(connection, seat_tokens, row))
        return token

    async def _player(self, which: ColumnElement[bool]) -> Player | None:
        row = await self._sql.one(select(*PLAYER).join(seat_tokens, SEAT).where(which))
        return Player(*row) if row else None


PLAYER = (players.c.id, players.c.slug, players.c.name, players.c.account)
TABLE_ROW: tuple[ColumnElement[Any], ...] = tuple(
    literal_column(f"({each})") for each in ROW_COLUMNS
)
SEAT = (players.c.slug == seat_tokens.c.slug) & (players.c.id == seat_tokens.c.player)


def _holds(*tokens: str, recovery: bool = False) -> ColumnElement[bool]:
    """The rows of these tokens."""
    return _is_held([hashed(token) for token in tokens], recovery=recovery)


def _is_held(hashes: Sequence[bytes], *, recovery: bool = False) -> ColumnElement[bool]:
    return seat_tokens.c.token_hash.in_(hashes) & seat_tokens.c.recovery.is_(recovery)


def tokens_of_account(account: str) -> ColumnElement[bool]:
    """The tokens of an account's seats."""
    theirs = select(players.c.slug, players.c.id).where(players.c.account == account)
    return both(seat_tokens.c.slug, seat_tokens.c.player).in_(theirs)


def _claim(account: str, seats: Sequence[tuple[str, str]]) -> Any:
    free = players.c.account.is_(None) & both(players.c.slug, players.c.id).in_(seats)
    return update(players).where(free).values(account=account)
