"""The commands of a host: serve, worker, verify, backup, restore. `tuilerie.cli` adds them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from tuilerie.server import browser
from tuilerie.server import serve as process
from tuilerie.server.settings import Settings, data_folder
from tuilerie.store import open_store
from tuilerie.store.backup import backup as copy_out
from tuilerie.store.backup import restore as copy_in
from tuilerie.store.log import StoreError
from tuilerie.store.verify import verify as replay_all

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
DATABASE = _option("--database-url", help="postgresql://… instead of a file in the data folder.")
REDIS = _option("--redis-url", help="redis://…: the fast path between several servers.")
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
@_option("--public-url", help="How browsers reach this server: https://games.example")
@_option("--proxies", default="", help="Addresses of reverse proxies to believe, with commas.")
@_option("--metrics-port", type=click.IntRange(0, 65535), default=0, help="0: no metrics.")
@_workers(1)
@_option("--bot-pause", type=click.FloatRange(0, 10), default=1.0, hidden=True)
@_option("--limit-factor", type=click.FloatRange(0.01), default=1.0, help="Multiplies all rates.")
@LOG_FORMAT
@LOG_LEVEL
@click.option("--open", "show", is_flag=True, help="Open a browser; take another port if need be.")
def serve(show: bool, **given: Any) -> None:
    """Serve games to browsers: one process, one file, all inside."""
    if show:
        given["port"] = browser.port_to_use(given["host"], given["port"])
        browser.open_when_up(given["host"], given["port"])
    _run(process.serve(Settings(**given)))


@click.command()
@_option("--redis-url", required=True, help="redis://…: where the servers ask for moves.")
@_workers(1)
@LOG_FORMAT
@LOG_LEVEL
def worker(**given: Any) -> None:
    """Think for the bots of other machines."""
    if not given["workers"]:
        raise click.BadParameter("A worker without processes does nothing.", param_hint="--workers")
    _run(process.work(Settings(**given)))


def _run(main: Any) -> None:
    try:
        with contextlib.suppress(KeyboardInterrupt):
            process.run(main)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@click.command()
@DATA
@DATABASE
def verify(data: Path, database_url: str | None) -> None:
    """Replay all stored games, and tell which no longer agree with what is written of them."""
    if _answer(_verify(database_url or data)):
        raise SystemExit(1)


async def _verify(place: str | Path) -> int:
    count: Counter[str] = Counter()
    async with await open_store(place) as store:
        async for report in replay_all(store):
            count[report.verdict] += 1
            if report.verdict == "differs":
                where = f"{report.table} ({report.game}), fact {report.number}"
                click.echo(f"{where}: {report.trouble}", err=True)
    told = ", ".join(f"{count[each]} {each}" for each in ("agrees", "unfinished", "differs"))
    click.echo(f"{count.total()} tables: {told}")
    return count["differs"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Write over a backup that is there already.")
def backup(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Write all that is stored into one file, while the server runs. FILE.jsonl is portable."""
    _answer(copy_out(database_url or data, file, overwrite=overwrite))
    click.echo(str(file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@DATABASE
@click.option("--overwrite", is_flag=True, help="Put it in the place of what is stored now.")
def restore(file: Path, data: Path, database_url: str | None, overwrite: bool) -> None:
    """Put a backup in the place of the stored games. Stop the server first."""
    _answer(copy_in(file, database_url or data, overwrite=overwrite))
    click.echo(str(file))


def _answer(work: Coroutine[Any, Any, T]) -> T:
    """What came of it, or why it could not be done, in a sentence."""
    try:
        return asyncio.run(work)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


COMMANDS = (serve, worker, verify, backup, restore)
