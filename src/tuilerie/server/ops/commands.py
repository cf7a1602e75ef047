"""Command line of a host: serve, worker, verify, backup, restore, doctor."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from tuilerie.server import process
from tuilerie.server.ops import launch_browser
from tuilerie.server.ops.doctor import examine
from tuilerie.server.ops.doctor import report as report_findings
from tuilerie.server.settings import Settings, data_folder
from tuilerie.store import open_store
from tuilerie.store.database import parse_database
from tuilerie.store.errors import Damaged, StoreError, Unavailable
from tuilerie.store.maintenance.backup import backup as copy_out
from tuilerie.store.maintenance.backup import restore as copy_in
from tuilerie.store.maintenance.verify import verify as replay_all

Decorator = Callable[[Any], Any]
T = TypeVar("T")


def _option(*names: str, **how: Any) -> Decorator:
    """An option that may also come from the environment: TUILERIE_PORT for --port."""
    variable = "TUILERIE_" + names[0].removeprefix("--").replace("-", "_").upper()
    return click.option(*names, envvar=variable, show_envvar=True, **how)


DATA = _option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=data_folder,
    help="Folder for the games.  [default: your data folder]",
)


def _address(example: str, *schemes: str) -> Callable[[Any, Any, str | None], str | None]:
    """Checks an address before anything is begun. It may hold a password: it is not shown."""

    def check(_context: Any, _option: Any, given: str | None) -> str | None:
        if given is None:
            return None
        try:
            parts = urlsplit(given)
            good = parts.scheme in schemes and (parts.port or 1) > 0
        except ValueError:
            good = False
        if not good or not (parts.netloc or parts.scheme in ("sqlite", "unix")):
            raise click.BadParameter(f"an address like {example} was expected.")
        return given

    return check


DATABASE = _option(
    "--database-url",
    callback=_address("postgresql://user:password@host/name", "postgresql", "postgres", "sqlite"),
    help="postgresql://… instead of a file in the data folder.",
)
_REDIS_CHECK = _address("redis://host:6379/0", "redis", "rediss", "unix")
REDIS = _option(
    "--redis-url",
    callback=_REDIS_CHECK,
    help="redis://…: the fast path between several servers.",
)
LOG_FORMAT = _option(
    "--log-format", type=click.Choice(["console", "json"]), default="console", show_default=True
)
LOG_LEVEL = _option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
)


def _workers(default: int) -> Decorator:
    return _option(
        "--workers",
        type=click.IntRange(0, 64),
        default=default,
        show_default=True,
        help="Processes that think for bots; 0 leaves it to `tuilerie worker`.",
    )


@click.command()
@_option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@_option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@DATA
@DATABASE
@REDIS
@_option(
    "--public-url",
    callback=_address("https://games.example", "https", "http"),
    help="How browsers reach this server: https://games.example",
)
@_option("--proxies", default="", help="Addresses of reverse proxies to believe, with commas.")
@_option("--metrics-port", type=click.IntRange(0, 65535), default=0, help="0: no metrics.")
@_option("--metrics-host", default="127.0.0.1", show_default=True, help="Address for metrics.")
@_workers(1)
@_option("--bot-pause", type=click.FloatRange(0, 10), default=1.0, hidden=True)
@_option("--limit-factor", type=click.FloatRange(0.01), default=1.0, help="Multiplies all rates.")
@LOG_FORMAT
@LOG_LEVEL
@click.option("--open", "show", is_flag=True, help="Open a browser; take another port if need be.")
def serve(show: bool, **given: Any) -> None:
    """Serve games to browsers: one process, one file, all inside."""
    if show:
        given["port"] = launch_browser.port_to_use(given["host"], given["port"])
        launch_browser.open_when_up(given["host"], given["port"])
    settings = Settings(**given)
    _run(process.serve(settings), settings.database)


@click.command()
@_option(
    "--redis-url",
    required=True,
    callback=_REDIS_CHECK,
    help="redis://…: where the servers ask for moves.",
)
@_workers(1)
@LOG_FORMAT
@LOG_LEVEL
def worker(**given: Any) -> None:
    """Think for the bots of other machines."""
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
        raise _why(error, database) from None


def _why(error: StoreError, database: str | Path) -> click.ClickException:
    """What is wrong, and with which database."""
    where, text = str(parse_database(database)), str(error)
    if isinstance(error, (Unavailable, Damaged)) and where not in text:
        text = f"{where}: {text}"
    return click.ClickException(text)


@click.command()
@DATA
@DATABASE
def verify(data: Path, database_url: str | None) -> None:
    """Replay all stored games, and tell which no longer agree with what is written of them."""
    database = database_url or data
    if _answer(_verify(database), database):
        raise SystemExit(1)


async def _verify(database: str | Path) -> int:
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
    return count["differs"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Write over a backup that is there already.")
def backup(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Write all that is stored into one file, while the server runs. FILE.jsonl is portable."""
    database = database_url or data
    _answer(copy_out(database, file, overwrite=overwrite), database)
    click.echo(str(file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Put it in the place of what is stored now.")
def restore(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Put a backup in the place of the stored games. Stop the server first."""
    database = database_url or data
    _answer(copy_in(file, database, overwrite=overwrite), database)
    click.echo(str(file))


@click.command()
@DATA
@DATABASE
@REDIS
def doctor(data: Path, database_url: str | None, redis_url: str | None) -> None:
    """Tell how this copy is: versions, the engine of its bots, and whether all can be reached."""
    if not report_findings(asyncio.run(examine(data, database_url, redis_url)), click.echo):
        raise SystemExit(1)


def _answer(work: Coroutine[Any, Any, T], database: str | Path) -> T:
    """What came of it, or why it could not be done, in a sentence."""
    try:
        return asyncio.run(work)
    except StoreError as error:
        raise _why(error, database) from None


COMMANDS = (serve, worker, verify, backup, restore, doctor)
