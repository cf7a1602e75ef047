"""Database schema (SQLAlchemy), as it is after the last migration.

The same for SQLite and PostgreSQL, except for one index. A test compares it with the result of the
migrations. Times are milliseconds since the epoch.
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

REVISION = "0005"
"""The id of the last migration."""

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
    # An integer key per table keeps the facts and their index small.
    Column("id", Integer, primary_key=True),
    Column("slug", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("status", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("summary", Text),  # JSON; NULL: unknown, to be made from the log
    Column("wake", BigInteger),  # when a server must look at it at the latest; NULL: never
    Index("ix_tables_created", "created", "slug"),
    Index("ix_tables_status", "status", "created", "slug"),
)
LOBBY = text("status = 'open' AND public")
Index(
    "ix_tables_lobby",
    tables.c.created,
    tables.c.slug,
    sqlite_where=LOBBY,
    postgresql_where=LOBBY,
)
WAKING = tables.c.wake.is_not(None)
Index("ix_tables_wake", tables.c.wake, sqlite_where=WAKING, postgresql_where=WAKING)

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
# Needed where several nodes race. In SQLite it would be almost half of each commit's writes, and
# commands are found without it (`sqlite.transaction`, `sqlite.ends_cache`).
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
    Column("name_key", Text, nullable=False, unique=True),  # what it looks like (`name_key`)
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
    Column("account", Text, ForeignKey(accounts.c.id, ondelete="SET NULL")),
    Column("created", BigInteger, nullable=False),
    Index("ix_players_account", "account", "created"),
    Index("ix_players_id", "id"),
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

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1
    Column("at", BigInteger, nullable=False),  # the last sign of life of any server
)

outages = Table(
    "outages",
    metadata,
    Column("started", BigInteger, primary_key=True, autoincrement=False),
    Column("ended", BigInteger, nullable=False),
)

bans = Table(
    "bans",
    metadata,
    Column("kind", Text, primary_key=True),  # account or network
    Column("subject", Text, primary_key=True),  # an account's id, or a network
    Column("reason", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
)
