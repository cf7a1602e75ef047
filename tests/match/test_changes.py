"""Change trees: as small as they can be, and enough to make the later value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.changes import apply_changes
from tuilerie.codec import to_builtins
from tuilerie.match.changes import changes


@dataclass(frozen=True, slots=True)
class Pair:
    left: Any
    right: Any
    _cached: int = 0


@pytest.mark.parametrize(
    ("before", "after", "tree"),
    [
        (Pair(1, 2), Pair(1, 2), None),
        (Pair(1, 2, 3), Pair(1, 2, 4), None),
        (Pair(1, 2), Pair(1, 3), {"right": (3,)}),
        (Pair(1, None), Pair(None, {}), {"left": (None,), "right": ({},)}),
        (
            Pair({"a": 1, "b": 2}, 0),
            Pair({"b": 3, "c": 4}, 0),
            {"left": {"a": None, "b": (3,), "c": (4,)}},
        ),
        (Pair((1, 2), 0), Pair((1, 3), 0), {"left": ((1, 3),)}),
        (Pair(({"a": 1}, {}), 0), Pair(({"a": 1}, {"b": 2}), 0), {"left": {"1": {"b": (2,)}}}),
        (Pair(((1,), (2,)), 0), Pair(((1,),), 0), {"left": (((1,),),)}),
        (Pair(Pair(1, 2), 0), Pair(Pair(1, 3), 0), {"left": {"right": (3,)}}),
        (1, 2, (2,)),
    ],
)
def test_a_tree_holds_only_what_changed(before: object, after: object, tree: object) -> None:
    assert changes(before, after) == tree


LEAVES = st.none() | st.booleans() | st.text(max_size=3) | st.integers(2, 9)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text("abc", max_size=2), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.builds(Pair, VALUES, VALUES), st.builds(Pair, VALUES, VALUES))
def test_a_value_and_the_changes_make_the_later_value(before: Pair, after: Pair) -> None:
    tree = changes(before, after)
    sent = json.loads(json.dumps(to_builtins({} if tree is None else tree)))
    assert apply_changes(to_builtins(before), sent) == to_builtins(after)
