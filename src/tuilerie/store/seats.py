"""Players, and the tokens that prove who holds a seat.

A **player** is an opaque id at one table, all that `match/` knows of a person. A **seat token**
authenticates a browser as that player: 128 random bits, stored only as a SHA-256 hash. A **recovery
token** is part of a link; opening it issues a new seat token, so a seat can be used on several
devices. Accounts are optional; an account claims players by presenting their seat tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, literal_column, select, update
from sqlalchemy import tuple_ as both

from tuilerie.store.batch_loader import BatchLoader
from tuilerie.store.errors import NoSuchTable
from tuilerie.store.log import TableRow, is_name
from tuilerie.store.rows import ROW_COLUMNS, now_ms, table_row
from tuilerie.store.schema import accounts, players, seat_tokens, tables
from tuilerie.store.sql import Sql, insert_if_absent
from tuilerie.store.tokens import hashed, new_token

MOST_TOKENS = 16
"""How many browsers, and how many recovery links, one seat may have; the oldest is revoked."""

SEATS_READ = 1_000
"""Seats per query, so that the event loop is not held up by who has many."""

RECOVERY_MS = 30 * 86_400_000
"""How long a recovery link is good: who finds an old one must not get into a game by it. Who holds
the seat can ask for a new link at any time."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player at a table: an opaque id, the display name, and the account, if any.

    `name` is `None` once it is erased.
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
        """Stop token lookups and fail pending ones."""
        await self._resolve.close()

    async def issue_token(
        self, table: str, player: str, name: str | None = None, account: str | None = None
    ) -> str:
        """Issue a seat token for a player, who is stored if new.

        The player becomes `account`'s, unless it already belongs to an account. Raises
        `NoSuchTable`, `NoSuchAccount`.
        """
        if not is_name(table):
            raise NoSuchTable(table)
        token = new_token()

        def work(connection: Connection) -> None:
            if connection.scalar(select(tables.c.slug).filter_by(slug=table)) is None:
                raise NoSuchTable(table)
            row = {"slug": table, "id": player, "name": name, "account": account}
            insert_if_absent(connection, players, {**row, "created": self._now()})
            if account is not None:
                connection.execute(_claim(account, [(table, player)]))
            _insert_token(connection, self._token_row(token, table, player))

        await self._sql.write(work)
        return token

    async def assign(self, table: str, player: str, name: str, account: str) -> None:
        """Store a player of this account, unless it is stored; no token is needed. Raises
        `NoSuchAccount`."""
        row: dict[str, Any] = {"slug": table, "id": player, "name": name, "account": account}
        row["created"] = self._now()
        await self._sql.write(lambda connection: insert_if_absent(connection, players, row))

    async def count_tables(self, account: str, prefix: str) -> int:
        """Return how many tables of an account have an id that begins so."""
        query = select(func.count(players.c.slug.distinct())).where(
            players.c.account == account, players.c.slug.startswith(prefix, autoescape=True)
        )
        row = await self._sql.one(query)
        return int(row[0])

    async def issue_recovery(self, token: str) -> str | None:
        """Issue a recovery token, for use in a link, for the seat of a seat token."""
        player = await self.resolve(token)
        if player is None:
            return None
        return await self._issue(player, recovery=True)

    async def recover(self, recovery: str) -> tuple[Player, str] | None:
        """Redeem a recovery token: return its player and a new seat token."""
        fresh = seat_tokens.c.created > self._now() - RECOVERY_MS
        player = await self._player(_holds(recovery, recovery=True) & fresh)
        if player is None:
            return None
        return player, await self._issue(player, recovery=False)

    async def resolve(self, token: str) -> Player | None:
        """Return the player of a seat token."""
        return await self._resolve(hashed(token))

    async def _players_of(self, hashes: Sequence[bytes]) -> dict[bytes, Player]:
        query = select(seat_tokens.c.token_hash, *PLAYER).join(seat_tokens, SEAT)
        rows = await self._sql.all(query.where(_is_held(hashes)))
        return {bytes(row[0]): Player(*row[1:]) for row in rows}

    async def player_of(self, account: str, table: str) -> Player | None:
        """Return the account's player at a table (the latest of several), or `None`."""
        if not is_name(table):
            return None
        query = select(*PLAYER).where(players.c.account == account, players.c.slug == table)
        row = await self._sql.one(query.order_by(players.c.created.desc(), players.c.id))
        return Player(*row) if row else None

    async def revoke(self, tokens: Iterable[str], keep: str | None = None) -> list[tuple[str, str]]:
        """Revoke those of these seat tokens whose players belong to an account other than `keep`.
        Returns the tables and players."""
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
        """Return the seats of these tokens that belong to no account, newest first. Tables where
        this account has a seat are left out: another seat there is another person's."""
        rows = await self.games_of(None, tokens)
        own = await self._tables_of(account, [row.table for row, _ in rows])
        return [
            (row, player) for row, player in rows if player.account is None and row.table not in own
        ]

    async def _tables_of(self, account: str | None, slugs: Collection[str]) -> set[str]:
        """Return those of these tables where the account has a seat."""
        if account is None or not slugs:
            return set()
        query = select(players.c.slug).where(players.c.account == account)
        return {row.slug for row in await self._sql.all(query.where(players.c.slug.in_(slugs)))}

    async def claim(self, account: str, tokens: Iterable[str]) -> int:
        """Assign the players of these seat tokens to the account; return the number of seats.

        Players of another account are skipped, and an account gets one seat per table. The same
        player at other tables (rematches) is assigned as well. Raises `NoSuchAccount`.
        """
        held = [(row.table, player.id) for row, player in await self.unclaimed(tokens, account)]
        if not held:
            return 0
        same = select(players.c.slug, players.c.id).where(
            players.c.account.is_(None), players.c.id.in_({player for _, player in held})
        )

        def work(connection: Connection) -> int:
            this = select(accounts.c.id).where(accounts.c.id == account)
            connection.execute(this.with_for_update())  # one claim at a time
            free = [*held, *connection.execute(same).all()]
            own = select(players.c.slug).where(
                players.c.account == account, players.c.slug.in_({slug for slug, _ in free})
            )
            taken = set(connection.scalars(own))
            seats: dict[str, str] = {}
            for slug, player in free:
                if slug not in taken:
                    seats.setdefault(slug, player)
            done = connection.execute(_claim(account, sorted(seats.items())))
            return done.rowcount

        return await self._sql.write(work)

    async def players(self, table: str) -> dict[str, Player]:
        """Return all players who ever had a seat at a table, by id."""
        if not is_name(table):
            return {}
        rows = await self._sql.all(select(*PLAYER).where(players.c.slug == table).order_by(*PLAYER))
        return {row.id: Player(*row) for row in rows}

    async def seats_of(self, account: str) -> list[tuple[str, str]]:
        """Return all tables and players of an account, read a page at a time."""
        found: list[tuple[str, str]] = []
        order = (players.c.created, players.c.slug, players.c.id)  # by the index
        query = select(*order).where(players.c.account == account).order_by(*order)
        last: Any = (-1, "", "")
        while True:
            rows = await self._sql.all(query.where(both(*order) > last).limit(SEATS_READ))
            found += [(row.slug, row.id) for row in rows]
            if len(rows) < SEATS_READ:
                return found
            last = tuple(rows[-1])

    async def games_of(
        self, account: str | None = None, tokens: Iterable[str] = (), limit: int = 100
    ) -> list[tuple[TableRow, Player]]:
        """Return the tables of an account or of seat tokens, newest first."""
        held = list(tokens)
        found: dict[tuple[str, str], Any] = {}
        columns = select(*PLAYER, players.c.created)
        newest = (players.c.created.desc(), players.c.slug, players.c.id)
        # Two queries, each by its index and cut off before the tables are looked up.
        queries = []
        if account is not None:
            queries.append(columns.where(players.c.account == account))
        if held:
            queries.append(columns.join(seat_tokens, SEAT).where(_holds(*held)))
        for query in queries:
            for row in await self._sql.all(query.order_by(*newest).limit(limit)):
                found[row.slug, row.id] = row
        mine = sorted(found.values(), key=lambda row: (-row.created, row.slug, row.id))[:limit]
        rows = await self._rows({row.slug for row in mine})
        return [(rows[row.slug], Player(*row[: len(PLAYER)])) for row in mine if row.slug in rows]

    async def _rows(self, slugs: Collection[str]) -> dict[str, TableRow]:
        if not slugs:
            return {}
        rows = await self._sql.all(select(*TABLE_ROW).where(tables.c.slug.in_(slugs)))
        return {row.table: row for row in map(table_row, rows)}

    def _token_row(self, token: str, table: str, player: str) -> dict[str, Any]:
        row = {"token_hash": hashed(token), "slug": table, "player": player, "recovery": False}
        return {**row, "created": self._now()}

    async def _issue(self, player: Player, *, recovery: bool) -> str:
        token = new_token()
        row = {**self._token_row(token, player.table, player.id), "recovery": recovery}
        await self._sql.write(lambda connection: _insert_token(connection, row))
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
    """Return the condition for the rows of these tokens."""
    return _is_held([hashed(token) for token in tokens], recovery=recovery)


def _is_held(hashes: Sequence[bytes], *, recovery: bool = False) -> ColumnElement[bool]:
    return seat_tokens.c.token_hash.in_(hashes) & seat_tokens.c.recovery.is_(recovery)


def tokens_of_account(account: str) -> ColumnElement[bool]:
    """Return the condition for the tokens of an account's seats."""
    theirs = select(players.c.slug, players.c.id).where(players.c.account == account)
    return both(seat_tokens.c.slug, seat_tokens.c.player).in_(theirs)


def _insert_token(connection: Connection, row: dict[str, Any]) -> None:
    """Insert a token, and delete the oldest of its kind beyond `MOST_TOKENS`."""
    insert_if_absent(connection, seat_tokens, row)
    same = seat_tokens.c.recovery.is_(row["recovery"]) & (
        (seat_tokens.c.slug == row["slug"]) & (seat_tokens.c.player == row["player"])
    )
    newest = (
        select(seat_tokens.c.token_hash)
        .where(same)
        .order_by(seat_tokens.c.created.desc(), seat_tokens.c.token_hash)
        .limit(MOST_TOKENS)
    )
    old = same & seat_tokens.c.token_hash.not_in(newest)
    connection.execute(
        delete(seat_tokens).where(old, seat_tokens.c.token_hash != row["token_hash"])
    )


def _claim(account: str, seats: Sequence[tuple[str, str]]) -> Any:
    free = players.c.account.is_(None) & both(players.c.slug, players.c.id).in_(seats)
    return update(players).where(free).values(account=account)
