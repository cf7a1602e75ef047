"""Runs the Alembic migrations of `migrations/`.

A separate module, because Alembic is slow to import and rarely needed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

SCRIPTS = Path(__file__).parent / "migrations"


def carry_out(connection: Connection, to: str) -> None:
    """Run the missing migrations in the current transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


@cache
def known() -> frozenset[str]:
    """Return the ids of all migrations."""
    scripts = ScriptDirectory.from_config(_config())
    return frozenset(each.revision for each in scripts.walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
