"""Drawings show the whole position, fit 80 columns, and are legible without colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import click
import pytest

from tests.amounts import one_in
from tests.tables import TABLES, Table, random_game
from tuilerie.games.blockers import board as blockers_board
from tuilerie.games.genial.board import make_board, row_and_number
from tuilerie.games.kaosmos.board import SHAPES
from tuilerie.games.kaosmos.tiles import TILES, Tile
from tuilerie.language import language
from tuilerie.terminal import blockers, genial, kaosmos
from tuilerie.terminal.galaxy_drawing import CONSTELLATION, PLANET, draw_galaxy, draw_tile
from tuilerie.terminal.layout import width
from tuilerie.terminal.style import PLAIN

NAMES = ["Maximilienne-Adélaïde", "Bo", "漢字漢字漢字漢字", "Ana (the third)", "e\x1b[31m", "F\n"]
DRAW: dict[str, Callable[..., str]] = {
    "genial": genial.draw,
    "blockers": blockers.draw,
    "kaosmos": kaosmos.draw,
}


def states(table: Table, every: int) -> Iterator[Any]:
    for number, moment in enumerate(random_game(table, seed=1)):
        if number % every == 0 or table.rules.result(moment.after) is not None:
            yield moment.after


@pytest.mark.slow
@pytest.mark.parametrize("table", one_in(3, TABLES), ids=str)
def test_table_fits_80_columns_and_has_no_escape_codes_without_colour(table: Table) -> None:
    draw = DRAW[table.game]
    for state in states(table, 31 if table.game != "kaosmos" else 83):
        for viewer in (table.players - 1, None):
            view = table.rules.view(state, viewer)
            for lang in ("en", "fr"):
                plain = draw(view, NAMES, lang, False)
                assert max(map(width, plain.splitlines())) <= 80, plain
                assert all(sign == "\n" or sign.isprintable() or sign == "\u00a0" for sign in plain)
                coloured = draw(view, NAMES, lang, True)
                assert "\x1b[" in coloured
                assert strip(click.unstyle(coloured)) == strip(plain)


def strip(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("table", [each for each in TABLES if each.game != "kaosmos"], ids=str)
def test_compact_table_fits_a_small_screen(table: Table, lang: str) -> None:
    how = {"cells": True} if table.game == "genial" else {}
    for state in states(table, 29):
        view = table.rules.view(state, 0)
        lines = DRAW[table.game](view, NAMES, lang, False, compact=True, **how).splitlines()
        assert max(map(width, lines)) <= 80
        assert len(lines) <= 22
        for scores in view.tracks if table.game == "genial" else ():
            assert all(str(abs(value)) in "\n".join(lines) for value in scores.values())


# --- Génial! --------------------------------------------------------------------------------------


def read_genial(drawn: str, radius: int, cells: bool) -> tuple[dict[str, str], set[str]]:
    """Parse a drawn board: its symbols, and the cells marked as last."""
    board = make_board(radius)
    rows = sorted({row_and_number(cell)[0] for cell in board.cells}, reverse=True)
    symbols: dict[str, str] = {}
    last: set[str] = set()
    lines = drawn.splitlines()
    first = next(at for at, line in enumerate(lines) if not line) + 1
    left = min(2 * abs(row - 7) for row in rows)
    for row, line in zip(rows, lines[first:], strict=False):
        in_row = sorted((c for c in board.cells if row_and_number(c)[0] == row), key=row_and_number)
        start = (0 if cells else 4) + 2 * abs(row - 7) - left
        for at, cell in enumerate(in_row):
            text = line[start + 4 * at : start + 4 * at + 4].ljust(4)
            inside = text[1:3]
            if inside[0] in genial.SHAPES:
                assert inside[1] == genial.SHAPES[inside[0]]
                symbols[cell] = inside[0]
            elif cells:
                assert text.strip() == cell
            else:
                assert text.strip() == "·"
            if text[0] == "[":
                last.add(cell)
        if not cells:
            assert line[:start].strip() == in_row[0]
            assert line[start + 4 * len(in_row) :].split()[0] == in_row[-1]
    return symbols, last


@pytest.mark.parametrize("cells", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_genial_board_drawing_parses_back(players: int, cells: bool) -> None:
    table = Table("genial", players)
    for state in states(table, 7):
        view = table.rules.view(state, 1)
        symbols, last = read_genial(
            genial.draw(view, NAMES, "en", False, cells=cells), view.radius, cells
        )
        assert symbols == view.symbols
        assert last == set(view.last or ())


def test_genial_shows_hand_tracks_turn_and_starting_symbols() -> None:
    table = Table("genial", 2)
    moments = list(islice(random_game(table, seed=1), 60))
    view = table.rules.view(moments[1].after, 0)
    drawn = genial.draw(view, ["You", "Bo"], "en", False)
    for at, tile in enumerate(view.hand, 1):
        assert f"{at} {genial.tile(tile, PLAIN)}" in drawn
    assert "your turn" in drawn
    assert "108 tiles in the bag" in drawn
    for cell, printed in make_board(5).printed.items():
        assert f"{cell} {genial.symbol(printed, PLAIN)}" in drawn
    later = table.rules.view(moments[-1].after, 0)
    drawn = genial.draw(later, ["You", "Bo"], "en", False)
    for colour in "RYBGPO":
        (line,) = [
            line
            for line in drawn.splitlines()
            if line.endswith(("◂", "✓")) or "···" in line
            if f"{genial.symbol(colour, PLAIN)}  " in line[50:]
        ]
        numbers = [track[colour] for track in later.tracks]
        lowest = [track[colour] == min(track.values()) for track in later.tracks]
        right = line[50:]
        for number, low in zip(numbers, lowest, strict=True):
            assert f" {number}{'◂' if low else ''}" in right
        assert right.count("◂") == sum(lowest)


# --- Blockers! ------------------------------------------------------------------------------------


def read_blockers(drawn: str) -> tuple[dict[str, str], set[str]]:
    tiles: dict[str, str] = {}
    last: set[str] = set()
    for line in drawn.splitlines():
        if not (line[:1] in tuple("ABCDEFGHI") and line[1:3] == " ┃"):
            continue
        inside = "".join(line[3:].split("┃"))
        for column in range(9):
            cell = f"{line[0]}{column + 1}"
            text = inside[5 * column : 5 * column + 5]
            sign = blockers.SIGNS[blockers_board.region_of(blockers_board.Cell(cell))]
            if text.strip() != sign:
                tiles[cell] = text[1:4].strip()
            if text[0] == "[":
                last.add(cell)
    return tiles, last


@pytest.mark.parametrize("players", [2, 5])
def test_blockers_board_drawing_parses_back(players: int) -> None:
    table = Table("blockers", players)
    for state in states(table, 11):
        view = table.rules.view(state, 0)
        tiles, last = read_blockers(blockers.draw(view, NAMES, "fr", False))
        assert tiles == view.board
        assert last == {view.last} - {None}


def test_blockers_shows_regions_rack_counts_and_last_turn() -> None:
    table = Table("blockers", 3)
    last_turns = 0
    for state in states(table, 1):
        view = table.rules.view(state, 0)
        drawn = blockers.draw(view, ["You", "Bo", "Maximilienne"], "en", False)
        for number, word in blockers_board.SYMBOLS.items():
            assert f"#{number} {blockers.SIGNS[number]} {word}" in drawn
        assert all(blockers.tile(tile, PLAIN) in drawn for tile in view.rack or ())
        assert ("LAST TURN" in drawn) == view.last_turn
        last_turns += view.last_turn
        rows = drawn.splitlines()
        for seat, own in enumerate(view.options.colours):
            (row,) = [
                line.split() for line in rows if f" {own} " in line[16:24] and line[1:3] == "  "
            ]
            assert row[-2:] == [str(view.piles[own]), str(view.racks[seat][own])]
    assert last_turns == 3
    out = blockers.draw(replace(view, discards=("b7", "y#2")), NAMES, "en", False)
    assert "Out of the game:  b7   y#2♥" in out


# --- Kaosmos --------------------------------------------------------------------------------------


def read_field(text: str) -> str:
    text = text.strip()
    return "K" if text == CONSTELLATION else f"{text[0]}{text.count(PLANET)}"


def read_tile(lines: list[str], tile_id: str) -> Tile:
    """Parse a tile from its three lines of seven columns."""
    top, middle, bottom = (line.ljust(7) for line in lines)
    cells = (top[:3], top[4:7], bottom[4:7], bottom[:3])
    nw, ne, se, sw = map(read_field, cells)
    arms = {
        "N": top[3] == "┃",
        "E": middle[4:7] == "━━━",
        "S": bottom[3] == "┃",
        "W": middle[:3] == "━━━",
    }
    drawn = "".join(arm for arm, there in arms.items() if there)
    assert (middle[3] != " ") == bool(drawn)
    return Tile(tile_id, (nw, ne, se, sw), drawn)


def test_tile_drawings_parse_back_in_every_orientation() -> None:
    for tile in TILES.tiles:
        for turns in range(4):
            turned = tile.turned(turns)
            assert read_tile(draw_tile(turned, PLAIN), tile.id) == turned


@pytest.mark.parametrize("shape", SHAPES)
def test_galaxy_drawing_parses_back_with_its_paths(shape: str) -> None:
    wanted = SHAPES[shape]
    tiles = iter(TILES.tiles)
    slots = wanted.slots[:9] if wanted.joined else wanted.slots
    galaxy = {slot: (next(tiles).id, at % 4) for at, slot in enumerate(slots)}
    lines = [line.ljust(80) for line in draw_galaxy(galaxy, slots, TILES, PLAIN)]

    def corner(slot: str) -> tuple[int, int]:
        return 4 * (int(slot[1]) - 1), 8 * "abcdefghi".index(slot[0])

    for slot, (tile, turns) in galaxy.items():
        row, column = corner(slot)
        inside = [line[column + 1 : column + 8] for line in lines[row + 1 : row + 4]]
        turned = TILES.by_id[tile].turned(turns)
        assert read_tile(inside, tile) == turned
        assert lines[row][column + 1 : column + 3] == slot
        assert lines[row][column + 5 : column + 8] == tile
        right = chr(ord(slot[0]) + 1) + slot[1]
        meets = right in galaxy and "E" in turned.arms
        meets = meets and "W" in TILES.by_id[galaxy[right][0]].turned(galaxy[right][1]).arms
        assert (lines[row + 2][column + 8] == "┿") == meets
        below = slot[0] + str(int(slot[1]) + 1)
        meets = below in galaxy and "S" in turned.arms
        meets = meets and "N" in TILES.by_id[galaxy[below][0]].turned(galaxy[below][1]).arms
        assert (lines[row + 4][column + 4] == "╂") == meets


def test_kaosmos_shows_card_tiles_and_markers() -> None:
    table = Table("kaosmos", 3)
    phases = set()
    for state in states(table, 3):
        view = table.rules.view(state, 1)
        phases.add(view.phase)
        drawn = kaosmos.draw(view, NAMES, "fr", False, seconds=17)
        assert "encore 17 s" in drawn
        if view.card:
            name, text = kaosmos.card_words(view.card, language("fr"))
            assert name in drawn
            assert text.split()[-1] in drawn
        for at, tile in enumerate(view.packet if view.phase == "draft" else view.supply, 1):
            assert f"{at} {tile}" in drawn
        for own in view.markers:
            lowest = min(own[colour] for colour in ("green", "blue", "orange"))
            assert f" {lowest + own['star']} " in drawn
    assert {"draft", "building"} <= phases
