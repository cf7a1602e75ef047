"""Create the log, accounts and players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    _create_log()
    _create_accounts()
    _create_players()


def _create_log() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("slug", name="uq_tables_slug"),
    )
    op.create_index("ix_tables_created", "tables", ["created", "slug"])
    op.create_table(
        "facts",
        sa.Column("table_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("command", sa.Text),
        sa.Column("span", sa.Integer),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_facts"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_facts_table_id", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "uq_facts_command",
        "facts",
        ["table_id", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )
    op.create_table(
        "snapshots",
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("slug", name="pk_snapshots"),
        sa.ForeignKeyConstraint(
            ["slug"], ["tables.slug"], name="fk_snapshots_slug", ondelete="CASCADE"
        ),
    )


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name_key", name="uq_accounts_name_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_sessions_account", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_sessions_account", "sessions", ["account"])
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    op.create_table(
        "ratings",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("account", "game", name="pk_ratings"),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_ratings_account", ondelete="CASCADE"
        ),
    )


def _create_players() -> None:
    op.create_table(
        "players",
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("account", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("slug", "id", name="pk_players"),
        sa.ForeignKeyConstraint(
            ["slug"], ["tables.slug"], name="fk_players_slug", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_players_account", ondelete="SET NULL"
        ),
    )
    op.create_index("ix_players_account", "players", ["account"])
    op.create_table(
        "seat_tokens",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("recovery", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_seat_tokens"),
        sa.ForeignKeyConstraint(
            ["slug", "player"],
            ["players.slug", "players.id"],
            name="fk_seat_tokens_slug",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_seat_tokens_slug", "seat_tokens", ["slug", "player"])
