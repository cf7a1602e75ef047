"""Alembic environment. `tuilerie.store.migrate` provides the connection and its transaction."""

from __future__ import annotations

from alembic import context

from tuilerie.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by recreating it
    transactional_ddl=True,
)
context.run_migrations()
