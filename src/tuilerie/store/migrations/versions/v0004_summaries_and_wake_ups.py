"""Keep summaries and wake-up times beside tables, outages, bans and an audit log; index lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns, indexes and tables."""
    op.add_column("tables", sa.Column("summary", sa.Text))
    op.add_column("tables", sa.Column("wake", sa.BigInteger))
    # When the games in play want to be woken is unknown: the server looks at each once.
    op.execute("UPDATE tables SET wake = 0 WHERE status = 'playing'")
    op.create_index("ix_tables_status", "tables", ["status", "created", "slug"])
    lobby, waking = sa.text("status = 'open' AND public"), sa.text("wake IS NOT NULL")
    op.create_index(
        "ix_tables_lobby",
        "tables",
        ["created", "slug"],
        sqlite_where=lobby,
        postgresql_where=lobby,
    )
    op.create_index(
        "ix_tables_wake", "tables", ["wake"], sqlite_where=waking, postgresql_where=waking
    )
    op.drop_index("ix_players_account", "players")
    op.create_index("ix_players_account", "players", ["account", "created"])
    op.create_index("ix_players_id", "players", ["id"])
    _create_times()
    _create_administration()


def _create_times() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_heartbeat"),
    )
    op.create_table(
        "outages",
        sa.Column("started", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("started", name="pk_outages"),
    )


def _create_administration() -> None:
    op.create_table(
        "bans",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name="pk_bans"),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
