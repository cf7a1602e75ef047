"""The connection of the writer thread, also for SQLAlchemy's statements.

Its transactions are the writer's alone: SQLAlchemy neither begins, commits nor rolls back any.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, StaticPool, create_engine

from tuilerie.store.database import connect_sqlite


class SharedConnection:
    """One connection to a file. For the writer thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The connection, as SQLAlchemy's."""
        assert self._connection is not None, "not connected"
        return self._connection

    def connect(self) -> sqlite3.Connection:
        """Connect, also again after an error."""
        raw = connect_sqlite(self._path)
        engine = create_engine(
            "sqlite://", creator=lambda: raw, poolclass=StaticPool, pool_reset_on_return=None
        )
        self._connection = engine.connect()  # its set-up rolls back: no transaction has begun
        return raw
