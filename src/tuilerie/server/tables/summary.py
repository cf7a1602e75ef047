"""What lists show of a table: stored beside its row, so that no log is read for a list."""

from __future__ import annotations

from tuilerie.match.summary import summary_of
from tuilerie.match.table import Table
from tuilerie.store.log import Status

__all__ = ["may_differ", "status_of", "summary_of"]


def status_of(table: Table) -> Status:
    """Return the status of a table, for lists."""
    if table.result is not None:
        return Status.OVER
    if table.closed:
        return Status.CLOSED
    return Status.OPEN if table.started_at is None else Status.PLAYING


def may_differ(before: Table, after: Table) -> bool:
    """Return false if lists certainly show both alike. Cheap: it is asked at every move."""
    if before.seats is not after.seats or before.hinted is not after.hinted:
        return True
    return status_of(before) is not status_of(after)
