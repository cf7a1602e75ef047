"""What Alembic runs. The connection and its transaction come from `tuilerie.store.migrate`."""

from __future__ import annotations

from alembic import context

from tuilerie.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transactional_ddl=True,
)
context.run_migrations()
