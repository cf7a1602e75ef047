"""Accounts, sessions, players, and the tokens by which a seat is known.

A **player** is an opaque id at one table, the only thing that `match/` knows of a person. A **seat
token** is what a browser holds to be that player: 128 random bits, of which only the SHA-256 is
stored. A **recovery token** goes into a link: whoever opens it gets a seat token of their own, so
one seat can be had on several devices. An account is never needed; it can claim players by holding
their seat tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    Table,
    delete,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy import tuple_ as both
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tuilerie.store.batch_loader import BatchLoader
from tuilerie.store.errors import (
    BadName,
    NameTaken,
    NoSuchAccount,
    NoSuchTable,
    driver_error,
    is_connection_lost,
    map_sqlite_error,
)
from tuilerie.store.log import TableRow, is_name
from tuilerie.store.maintenance.erase import nameless
from tuilerie.store.retry import retry
from tuilerie.store.rows import ROW_COLUMNS, now_ms, table_row
from tuilerie.store.schema import accounts, facts, players, seat_tokens, sessions, snapshots, tables
from tuilerie.store.tokens import Passwords, hashed, name_key, new_id, new_token

SESSION_MS = 90 * 24 * 3600 * 1000
"""How long a session lasts."""

PATIENCE = 30.0
"""How many seconds to wait for a server that is not there."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who chose to have one. Times are milliseconds since the epoch."""

    id: str
    name: str
    created: int


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits where: an opaque id, the table, the name to show, and perhaps an account.

    `name` is `None` for somebody who is not to be named (any more).
    """

    id: str
    table: str
    name: str | None = None
    account: str | None = None


class People:
    """All about people, in one database. Every method may raise `Unavailable`."""

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        now: Callable[[], int] = now_ms,
        passwords: Passwords | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._engine = engine
        self._now = now
        self._passwords = passwords or Passwords()
        self._patience = patience
        self._resolve = BatchLoader(self._players_of)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._resolve.close()
        await self._engine.dispose()

    # --- accounts ---

    async def create_account(self, name: str, password: str) -> Account:
        """A new account. Raises `NameTaken`, `BadName`."""
        shown, key = " ".join(name.split()), name_key(name)
        if not key or not is_name(shown):
            raise BadName("this cannot be shown as a name")
        account = Account(new_id(), shown, self._now())
        row = {"id": account.id, "name": shown, "name_key": key, "created": account.created}
        row["password_hash"] = await self._passwords.hash(password)
        owner = select(accounts.c.id).where(accounts.c.name_key == key)

        async def work(connection: AsyncConnection) -> bool:
            await _put(connection, accounts, row)
            return await connection.scalar(owner) == account.id

        if not await self._write(work):
            raise NameTaken("this name is taken")
        return account

    async def check_password(self, name: str, password: str) -> Account | None:
        """The account, if name and password fit. Takes as long where there is no such name."""
        found = await self._checked(name, password)
        return found and found[0]

    async def _checked(self, name: str, password: str) -> tuple[Account, str] | None:
        """The same, with what is stored of the password."""
        query = select(accounts).where(accounts.c.name_key == name_key(name))
        row = await self._one(query)
        fits, better = await self._passwords.check(row.password_hash if row else None, password)
        if row is None or not fits:
            return None
        account, stored = Account(row.id, row.name, row.created), str(row.password_hash)
        if better is None:
            return account, stored
        # It was hashed with less work than we ask for today. Meanwhile it may have been changed, or
        # hashed anew by another who logs in.
        same = (accounts.c.id == row.id) & (accounts.c.password_hash == stored)
        await self._execute(update(accounts).where(same).values(password_hash=better))
        now = await self._one(query)
        if now is None or now.password_hash == better:
            return now and (account, better)
        fits, _ = await self._passwords.check(now.password_hash, password)
        return (account, str(now.password_hash)) if fits else None

    async def log_in(self, name: str, password: str) -> tuple[Account, str] | None:
        """The account and a new session of it, if name and password fit."""
        found = await self._checked(name, password)
        if found is None:
            return None
        account, stored = found
        token, session = self._session(account.id)
        still = select(accounts.c.id).where(
            accounts.c.id == account.id, accounts.c.password_hash == stored
        )

        async def work(connection: AsyncConnection) -> bool:
            if await connection.scalar(still.with_for_update()) is None:
                return False  # the password was changed while we looked at it
            await connection.execute(_expired(session["created"]))
            await _put(connection, sessions, session)
            return True

        return (account, token) if await self._write(work) else None

    async def change_password(self, account: str, password: str) -> str:
        """Give an account another password; tells the token of a new session.

        All others end, and with them whatever else its seats can be had by: seat tokens, links.
        """
        better = await self._passwords.hash(password)
        token, session = self._session(account)

        async def work(connection: AsyncConnection) -> None:
            this = update(accounts).where(accounts.c.id == account)
            await connection.execute(this.values(password_hash=better))
            await connection.execute(delete(sessions).where(sessions.c.account == account))
            await connection.execute(delete(seat_tokens).where(_is_of(account)))
            await _put(connection, sessions, session)

        await self._write(work)
        return token

    async def account(self, account: str) -> Account | None:
        """The account with this id."""
        row = await self._one(select(accounts).where(accounts.c.id == account))
        return Account(row.id, row.name, row.created) if row else None

    async def delete_account(self, account: str) -> bool:
        """Erase an account, its sessions and ratings, and its players' names and tokens.

        False if there was none. The games stay, and whoever played them has no name there any
        more: neither beside the log nor in it, the one change that a log ever sees.
        """
        query = select(players.c.slug, players.c.id).where(players.c.account == account)
        seats: dict[str, set[str]] = {}
        for row in await self._all(query):
            seats.setdefault(row.slug, set()).add(row.id)
        # What is to be changed is found before anything is locked; it cannot change meanwhile.
        found = {slug: await self._named_facts(slug, ids) for slug, ids in seats.items()}

        async def work(connection: AsyncConnection) -> bool:
            this = select(accounts.c.id).where(accounts.c.id == account)
            await connection.execute(this.with_for_update())  # first, as all who change it
            for slug, bodies in found.items():
                await connection.execute(delete(snapshots).where(snapshots.c.slug == slug))
                for number, body in bodies.items():
                    which = (facts.c.table_id == _id_of(slug)) & (facts.c.number == number)
                    await connection.execute(update(facts).where(which).values(body=body))
            await connection.execute(delete(seat_tokens).where(_is_of(account)))
            nobody = update(players).where(players.c.account == account)
            await connection.execute(nobody.values(name=None, account=None))
            # Sessions and ratings go with the account: the schema says so.
            gone = await connection.execute(delete(accounts).where(accounts.c.id == account))
            return gone.rowcount > 0

        return await self._write(work)

    async def _named_facts(self, slug: str, ids: Collection[str]) -> dict[int, bytes]:
        """The facts of a table that name these players, without the names."""
        query = select(facts.c.number, facts.c.body).where(facts.c.table_id == _id_of(slug))
        rows = await self._all(query.order_by(facts.c.number))
        return await asyncio.to_thread(nameless, [(row.number, row.body) for row in rows], ids)

    # --- sessions ---

    async def open_session(self, account: str) -> str:
        """A token that stands for the account until it is closed or `SESSION_MS` have passed.

        Raises `NoSuchAccount`.
        """
        token, session = self._session(account)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(_expired(session["created"]))
            await _put(connection, sessions, session)

        await self._write(work)
        return token

    def _session(self, account: str) -> tuple[str, dict[str, Any]]:
        """A token for a session, and the row to be stored of it."""
        token, now = new_token(), self._now()
        row = {"token_hash": hashed(token), "account": account, "created": now}
        return token, {**row, "expires": now + SESSION_MS}

    async def close_session(self, token: str) -> None:
        """Make a session's token worthless."""
        await self._execute(delete(sessions).where(sessions.c.token_hash == hashed(token)))

    async def session_account(self, token: str) -> Account | None:
        """Whose session this is, if anybody's."""
        query = (
            select(accounts.c.id, accounts.c.name, accounts.c.created)
            .join(sessions, sessions.c.account == accounts.c.id)
            .where(sessions.c.token_hash == hashed(token), sessions.c.expires > self._now())
        )
        row = await self._one(query)
        return Account(*row) if row else None

    # --- seats ---

    async def issue_seat_token(
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
            await _put(connection, players, {**row, "created": self._now()})
            if account is not None:
                await connection.execute(_claim(account, [(table, player)]))
            await _put(connection, seat_tokens, self._token_row(token, table, player))

        await self._write(work)
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
        rows = await self._all(query.where(_is_held(hashes)))
        return {bytes(row[0]): Player(*row[1:]) for row in rows}

    async def player_of(self, account: str, table: str) -> Player | None:
        """The player that an account is at a table, if it sits there; the latest, of several."""
        if not is_name(table):
            return None
        query = select(*PLAYER).where(players.c.account == account, players.c.slug == table)
        row = await self._one(query.order_by(players.c.created.desc(), players.c.id))
        return Player(*row) if row else None

    async def give_back(
        self, tokens: Iterable[str], keep: str | None = None
    ) -> list[tuple[str, str]]:
        """Make those of these seat tokens worthless that stand for players of an account, except
        for the account `keep`. Tells whose: tables and players."""
        held = list(tokens)
        query = select(*PLAYER).join(seat_tokens, SEAT)
        query = query.where(_holds(*held), players.c.account.is_not(None))
        if keep is not None:
            query = query.where(players.c.account != keep)
        seats = sorted({(row.slug, row.id) for row in await self._all(query)}) if held else []
        if seats:
            of_them = both(seat_tokens.c.slug, seat_tokens.c.player).in_(seats)
            await self._execute(delete(seat_tokens).where(_holds(*held), of_them))
        return seats

    async def guest_seats(
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
        return {row.slug for row in await self._all(query.where(players.c.slug.in_(slugs)))}

    async def claim_seats(self, account: str, tokens: Iterable[str]) -> int:
        """Make the players of these seat tokens the account's; tells how many seats became so.

        A player who is somebody's stays so, and an account has one seat at a table. Who was the
        same player at other tables (at a rematch one is) is so for the account as well. Raises
        `NoSuchAccount`.
        """
        held = [(row.table, player.id) for row, player in await self.guest_seats(tokens, account)]
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

        return await self._write(work)

    async def players(self, table: str) -> dict[str, Player]:
        """All players who ever sat at a table, by id."""
        if not is_name(table):
            return {}
        rows = await self._all(select(*PLAYER).where(players.c.slug == table).order_by(*PLAYER))
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
        rows = await self._all(query.where(mine).order_by(*newest).limit(limit))
        return [(table_row(row[len(PLAYER) :]), Player(*row[: len(PLAYER)])) for row in rows]

    # --- how it is done ---

    def _token_row(self, token: str, table: str, player: str) -> dict[str, Any]:
        row = {"token_hash": hashed(token), "slug": table, "player": player, "recovery": False}
        return {**row, "created": self._now()}

    async def _issue(self, player: Player, *, recovery: bool) -> str:
        token = new_token()
        row = {**self._token_row(token, player.table, player.id), "recovery": recovery}
        await self._write(lambda connection: _put(connection, seat_tokens, row))
        return token

    async def _player(self, which: ColumnElement[bool]) -> Player | None:
        row = await self._one(select(*PLAYER).join(seat_tokens, SEAT).where(which))
        return Player(*row) if row else None

    async def _one(self, query: Select[Any]) -> Any:
        rows = await self._all(query.limit(1))
        return rows[0] if rows else None

    async def _all(self, query: Select[Any]) -> Sequence[Any]:
        async def work(connection: AsyncConnection) -> Sequence[Any]:
            rows: Sequence[Any] = (await connection.execute(query)).all()
            return rows

        return await self._do(self._engine, work, writes=False)

    async def _execute(self, statement: Any) -> int:
        async def work(connection: AsyncConnection) -> int:
            rowcount: int = (await connection.execute(statement)).rowcount
            return rowcount

        return await self._write(work)

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do something in one transaction. It may be done twice and must then be as if once."""
        return await self._do(self._engine.execution_options(writes=True), work, writes=True)

    async def _do(
        self,
        engine: AsyncEngine,
        work: Callable[[AsyncConnection], Awaitable[T]],
        *,
        writes: bool,
    ) -> T:
        async def attempt(_in_doubt: bool) -> T:
            async with engine.begin() as connection:
                try:
                    return await work(connection)
                except Exception as error:
                    if is_connection_lost(driver_error(error)):
                        await connection.invalidate()  # nobody is to get it again
                    raise

        try:
            return await retry(attempt, self._patience, writes=writes)
        except IntegrityError as error:
            # Whatever else could be missing or there twice is looked at before.
            raise NoSuchAccount("there is no such account") from error
        except Exception as error:
            if told := map_sqlite_error(driver_error(error)):
                raise told from error
            raise


PLAYER = (players.c.id, players.c.slug, players.c.name, players.c.account)
TABLE_ROW: tuple[ColumnElement[Any], ...] = tuple(
    literal_column(f"({each})") for each in ROW_COLUMNS
)
SEAT = (players.c.slug == seat_tokens.c.slug) & (players.c.id == seat_tokens.c.player)


def _id_of(slug: str) -> ScalarSelect[int]:
    return select(tables.c.id).where(tables.c.slug == slug).scalar_subquery()


def _holds(*tokens: str, recovery: bool = False) -> ColumnElement[bool]:
    """The rows of these tokens."""
    return _is_held([hashed(token) for token in tokens], recovery=recovery)


def _is_held(hashes: Sequence[bytes], *, recovery: bool = False) -> ColumnElement[bool]:
    return seat_tokens.c.token_hash.in_(hashes) & seat_tokens.c.recovery.is_(recovery)


def _expired(now: int) -> Any:
    """What forgets sessions whose time is over."""
    return delete(sessions).where(sessions.c.expires <= now)


def _is_of(account: str) -> ColumnElement[bool]:
    """The tokens of an account's seats."""
    theirs = select(players.c.slug, players.c.id).where(players.c.account == account)
    return both(seat_tokens.c.slug, seat_tokens.c.player).in_(theirs)


def _claim(account: str, seats: Sequence[tuple[str, str]]) -> Any:
    free = players.c.account.is_(None) & both(players.c.slug, players.c.id).in_(seats)
    return update(players).where(free).values(account=account)


async def _put(connection: AsyncConnection, table: Table, row: dict[str, Any]) -> None:
    """Add a row, unless one with its key is there: the same thing may be done twice."""
    postgres = connection.dialect.name == "postgresql"
    new = postgresql.insert(table) if postgres else sqlite.insert(table)
    await connection.execute(new.values(row).on_conflict_do_nothing())
