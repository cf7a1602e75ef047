"""The worked examples in the rules texts, as positions: `{{example NAME}}` in a text means the
entry NAME of `EXAMPLES`.

They are plain data in the notation's own form, so that a drawing needs nothing else;
tests/test_texts.py checks their points, captures and zones against the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GenialBoard:
    """Génial!: the board for so many players with nothing on it but its printed symbols."""

    players: int


@dataclass(frozen=True, slots=True)
class GenialTile:
    """Génial!: a tile is laid, and its halves earn points."""

    players: int
    laid: tuple[str, ...]  # the placements that lie there before: 'RB h8 h9'
    move: str  # the placement that is counted
    points: tuple[int, int]  # of its first half and of its second
    lines: tuple[tuple[int, ...], tuple[int, ...]]  # for each half the lengths of its lines


@dataclass(frozen=True, slots=True)
class GenialRanking:
    """Génial!: a final ranking. The seats are called A, B, C, D."""

    tracks: tuple[Mapping[str, int], ...]  # each seat's six markers
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockersBoard:
    """Blockers!: the empty board, its rows, columns and regions."""


@dataclass(frozen=True, slots=True)
class BlockersCapture:
    """Blockers!: what the seat on turn may capture."""

    board: Mapping[str, str]  # the tile on each cell
    colours: tuple[str, ...]  # of each seat; the first one is on turn
    rack: tuple[str, ...]
    captures: tuple[str, ...]  # every capture that is allowed, in the order of the rules
    refused: Mapping[str, str]  # captures that are not allowed, and the rule that they break


@dataclass(frozen=True, slots=True)
class BlockersScore:
    """Blockers!: the end of a game."""

    board: Mapping[str, str]
    colours: tuple[str, ...]
    captured: tuple[tuple[str, ...], ...]  # the tiles that each seat has captured
    groups: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KaosmosTile:
    """Kaosmos: one tile, turned by so many clockwise quarter turns, side by side."""

    tile: str
    turns: tuple[int, ...]
    planets: Mapping[str, int]  # of each colour
    arms: int


@dataclass(frozen=True, slots=True)
class KaosmosGalaxy:
    """Kaosmos: tiles as they lie, and what they score in a round without a card.

    A tile is written as in a move: tile, slot, clockwise quarter turns ('T03 a1 3').
    """

    galaxy: tuple[str, ...]
    zones: Mapping[str, tuple[int, ...]]  # the planets of each zone by colour, the most first
    path: int  # the tiles of the longest path
    points: Mapping[str, int]  # for green, blue, orange and the star


@dataclass(frozen=True, slots=True)
class KaosmosBonus:
    """Kaosmos: seat A has taken the bonus tile of a colour."""

    colour: str
    galaxies: tuple[tuple[str, ...], ...]  # those of seats A, B …, written as above
    planets: tuple[int, ...]  # in each seat's best zone of that colour
    points: int  # what the bonus tile scores for seat A


@dataclass(frozen=True, slots=True)
class KaosmosFinal:
    """Kaosmos: a final ranking. The seats are called A, B, C."""

    markers: tuple[Mapping[str, int], ...]  # green, blue, orange, star of each seat
    scores: tuple[int, ...]
    places: tuple[int, ...]


Example = (
    GenialBoard
    | GenialTile
    | GenialRanking
    | BlockersBoard
    | BlockersCapture
    | BlockersScore
    | KaosmosTile
    | KaosmosGalaxy
    | KaosmosBonus
    | KaosmosFinal
)


def _track(values: str) -> Mapping[str, int]:
    """Six markers, in the order of the notation."""
    return dict(zip("RYBGPO", map(int, values.split()), strict=True))


def _markers(values: str) -> Mapping[str, int]:
    """The four markers of Kaosmos."""
    return dict(zip(("green", "blue", "orange", "star"), map(int, values.split()), strict=True))


def _cells(*rows: str) -> Mapping[str, str]:
    """The tiles of a Blockers! board, row by row from the top; a point is an empty cell."""
    return {
        f"{row}{column}": tile
        for row, tiles in zip("ABCDEFGHI", rows, strict=True)
        for column, tile in enumerate(tiles.split(), 1)
        if tile != "."
    }


def _square(tiles: str) -> tuple[str, ...]:
    """A galaxy of three by three, row by row: 'T03/270' is tile T03 turned by 270° clockwise."""
    slots = [column + row for row in "123" for column in "abc"]
    turned = (tile.split("/") for tile in tiles.split())
    return tuple(
        f"{tile} {slot} {int(degrees) // 90}"
        for slot, (tile, degrees) in zip(slots, turned, strict=True)
    )


# Four tiles that grow beside the printed green symbol on the board for three.
_GROWING = ("GP m14 l14", "GP l13 k13", "GG l12 m12", "GP k12 j12")

_FINAL_BOARD = _cells(
    "y1  y2  g#1 g4  gA  .   yA  .   .",
    "bB  y#1 y3  gB  y5  y#2 y#3 yB  y9",
    "b#1 g2  g3  gC  g#2 y6  bC  b8  yC",
    "b#4 .   g#4 .   g5  gD  b7  b#6 bD",
    "bE  b2  gE  g#5 .   g6  y7  yE  y#6",
    "bF  .   gF  .   b#5 g*  yF  y8  y*",
    "b#7 bG  g#7 b4  b5  g#8 g7  gG  yG",
    "b1  .   y#7 yH  b#8 bH  .   g8  .",
    "g1  gI  .   y4  .   b6  b#9 bI  b9",
)

EXAMPLES: Mapping[str, Example] = {
    "genial-board": GenialBoard(players=2),
    "genial-1": GenialTile(3, (), _GROWING[0], points=(1, 0), lines=((1,), ())),
    "genial-2-1": GenialTile(3, _GROWING[:1], _GROWING[1], points=(2, 1), lines=((1, 1), (1,))),
    "genial-double": GenialTile(3, _GROWING[:2], _GROWING[2], points=(2, 2), lines=((1, 1), (2,))),
    "genial-4-2": GenialTile(3, _GROWING[:3], _GROWING[3], points=(4, 2), lines=((2, 2), (2,))),
    "genial-12": GenialTile(
        players=2,
        laid=(
            "YY h6 h7",
            "YB i8 j9",
            "YP i9 j10",
            "YY f6 g7",
            "YG g8 f8",
            "YO g9 f9",
            "YY h10 h11",
            "RY i10 j11",
            "BP h12 i12",
        ),
        move="YY h8 h9",
        points=(7, 5),
        lines=((2, 2, 1, 1, 1), (2, 1, 1, 1)),
    ),
    "genial-ranking": GenialRanking(
        tracks=(
            _track("13 10 11 12 11 14"),
            _track("14 9 18 16 12 15"),
            _track("18 12 9 12 17 18"),
            _track("18 18 14 7 18 16"),
        ),
        places=(1, 2, 3, 4),
    ),
    "blockers-board": BlockersBoard(),
    "blockers-a": BlockersCapture(
        board={"G2": "yG"},
        colours=("b", "y", "g"),
        rack=("b2", "b5", "bG", "b#7", "b*"),
        captures=("b2xG2", "bGxG2", "b#7xG2", "b*xG2"),
        refused={"b5xG2": "cell-mismatch"},
    ),
    "blockers-b": BlockersCapture(
        board={
            "B2": "gB",
            "C2": "g2",
            "C3": "gC",
            "E5": "y5",
            "E6": "yE",
            "E7": "y7",
            "G2": "g#7",
            "G7": "yG",
            "G8": "y8",
            "H7": "y#9",
            "H8": "yH",
            "B8": "bB",
        },
        colours=("b", "y", "g"),
        rack=("b1", "b4", "bI", "b#2", "b*"),
        captures=(
            "b*xB2",
            "b*xC3",
            "b*xE5",
            "b*xE7",
            "b*xG2",
            "b*xG7",
            "b*xG8",
            "b*xH7",
            "b*xH8",
        ),
        refused={"b*xC2": "splits-group", "b*xE6": "splits-group", "b*xB8": "own-tile"},
    ),
    "blockers-c": BlockersScore(
        board=_FINAL_BOARD,
        colours=("y", "b", "g"),
        captured=(("b3",), ("yD", "g9", "yI"), ()),
        groups=(4, 3, 2),
        scores=(5, 5, 2),
        places=(2, 3, 1),
    ),
    "kaosmos-tile": KaosmosTile(
        tile="T20", turns=(0, 1), planets={"green": 0, "blue": 3, "orange": 1}, arms=1
    ),
    "kaosmos-arms": KaosmosTile(
        tile="T03", turns=(0,), planets={"green": 2, "blue": 0, "orange": 0}, arms=2
    ),
    "kaosmos-galaxy": KaosmosGalaxy(
        galaxy=_square(
            "T03/270 T12/180 T49/180 T14/270 T02/180 T06/0 T26/270 T46/270 T47/270",
        ),
        zones={"green": (9, 2), "blue": (3, 2, 1), "orange": (4, 1, 0, 0)},
        path=7,
        points=_markers("5 4 5 2"),
    ),
    "kaosmos-bonus-won": KaosmosBonus(
        colour="orange",
        galaxies=(
            _square("T50/90 T09/180 T47/0 T44/0 T14/180 T25/0 T31/90 T54/90 T10/0"),
            _square("T24/0 T34/0 T05/180 T46/180 T33/90 T40/270 T37/90 T51/270 T17/270"),
        ),
        planets=(8, 5),
        points=3,
    ),
    "kaosmos-bonus-lost": KaosmosBonus(
        colour="blue",
        galaxies=(
            _square("T48/90 T46/180 T40/0 T50/180 T34/0 T29/270 T11/180 T43/0 T20/270"),
            _square("T06/0 T38/90 T03/0 T53/0 T01/0 T21/180 T05/90 T30/180 T45/90"),
        ),
        planets=(6, 7),
        points=-2,
    ),
    "kaosmos-final": KaosmosFinal(
        markers=(_markers("25 17 23 6"), _markers("14 19 20 7"), _markers("18 22 21 5")),
        scores=(23, 21, 23),
        places=(2, 3, 1),
    ),
}
"""Every example by its name."""
