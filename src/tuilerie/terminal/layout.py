"""Text layout that ignores escape codes: padding, clipping, wrapping, columns and tables."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

import click

WIDTH = 80
"""Maximum width of all drawings."""


def width(text: str) -> int:
    """Return the display width of a text in columns."""
    return sum(_columns(sign) for sign in click.unstyle(text))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """Pad a text on the right."""
    return text + " " * (columns - width(text))


def pad_left(text: str, columns: int) -> str:
    """Pad a text on the left."""
    return " " * (columns - width(text)) + text


def centre(text: str, columns: int) -> str:
    """Centre a text in that many columns."""
    left = max(0, columns - width(text)) // 2
    return pad(" " * left + text, columns)


def clip(text: str, columns: int) -> str:
    """Clip a plain text to that many columns, with an ellipsis; control characters are removed.

    Names come from records, which are untrusted input.
    """
    shown = _clean(text)
    return shown if width(shown) <= columns else cut(shown, columns - 1) + "…"


def cut(text: str, columns: int) -> str:
    """Clip a plain text without an ellipsis."""
    shown = _clean(text)
    while width(shown) > columns:
        shown = shown[:-1]
    return shown


def _clean(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")


def wrap(text: str, columns: int = WIDTH, indent: str = "", first: str | None = None) -> list[str]:
    """Wrap a plain text. `indent` goes before each line, `first` before the first one."""
    return textwrap.wrap(
        text,
        columns,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    ) or [indent if first is None else first]


def beside(*blocks: Sequence[str], gap: int = 2) -> list[str]:
    """Set blocks of lines side by side, aligned at the top."""
    height = max(map(len, blocks), default=0)
    columns = [max(map(width, block), default=0) for block in blocks]
    lines = []
    for row in range(height):
        parts = [
            pad(block[row] if row < len(block) else "", wide)
            for block, wide in zip(blocks, columns, strict=True)
        ]
        lines.append((" " * gap).join(parts).rstrip(" "))
    return lines


def flow(blocks: Iterable[Sequence[str]], columns: int = WIDTH, gap: int = 2) -> list[str]:
    """Set blocks of lines side by side, as many per row as fit."""
    rows: list[list[Sequence[str]]] = []
    room = 0
    for block in blocks:
        needed = max(map(width, block), default=0)
        if not rows or needed > room:
            rows.append([])
            room = columns
        rows[-1].append(block)
        room -= needed + gap
    lines: list[str] = []
    for at, row in enumerate(rows):
        lines += ([""] if at else []) + beside(*row, gap=gap)
    return lines


def words(
    parts: Iterable[str], columns: int = WIDTH, indent: str = "", between: str = " "
) -> list[str]:
    """Wrap painted words without breaking any."""
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1]) + width(between) + width(part) <= columns:
            lines[-1] += between + part
        else:
            lines.append(indent + part)
    return lines


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = (), gap: int = 2) -> list[str]:
    """Align rows of cells in columns; `right`: the columns aligned to the right."""
    if not rows:
        return []
    columns = [max(width(row[at]) for row in rows) for at in range(len(rows[0]))]
    to_right = set(right)
    return [
        (" " * gap)
        .join(
            (pad_left if at in to_right else pad)(cell, columns[at]) for at, cell in enumerate(row)
        )
        .rstrip(" ")
        for row in rows
    ]
