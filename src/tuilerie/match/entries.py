"""The entries of a game in the form in which a record holds them, and the record of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tuilerie import record
from tuilerie.games.game import Action, AnyGame, Clock, Entry, Json
from tuilerie.match.codec import BadFact

if TYPE_CHECKING:
    from tuilerie.match.table import Table

ACTION, CHANCE, CLOCK = "action", "chance", "clock"


def write_entry(game: AnyGame, entry: Entry[Json], ms: int) -> dict[str, Json]:
    """The fields of a record's line."""
    if isinstance(entry, Action):
        return {"kind": ACTION, "seat": entry.seat, "move": str(entry.move), "ms": ms}
    if isinstance(entry, Clock):
        return {"kind": CLOCK, "what": entry.what, "ms": ms}
    return {"kind": CHANCE, **game.write_chance(entry), "ms": ms}


def read_entry(game: AnyGame, fields: Mapping[str, Json]) -> Entry[Json]:
    """The entry that a record's line tells."""
    kind = fields.get("kind")
    if kind == ACTION:
        return Action(fields["seat"], game.parse_move(fields["move"]))
    if kind == CHANCE:
        return game.read_chance(fields)
    if kind == CLOCK:
        return Clock(fields["what"])
    raise BadFact(f"entry is of kind {kind!r}, expected {ACTION}, {CHANCE}, {CLOCK}")


def record_of(table: Table) -> str:
    """The record of the game that is or was played here; empty before it began.

    **It holds every hidden tile: before the end it may be given to nobody.** After the end it is
    the whole game, with its result unless somebody resigned.
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
