"""Drop the index of command keys in SQLite, which finds them without it."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the index."""
    # It was almost half of every commit's writes. PostgreSQL, where several nodes race, needs it.
    if op.get_context().dialect.name == "sqlite":
        op.drop_index("uq_facts_command", "facts")
