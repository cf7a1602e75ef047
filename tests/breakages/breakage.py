"""What a deliberate fault is, and short names for the files of tests."""

from __future__ import annotations

from typing import NamedTuple


class Breakage(NamedTuple):
    """In `file`, `old` becomes `new`; then all of `tests` fail."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


ATTACKS = "server/test_attacks.py::"
SECURITY = "server/http/test_security.py::"
RATES = "server/test_rates.py::"
HTTP = "server/http/test_uvicorn_protocol.py::"
ACCEPTOR = "server/http/test_acceptor.py::"
PACER = "server/http/test_pacer.py::"
TABLES = "server/http/test_tables.py::"
ACCOUNTS = "server/http/test_accounts.py::"
HANDED = "server/http/test_hand_over.py::"
ENDPOINT = "server/ws/test_endpoint.py::"
INPUT = "server/test_bad_input.py::"
RACE = "server/tables/test_race.py::"
SEATS = "store/test_accounts_and_seats.py::"
BOUNDS = "server/test_bounds.py::"
BOTS = "server/bots/test_pools.py::"
WORKERS = "server/bots/test_redis_pool.py::"
LEAKS = "server/test_leaks.py::"
UPKEEP = "server/ops/test_upkeep.py::"
ADMIN = "server/ops/test_admin.py::"
LOGGING = "server/ops/test_logging.py::"
FILES = "store/sqlite/test_files.py::"
BUS = "server/tables/test_bus.py::"
COMMANDS = "server/ops/test_commands.py::"
DEFLATE = "server/ws/test_deflate.py::"
PURGE = "store/maintenance/test_purge.py::"
SHARED = "store/sqlite/test_shared_connection.py::"
