"""The tiles: their fields and arms, their orientations, and their file format.

A tile is two by two fields. A field is green, blue or orange with 0, 1 or 2 planets, or a
constellation. Asteroid lines run from the middle of a tile to the middle of a side: its arms.

**The file format** (`tiles.json`): a JSON array, one tile per line::

    {"id": "T04", "cells": ["B0", "B2", "B0", "G1"], "arms": "NW"}

- `id`: 'T' and two digits, unique.
- `cells`: four fields, clockwise from the top left: G, B or O (green, blue, orange) and the number
  of planets, 0–2; or K, a constellation.
- `arms`: the sides that asteroid lines run to, a subset of 'NESW'.

A set needs at least 54 tiles, nine for each of six players.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import NamedTuple

from tuilerie.games.kaosmos.board import HAND
from tuilerie.games.kaosmos.card import CARD, COLOURS
from tuilerie.games.kaosmos.files import Node, Reader

TileId = str
"""The id of a tile: 'T07'."""

Turns = int
"""Quarter turns clockwise, 0–3."""

Laid = tuple[TileId, Turns]
"""A laid tile with its orientation."""

ARMS = "NESW"
"""The sides of a tile, clockwise."""

CONSTELLATION = "constellation"

KINDS: Mapping[str, str] = {"G": "green", "B": "blue", "O": "orange", "K": CONSTELLATION}
"""The kind of a field by its first letter."""

FIELD_NAMES = (*(letter + str(planets) for letter in "GBO" for planets in range(3)), "K")
"""All possible fields."""

NEEDED = HAND * CARD.players[-1]
"""Tiles needed for the maximum number of players."""

ID = re.compile(r"T[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as printed: its fields clockwise from the top left, and its arms."""

    id: TileId
    cells: tuple[str, str, str, str]
    arms: str

    def turned(self, turns: Turns) -> Tile:
        """Return the tile after quarter turns clockwise."""
        if not turns:
            return self
        nw, ne, se, sw = self.cells
        arms = "".join(arm for arm in ARMS if ARMS[ARMS.index(arm) - 1] in self.arms)
        return Tile(self.id, (sw, nw, ne, se), arms).turned(turns - 1)

    @property
    def planets(self) -> Mapping[str, int]:
        """The number of planets by colour."""
        count = dict.fromkeys(COLOURS, 0)
        for cell in self.cells:
            if cell != "K":
                count[KINDS[cell[0]]] += int(cell[1])
        return count

    @property
    def pattern(self) -> tuple[tuple[str, ...], str]:
        """A normal form, equal for tiles that differ only by rotation."""
        return min((each.cells, each.arms) for each in map(self.turned, range(4)))


class Part(NamedTuple):
    """Fields of one tile that are in the same zone within the tile."""

    kind: str  # a colour, or a constellation
    planets: int
    corners: tuple[int, ...]  # indices into `board.CORNERS`


class Face(NamedTuple):
    """A tile in one of its four orientations, preprocessed for counting."""

    parts: tuple[Part, ...]
    part_at: tuple[int, int, int, int]  # the part of each corner
    north: bool  # whether an arm runs north, and so on
    east: bool
    south: bool
    west: bool


def _face(tile: Tile, *, cut: bool) -> Face:
    """Find the parts of a tile. Adjacent fields of a kind are one part, unless an arm cuts them."""
    part_at = [0, 1, 2, 3]
    # Clockwise from the top left, arm N lies between fields 0 and 1, E between 1 and 2, and so on.
    for before, arm in enumerate(ARMS):
        after = (before + 1) % 4
        if tile.cells[before][0] == tile.cells[after][0] and not (cut and arm in tile.arms):
            joined = {part_at[before], part_at[after]}
            part_at = [min(joined) if part in joined else part for part in part_at]
    names = sorted(set(part_at))
    parts = []
    for name in names:
        corners = tuple(corner for corner in range(4) if part_at[corner] == name)
        cells = [tile.cells[corner] for corner in corners]
        parts.append(Part(KINDS[cells[0][0]], sum(int(cell[1:] or 0) for cell in cells), corners))
    nw, ne, se, sw = (names.index(part) for part in part_at)
    return Face(tuple(parts), (nw, ne, se, sw), *(arm in tile.arms for arm in ARMS))


Faces = Mapping[Laid, Face]


@dataclass(frozen=True, slots=True)
class TileSet:
    """All tiles of a box."""

    tiles: tuple[Tile, ...]
    by_id: Mapping[TileId, Tile] = field(init=False, repr=False, compare=False)
    _cut: Faces = field(init=False, repr=False, compare=False)
    _open: Faces = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        turned = [(tile, turns) for tile in self.tiles for turns in range(4)]
        for name, value in (
            ("by_id", {tile.id: tile for tile in self.tiles}),
            ("_cut", {(t.id, turns): _face(t.turned(turns), cut=True) for t, turns in turned}),
            ("_open", {(t.id, turns): _face(t.turned(turns), cut=False) for t, turns in turned}),
        ):
            object.__setattr__(self, name, value)

    @property
    def ids(self) -> tuple[TileId, ...]:
        """The ids of all tiles, in the order of the set."""
        return tuple(self.by_id)

    def faces(self, *, cut: bool) -> Faces:
        """Return every tile in every orientation. `cut`: arms cut zones."""
        return self._cut if cut else self._open


# --- the file -------------------------------------------------------------------------------------


def read_tiles(text: str, name: str = "tiles.json") -> TileSet:
    """Parse a tiles file. Raises `BadSet` with all faults."""
    reader = Reader(text, name)
    tiles = check_tiles(reader, reader.entries())
    reader.check()
    return TileSet(tuple(tiles))


def check_tiles(reader: Reader, entries: list[Node]) -> list[Tile]:
    """Return the valid tiles among the entries; faults are reported to the reader."""
    tiles: list[Tile] = []
    seen: dict[TileId, int] = {}
    patterns: dict[tuple[tuple[str, ...], str], tuple[TileId, int]] = {}
    for entry in entries:
        tile = _read_tile(reader, entry, seen)
        if tile is None:
            continue
        tiles.append(tile)
        other, at = patterns.setdefault(tile.pattern, (tile.id, entry.at))
        if at != entry.at:
            line = reader.line_of(at)
            reader.fault(entry.at, "tiles-equal", warning=True, id=tile.id, other=other, line=line)
    if len(entries) < NEEDED:
        reader.fault(len(reader.text), "too-few-tiles", found=len(entries), needed=NEEDED)
    return tiles


def _read_tile(reader: Reader, entry: Node, seen: dict[TileId, int]) -> Tile | None:
    faults = len(reader.faults)
    members = reader.members(entry, ("id", "cells", "arms"))
    check_id(reader, members, ID, "T00–T99", seen)
    if "cells" in members:
        _check_cells(reader, members["cells"])
    if "arms" in members:
        _check_arms(reader, members["arms"])
    if len(reader.faults) > faults:
        return None
    nw, ne, se, sw = members["cells"].data
    arms = "".join(arm for arm in ARMS if arm in members["arms"].value)
    return Tile(members["id"].value, (nw, ne, se, sw), arms)


def check_id(
    reader: Reader,
    members: Mapping[str, Node],
    form: re.Pattern[str],
    expected: str,
    seen: dict[str, int],
) -> None:
    """Check the form and uniqueness of an id. `seen` maps ids to their positions."""
    node = members.get("id")
    if node is None or not reader.is_kind("id", node, "text"):
        return
    if not form.fullmatch(node.value):
        reader.fault(node.at, "bad-id", found=node.value, expected=expected)
    elif node.value in seen:
        first = reader.line_of(seen[node.value])
        reader.fault(node.at, "id-twice", id=node.value, first=first)
    else:
        seen[node.value] = node.at


def _check_cells(reader: Reader, cells: Node) -> None:
    if not reader.is_kind("cells", cells, "list"):
        return
    if len(cells.value) != 4:
        reader.fault(cells.at, "cells-count", found=len(cells.value), expected=4)
    for cell in cells.value:
        if cell.data not in FIELD_NAMES:
            expected = list(FIELD_NAMES)
            reader.fault(cell.at, "field-unknown", found=cell.data, expected=expected)


def _check_arms(reader: Reader, arms: Node) -> None:
    if not reader.is_kind("arms", arms, "text"):
        return
    for place, arm in enumerate(arms.value):
        if arm not in ARMS:
            reader.fault(arms.at + 1 + place, "arm-unknown", found=arm, expected=list(ARMS))
        elif arm in arms.value[:place]:
            reader.fault(arms.at + 1 + place, "arm-twice", found=arm)


TILES = read_tiles(resources.files(__package__).joinpath("tiles.json").read_text("utf-8"))
"""The default tiles."""
