"""Compare the names of accounts by what they look like."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from tuilerie.store.tokens import name_key

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Renew the keys of names. If two accounts look alike, one of them gets a number."""
    connection = op.get_bind()
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("name_key"))
    query = sa.text("SELECT id, name, name_key FROM accounts ORDER BY created, id")
    rows = connection.execute(query).all()
    taken = {row.name_key for row in rows}
    for row in rows:
        name, number = row.name, 1
        while name_key(name) in taken - {row.name_key}:
            number += 1
            name = f"{row.name} {number}"
        taken.add(name_key(name))
        mine = sa.update(accounts).where(accounts.c.id == row.id)
        connection.execute(mine.values(name=name, name_key=name_key(name)))
