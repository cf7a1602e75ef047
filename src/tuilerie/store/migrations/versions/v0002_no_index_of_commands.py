"""SQLite finds commands without an index of their own."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One step further."""
    # It was almost half of what every commit wrote. PostgreSQL, where several nodes race, needs it.
    if op.get_context().dialect.name == "sqlite":
        op.drop_index("uq_facts_command", "facts")
