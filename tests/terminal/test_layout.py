"""Text layout: width, clipping, wrapping, columns and tables."""

from __future__ import annotations

import click
import pytest

from tuilerie.terminal.layout import beside, centre, clip, flow, pad, pad_left, table, width, words
from tuilerie.terminal.layout import wrap as wrapped


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("é", 1), ("e\u0301", 1), ("漢字", 4), (click.style("ab", fg="red"), 2), ("", 0)],
)
def test_width_counts_screen_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字漢", 4, "漢…"),
        ("a\x1b[31m\nb", 9, "a[31mb"),
        ("a\u202eb", 9, "ab"),
    ],
)
def test_clip_shortens_and_removes_control_characters(text: str, columns: int, cut: str) -> None:
    assert clip(text, columns) == cut
    assert width(clip(text, columns)) <= columns


def test_padding_counts_columns_not_characters() -> None:
    red = click.style("ab", fg="red")
    assert width(pad(red, 5)) == width(pad_left(red, 5)) == width(centre(red, 5)) == 5
    assert centre("x", 4) == " x  "


def test_blocks_are_set_side_by_side_and_flow_into_rows() -> None:
    assert beside(["ab", "c"], ["d", "e", "f"]) == ["ab  d", "c   e", "    f"]
    assert flow([["aaa"], ["bbb"], ["ccc"]], 8) == ["aaa  bbb", "", "ccc"]


def test_words_are_never_broken() -> None:
    assert words(["aa", "bb", "cc"], 5, "") == ["aa bb", "cc"]
    assert words(["aa", "bb"], 5, "  ") == ["  aa", "  bb"]
    assert wrapped("one two\u00a0! three", 9, "  ", "- ") == ["- one", "  two\u00a0!", "  three"]


def test_table_columns_fit_their_widest_cell() -> None:
    assert table([["a", "1"], ["bbb", "10"]], right=(1,)) == ["a     1", "bbb  10"]
    assert table([]) == []
