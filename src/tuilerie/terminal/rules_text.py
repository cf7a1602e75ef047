"""Renders the rules texts and their examples for a terminal: headings, lists, tables.

Only the Markdown subset that `tuilerie.texts` describes is supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tuilerie.terminal.example_drawing import draw_example
from tuilerie.terminal.layout import pad, width
from tuilerie.terminal.style import Style
from tuilerie.texts import rules_text

__all__ = ["draw_example", "draw_rules"]

_EXAMPLE = re.compile(r"\{\{example ([a-z0-9-]+)\}\}")
_HEADING = re.compile(r"(#{1,3}) (.+)")
_ITEM = re.compile(r"(-|[0-9]+\.) (.+)")
_INLINE = re.compile(r"\*\*(?P<strong>.+?)\*\*|\*(?P<stress>.+?)\*|`(?P<code>.+?)`")
_LINE = re.compile(r"\|[-:| ]+\|")

Word = str
"""A painted word, which is never broken."""

GAP = 2  # between table columns


def draw_rules(game: str, lang: str, width: int, colour: bool) -> str:
    """Render the rules of a game at this width."""
    return "\n".join(_set(rules_text(game, lang).splitlines(), lang, width, Style(colour)))


def _set(lines: Sequence[str], lang: str, columns: int, style: Style) -> Iterator[str]:
    rows: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("|"):
            rows.append(line)
            continue
        if rows:
            yield from _table(rows, columns, style)
            rows = []
        if match := _EXAMPLE.fullmatch(line.strip()):
            yield from (
                "  " + each for each in draw_example(match[1], style.colour, lang).splitlines()
            )
        elif match := _HEADING.fullmatch(line):
            yield from _heading(len(match[1]), match[2], style)
        elif match := _ITEM.fullmatch(line):
            first = "• " if match[1] == "-" else f"{match[1]} "
            yield from fill(inline(match[2], style), columns, " " * len(first), first)
        else:
            yield from fill(inline(line, style), columns) if line else [""]


def _heading(level: int, text: str, style: Style) -> list[str]:
    rule = {1: "═", 2: "─"}.get(level)
    title = style(text, "title")
    return [title, rule * width(text)] if rule else [title]


def inline(text: str, style: Style) -> list[Word]:
    """Split a text into painted words. Without colour, code is quoted."""
    painted: list[Word] = [""]
    at = 0
    for match in [*_INLINE.finditer(text), None]:
        plain = text[at : match.start() if match else len(text)]
        _add_words(painted, plain, style, None)
        if match is None:
            break
        at = match.end()
        if match["code"] is not None:
            code = match["code"].replace(" ", "\u00a0")  # never break code
            painted[-1] += style(code, "strong") if style.colour else f"‘{code}’"
        else:
            paint = "strong" if match["strong"] is not None else "key"
            inner = re.sub(r"`(.+?)`", r"‘\1’", match["strong"] or match["stress"])
            _add_words(painted, inner, style, paint)
    return [word for word in painted if word]


def _add_words(painted: list[Word], text: str, style: Style, paint: str | None) -> None:
    """Append to the last word; each space (but not a no-break space) begins a new one."""
    first, *rest = (style(word, paint) if paint else word for word in text.split(" "))
    painted[-1] += first
    painted += rest


def fill(words: Sequence[Word], columns: int, indent: str = "", first: str = "") -> list[str]:
    """Wrap painted words into lines."""
    lines = [first]
    empty = True
    for word in words:
        if not empty and width(lines[-1]) + 1 + width(word) > columns:
            lines.append(indent)
            empty = True
        lines[-1] += word if empty else " " + word
        empty = False
    return lines


# --- tables ---------------------------------------------------------------------------------------


def _table(rows: Sequence[str], columns: int, style: Style) -> list[str]:
    cells = [_cells(row) for row in rows if not _LINE.fullmatch(row)]
    set_rows = [[inline(cell, style) for cell in row] for row in cells]
    widths = _widths(set_rows, columns)
    lines = []
    for at, row in enumerate(set_rows):
        wrapped = [fill(cell, room) for cell, room in zip(row, widths, strict=True)]
        for line in range(max(map(len, wrapped))):
            parts = [
                pad(cell[line] if line < len(cell) else "", room)
                for cell, room in zip(wrapped, widths, strict=True)
            ]
            text = (" " * GAP).join(parts).rstrip(" ")
            lines.append(style(text, "strong") if at == 0 else text)
        if at == 0:
            lines.append("─" * (sum(widths) + GAP * (len(widths) - 1)))
    return lines


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _widths(rows: Sequence[Sequence[Sequence[Word]]], columns: int) -> list[int]:
    """Return the column widths: natural widths, the widest shrunk until all fit."""
    count = len(rows[0])
    widths = [max(width(" ".join(row[at])) for row in rows) for at in range(count)]
    while sum(widths) + GAP * (count - 1) > columns:
        widths[widths.index(max(widths))] -= 1
    return widths
