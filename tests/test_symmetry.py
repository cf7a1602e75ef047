"""Symmetry: rotating or mirroring the board, or renaming colours or seats, changes only names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from tests.amounts import one_in
from tuilerie.games import GAMES
from tuilerie.games.game import Action, Entry, Json, TilesDrawn
from tuilerie.games.genial.board import CENTRE, PRINTED, Cell, cell_at, row_and_number
from tuilerie.games.genial.notation import Keep, Placement, Swap, placement
from tuilerie.games.genial.tiles import tile_named

GENIAL, BLOCKERS = GAMES["genial"], GAMES["blockers"]


# --- Génial!: six rotations and their mirror images ---


def turned(cell: Cell) -> Cell:
    """Rotate by a sixth of a turn counter-clockwise about the centre."""
    i, j = row_and_number(cell)[0] - CENTRE[0], row_and_number(cell)[1] - CENTRE[1]
    return cell_at(j + CENTRE[0], j - i + CENTRE[1])


def mirrored(cell: Cell) -> Cell:
    """Mirror about an axis through the centre."""
    i, j = row_and_number(cell)[0] - CENTRE[0], row_and_number(cell)[1] - CENTRE[1]
    return cell_at(j + CENTRE[0], i + CENTRE[1])


def colours_moved(move: Callable[[Cell], Cell]) -> Mapping[str, str]:
    """Return the renaming of colours that maps the printed symbols onto each other."""
    return {PRINTED[cell]: PRINTED[move(cell)] for cell in PRINTED}


def genial_image(entry: Entry[Json], move: Callable[[Cell], Cell]) -> Entry[Json]:
    names = colours_moved(move)

    def renamed(tile: str) -> str:
        image = tile_named("".join(names[letter] for letter in tile))
        assert image is not None
        return image

    if isinstance(entry, TilesDrawn):
        return TilesDrawn(entry.what, entry.seat, tuple(map(renamed, entry.tiles)))
    assert isinstance(entry, Action)
    if isinstance(entry.move, (Swap, Keep)):
        return entry
    assert isinstance(entry.move, Placement)
    letters = "".join(names[letter] for letter in entry.move.tile)
    return Action(entry.seat, placement(letters, move(entry.move.first), move(entry.move.second)))


@pytest.mark.slow
@pytest.mark.parametrize("players", one_in(3, [2, 3, 4]))
@pytest.mark.parametrize("move", [turned, mirrored])
def test_rotated_or_mirrored_game_has_the_same_points(
    players: int, move: Callable[[Cell], Cell]
) -> None:
    names = colours_moved(move)
    random = Random(5)
    state = image = GENIAL.start(players, {})
    while GENIAL.result(state) is None:
        entry: Entry[Json]
        if GENIAL.due(state):
            entry = GENIAL.chance(state, random.randrange)
        else:
            moves = GENIAL.legal(state, state.seat)
            images = {str(genial_image(Action(0, each), move).move) for each in moves}  # type: ignore[union-attr]
            assert images == {str(each) for each in GENIAL.legal(image, state.seat)}
            entry = Action(state.seat, moves[random.randrange(len(moves))])
        state = GENIAL.apply(state, entry).state
        image = GENIAL.apply(image, genial_image(entry, move)).state
        for track, track_image in zip(state.tracks, image.tracks, strict=True):
            assert {names[colour]: at for colour, at in track.items()} == track_image
    result, result_image = GENIAL.result(state), GENIAL.result(image)
    assert result is not None
    assert result_image is not None
    assert (result.reason, result.places) == (result_image.reason, result_image.places)


# --- Blockers!: transposing the grid swaps letters and numbers; mirroring reverses them ---


def transposed(row: int, column: int) -> tuple[int, int]:
    return column, row


def upside_down(row: int, column: int) -> tuple[int, int]:
    return 8 - row, column


Grid = Callable[[int, int], tuple[int, int]]


def cell_image(cell: str, move: Grid) -> str:
    row, column = move(ord(cell[0]) - ord("A"), int(cell[1]) - 1)
    return f"{chr(ord('A') + row)}{column + 1}"


def face_image(face: str, move: Grid) -> str:
    """Return the face that matches the images of a face's cells."""
    if face == "*":
        return face
    if face[0] == "#":
        top, left = divmod(int(face[1]) - 1, 3)
        row, column = move(3 * top + 1, 3 * left + 1)
        return f"#{3 * (row // 3) + column // 3 + 1}"
    if face.isdigit():
        first, last = move(0, int(face) - 1), move(8, int(face) - 1)
    else:
        first, last = move(ord(face) - ord("A"), 0), move(ord(face) - ord("A"), 8)
    return str(first[1] + 1) if first[1] == last[1] else chr(ord("A") + first[0])


def blockers_image(entry: Entry[Json], move: Grid, colours: Mapping[str, str]) -> Entry[Json]:
    def tile_image(tile: str) -> str:
        return colours[tile[0]] + face_image(tile[1:], move)

    if isinstance(entry, TilesDrawn):
        return TilesDrawn(entry.what, entry.seat, tuple(map(tile_image, entry.tiles)))
    assert isinstance(entry, Action)
    text = str(entry.move)
    if text.startswith("discard"):
        return Action(entry.seat, BLOCKERS.parse_move(f"discard {tile_image(text.split()[1])}"))
    sign = text[-3]
    tile, cell = text[:-3], text[-2:]
    image = f"{tile_image(tile)}{sign}{cell_image(cell, move)}"
    return Action(entry.seat, BLOCKERS.parse_move(image))


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("move", [transposed, upside_down])
def test_transposed_or_mirrored_game_with_renamed_colours_is_the_same(
    players: int, move: Grid
) -> None:
    colours = dict(zip("bygrk", "ykbgr", strict=True))
    seats = ["by", "gr"] if players == 2 else list("bygrk"[:players])
    others = ["".join(colours[letter] for letter in seat) for seat in seats]
    random = Random(6)
    state = BLOCKERS.start(players, {"colours": seats})
    image = BLOCKERS.start(players, {"colours": others})
    while BLOCKERS.result(state) is None:
        entry: Entry[Json]
        if BLOCKERS.due(state):
            entry = BLOCKERS.chance(state, random.randrange)
        else:
            (seat,) = BLOCKERS.actors(state)
            moves = BLOCKERS.legal(state, seat)
            images = {
                str(blockers_image(Action(seat, each), move, colours).move)  # type: ignore[union-attr]
                for each in moves
            }
            assert images == {str(each) for each in BLOCKERS.legal(image, seat)}
            entry = Action(seat, moves[random.randrange(len(moves))])
        state = BLOCKERS.apply(state, entry).state
        image = BLOCKERS.apply(image, blockers_image(entry, move, colours)).state
    result, result_image = BLOCKERS.result(state), BLOCKERS.result(image)
    assert result is not None
    assert result_image is not None
    assert result.places == result_image.places
    assert [score["score"] for score in result.scores] == [
        score["score"] for score in result_image.scores
    ]


# --- seats: another first seat, the same game ---


@pytest.mark.parametrize("players", [3, 4])
def test_renaming_seats_permutes_the_result(players: int) -> None:
    """A game of Blockers! begun by seat 1 is one begun by seat 0, shifted by one seat."""
    colours = list("bygrk"[:players])
    turned_colours = colours[-1:] + colours[:-1]
    random = Random(8)
    state = BLOCKERS.start(players, {"colours": colours, "first": 0})
    image = BLOCKERS.start(players, {"colours": turned_colours, "first": 1})
    deals = {}
    while BLOCKERS.due(state):
        deal = BLOCKERS.chance(state, random.randrange)
        assert isinstance(deal, TilesDrawn)
        deals[(deal.seat + 1) % players] = deal.tiles
        state = BLOCKERS.apply(state, deal).state
    for seat in range(players):
        image = BLOCKERS.apply(image, TilesDrawn("deal", seat, deals[seat])).state
    while BLOCKERS.result(state) is None:
        if BLOCKERS.due(state):
            drawn = BLOCKERS.chance(state, random.randrange)
            assert isinstance(drawn, TilesDrawn)
            state = BLOCKERS.apply(state, drawn).state
            moved = TilesDrawn("draw", (drawn.seat + 1) % players, drawn.tiles)
            image = BLOCKERS.apply(image, moved).state
            continue
        (seat,) = BLOCKERS.actors(state)
        moves = BLOCKERS.legal(state, seat)
        move = moves[random.randrange(len(moves))]
        state = BLOCKERS.apply(state, Action(seat, move)).state
        image = BLOCKERS.apply(image, Action((seat + 1) % players, move)).state
    places, image_places = BLOCKERS.result(state), BLOCKERS.result(image)
    assert places is not None
    assert image_places is not None
    assert places.places == image_places.places[1:] + image_places.places[:1]
