"""Drawing of Blockers!: the board with its nine regions, groups and captures, the rack.

The number, symbol and name of a region stand in its upper border, where no tile covers them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuilerie.games.blockers.board import COLUMNS, ROWS, SYMBOLS, Cell, region_of
from tuilerie.games.blockers.card import UPTOWN
from tuilerie.games.blockers.tiles import Board, Colour, Tile, count_of
from tuilerie.games.blockers.view import View
from tuilerie.language import Language, language
from tuilerie.terminal.layout import beside, centre, clip, table, words
from tuilerie.terminal.style import Style

SIGNS: Mapping[str, str] = dict(zip("123456789", "☼♥★■◆▲☾♠●", strict=True))
"""The symbol of each region: sun, heart, star, square, diamond, triangle, moon, spade, drop."""

CELL = 5  # width of a cell
NAME = 13  # columns for a player's name

LAST = "[]"  # marks the tile laid last
ASKED = "{}"  # marks the cells of an example


def draw(
    view: View,
    names: Sequence[str],
    lang: str,
    colour: bool,
    *,
    compact: bool = False,
) -> str:
    """Draw the whole table of a view. `compact`: a short player list beside the board, for low
    screens."""
    say, style = language(lang), Style(colour)
    around: dict[str, str] = {} if view.last is None else {view.last: LAST}
    board = draw_board(view.board, say, style, around)
    if compact:
        board = beside(board, ["", *_players_in_short(view, names, say, style)], gap=1)
    else:
        board = [*board, "", *_players(view, names, say, style)]
    head, rack = _head(view, names, say, style), _rack(view, say, style)
    return "\n".join([*head, "", *board, "", *rack]).rstrip("\n")


# --- the board ------------------------------------------------------------------------------------


def draw_board(board: Board, say: Language, style: Style, around: Mapping[str, str]) -> list[str]:
    """Draw the board alone. `around`: the two characters around a cell."""
    heads = (centre(number, CELL) for number in COLUMNS)
    joined = _by_three(list(heads))
    lines = ["   " + " ".join(joined).rstrip(" ")]
    for at, row in enumerate(ROWS):
        if at % 3 == 0:
            lines.append("  " + _border(at, say))
        cells = [_cell(board, Cell(row + column), style, around) for column in COLUMNS]
        lines.append(f"{row} ┃" + "┃".join(_by_three(cells)) + "┃")
    return [*lines, "  ┗" + "┻".join(["━" * 3 * CELL] * 3) + "┛"]


def _by_three(parts: Sequence[str]) -> list[str]:
    return ["".join(parts[at : at + 3]) for at in (0, 3, 6)]


def _border(row: int, say: Language) -> str:
    """Return the border above a row of regions, with their names."""
    regions = [str(row // 3 * 3 + at) for at in (1, 2, 3)]
    titles = [f"━{region(number, say)} ".ljust(3 * CELL, "━") for number in regions]
    left, middle, right = ("┏", "┳", "┓") if row == 0 else ("┣", "╋", "┫")
    return left + middle.join(titles) + right


def region(number: str, say: Language) -> str:
    """Return a region's number, symbol and name."""
    return f"#{number} {SIGNS[number]} {say.say(f'symbol.{SYMBOLS[number]}')}"


def _cell(board: Board, cell: Cell, style: Style, around: Mapping[str, str]) -> str:
    marks = around.get(cell, "  ")
    laid = board.get(cell)
    if laid is None:
        inside = style(f" {SIGNS[region_of(cell)]} ", "faint")
        return f"{style(marks[0], 'strong')}{inside}{style(marks[1], 'strong')}"
    return style(f"{marks[0]}{laid:<3}{marks[1]}", f"blockers.{laid[0]}")


# --- around the board -----------------------------------------------------------------------------


def _head(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    parts = [style("Blockers!", "title")]
    if view.result is not None:
        parts.append(style(say.say("draw.over"), "strong"))
    elif view.turn is not None:
        key = "draw.turn-you" if view.turn == view.viewer else "draw.turn"
        parts.append(style(say.say(key, name=clip(names[view.turn], NAME)), "strong"))
    if view.last_turn:
        parts.append(style(say.say("draw.last-turn"), "good"))
    return words(parts, between=" · ")


def _players(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    keys = ("player", "colour", "groups", "captured", "score", "pile", "rack-count")
    rows = [["", *(style(say.say(f"draw.{key}"), "faint") for key in keys)]]
    for seat, own in enumerate(view.options.colours):
        captures = capture_counts(view, seat)
        most = 0 if view.options.scoring == UPTOWN else max(captures.values(), default=0)
        name = clip(names[seat], NAME)
        rows.append(
            [
                "▸" if seat == view.turn else " ",
                style(name, "strong") if seat == view.viewer else name,
                " ".join(colour(letter, style) for letter in own),
                str(view.groups[seat]),
                " ".join(f"{letter}{count}" for letter, count in captures.items() if count) or "–",
                str(view.groups[seat] + most),
                " ".join(str(view.piles[letter]) for letter in own),
                " ".join(str(view.racks[seat].get(letter, 0)) for letter in own),
            ]
        )
    uptown = view.options.scoring == UPTOWN
    note = style(say.say("draw.lowest-wins-uptown" if uptown else "draw.lowest-wins"), "faint")
    return [*table(rows, right=(3, 5, 6, 7)), note]


def _players_in_short(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    """List groups + captures = score and the piles, in 28 columns."""
    lines = []
    for seat, own in enumerate(view.options.colours):
        captures = max(capture_counts(view, seat).values(), default=0)
        most = 0 if view.options.scoring == UPTOWN else captures
        groups = view.groups[seat]
        sign = "▸" if seat == view.turn else " "
        name = clip(names[seat], 10)
        pile = "+".join(str(view.piles[letter]) for letter in own)
        shown = style(name, "strong") if seat == view.viewer else name
        letters = "".join(colour(letter, style) for letter in own)
        lines.append(f"{sign}{shown} · {say.say('draw.pile')} {pile}")
        lines.append(f"  {letters} {groups}+{most} = {groups + most}")
    return [*lines, style(say.say("draw.in-short"), "faint")]


def capture_counts(view: View, seat: int) -> dict[Colour, int]:
    """Count the captured tiles of a seat by colour."""
    return {
        letter: count_of(view.captures[seat], letter)
        for letter in view.options.in_play
        if letter not in view.options.colours[seat]
    }


def colour(letter: Colour, style: Style) -> str:
    """Draw a colour as its letter."""
    return style(f" {letter} ", f"blockers.{letter}")


def tile(name: Tile | str, style: Style) -> str:
    """Draw a tile: its name in the notation, and the symbol of a region."""
    sign = SIGNS[name[2]] if name[1] == "#" else ""
    return style(f" {name}{sign} ", f"blockers.{name[0]}")


def _rack(view: View, say: Language, style: Style) -> list[str]:
    lines = []
    if view.rack is not None:
        tiles = [tile(name, style) for name in view.rack]
        lines += words([say.say("draw.rack"), *tiles], between="  ")
    if view.discards:
        lines += words([say.say("draw.discarded"), *(tile(t, style) for t in view.discards)])
    return lines
