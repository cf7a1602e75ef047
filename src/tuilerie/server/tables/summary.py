"""The status of a table, stored beside its row with what lists show, so that no log is read."""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie.match import summary
from tuilerie.match.bodies import TableStatus
from tuilerie.match.table import Table
from tuilerie.store.log import Status

SHOWN: Mapping[Status, TableStatus] = {
    Status.OPEN: "waiting",
    Status.PLAYING: "playing",
    Status.OVER: "over",
    Status.CLOSED: "closed",
}
"""How lists show each stored status."""

_STORED = {shown: stored for stored, shown in SHOWN.items()}


def status_of(table: Table) -> Status:
    """Return the status of a table, as it is stored."""
    return _STORED[summary.status_of(table)]


def may_differ(before: Table, after: Table) -> bool:
    """Return false if lists certainly show both alike. Cheap: it is asked at every move."""
    if before.seats is not after.seats or before.hinted is not after.hinted:
        return True
    return status_of(before) is not status_of(after)
