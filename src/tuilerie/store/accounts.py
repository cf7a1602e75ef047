"""Accounts, which are optional, and their login sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, ScalarSelect, delete, select, update

from tuilerie.store.errors import BadName, Banned, NameTaken
from tuilerie.store.log import is_name
from tuilerie.store.maintenance.erase import nameless
from tuilerie.store.rows import now_ms
from tuilerie.store.schema import accounts, bans, facts, players, seat_tokens, sessions, tables
from tuilerie.store.seats import tokens_of_account
from tuilerie.store.sql import Sql, insert_if_absent
from tuilerie.store.tokens import Passwords, hashed, name_key, new_id, new_token

SESSION_MS = 90 * 24 * 3600 * 1000
"""Lifetime of a login session, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Account:
    """A registered account. Times are milliseconds since the epoch."""

    id: str
    name: str
    created: int


class Accounts:
    """All accounts and sessions of one database. Every method may raise `Unavailable`."""

    def __init__(
        self,
        sql: Sql,
        *,
        now: Callable[[], int] = now_ms,
        passwords: Passwords | None = None,
    ) -> None:
        self._sql = sql
        self._now = now
        self._passwords = passwords or Passwords()

    # --- accounts ---

    async def create(self, name: str, password: str) -> Account:
        """Create an account. Raises `NameTaken`, `BadName`."""
        shown, key = " ".join(name.split()), name_key(name)
        if not key or not is_name(shown):
            raise BadName("invalid name")
        account = Account(new_id(), shown, self._now())
        row = {"id": account.id, "name": shown, "name_key": key, "created": account.created}
        row["password_hash"] = await self._passwords.hash(password)
        owner = select(accounts.c.id).where(accounts.c.name_key == key)

        def work(connection: Connection) -> bool:
            insert_if_absent(connection, accounts, row)
            return connection.scalar(owner) == account.id

        if not await self._sql.write(work):
            raise NameTaken("this name is taken")
        return account

    async def check_password(self, name: str, password: str) -> Account | None:
        """Return the account if name and password match. Unknown names take as long to check."""
        found = await self._checked(name, password)
        return found and found[0]

    async def _checked(self, name: str, password: str) -> tuple[Account, str] | None:
        """Check a password; return the account and the stored hash."""
        query = select(accounts).where(accounts.c.name_key == name_key(name))
        row = await self._sql.one(query)
        fits, better = await self._passwords.check(row.password_hash if row else None, password)
        if row is None or not fits:
            return None
        account, stored = Account(row.id, row.name, row.created), str(row.password_hash)
        if better is None:
            return account, stored
        # The stored hash uses old parameters: rehash, unless it has changed meanwhile (by a new
        # password or a concurrent login).
        same = (accounts.c.id == row.id) & (accounts.c.password_hash == stored)
        await self._sql.execute(update(accounts).where(same).values(password_hash=better))
        now = await self._sql.one(query)
        if now is None or now.password_hash == better:
            return now and (account, better)
        fits, _ = await self._passwords.check(now.password_hash, password)
        return (account, str(now.password_hash)) if fits else None

    async def log_in(self, name: str, password: str) -> tuple[Account, str] | None:
        """Return the account and a new session token if name and password match.

        Raises `Banned`.
        """
        found = await self._checked(name, password)
        if found is None:
            return None
        account, stored = found
        await self._check_ban(account.id)
        token, session = self._session(account.id)
        still = select(accounts.c.id).where(
            accounts.c.id == account.id, accounts.c.password_hash == stored
        )

        def work(connection: Connection) -> bool:
            if connection.scalar(still.with_for_update()) is None:
                return False  # the password was changed during the check
            connection.execute(_expired(session["created"]))
            insert_if_absent(connection, sessions, session)
            return True

        return (account, token) if await self._sql.write(work) else None

    async def change_password(self, account: str, password: str) -> str:
        """Change the password; return the token of a new session.

        All other sessions end, and the seat tokens and recovery links of its seats are revoked.
        """
        better = await self._passwords.hash(password)
        token, session = self._session(account)

        def work(connection: Connection) -> None:
            this = update(accounts).where(accounts.c.id == account)
            connection.execute(this.values(password_hash=better))
            connection.execute(delete(sessions).where(sessions.c.account == account))
            connection.execute(delete(seat_tokens).where(tokens_of_account(account)))
            insert_if_absent(connection, sessions, session)

        await self._sql.write(work)
        return token

    async def find(self, account: str) -> Account | None:
        """Return the account with this id."""
        row = await self._sql.one(select(accounts).where(accounts.c.id == account))
        return Account(row.id, row.name, row.created) if row else None

    async def delete(self, account: str) -> bool:
        """Erase an account, its sessions, and its players' names and tokens.

        Returns false if there was none. The games stay, but the names are erased beside the log and
        in it: the only change ever made to a log.
        """
        query = select(players.c.slug, players.c.id).where(players.c.account == account)
        seats: dict[str, set[str]] = {}
        for row in await self._sql.all(query):
            seats.setdefault(row.slug, set()).add(row.id)
        # Find the facts before taking locks; they are immutable.
        found = {slug: await self._named_facts(slug, ids) for slug, ids in seats.items()}

        def work(connection: Connection) -> bool:
            this = select(accounts.c.id).where(accounts.c.id == account)
            connection.execute(this.with_for_update())  # lock it first, as all writers do
            for slug, bodies in found.items():
                for number, body in bodies.items():
                    which = (facts.c.table_id == _id_of(slug)) & (facts.c.number == number)
                    connection.execute(update(facts).where(which).values(body=body))
                # It holds names, too; it is made again from the log.
                listed = update(tables).where(tables.c.slug == slug)
                connection.execute(listed.values(summary=None))
            connection.execute(delete(seat_tokens).where(tokens_of_account(account)))
            nobody = update(players).where(players.c.account == account)
            connection.execute(nobody.values(name=None, account=None))
            # Sessions are deleted by ON DELETE CASCADE.
            gone = connection.execute(delete(accounts).where(accounts.c.id == account))
            return gone.rowcount > 0

        return await self._sql.write(work)

    async def _named_facts(self, slug: str, ids: Collection[str]) -> dict[int, bytes]:
        """Return the facts of a table that name these players, with the names erased."""
        query = select(facts.c.number, facts.c.body).where(facts.c.table_id == _id_of(slug))
        rows = await self._sql.all(query.order_by(facts.c.number))
        return await asyncio.to_thread(nameless, [(row.number, row.body) for row in rows], ids)

    # --- sessions ---

    async def open_session(self, account: str) -> str:
        """Return a session token, valid until it is closed or `SESSION_MS` have passed.

        Raises `NoSuchAccount`.
        """
        token, session = self._session(account)

        def work(connection: Connection) -> None:
            connection.execute(_expired(session["created"]))
            insert_if_absent(connection, sessions, session)

        await self._sql.write(work)
        return token

    async def _check_ban(self, account: str) -> None:
        banned = select(bans.c.kind).where(bans.c.kind == "account", bans.c.subject == account)
        if await self._sql.one(banned) is not None:
            raise Banned("this account is banned")

    def _session(self, account: str) -> tuple[str, dict[str, Any]]:
        """Return a new session token and its row."""
        token, now = new_token(), self._now()
        row = {"token_hash": hashed(token), "account": account, "created": now}
        return token, {**row, "expires": now + SESSION_MS}

    async def close_session(self, token: str) -> None:
        """Revoke a session token."""
        await self._sql.execute(delete(sessions).where(sessions.c.token_hash == hashed(token)))

    async def session_account(self, token: str) -> Account | None:
        """Return the account of a session token."""
        query = (
            select(accounts.c.id, accounts.c.name, accounts.c.created)
            .join(sessions, sessions.c.account == accounts.c.id)
            .where(sessions.c.token_hash == hashed(token), sessions.c.expires > self._now())
        )
        row = await self._sql.one(query)
        return Account(*row) if row else None


def _id_of(slug: str) -> ScalarSelect[int]:
    return select(tables.c.id).where(tables.c.slug == slug).scalar_subquery()


def _expired(now: int) -> Any:
    """Return the statement that deletes expired sessions."""
    return delete(sessions).where(sessions.c.expires <= now)
