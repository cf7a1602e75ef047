"""Génial! as text: the board of hexagons, the tracks, the hand.

Rows of hexagons are set off by half a cell. At both ends of a row stands the name of its first and
last cell, so that any cell can be counted off: numbers grow by one to the right. On demand every
free cell shows its own name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from tuilerie.games.genial.board import CENTRE, Board, Cell, make_board, place_of
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

CELL = 4  # columns a cell takes; half of it is what a row is set off by
BAR, SHORT_BAR = 9, 6  # columns that a full track takes
EIGHTHS = " ▏▎▍▌▋▊▉█"
NAME = 13  # columns for a player's name

LAST = "[]"  # what stands around the tile that was laid last
COUNTED = "()"  # around the cells of a line that gave points
ASKED = "{}"  # around the cells of a tile that is not laid yet


def draw(  # noqa: PLR0913 - a view, for whom it is drawn, and how
    view: View,
    names: Sequence[str],
    lang: str,
    colour: bool,
    *,
    cells: bool = False,
    compact: bool = False,
) -> str:
    """The whole table as this viewer may see it. `cells`: free cells show their names. `compact`:
    where there are few lines, the tracks of a large board stand beside it in figures."""
    say, style = language(lang), Style(colour)
    around: dict[str, str] = dict.fromkeys(view.last or (), LAST)
    board = draw_board(_board(view.radius), view.symbols, style, around, cells=cells)
    if view.options["variant"] == DUEL:
        tracks = _tug_of_war(view, names, style)
        lines = beside(board, ["", "", *tracks]) if cells else [*board, "", *tracks]
    elif len(view.tracks) <= 2 and view.radius <= 5:  # the small board leaves room beside it
        gap = 9 if cells else 1  # names at the ends of rows take room
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
    """The board alone. `around`: two signs that stand around a cell."""
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(board.cells, key=place_of):
        rows.setdefault(place_of(cell)[0], []).append(cell)
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
    """Where a cell begins, counted from the centre of the board."""
    row, number = place_of(cell)
    return CELL * (number - CENTRE[1]) - CELL // 2 * (row - CENTRE[0])


def _cell(cell: Cell, symbols: Symbols, style: Style, around: str, cells: bool) -> str:
    colour = symbols.get(cell)
    if colour is None and cells and around == "  ":
        return style(pad(" " + cell, CELL), "faint")
    inside = style("· ", "faint") if colour is None else symbol(colour, style)
    return f"{style(around[0], 'strong')}{inside}{style(around[1], 'strong')}"


def symbol(colour: str, style: Style) -> str:
    """A symbol: its letter and its shape."""
    return style(colour + SHAPES[colour], f"genial.{colour}")


def tile(letters: str, style: Style) -> str:
    """A tile: two symbols side by side."""
    return "".join(symbol(letter, style) for letter in letters)


# --- what stands around the board -----------------------------------------------------------------


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
    """The printed symbols that no tile touches yet: where a first tile must go."""
    board = _board(view.radius)
    return {
        cell: colour
        for cell, colour in board.printed.items()
        if board.neighbours[cell].isdisjoint(view.symbols)
    }


# --- the tracks -----------------------------------------------------------------------------------


def _tracks(view: View, names: Sequence[str], say: Language, style: Style, bar: int) -> list[str]:
    variant = view.options["variant"]
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
    """The tracks without bars, each three columns wide."""
    variant = view.options["variant"]
    short = [cut(name, 3) for name in names[: view.players]]
    owners = [f"{short[at]}+{short[at + 2]}" for at in (0, 1)] if variant == TEAMS else short
    rows = [["", *owners]]
    for colour in COLOURS:
        marks = [_figure(track, colour, FULL[variant], style) for track in view.tracks]
        rows.append([symbol(colour, style), *marks])
    return table(rows, right=range(1, len(rows[0])), gap=1)


def track_owners(players: int, variant: str, names: Sequence[str], room: int) -> list[str]:
    """Who each track belongs to: a player, or two partners."""
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
    """The six tracks of a duel: the viewer (or the first seat) pulls to the right."""
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
