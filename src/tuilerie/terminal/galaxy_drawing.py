"""Drawing of a Kaosmos galaxy: tiles of two by two fields, asteroid lines in heavy strokes.

A tile is three lines high: two fields, a middle line, two fields. Its arms run along the middle
line and between the two fields of a line, and cross the border where two arms meet::

    ┌a1─┸T03┐
    │G● ┃G  │
    │   ┗━━━┥
    │G●  B● │
    └───────┘
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tuilerie.games.kaosmos.board import COLUMNS, READING, ROWS, Field, Slot
from tuilerie.games.kaosmos.score import Galaxy
from tuilerie.games.kaosmos.tiles import KINDS, Laid, Tile, TileSet
from tuilerie.terminal.layout import pad
from tuilerie.terminal.style import Style

NARROW, WIDE = 3, 4  # width of a field: a letter and two planets, or one more label
PLANET, CONSTELLATION = "●", "✦"

LIGHT = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
HEAVY = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""Box-drawing characters by bit mask: 1 up, 2 right, 4 down, 8 left."""

ACROSS = {(False, False): "─", (True, False): "┸", (False, True): "┰", (True, True): "╂"}
"""The border between an upper and a lower tile, by which of their arms reach it."""

DOWN = {(False, False): "│", (True, False): "┥", (False, True): "┝", (True, True): "┿"}
"""The border between a left and a right tile."""

Label = Callable[[Field, str], str]
"""Returns the text of a field, given its printed content ('G2')."""


def field_text(_: Field, printed: str) -> str:
    """Return a field's text: the letter of its colour and its planets."""
    return CONSTELLATION if printed == "K" else printed[0] + PLANET * int(printed[1])


@dataclass(slots=True)
class Canvas:
    """A grid of painted characters."""

    style: Style
    signs: dict[tuple[int, int], tuple[str, str | None]] = field(default_factory=dict)

    def put(self, row: int, column: int, text: str, paint: str | None = None) -> None:
        """Write a text from a position to the right."""
        for at, sign in enumerate(text):
            self.signs[row, column + at] = sign, paint

    def paint_of(self, row: int, column: int) -> str | None:
        """Return the paint at a position."""
        return self.signs.get((row, column), (" ", None))[1]

    def lines(self) -> list[str]:
        """Return the drawn lines."""
        height = max((row + 1 for row, _ in self.signs), default=0)
        return [self._line(row) for row in range(height)]

    def _line(self, row: int) -> str:
        right = max((column for at, column in self.signs if at == row), default=-1) + 1
        signs = [self.signs.get((row, column), (" ", None)) for column in range(right)]
        parts = []
        at = 0
        while at < right:  # group characters by paint, for few escape codes
            end = at
            while end < right and signs[end][1] == signs[at][1]:
                end += 1
            text, paint = "".join(sign for sign, _ in signs[at:end]), signs[at][1]
            parts.append(self.style(text, paint) if paint else text)
            at = end
        return "".join(parts)


# --- one tile -------------------------------------------------------------------------------------


def _paint_tile(  # noqa: PLR0913, PLR0917 - a tile and its position
    canvas: Canvas, top: int, left: int, tile: Tile, slot: Slot, wide: int, label: Label
) -> None:
    """Paint the three lines of a tile; `top` and `left` are the position of its first field."""
    right = left + wide + 1
    places = {"NW": (top, left), "NE": (top, right), "SE": (top + 2, right), "SW": (top + 2, left)}
    for (corner, (row, column)), printed in zip(places.items(), tile.cells, strict=True):
        text = pad(label((slot, corner), printed), wide)
        canvas.put(row, column, text, f"kaosmos.{KINDS[printed[0]]}")
    _paint_gaps(canvas, top, left, tile, wide)
    middle = left + wide
    arms = set(tile.arms)
    for arm, row in (("N", top), ("S", top + 2)):
        if arm in arms:
            canvas.put(row, middle, "┃", "kaosmos.arm")
    for arm, column in (("W", left), ("E", right)):
        if arm in arms:
            canvas.put(top + 1, column, "━" * wide, "kaosmos.arm")
    if arms:
        meeting = sum(bit for arm, bit in zip("NESW", (1, 2, 4, 8), strict=True) if arm in arms)
        canvas.put(top + 1, middle, HEAVY[meeting], "kaosmos.arm")


def _paint_gaps(canvas: Canvas, top: int, left: int, tile: Tile, wide: int) -> None:
    """Fill the gap between two fields of the same colour with that colour."""
    nw, ne, se, sw = (KINDS[printed[0]] for printed in tile.cells)
    middle, right = left + wide, left + wide + 1
    gaps = (
        (top, middle, 1, nw, ne),
        (top + 2, middle, 1, sw, se),
        (top + 1, left, wide, nw, sw),
        (top + 1, right, wide, ne, se),
    )
    for row, column, length, one, other in gaps:
        canvas.put(row, column, " " * length, f"kaosmos.{one}" if one == other else None)
    whole = nw == ne == se == sw
    canvas.put(top + 1, middle, " ", f"kaosmos.{nw}" if whole else None)


def draw_tile(tile: Tile, style: Style) -> list[str]:
    """Draw a single tile without a border."""
    canvas = Canvas(style)
    _paint_tile(canvas, 0, 0, tile, "a1", NARROW, field_text)
    return canvas.lines()


# --- a whole galaxy -------------------------------------------------------------------------------


def shown_slots(galaxy: Galaxy, slots: Sequence[Slot], *, free: bool) -> list[Slot]:
    """Return the slots to draw: the shape's, or for a free shape the tiles and their neighbours."""
    if not free:
        return list(slots)
    laid = galaxy or {"e5": ("", 0)}
    columns = [COLUMNS.index(slot[0]) for slot in laid]
    rows = [ROWS.index(slot[1]) for slot in laid]
    wide = range(max(0, min(columns) - 1), min(len(COLUMNS), max(columns) + 2))
    high = range(max(0, min(rows) - 1), min(len(ROWS), max(rows) + 2))
    return [COLUMNS[column] + ROWS[row] for row in high for column in wide]


def draw_galaxy(  # noqa: PLR0913 - options of the drawing
    galaxy: Galaxy,
    slots: Collection[Slot],
    tiles: TileSet,
    style: Style,
    *,
    wide: int = NARROW,
    label: Label = field_text,
    tags: Mapping[Slot, str] | None = None,
) -> list[str]:
    """Draw a galaxy with its slots. `tags`: labels at the upper right, by default tile names."""
    canvas = Canvas(style)
    tags = {slot: laid[0] for slot, laid in galaxy.items()} if tags is None else tags
    shown = sorted({*slots, *galaxy}, key=READING.__getitem__)
    left = min((COLUMNS.index(slot[0]) for slot in shown), default=0)
    above = min((ROWS.index(slot[1]) for slot in shown), default=0)
    pitch = 2 * wide + 2

    def corner(slot: Slot) -> tuple[int, int]:
        return 4 * (ROWS.index(slot[1]) - above), pitch * (COLUMNS.index(slot[0]) - left)

    turned = {slot: _turned(tiles, laid) for slot, laid in galaxy.items()}
    _paint_borders(canvas, [corner(slot) for slot in shown], pitch)
    for slot in shown:
        row, column = corner(slot)
        if slot in turned:
            _paint_tile(canvas, row + 1, column + 1, turned[slot], slot, wide, label)
    for slot in shown:
        row, column = corner(slot)
        _paint_crossings(canvas, row, column, slot, turned, pitch)
    for slot in shown:
        row, column = corner(slot)
        canvas.put(row, column + 1, slot, "strong" if slot in turned else "faint")
        tag = tags.get(slot, "")
        canvas.put(row, column + pitch - len(tag), tag, "faint")
    return canvas.lines()


def _turned(tiles: TileSet, laid: Laid) -> Tile:
    tile, turns = laid
    return tiles.by_id[tile].turned(turns)


def _paint_borders(canvas: Canvas, corners: Sequence[tuple[int, int]], pitch: int) -> None:
    across: set[tuple[int, int]] = set()  # corners from which a line runs to the right
    down: set[tuple[int, int]] = set()
    for row, column in corners:
        across |= {(row, column), (row + 4, column)}
        down |= {(row, column), (row, column + pitch)}
    for row, column in across:
        canvas.put(row, column + 1, "─" * (pitch - 1), "faint")
    for row, column in down:
        for below in (1, 2, 3):
            canvas.put(row + below, column, "│", "faint")
    points = across | down | {(r, c + pitch) for r, c in across} | {(r + 4, c) for r, c in down}
    for row, column in points:
        meeting = (
            1 * ((row - 4, column) in down)
            + 2 * ((row, column) in across)
            + 4 * ((row, column) in down)
            + 8 * ((row, column - pitch) in across)
        )
        canvas.put(row, column, LIGHT[meeting], "faint")


def _paint_crossings(  # noqa: PLR0913, PLR0917 - a slot and its surroundings
    canvas: Canvas, row: int, column: int, slot: Slot, turned: Mapping[Slot, Tile], pitch: int
) -> None:
    """Paint the borders of a slot where arms reach them or a colour continues."""
    here = turned.get(slot)

    def arm(tile: Tile | None, side: str) -> bool:
        return tile is not None and side in tile.arms

    above, below = _beside(slot, 0, -1, turned), _beside(slot, 0, 1, turned)
    left, right = _beside(slot, -1, 0, turned), _beside(slot, 1, 0, turned)
    middle = column + pitch // 2
    for line, sides in (
        (row, (arm(above, "S"), arm(here, "N"))),
        (row + 4, (arm(here, "S"), arm(below, "N"))),
    ):
        if any(sides):
            canvas.put(line, middle, ACROSS[sides], "kaosmos.arm")
    for place, sides in (
        (column, (arm(left, "E"), arm(here, "W"))),
        (column + pitch, (arm(here, "E"), arm(right, "W"))),
    ):
        if any(sides):
            canvas.put(row + 2, place, DOWN[sides], "kaosmos.arm")
    for line in (row + 1, row + 3):
        paints = canvas.paint_of(line, column - 1), canvas.paint_of(line, column + 1)
        if paints[0] == paints[1] and paints[0]:
            canvas.put(line, column, "│", paints[0])


def _beside(slot: Slot, columns: int, rows: int, turned: Mapping[Slot, Tile]) -> Tile | None:
    column, row = COLUMNS.index(slot[0]) + columns, ROWS.index(slot[1]) + rows
    if not (0 <= column < len(COLUMNS) and 0 <= row < len(ROWS)):
        return None
    return turned.get(COLUMNS[column] + ROWS[row])


def draw_small(galaxy: Galaxy, slots: Collection[Slot], tiles: TileSet, style: Style) -> list[str]:
    """Draw a galaxy small: each field is a letter and its number of planets."""
    canvas = Canvas(style)
    shown = {*slots, *galaxy}
    left = min((COLUMNS.index(slot[0]) for slot in shown), default=0)
    above = min((ROWS.index(slot[1]) for slot in shown), default=0)
    for slot in shown:
        row = 2 * (ROWS.index(slot[1]) - above)
        column = 5 * (COLUMNS.index(slot[0]) - left)
        if slot not in galaxy:
            for line in (row, row + 1):
                canvas.put(line, column, "····", "faint")
            continue
        nw, ne, se, sw = _turned(tiles, galaxy[slot]).cells
        for line, one, other in ((row, nw, ne), (row + 1, sw, se)):
            for place, printed in ((column, one), (column + 2, other)):
                text = CONSTELLATION if printed == "K" else printed
                canvas.put(line, place, pad(text, 2), f"kaosmos.{KINDS[printed[0]]}")
    return canvas.lines()
