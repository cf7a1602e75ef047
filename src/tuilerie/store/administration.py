"""What a host does to tables, accounts and networks, each with an entry in the audit log.

Running servers read the new entries of the audit log every few seconds and act on them, so these
functions may run in another process.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from tuilerie.store.accounts import Account, Accounts
from tuilerie.store.errors import NoSuchAccount, NoSuchTable, StoreError
from tuilerie.store.log import Status
from tuilerie.store.rows import now_ms
from tuilerie.store.schema import accounts, audit, bans, players, seat_tokens, sessions, tables
from tuilerie.store.seats import tokens_of_account
from tuilerie.store.sql import Sql, insert_if_absent
from tuilerie.store.tokens import name_key, new_token

ACCOUNT, NETWORK = "account", "network"
NEWS = 500
"""Entries of the audit log per reading."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the audit log. `detail` holds no secrets."""

    id: int
    at: int
    actor: str
    action: str
    subject: str
    detail: str

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The tables and players whose connections the action ends."""
        try:
            found = json.loads(self.detail).get("seats", [])
        except (ValueError, AttributeError):
            return []
        return [(str(table), str(player)) for table, player in found]


@dataclass(frozen=True, slots=True)
class Ban:
    """A banned account (by its id) or network."""

    kind: str
    subject: str
    reason: str
    created: int


class Administration:
    """All actions on one database. `actor` is who acts, for the audit log."""

    def __init__(
        self, sql: Sql, people: Accounts, *, actor: str = "server", now: Callable[[], int] = now_ms
    ) -> None:
        self._sql = sql
        self._accounts = people
        self._actor = actor
        self._now = now

    # --- the audit log ---

    async def entries(self, limit: int) -> list[Entry]:
        """Return the newest entries, newest first."""
        rows = await self._sql.all(select(audit).order_by(audit.c.id.desc()).limit(limit))
        return [Entry(*row) for row in rows]

    async def last_entry(self) -> int:
        """Return the id of the newest entry, or 0."""
        row = await self._sql.one(select(func.max(audit.c.id)))
        return (row and row[0]) or 0

    async def entries_after(self, number: int) -> list[Entry]:
        """Return the entries after this one, oldest first."""
        query = select(audit).where(audit.c.id > number).order_by(audit.c.id).limit(NEWS)
        return [Entry(*row) for row in await self._sql.all(query)]

    def _entry(self, action: str, subject: str, **detail: Any) -> Any:
        """Return the statement that adds an entry."""
        row = {"at": self._now(), "actor": self._actor, "action": action, "subject": subject}
        text = json.dumps(detail, ensure_ascii=False) if detail else ""
        return insert(audit).values(**row, detail=text)

    # --- tables ---

    async def close_table(self, table: str) -> None:
        """Delete a table with its log, players and tokens. Raises `NoSuchTable`."""

        def work(connection: Connection) -> int:
            gone = connection.execute(delete(tables).where(tables.c.slug == table))
            if gone.rowcount:
                connection.execute(self._entry("close-table", table))
            return gone.rowcount

        if not await self._sql.write(work):
            raise NoSuchTable(table)

    # --- bans ---

    async def bans(self) -> list[Ban]:
        """Return all bans."""
        rows = await self._sql.all(select(bans).order_by(bans.c.kind, bans.c.subject))
        return [Ban(*row) for row in rows]

    async def ban_network(self, network: str, reason: str) -> str:
        """Ban an address or network; return it in its usual form."""
        subject = parse_network(network)
        await self._ban(NETWORK, subject, reason, [])
        return subject

    async def ban_account(self, account: Account, reason: str) -> None:
        """Ban an account: it cannot log in, and its sessions and seat tokens end."""
        seats = await self._live_seats(account.id)
        await self._ban(ACCOUNT, account.id, reason, seats, self._log_out(account.id))

    async def _ban(
        self,
        kind: str,
        subject: str,
        reason: str,
        seats: Sequence[tuple[str, str]],
        more: Sequence[Any] = (),
    ) -> None:
        row = {"kind": kind, "subject": subject, "reason": reason, "created": self._now()}
        entry = self._entry(f"ban-{kind}", subject, reason=reason, seats=seats)

        def work(connection: Connection) -> None:
            insert_if_absent(connection, bans, row)
            for statement in (*more, entry):
                connection.execute(statement)

        await self._sql.write(work)

    async def unban(self, kind: str, subject: str) -> bool:
        """Lift a ban; return whether there was one."""
        which = (bans.c.kind == kind) & (bans.c.subject == subject)

        def work(connection: Connection) -> int:
            gone = connection.execute(delete(bans).where(which))
            if gone.rowcount:
                connection.execute(self._entry(f"unban-{kind}", subject))
            return gone.rowcount

        return await self._sql.write(work) > 0

    # --- accounts ---

    async def account(self, name: str) -> Account:
        """Return the account with this name. Raises `NoSuchAccount`."""
        row = await self._sql.one(select(accounts).where(accounts.c.name_key == name_key(name)))
        if row is None:
            raise NoSuchAccount(f"there is no account with the name {name!r}")
        return Account(row.id, row.name, row.created)

    async def list_accounts(self, limit: int) -> list[Account]:
        """Return the newest accounts."""
        columns = (accounts.c.id, accounts.c.name, accounts.c.created)
        query = select(*columns).order_by(accounts.c.created.desc(), accounts.c.id).limit(limit)
        return [Account(*row) for row in await self._sql.all(query)]

    async def sessions(self, account: str) -> list[tuple[int, int]]:
        """Return when each session of an account began and when it expires."""
        query = select(sessions.c.created, sessions.c.expires).where(sessions.c.account == account)
        return [(row[0], row[1]) for row in await self._sql.all(query.order_by(sessions.c.created))]

    async def revoke_sessions(self, account: str) -> int:
        """End all sessions of an account and its seat tokens; return how many sessions."""
        seats = await self._live_seats(account)
        many = len(await self.sessions(account))
        entry = self._entry("revoke-sessions", account, seats=seats)

        def work(connection: Connection) -> None:
            for statement in (*self._log_out(account), entry):
                connection.execute(statement)

        await self._sql.write(work)
        return many

    async def reset_password(self, account: str) -> str:
        """Set and return a random password. All sessions and seat tokens of the account end."""
        password, seats = new_token(), await self._live_seats(account)
        session = await self._accounts.change_password(account, password)
        await self._accounts.close_session(session)
        await self._sql.execute(self._entry("reset-password", account, seats=seats))
        return password

    async def export(self, account: Account) -> dict[str, Any]:
        """Return everything stored about a person, except the hashes of secrets."""
        columns = (players.c.slug, players.c.id, players.c.name, players.c.created)
        query = (
            select(*columns, tables.c.game, tables.c.status)
            .join(tables, tables.c.slug == players.c.slug)
            .where(players.c.account == account.id)
            .order_by(players.c.created)
        )
        names = ("table", "player", "name", "created", "game", "status")
        seats = [dict(zip(names, row, strict=True)) for row in await self._sql.all(query)]
        banned = [each for each in await self.bans() if each.subject == account.id]
        await self._sql.execute(self._entry("export-person", account.id))
        return {
            "account": {"id": account.id, "name": account.name, "created": account.created},
            "sessions": [
                {"created": created, "expires": expires}
                for created, expires in await self.sessions(account.id)
            ],
            "seats": seats,
            "bans": [{"reason": each.reason, "created": each.created} for each in banned],
        }

    async def delete_person(self, account: Account) -> None:
        """Erase an account, its sessions, and its names in all games."""
        seats = await self._live_seats(account.id)
        if not await self._accounts.delete(account.id):
            raise NoSuchAccount("there is no such account")
        await self._sql.execute(self._entry("delete-person", account.id, seats=seats))

    async def _live_seats(self, account: str) -> list[tuple[str, str]]:
        """Return the seats of an account in games that are not over."""
        query = (
            select(players.c.slug, players.c.id)
            .join(tables, tables.c.slug == players.c.slug)
            .where(players.c.account == account, tables.c.status != Status.OVER.value)
        )
        return [(row.slug, row.id) for row in await self._sql.all(query)]

    def _log_out(self, account: str) -> list[Any]:
        return [
            delete(sessions).where(sessions.c.account == account),
            delete(seat_tokens).where(tokens_of_account(account)),
        ]


def parse_network(text: str) -> str:
    """Return an address or network in its usual form. Raises `StoreError`."""
    try:
        return str(ipaddress.ip_network(text.strip(), strict=False))
    except ValueError:
        raise StoreError(
            f"an address or network like 192.0.2.0/24 or 2001:db8::/64 was expected, not {text!r}"
        ) from None
