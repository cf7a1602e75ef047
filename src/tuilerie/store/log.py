"""The event log of every table: the interface that all databases implement.

A table is a list of **facts**, numbered 1, 2, 3 … without a gap. A fact is bytes here: what it says
is the business of `tuilerie.match`. Facts are appended, never changed. `append` is a compare and
append: of all who want to write the same number exactly one wins, whichever process they are in,
and it returns only when what it added is durable.

`tests/store/` holds one suite that every implementation passes.
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
    """Where a table stands, for lists of tables. The log itself says so more exactly."""

    OPEN = "open"  # people may still sit down
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TableMeta:
    """What is written down about a table beside its facts, when it is created."""

    game: str
    rules: int  # the version of the rules that it is played by
    options: Mapping[str, Json] = field(default_factory=dict)
    public: bool = False
    status: Status = Status.OPEN


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as lists of tables show it. Times are milliseconds since the epoch."""

    table: str
    game: str
    rules: int
    options: Mapping[str, Json]
    public: bool
    status: Status
    created: int
    updated: int  # when its last fact was added, or when it was last marked
    head: int  # the number of its last fact


@dataclass(frozen=True, slots=True)
class Appended:
    """The facts are durable, under the numbers `first` … `last`."""

    first: int
    last: int
    repeated: bool = False  # they were so before: the command's key was known


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else was first, and nothing was added. The last fact now has the number `head`."""

    head: int


# --- the interface --------------------------------------------------------------------------------


class Log(Protocol):
    """Where logs are kept. Every method may raise `Unavailable`; none blocks the event loop.

    Names of tables and keys of commands are up to `LONGEST_NAME` printable letters. A table whose
    name could not be is one that does not exist.
    """

    async def create(self, table: str, facts: Sequence[bytes], meta: TableMeta) -> None:
        """A new table with its first facts (perhaps none), durable. Raises `TableExists`."""
        ...

    async def append(
        self, table: str, after: int, facts: Sequence[bytes], command: str | None = None
    ) -> Appended | Conflict:
        """Add facts number `after + 1` …, all or none, if the log ends with fact `after`.

        `command` is a key of the caller's, used once a table: where facts were added with the same
        key before, nothing is added and the answer names the numbers that those were given,
        whatever `after` says. The answer comes when the facts are durable. Where the caller is
        cancelled meanwhile, the facts may be added or not. Raises `NoSuchTable`.
        """
        ...

    async def find_by_key(self, table: str, command: str) -> Appended | None:
        """What was appended with this key, or `None`. Raises `NoSuchTable`.

        Whatever this process has asked to append before is taken into account.
        """
        ...

    async def read(
        self, table: str, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, bytes]]:
        """The facts with a number above `after`, at most `limit` of them, in order.

        Empty where there are none, or no such table.
        """
        ...

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """The number of the last fact of each table; tables that do not exist are left out."""
        ...

    async def table(self, table: str) -> TableRow | None:
        """One table, or `None` where there is no such table."""
        ...

    async def tables(
        self,
        *,
        game: str | None = None,
        status: Collection[Status] | None = None,
        public: bool | None = None,
        before: TableRow | None = None,
        limit: int | None = None,
    ) -> list[TableRow]:
        """All tables that fit, the newest first. `before` is the last row of the page before."""
        ...

    async def set_status(self, table: str, status: Status) -> None:
        """Change the status that lists of tables show. Raises `NoSuchTable`."""
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of files and connections. May be called twice."""
        ...


LONGEST_NAME = 200


def is_name(text: str) -> bool:
    """Whether every database can hold this as the name of a table, or the key of a command."""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def check_key(table: str, command: str) -> None:
    """The same complaints everywhere about a key that cannot be."""
    if not is_name(command):
        raise ValueError("this cannot be the key of a command")
    if not is_name(table):
        raise NoSuchTable(table)


def check_append(table: str, after: int, facts: Sequence[bytes], command: str | None) -> None:
    """The same complaints everywhere about an append that cannot be."""
    if after < 0:
        raise ValueError(f"there is no fact {after}")
    if not facts:
        raise ValueError("nothing to append")
    if command is not None and not is_name(command):
        raise ValueError("this cannot be the key of a command")
    if not is_name(table):
        raise NoSuchTable(table)


def check_new(table: str) -> None:
    """The same complaint everywhere about a new table that cannot be."""
    if not is_name(table):
        raise ValueError("this cannot be the name of a table")
