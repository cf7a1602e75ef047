"""Drop the tables of snapshots and ratings, which no program has ever used."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the tables."""
    op.drop_table("snapshots")
    op.drop_table("ratings")
