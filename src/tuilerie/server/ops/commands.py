"""Command line of a host: serve, worker, verify, backup, restore, doctor."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Coroutine
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import click

from tuilerie.server import process
from tuilerie.server.http.security import parse_proxies
from tuilerie.server.ops import launch_browser
from tuilerie.server.ops.doctor import examine
from tuilerie.server.ops.doctor import report as report_findings
from tuilerie.server.ops.limits import RATES
from tuilerie.server.ops.options import (
    DATA,
    DATABASE,
    LOG_FORMAT,
    LOG_LEVEL,
    REDIS,
    REDIS_URL,
    option,
    retention_options,
    url,
    why,
)
from tuilerie.server.settings import Settings, usual_workers
from tuilerie.store import open_store
from tuilerie.store.database import parse_database
from tuilerie.store.errors import StoreError
from tuilerie.store.maintenance.backup import backup as copy_out
from tuilerie.store.maintenance.backup import restore as copy_in
from tuilerie.store.maintenance.purge import Purged, Retention
from tuilerie.store.maintenance.purge import purge as purge_store
from tuilerie.store.maintenance.verify import page_faults
from tuilerie.store.maintenance.verify import verify as replay_all
from tuilerie.store.sqlite.files import exclusive

T = TypeVar("T")


def _check_proxies(_context: Any, _option: Any, given: str) -> str:
    try:
        parse_proxies(given)
    except ValueError as error:
        raise click.BadParameter(
            f"{error}; name addresses or networks like 172.30.0.0/24"
        ) from None
    return given


def _read_limits(_context: Any, _option: Any, given: str) -> dict[str, float]:
    found = {}
    for each in filter(None, given.replace(" ", "").split(",")):
        key, _, factor = each.partition("=")
        if key not in RATES:
            raise click.BadParameter(f"{key}; expected one of {', '.join(sorted(RATES))}.")
        try:
            found[key] = float(factor)
        except ValueError:
            raise click.BadParameter(f"{each}; expected a number, as in {key}=2.") from None
        if not 0 < found[key] < inf:
            raise click.BadParameter(f"{each}; expected a number above 0.")
    return found


WORKERS = option(
    "--workers",
    type=click.IntRange(0, 64),
    default=usual_workers,
    show_default="one less than there are cores",
    help="Processes that compute bot moves; 0 leaves them to `tuilerie worker`.",
)


@click.command()
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@DATA
@DATABASE
@REDIS
@option(
    "--public-url",
    callback=url("https://games.example", "https", "http"),
    help="The URL of this server in browsers: https://games.example",
)
@option("--hosts", default="", help="More names by which browsers reach it, comma-separated.")
@option(
    "--proxies",
    default="",
    callback=_check_proxies,
    help="Trusted reverse proxies: addresses or networks, comma-separated.",
)
@option("--metrics-port", type=click.IntRange(0, 65535), default=0, help="0: no metrics.")
@option("--metrics-host", default="127.0.0.1", show_default=True, help="Address for metrics.")
@WORKERS
@retention_options
@option("--bot-pause", type=click.FloatRange(0, 10), default=1.0, hidden=True)
@option("--limit-factor", type=click.FloatRange(0.01), default=1.0, help="Multiplies all limits.")
@option(
    "--limits",
    default="",
    callback=_read_limits,
    help="Multiplies single limits: replays=2,hellos=3. docs/limits.md lists the keys.",
)
@LOG_FORMAT
@LOG_LEVEL
@click.option("--open", "show", is_flag=True, help="Open a browser; use another port if taken.")
def serve(show: bool, **given: Any) -> None:
    """Serve games to browsers."""
    if show:
        given["port"] = launch_browser.port_to_use(given["host"], given["port"])
        launch_browser.open_when_up(given["host"], given["port"])
    settings = Settings(**given)
    _run(process.serve(settings), settings.database)


@click.command()
@option(
    "--redis-url",
    required=True,
    callback=REDIS_URL,
    help="redis://…: the servers' Redis, from which jobs are taken.",
)
@WORKERS
@LOG_FORMAT
@LOG_LEVEL
def worker(**given: Any) -> None:
    """Compute bot moves for servers on other machines."""
    if not given["workers"]:
        raise click.BadParameter("A worker without processes does nothing.", param_hint="--workers")
    settings = Settings(**given)
    _run(process.work(settings), settings.database)


def _run(main: Any, database: str | Path) -> None:
    try:
        with contextlib.suppress(KeyboardInterrupt):
            process.run(main)
    except process.CannotListen as error:
        raise click.ClickException(str(error)) from None
    except StoreError as error:
        raise why(error, database) from None


@click.command()
@DATA
@DATABASE
def verify(data: Path, database_url: str | None) -> None:
    """Replay all stored games and list those whose results differ."""
    database = database_url or data
    if _answer(_verify(database), database):
        raise SystemExit(1)


async def _verify(database: str | Path) -> int:
    found = await page_faults(database)
    for fault in found:
        click.echo(f"damaged: {fault}", err=True)
    count: Counter[str] = Counter()
    versions: Counter[tuple[str, int]] = Counter()
    async with await open_store(database, migrate=False) as store:
        async for report in replay_all(store):
            count[report.verdict] += 1
            versions[report.game, report.rules] += 1
            if report.verdict == "differs":
                where = f"{report.table} ({report.game}), fact {report.number}"
                click.echo(f"{where}: {report.error}", err=True)
    text = ", ".join(f"{count[each]} {each}" for each in ("agrees", "unfinished", "differs"))
    click.echo(f"{count.total()} tables: {text}")
    for (game, version), tables in sorted(versions.items()):
        click.echo(f"  {game}, rules version {version}: {tables}")
    return count["differs"] + len(found)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Overwrite an existing backup.")
def backup(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Back up everything to one file, while the server runs. FILE.jsonl is portable."""
    database = database_url or data
    _answer(copy_out(database, file, overwrite=overwrite), database)
    click.echo(str(file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Replace existing data.")
def restore(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Restore a backup. Stop the server first."""
    database = database_url or data
    _answer(copy_in(file, database, overwrite=overwrite), database)
    click.echo(str(file))


@click.command()
@DATA
@DATABASE
@REDIS
def doctor(data: Path, database_url: str | None, redis_url: str | None) -> None:
    """Check the installation: versions, bot engine, data folder, database and Redis."""
    if not report_findings(asyncio.run(examine(data, database_url, redis_url)), click.echo):
        raise SystemExit(1)


def _answer(work: Coroutine[Any, Any, T], database: str | Path) -> T:
    """Run it; a store error becomes a message of one sentence."""
    try:
        return asyncio.run(work)
    except StoreError as error:
        raise why(error, database) from None


@click.command()
@DATA
@DATABASE
@retention_options
@click.option("--dry-run", is_flag=True, help="Only count, while the server runs.")
def purge(data: Path, database_url: str | None, dry_run: bool, **days: Any) -> None:
    """Delete tables past their retention period. A running server does so every day."""
    database = database_url or data
    settings = Settings(data=data, database_url=database_url, **days)
    done = _answer(_purge(database, settings.retention, dry_run), database)
    verb = "would be deleted" if dry_run else "deleted"
    click.echo(f"{done.unstarted} tables that never began {verb}")
    click.echo(f"{done.guest_games} games without an account {verb}")
    click.echo(f"{done.guest_tokens} seat tokens of guests {verb}")


async def _purge(database: str | Path, retention: Retention, dry_run: bool) -> Purged:
    lock = contextlib.nullcontext() if dry_run else exclusive(parse_database(database))
    with lock:
        async with await open_store(database, migrate=False) as store:
            return await purge_store(store, retention, dry_run=dry_run)


COMMANDS = (serve, worker, verify, backup, restore, doctor, purge)
