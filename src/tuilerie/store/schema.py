"""Database schema (SQLAlchemy), as it is after the last migration.

One schema for SQLite and PostgreSQL, but for one index. The migrations make it step by step; a
test compares the two. Times are milliseconds since the epoch.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

REVISION = "0003"
"""The name of the last migration."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    # A small number for each table keeps the facts and their index small.
    Column("id", Integer, primary_key=True),
    Column("slug", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("status", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("ix_tables_created", "created", "slug"),
)

facts = Table(
    "facts",
    metadata,
    Column("table_id", Integer, ForeignKey(tables.c.id, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    # The first fact of an append holds the append's key and how many facts it added.
    Column("command", Text),
    Column("span", Integer),
)
# Several nodes that race need it. In SQLite it would be almost half of what each commit writes, and
# a command can be found without it (`sqlite.transaction`, `sqlite.fast_append`).
Index(
    "uq_facts_command",
    facts.c.table_id,
    facts.c.command,
    unique=True,
    postgresql_where=facts.c.command.is_not(None),
).ddl_if(dialect="postgresql")

accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # the name without capitals
    Column("password_hash", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column(
        "account", Text, ForeignKey(accounts.c.id, ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False, index=True),
)

players = Table(
    "players",
    metadata,
    Column("slug", Text, ForeignKey(tables.c.slug, ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("account", Text, ForeignKey(accounts.c.id, ondelete="SET NULL"), index=True),
    Column("created", BigInteger, nullable=False),
)

seat_tokens = Table(
    "seat_tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("slug", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("recovery", Boolean, nullable=False, server_default=text("false")),
    Column("created", BigInteger, nullable=False),
    ForeignKeyConstraint(["slug", "player"], [players.c.slug, players.c.id], ondelete="CASCADE"),
    Index("ix_seat_tokens_slug", "slug", "player"),
)
