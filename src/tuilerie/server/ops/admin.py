"""`tuilerie admin`: what a host does to tables, accounts and networks.

It works on the database, while servers run: they act on it within a few seconds.
"""

from __future__ import annotations

import asyncio
import getpass
import json
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from tuilerie.server.ops.options import DATA, DATABASE, why
from tuilerie.store import Store, open_store
from tuilerie.store.administration import ACCOUNT, NETWORK, Administration, parse_network
from tuilerie.store.errors import StoreError
from tuilerie.store.log import Status, TableRow

T = TypeVar("T")
LIMIT = click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
YES = click.option("--yes", is_flag=True, help="Do not ask.")
REASON = click.option("--reason", default="", help="For the audit log.")


@click.group()
@DATA
@DATABASE
@click.pass_context
def admin(context: click.Context, data: Path, database_url: str | None) -> None:
    """List and close tables, ban, revoke sessions, and handle people's data."""
    context.obj = database_url or data


def _do(context: click.Context, work: Callable[[Store, Administration], Awaitable[T]]) -> T:
    async def run() -> T:
        async with await open_store(context.obj, migrate=False) as store:
            return await work(store, Administration(store.sql, store.accounts, actor=_actor()))

    try:
        return asyncio.run(run())
    except StoreError as error:
        raise why(error, context.obj) from None


def _actor() -> str:
    """Return the name of the user at this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


# --- tables ---------------------------------------------------------------------------------------


@admin.command("tables")
@click.option("--status", type=click.Choice([each.value for each in Status]))
@LIMIT
@click.pass_context
def list_tables(context: click.Context, status: str | None, limit: int) -> None:
    """List tables, newest first: times in UTC."""

    async def work(store: Store, _: Administration) -> list[TableRow]:
        return await store.log.tables(status=Status(status) if status else None, limit=limit)

    for row in _do(context, work):
        seats: list[Any] = (row.summary or {}).get("seats", [])
        names = ", ".join(seat["name"] or f"({seat['kind']})" for seat in seats)
        what = f"{row.game:<9} {row.status:<8} {'public ' if row.public else 'private'}"
        click.echo(f"{row.table}  {_time(row.created)}  {what}  {row.head:>5} facts  {names}")


@admin.command("close")
@click.argument("table")
@YES
@click.pass_context
def close_table(context: click.Context, table: str, yes: bool) -> None:
    """Delete a table with its log, and disconnect everybody."""

    async def look(store: Store, _: Administration) -> TableRow | None:
        return await store.log.table(table)

    row = _do(context, look)
    if row is None:
        raise click.ClickException(f"there is no table {table!r}")
    _confirm(f"Delete table {table} ({row.game}, {row.status}, {row.head} facts)?", yes)
    _do(context, lambda _, administration: administration.close_table(table))
    click.echo(f"closed {table}")


def _confirm(question: str, yes: bool) -> None:
    if not yes:
        click.confirm(question, abort=True)


# --- bans -----------------------------------------------------------------------------------------


@admin.command("bans")
@click.pass_context
def list_bans(context: click.Context) -> None:
    """List all bans."""

    async def work(store: Store, administration: Administration) -> list[str]:
        lines = []
        for ban in await administration.bans():
            subject = ban.subject
            if ban.kind == ACCOUNT:
                account = await store.accounts.find(ban.subject)
                subject = account.name if account else subject
            lines.append(f"{ban.kind:<8} {subject:<24} {_time(ban.created)}  {ban.reason}")
        return lines

    for line in _do(context, work):
        click.echo(line)


@admin.command("ban-account")
@click.argument("name")
@REASON
@YES
@click.pass_context
def ban_account(context: click.Context, name: str, reason: str, yes: bool) -> None:
    """Ban an account: it cannot log in, and its sessions and seats end."""
    _confirm(f"Ban the account {name!r}?", yes)

    async def work(_: Store, administration: Administration) -> None:
        await administration.ban_account(await administration.account(name), reason)

    _do(context, work)
    click.echo(f"banned {name}")


@admin.command("unban-account")
@click.argument("name")
@click.pass_context
def unban_account(context: click.Context, name: str) -> None:
    """Lift the ban of an account."""

    async def work(_: Store, administration: Administration) -> bool:
        account = await administration.account(name)
        return await administration.unban(ACCOUNT, account.id)

    _tell_unbanned(_do(context, work), name)


@admin.command("ban-network")
@click.argument("network")
@REASON
@YES
@click.pass_context
def ban_network(context: click.Context, network: str, reason: str, yes: bool) -> None:
    """Ban an address or network: 192.0.2.7, 192.0.2.0/24 or 2001:db8::/64."""
    subject = _parse(network)
    _confirm(f"Ban everybody in {subject}?", yes)
    _do(context, lambda _, administration: administration.ban_network(subject, reason))
    click.echo(f"banned {subject}")


@admin.command("unban-network")
@click.argument("network")
@click.pass_context
def unban_network(context: click.Context, network: str) -> None:
    """Lift the ban of an address or network."""
    subject = _parse(network)
    found = _do(context, lambda _, administration: administration.unban(NETWORK, subject))
    _tell_unbanned(found, subject)


def _parse(network: str) -> str:
    try:
        return parse_network(network)
    except StoreError as error:
        raise click.BadParameter(str(error), param_hint="NETWORK") from None


def _tell_unbanned(found: bool, subject: str) -> None:
    if not found:
        raise click.ClickException(f"{subject} is not banned")
    click.echo(f"no longer banned: {subject}")


# --- people ---------------------------------------------------------------------------------------


@admin.command("accounts")
@LIMIT
@click.pass_context
def list_accounts(context: click.Context, limit: int) -> None:
    """List accounts, newest first: times in UTC."""
    for account in _do(context, lambda _, administration: administration.list_accounts(limit)):
        click.echo(f"{_time(account.created)}  {account.name}")


@admin.command("sessions")
@click.argument("name")
@click.pass_context
def list_sessions(context: click.Context, name: str) -> None:
    """List the sessions of an account: times in UTC."""

    async def work(_: Store, administration: Administration) -> list[tuple[int, int]]:
        return await administration.sessions((await administration.account(name)).id)

    for created, expires in _do(context, work):
        click.echo(f"since {_time(created)}, until {_time(expires)}")


@admin.command("revoke-sessions")
@click.argument("name")
@YES
@click.pass_context
def revoke_sessions(context: click.Context, name: str, yes: bool) -> None:
    """Log an account out everywhere."""
    _confirm(f"Log {name!r} out everywhere?", yes)

    async def work(_: Store, administration: Administration) -> int:
        return await administration.revoke_sessions((await administration.account(name)).id)

    click.echo(f"{_do(context, work)} sessions revoked")


@admin.command("reset-password")
@click.argument("name")
@YES
@click.pass_context
def reset_password(context: click.Context, name: str, yes: bool) -> None:
    """Set a random password, print it, and log the account out everywhere."""
    _confirm(f"Set a new password for {name!r}?", yes)

    async def work(_: Store, administration: Administration) -> str:
        return await administration.reset_password((await administration.account(name)).id)

    click.echo(_do(context, work))


@admin.command("export-person")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def export_person(context: click.Context, name: str, file: Path) -> None:
    """Export everything stored about a person to a JSON file that only you can read."""
    if file.exists():
        raise click.ClickException(f"{file} exists already")

    async def work(_: Store, administration: Administration) -> dict[str, Any]:
        return await administration.export(await administration.account(name))

    text = json.dumps(_do(context, work), ensure_ascii=False, indent=2) + "\n"
    with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
        out.write(text)
    click.echo(str(file))


@admin.command("delete-person")
@click.argument("name")
@YES
@click.pass_context
def delete_person(context: click.Context, name: str, yes: bool) -> None:
    """Erase an account, its sessions, and its names in all games. The games stay."""
    _confirm(f"Erase {name!r} for good?", yes)

    async def work(_: Store, administration: Administration) -> None:
        await administration.delete_person(await administration.account(name))

    _do(context, work)
    click.echo(f"deleted {name}")


@admin.command("audit")
@LIMIT
@click.pass_context
def show_audit(context: click.Context, limit: int) -> None:
    """Show what was done with these commands, newest first: times in UTC."""
    for entry in _do(context, lambda _, administration: administration.entries(limit)):
        line = f"{_time(entry.at)}  {entry.actor:<12} {entry.action:<16} {entry.subject}"
        click.echo(f"{line}  {entry.detail}".rstrip())


COMMANDS = (admin,)
