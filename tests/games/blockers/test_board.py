"""Cells whose removal splits no group: computed from scratch and incrementally."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tuilerie.games.blockers.board import CELLS, Cell, groups_of, loose_now, loose_of

CORNER = [cell for cell in CELLS if cell[0] in "ABCD" and cell[1] in "1234"]
"""Few enough cells that groups and rings are frequent."""

SOME = st.sets(st.sampled_from(CORNER))


@given(SOME)
def test_removing_a_loose_cell_splits_no_group(cells: set[Cell]) -> None:
    groups = len(groups_of(cells))
    loose = {cell for cell in cells if len(groups_of(cells - {cell})) <= groups}
    assert loose_of(cells) == loose


@given(SOME, SOME, st.lists(st.sampled_from(CORNER)))
def test_loose_cells_are_updated_incrementally(
    cells: set[Cell], others: set[Cell], changes: list[Cell]
) -> None:
    beyond = frozenset(Cell("I" + cell[1]) for cell in others)
    loose = loose_of(cells) | beyond
    for changed in changes:
        cells ^= {changed}
        loose = loose_now(loose, cells, changed)
        assert loose == loose_of(cells) | beyond
