"""Slots, their neighbours, and the shapes of galaxies.

A slot is a column letter and a row number: 'a1' is at the top left, 'i9' at the bottom right of the
frame. The basic galaxy is the square a1–c3; cards that bend the shape use the same frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

Slot = str
"""A position for a tile: 'b2'."""

Corner = str
"""A corner of a tile: 'NW', 'NE', 'SE' or 'SW'."""

Field = tuple[Slot, Corner]
"""One of the four fields of the tile on a slot."""

COLUMNS = "abcdefghi"
ROWS = "123456789"

SLOTS: tuple[Slot, ...] = tuple(column + row for row in ROWS for column in COLUMNS)
"""All slots of the frame in reading order: row by row, each from the left."""

READING: Mapping[Slot, int] = {slot: place for place, slot in enumerate(SLOTS)}
"""The index of each slot in reading order."""

CORNERS: tuple[Corner, ...] = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise, in the order of its fields."""

FIELDS: Mapping[Slot, tuple[Field, ...]] = {
    slot: tuple((slot, corner) for corner in CORNERS) for slot in SLOTS
}
"""The four fields of each slot, clockwise."""


def _beside(columns: int, rows: int) -> dict[Slot, Slot]:
    """Map each slot to the one at this offset, if it is in the frame."""
    found = {}
    for slot in SLOTS:
        column, row = COLUMNS.index(slot[0]) + columns, ROWS.index(slot[1]) + rows
        if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS):
            found[slot] = COLUMNS[column] + ROWS[row]
    return found


LEFT: Mapping[Slot, Slot] = _beside(-1, 0)
RIGHT: Mapping[Slot, Slot] = _beside(1, 0)
ABOVE: Mapping[Slot, Slot] = _beside(0, -1)
BELOW: Mapping[Slot, Slot] = _beside(0, 1)

NEIGHBOURS: Mapping[Slot, tuple[Slot, ...]] = {
    slot: tuple(side[slot] for side in (ABOVE, LEFT, RIGHT, BELOW) if slot in side)
    for slot in SLOTS
}
"""The slots that share a side with each slot, in reading order."""

HAND = 9
"""Tiles per player in a round."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a galaxy: its slots, and the number of tiles of a complete galaxy.

    `joined`: a free shape, in which the tiles must be orthogonally connected.
    """

    name: str
    slots: tuple[Slot, ...]
    size: int
    joined: bool = False

    @property
    def leaves_one(self) -> bool:
        """Whether one of the nine tiles is left out."""
        return self.size < HAND

    def is_complete(self, laid: Collection[Slot]) -> bool:
        """Return whether tiles on these slots (of the shape) make a complete galaxy."""
        return len(laid) == self.size and (not self.joined or len(groups(laid)) == 1)


def _shape(name: str, columns: str, rows: str, without: tuple[Slot, ...] = ()) -> Shape:
    slots = (column + row for row in rows for column in columns)
    kept = tuple(slot for slot in slots if slot not in without)
    return Shape(name, kept, len(kept))


SQUARE = _shape("square", "abc", "123")
ROW = _shape("row", COLUMNS, "1")
TWINS = _shape("twins", "abde", "12")  # column c is empty, so the two squares never touch
RING = _shape("ring", "abc", "123", ("b2",))
FREE = Shape("free", SLOTS, HAND, joined=True)

SHAPES: Mapping[str, Shape] = {shape.name: shape for shape in (SQUARE, ROW, TWINS, RING, FREE)}
"""All shapes by name."""


def groups(slots: Collection[Slot]) -> list[tuple[Slot, ...]]:
    """Return the orthogonally connected groups of slots, largest first.

    Ties are ordered by the first slot in reading order. The slots of a group are in reading order.
    """
    left = set(slots)
    found = []
    for first in sorted(left, key=READING.__getitem__):
        if first not in left:
            continue
        left.remove(first)
        group = [first]
        for slot in group:
            for beside in NEIGHBOURS[slot]:
                if beside in left:
                    left.remove(beside)
                    group.append(beside)
        found.append(tuple(sorted(group, key=READING.__getitem__)))
    return sorted(found, key=len, reverse=True)


def free_beside(laid: Collection[Slot]) -> tuple[Slot, ...]:
    """Return the free slots adjacent to laid tiles, in reading order; all slots if none is laid."""
    if not laid:
        return SLOTS
    return tuple(
        slot
        for slot in SLOTS
        if slot not in laid and any(beside in laid for beside in NEIGHBOURS[slot])
    )
