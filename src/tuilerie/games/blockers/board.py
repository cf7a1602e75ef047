"""The board: nine rows A–I from the top, nine columns 1–9 from the left, nine regions of 3×3."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NewType

Cell = NewType("Cell", str)
"""Row and column, as in 'C7'."""

ROWS = "ABCDEFGHI"
COLUMNS = "123456789"
REGIONS = "123456789"
"""The regions in reading order: 1–3 above, 4–6 in the middle, 7–9 below."""

SYMBOLS: Mapping[str, str] = dict(
    zip(
        REGIONS,
        ("sun", "heart", "star", "square", "diamond", "triangle", "moon", "spade", "drop"),
        strict=True,
    )
)
"""The symbol that is printed on every cell of a region."""

CELLS: tuple[Cell, ...] = tuple(Cell(row + column) for row in ROWS for column in COLUMNS)
"""All 81 cells in reading order."""


def region_of(cell: Cell) -> str:
    """Return the region of a cell."""
    row, column = ROWS.index(cell[0]), COLUMNS.index(cell[1])
    return REGIONS[row // 3 * 3 + column // 3]


def _neighbours(cell: Cell) -> frozenset[Cell]:
    row, column = ROWS.index(cell[0]), COLUMNS.index(cell[1])
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return frozenset(CELLS[9 * r + c] for r, c in around if 0 <= r < 9 and 0 <= c < 9)


NEIGHBOURS: Mapping[Cell, frozenset[Cell]] = {cell: _neighbours(cell) for cell in CELLS}
"""The two, three or four cells that share a side with a cell. Diagonals do not count."""

Group = tuple[Cell, ...]
"""Connected cells, in reading order."""


def groups_of(cells: Set[Cell]) -> tuple[Group, ...]:
    """Return the orthogonally connected groups of these cells, ordered by their first cells."""
    left = [cell for cell in CELLS if cell in cells]
    groups = []
    while left:
        group = {left[0]}
        edge = [left[0]]
        while edge:
            new = (NEIGHBOURS[edge.pop()] & cells) - group
            group |= new
            edge += new
        groups.append(tuple(cell for cell in left if cell in group))
        left = [cell for cell in left if cell not in group]
    return tuple(groups)


def parts_around(cells: Set[Cell], cell: Cell) -> int:
    """Count the groups of `cells` that touch `cell`, connected without it.

    If `cell` is occupied, its group would split into this many parts without it; if it is empty, a
    tile there would join this many groups.
    """
    touching = NEIGHBOURS[cell] & cells
    if len(touching) < 2:
        return len(touching)
    parts = 0
    seen = {cell}
    apart = set(touching)  # not reached by any part yet
    while apart:
        parts += 1
        edge = [apart.pop()]
        seen.add(edge[0])
        while edge and apart:
            for near in NEIGHBOURS[edge.pop()] & cells:
                if near not in seen:
                    seen.add(near)
                    edge.append(near)
                    apart.discard(near)
    return parts


def loose_of(cells: Set[Cell]) -> frozenset[Cell]:
    """Return the cells whose removal splits no group (all but the articulation points)."""
    return frozenset([cell for cell in cells if parts_around(cells, cell) <= 1])


def loose_now(loose: frozenset[Cell], cells: Set[Cell], changed: Cell) -> frozenset[Cell]:
    """Update `loose_of` after one cell was added or removed. `loose` is the set before the change;
    cells of other colours in it are kept."""
    near = NEIGHBOURS[changed] & cells
    touched = near | {changed}
    if len(near) > 1 and parts_around(cells, changed) < len(near):
        # A cycle closes or opens, which can change the cells all along it.
        touched |= cells - loose if changed in cells else cells & loose
    still = [cell for cell in touched & cells if parts_around(cells, cell) <= 1]
    return (loose - touched).union(still)
