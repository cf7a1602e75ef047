"""Options that several commands of a host share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from tuilerie.server.settings import data_folder
from tuilerie.store.database import parse_database
from tuilerie.store.errors import Damaged, StoreError, Unavailable

Decorator = Callable[[Any], Any]


def option(*names: str, **how: Any) -> Decorator:
    """An option that may also come from the environment: TUILERIE_PORT for --port."""
    variable = "TUILERIE_" + names[0].removeprefix("--").replace("-", "_").upper()
    return click.option(*names, envvar=variable, show_envvar=True, **how)


DATA = option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=data_folder,
    help="Folder for the games.  [default: your data folder]",
)


def url(example: str, *schemes: str) -> Callable[[Any, Any, str | None], str | None]:
    """A callback that validates a URL. The message does not quote it: it may hold a password."""

    def check(_context: Any, _option: Any, given: str | None) -> str | None:
        if given is None:
            return None
        try:
            parts = urlsplit(given)
            valid = parts.scheme in schemes and (parts.port or 1) > 0
        except ValueError:
            valid = False
        if not valid or not (parts.netloc or parts.scheme in ("sqlite", "unix")):
            raise click.BadParameter(f"expected a URL like {example}.")
        return given

    return check


DATABASE = option(
    "--database-url",
    callback=url("postgresql://user:password@host/name", "postgresql", "postgres", "sqlite"),
    help="postgresql://… instead of a file in the data folder.",
)
REDIS_URL = url("redis://host:6379/0", "redis", "rediss", "unix")
REDIS = option(
    "--redis-url",
    callback=REDIS_URL,
    help="redis://…: connects several servers.",
)
KEEP = (
    option(
        "--keep-unstarted",
        type=click.IntRange(0),
        default=7,
        show_default=True,
        help="Days after which a table that never began is deleted; 0: never.",
    ),
    option(
        "--keep-guest-games",
        type=click.IntRange(0),
        default=365,
        show_default=True,
        help="Days without a move after which a game without any account is deleted; 0: never.",
    ),
    option(
        "--keep-guest-tokens",
        type=click.IntRange(0),
        default=90,
        show_default=True,
        help="Days after the end of a game in which guests can return to it; 0: for ever.",
    ),
)


def retention_options(command: Any) -> Any:
    """Add the options that say what is deleted when."""
    for each in reversed(KEEP):
        command = each(command)
    return command


LOG_FORMAT = option(
    "--log-format", type=click.Choice(["console", "json"]), default="console", show_default=True
)
LOG_LEVEL = option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
)


def why(error: StoreError, database: str | Path) -> click.ClickException:
    """The error, with the database that it is about."""
    where, text = str(parse_database(database)), str(error)
    if isinstance(error, (Unavailable, Damaged)) and where not in text:
        text = f"{where}: {text}"
    return click.ClickException(text)
