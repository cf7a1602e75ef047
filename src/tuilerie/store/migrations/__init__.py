"""Alembic migrations, run automatically when a database is opened.

`versions/` holds one file per migration. A published migration is never changed.
"""
