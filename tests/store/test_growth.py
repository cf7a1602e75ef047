"""Lists and sweeps read by index, so that their cost does not grow with the stored tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.conftest import Open
from tuilerie.store.database import FILE_NAME, connect_sqlite
from tuilerie.store.log import Status
from tuilerie.store.postgres.log import PostgresLog
from tuilerie.store.rows import conditions
from tuilerie.store.sqlite.log import SqliteLog

LIST = "SELECT slug FROM tables WHERE {} ORDER BY created DESC, slug DESC LIMIT 50"
QUERIES = {
    "ix_tables_lobby": LIST.format(" AND ".join(conditions(Status.OPEN, True))),
    "ix_tables_status": LIST.format(" AND ".join(conditions(Status.PLAYING, None))),
    "ix_tables_created": LIST.format("(created, slug) < (5, 'x')"),
    "ix_tables_wake": "SELECT slug, wake FROM tables WHERE wake <= 5 ORDER BY wake LIMIT 500",
    "ix_players_account": "SELECT slug FROM players WHERE account = 'a'"
    " ORDER BY created DESC LIMIT 50",
    "ix_players_id": "SELECT slug FROM players WHERE id = 'p'",
}


@pytest.mark.parametrize("index", QUERIES)
async def test_lists_are_read_by_index_without_sorting(
    open_again: Open, database: str | Path, index: str
) -> None:
    store = await open_again()
    if isinstance(store.log, SqliteLog):
        file = connect_sqlite(Path(database) / FILE_NAME, read_only=True)
        query = QUERIES[index]
        if index == "ix_tables_lobby":  # as `SqliteLog.tables` hints
            query = query.replace("FROM tables", f"FROM tables INDEXED BY {index}")
        rows = file.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        file.close()
        plan = " ".join(str(row[3]) for row in rows)
    else:
        assert isinstance(store.log, PostgresLog)
        # An empty table is scanned; what counts is whether the index can serve the query.
        async with store.log._pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL enable_seqscan = off")
            await connection.execute("SET LOCAL enable_bitmapscan = off")
            await connection.execute("SET LOCAL enable_sort = off")
            rows = await connection.fetch(f"EXPLAIN {QUERIES[index]}")
        plan = " ".join(row[0] for row in rows)
    assert index in plan, plan
    assert "TEMP B-TREE" not in plan, plan
    assert "Sort" not in plan, plan
