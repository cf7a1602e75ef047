"""The event log of every table: the interface that all databases implement.

A table is a list of **facts**, numbered 1, 2, 3 … without a gap. The store treats a fact
as opaque bytes; `tuilerie.match` defines their content. Facts are appended, never changed. `append`
is an atomic compare-and-append (optimistic concurrency): of concurrent writers of the same number,
in any process, exactly one wins. It returns once the facts are durable.

All implementations pass the same tests in `tests/store/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from tuilerie.games.game import Json
from tuilerie.store.errors import NoSuchTable

# --- values ---------------------------------------------------------------------------------------


class Status(StrEnum):
    """Coarse status of a table, for lists. The log is authoritative."""

    OPEN = "open"  # seats can still be taken
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"  # by its host, before it began


@dataclass(frozen=True, slots=True)
class TableMeta:
    """Metadata of a table, stored when it is created."""

    game: str
    rules: int  # rules version
    options: Mapping[str, Json] = field(default_factory=dict)
    public: bool = False
    status: Status = Status.OPEN
    summary: Mapping[str, Json] | None = None  # what lists show; opaque to the store
    wake: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row in lists of tables. Times are milliseconds since the epoch."""

    table: str
    game: str
    rules: int
    options: Mapping[str, Json]
    public: bool
    status: Status
    created: int
    updated: int  # time of the last fact
    head: int  # the number of its last fact
    summary: Mapping[str, Json] | None = None  # as it was set last; None: unknown
    wake: int | None = None  # when a server must look at it, at the latest; None: never


@dataclass(frozen=True, slots=True)
class Appended:
    """The facts are durable, under the numbers `first` … `last`."""

    first: int
    last: int
    repeated: bool = False  # an earlier append with the same command key


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another writer was first; nothing was added. `head` is the number of the last fact."""

    head: int


# --- the interface --------------------------------------------------------------------------------


class Log(Protocol):
    """The logs of all tables. Every method may raise `Unavailable`; none blocks the event loop.

    Table names and command keys are up to `LONGEST_NAME` printable characters. An invalid name is
    that of a table that does not exist.
    """

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """Create a table with its first facts (may be empty), durably. Raises `TableExists`."""
        ...

    async def append(
        self, table: str, after: int, facts: Sequence[bytes], command: str | None = None
    ) -> Appended | Conflict:
        """Append facts `after + 1` …, atomically, if the log ends with fact `after`.

        `command` is an idempotency key, unique within a table: if facts were already appended with
        it, nothing is added and their numbers are returned, whatever `after` is. Returns once the
        facts are durable. If the caller is cancelled, they may be added or not. Raises
        `NoSuchTable`.
        """
        ...

    async def find_by_key(self, table: str, command: str) -> Appended | None:
        """Return what was appended with this key, or `None`. Raises `NoSuchTable`.

        Runs after all earlier appends of this process.
        """
        ...

    async def read(
        self, table: str, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, bytes]]:
        """Return the facts with numbers above `after`, at most `limit`, in order.

        Empty if there are none or the table does not exist.
        """
        ...

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """Return the last fact number of each table that exists."""
        ...

    async def table(self, table: str) -> TableRow | None:
        """Return one table, or `None`."""
        ...

    async def tables(
        self,
        *,
        status: Status | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """Return matching tables, newest first. `before` is the last row of the previous page.

        A page takes the same time however many tables are stored, if the filter is none, a status,
        or public open tables.
        """
        ...

    async def set_summary(
        self, table: str, status: Status, summary: Mapping[str, Json] | None
    ) -> None:
        """Change what lists of tables show. Raises `NoSuchTable`."""
        ...

    async def due(self, at: int, limit: int) -> list[tuple[str, int]]:
        """Return the tables whose wake-up time is at most `at`, with that time, earliest first.

        The costs depend on their number, not on how many tables are stored.
        """
        ...

    async def set_wakes(self, wakes: Mapping[str, int | None]) -> None:
        """Set the wake-up times of many tables at once. Tables that do not exist are skipped."""
        ...

    async def close(self) -> None:
        """Finish pending work and close files and connections. Idempotent."""
        ...


LONGEST_NAME = 200


def is_name(text: str) -> bool:
    """Return whether this is a valid table name or command key."""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def check_key(table: str, command: str) -> None:
    """Validate the arguments of `find_by_key`."""
    if not is_name(command):
        raise ValueError("invalid command key")
    if not is_name(table):
        raise NoSuchTable(table)


def check_append(table: str, after: int, facts: Sequence[bytes], command: str | None) -> None:
    """Validate the arguments of `append`."""
    if after < 0:
        raise ValueError(f"there is no fact {after}")
    if not facts:
        raise ValueError("nothing to append")
    if command is not None and not is_name(command):
        raise ValueError("invalid command key")
    if not is_name(table):
        raise NoSuchTable(table)


def check_new(table: str) -> None:
    """Validate the name of a new table."""
    if not is_name(table):
        raise ValueError("invalid table name")
