"""The record of a table."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tuilerie import record

if TYPE_CHECKING:
    from tuilerie.match.table import Table


def record_of(table: Table) -> str:
    """The record of this table's game; empty before the start.

    **It holds every hidden tile: never send it before the end.** After the end it is complete, with
    the result unless somebody resigned.
    """
    if table.started_at is None:
        return ""
    began = datetime.fromtimestamp(table.started_at // 1000, UTC)
    header = record.Header(
        table.game,
        table.rules_version,
        table.names,
        table.options,
        started=began.strftime("%Y-%m-%dT%H:%M:%SZ"),
        edition=table.rules.edition,
    )
    lines = [record.header_line(header)]
    lines += [json.dumps(entry, ensure_ascii=False) for entry in table.entries]
    result = table.rules.result(table.game_state)
    if result is not None:
        lines.append(record.result_line(result))
    return "".join(line + "\n" for line in lines)
