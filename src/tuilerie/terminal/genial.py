"""Drawing of Génial!: the hexagonal board, the score tracks, the hand.

Rows of hexagons are offset by half a cell. Each row is labelled with the names of its first and
last cells; numbers grow by one to the right. Optionally every free cell shows its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from tuilerie.games.genial.board import CENTRE, Board, Cell, make_board, row_and_number
from tuilerie.games.genial.card import DUEL, TEAMS
from tuilerie.games.genial.score import FULL, Symbols, Track, lowest_colours, track_of
from tuilerie.games.genial.state import OVER, SWAP
from tuilerie.games.genial.tiles import COLOURS, Colour
from tuilerie.games.genial.view import View
from tuilerie.language import Language, language
from tuilerie.terminal.layout import beside, clip, cut, pad, pad_left, table, width, words
from tuilerie.terminal.style import Style

SHAPES: Mapping[str, str] = {"R": "✱", "Y": "☼", "B": "★", "G": "●", "P": "○", "O": "⬢"}
"""The shape that goes with each letter: asterisk, sun, star, disc, ring, hexagon."""

CELL = 4  # width of a cell; rows are offset by half of it
BAR, SHORT_BAR = 9, 6  # width of a full track
EIGHTHS = " ▏▎▍▌▋▊▉█"
NAME = 13  # columns for a player's name

LAST = "[]"  # marks the tile laid last
COUNTED = "()"  # marks the cells of a scoring line
ASKED = "{}"  # marks the cells of a proposed tile


def draw(  # noqa: PLR0913 - options of the drawing
    view: View,
    names: Sequence[str],
    lang: str,
    colour: bool,
    *,
    cells: bool = False,
    compact: bool = False,
) -> str:
    """Draw the whole table of a view. `cells`: show the names of free cells. `compact`: tracks as
    figures beside a large board, for low screens."""
    say, style = language(lang), Style(colour)
    around: dict[str, str] = dict.fromkeys(view.last or (), LAST)
    board = draw_board(_board(view.radius), view.symbols, style, around, cells=cells)
    if view.options.variant == DUEL:
        tracks = _tug_of_war(view, names, style)
        lines = beside(board, ["", "", *tracks]) if cells else [*board, "", *tracks]
    elif len(view.tracks) <= 2 and view.radius <= 5:  # room beside the small board
        gap = 9 if cells else 1  # row labels take room
        lines = beside(board, ["", "", *_tracks(view, names, say, style, SHORT_BAR)], gap=gap)
    elif compact and cells:
        lines = beside(board, ["", *_figures(view, names, style)])
    else:
        lines = [*board, "", *_tracks(view, names, say, style, BAR)]
    return "\n".join([*_head(view, names, say, style), "", *lines, "", *_hand(view, say, style)])


@cache
def _board(radius: int) -> Board:
    return make_board(radius)


# --- the board ------------------------------------------------------------------------------------


def draw_board(
    board: Board,
    symbols: Symbols,
    style: Style,
    around: Mapping[str, str],
    *,
    cells: bool = False,
) -> list[str]:
    """Draw the board alone. `around`: the two characters around a cell."""
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(board.cells, key=row_and_number):
        rows.setdefault(row_and_number(cell)[0], []).append(cell)
    left = min(_column(row[0]) for row in rows.values()) - (0 if cells else CELL)
    lines = []
    for at in sorted(rows, reverse=True):
        first, last = rows[at][0], rows[at][-1]
        label = pad_left("" if cells else first, _column(first) - left)
        end = "" if cells else " " + last
        parts = [_cell(cell, symbols, style, around.get(cell, "  "), cells) for cell in rows[at]]
        lines.append(f"{style(label, 'faint')}{''.join(parts)}{style(end, 'faint')}".rstrip(" "))
    return lines


def _column(cell: Cell) -> int:
    """Return the first column of a cell, relative to the board's centre."""
    row, number = row_and_number(cell)
    return CELL * (number - CENTRE[1]) - CELL // 2 * (row - CENTRE[0])


def _cell(cell: Cell, symbols: Symbols, style: Style, around: str, cells: bool) -> str:
    colour = symbols.get(cell)
    if colour is None and cells and around == "  ":
        return style(pad(" " + cell, CELL), "faint")
    inside = style("· ", "faint") if colour is None else symbol(colour, style)
    return f"{style(around[0], 'strong')}{inside}{style(around[1], 'strong')}"


def symbol(colour: str, style: Style) -> str:
    """Draw a symbol: its letter and its shape."""
    return style(colour + SHAPES[colour], f"genial.{colour}")


def tile(letters: str, style: Style) -> str:
    """Draw a tile: two symbols side by side."""
    return "".join(symbol(letter, style) for letter in letters)


# --- around the board -----------------------------------------------------------------------------


def _head(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    parts = [style("Génial!", "title"), say.say("draw.in-bag", count=view.bag_count)]
    if view.phase == OVER:
        parts.insert(1, style(say.say("draw.over"), "strong"))
    elif view.actors:
        seat = view.seat
        key = "draw.turn-you" if seat == view.viewer else "draw.turn"
        parts.insert(1, style(say.say(key, name=clip(names[seat], NAME)), "strong"))
        if view.bonus:
            parts.append(style(say.say("draw.bonus", count=view.bonus), "good"))
        if view.phase == SWAP:
            parts.append(style(say.say("draw.may-swap"), "good"))
    return words(parts, between=" · ")


def _hand(view: View, say: Language, style: Style) -> list[str]:
    if view.hand is None:
        return []
    tiles = [f"{at} {tile(letters, style)}" for at, letters in enumerate(view.hand, 1)]
    lines = [say.say("draw.hand") + "  " + "   ".join(tiles)]
    if view.turns < view.players and view.phase != OVER:
        open_now = [f"{cell} {symbol(colour, style)}" for cell, colour in untouched(view).items()]
        lines.append(say.say("draw.first-turn", where="  ".join(open_now)))
    return lines


def untouched(view: View) -> dict[Cell, Colour]:
    """Return the printed symbols that no tile touches yet: a first tile must touch one."""
    board = _board(view.radius)
    return {
        cell: colour
        for cell, colour in board.printed.items()
        if board.neighbours[cell].isdisjoint(view.symbols)
    }


# --- the tracks -----------------------------------------------------------------------------------


def _tracks(view: View, names: Sequence[str], say: Language, style: Style, bar: int) -> list[str]:
    variant = view.options.variant
    owners = track_owners(view.players, variant, names, bar + 3)
    mine = None if view.viewer is None else track_of(variant, view.viewer)
    head = [" "] + [
        ("▸" if view.actors and track_of(variant, view.seat) == at else " ")
        + (style(name, "strong") if at == mine else name)
        for at, name in enumerate(owners)
    ]
    rows = [head]
    for colour in COLOURS:
        marks = [_marker(track, colour, FULL[variant], style, bar) for track in view.tracks]
        rows.append([symbol(colour, style), *marks])
    return [*table(rows), style(say.say("draw.lowest"), "faint")]


def _figures(view: View, names: Sequence[str], style: Style) -> list[str]:
    """Draw the tracks as figures, each three columns wide."""
    variant = view.options.variant
    short = [cut(name, 3) for name in names[: view.players]]
    owners = [f"{short[at]}+{short[at + 2]}" for at in (0, 1)] if variant == TEAMS else short
    rows = [["", *owners]]
    for colour in COLOURS:
        marks = [_figure(track, colour, FULL[variant], style) for track in view.tracks]
        rows.append([symbol(colour, style), *marks])
    return table(rows, right=range(1, len(rows[0])), gap=1)


def track_owners(players: int, variant: str, names: Sequence[str], room: int) -> list[str]:
    """Return the owner of each track: a player or two partners."""
    if variant == TEAMS:
        half = (room - 3) // 2
        return [f"{clip(names[at], half)} + {clip(names[at + 2], half)}" for at in (0, 1)]
    return [clip(name, room) for name in names[:players]]


def _figure(track: Track, colour: Colour, full: int, style: Style) -> str:
    at = track[colour]
    sign = "◂" if colour in lowest_colours(track) else "✓" if at == full else " "
    return f"{at:>2}{style(sign, 'strong')}"


def _marker(track: Track, colour: Colour, full: int, style: Style, room: int) -> str:
    at = track[colour]
    whole, rest = divmod(at * room * 8 // full, 8)
    bar = "█" * whole + (EIGHTHS[rest] if rest else "")
    painted = style(bar.ljust(room, "·"), f"genial.{colour}")
    return f"{painted} {_figure(track, colour, full, style)}"


def _tug_of_war(view: View, names: Sequence[str], style: Style) -> list[str]:
    """Draw the six tracks of a duel; the viewer (or the first seat) pulls to the right."""
    mine = view.viewer or 0
    reach = FULL[DUEL]
    left, right = clip(names[1 - mine], NAME), clip(names[mine], NAME)
    room = 2 * reach + 1
    lines = [f"   {left}{pad_left(right, room + 10 - width(left))}"]
    for colour in COLOURS:
        at = view.tracks[mine][colour]
        track = ["·"] * room
        track[reach] = "|"
        marker = SHAPES[colour]
        before, after = "".join(track[: at + reach]), "".join(track[at + reach + 1 :])
        won = "✓" if at == reach else " "
        lost = "✓" if at == -reach else " "
        lines.append(
            f"{symbol(colour, style)} {-at:>+3}{lost} "
            f"{before}{style(marker, f'genial.{colour}')}{after} {at:>+3}{won}"
        )
    return lines
