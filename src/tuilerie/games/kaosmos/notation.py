"""Notation of moves, chance entries and galaxies.

Moves: 'keep T01 T05 T33', 'put T01 b2 3', 'lift T01', 'leave T07', 'grab green blue', 'done',
'turn b2', 'move green blue 2'.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tuilerie.games.game import Chance, Code, Json, Move, Refused, Seat, TilesDrawn, write_draw
from tuilerie.games.kaosmos.board import COLUMNS, READING, ROWS, SQUARE, Shape, Slot
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.cards import CardId
from tuilerie.games.kaosmos.score import Galaxy
from tuilerie.games.kaosmos.tiles import Laid, TileId, Turns

# --- moves ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Keep three tiles of the packet and pass the rest on."""

    tiles: tuple[TileId, ...]

    def __str__(self) -> str:
        return " ".join(("keep", *self.tiles))


@dataclass(frozen=True, slots=True)
class Put(Move):
    """Lay, move or turn a tile. A tile on the slot goes back to the supply."""

    tile: TileId
    slot: Slot
    turns: Turns

    def __str__(self) -> str:
        return f"put {self.tile} {self.slot} {self.turns}"


@dataclass(frozen=True, slots=True)
class Lift(Move):
    """Take a tile back to the supply."""

    tile: TileId

    def __str__(self) -> str:
        return f"lift {self.tile}"


@dataclass(frozen=True, slots=True)
class LeaveOut(Move):
    """Set aside the tile to leave out, if the card's shape has eight tiles."""

    tile: TileId

    def __str__(self) -> str:
        return f"leave {self.tile}"


@dataclass(frozen=True, slots=True)
class Grab(Move):
    """Take bonus tiles, all at once, and lock the galaxy."""

    colours: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("grab", *self.colours))


@dataclass(frozen=True, slots=True)
class Done(Move):
    """Finish building and lock the galaxy."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Turn(Move):
    """Pick the tile of the next player to turn."""

    slot: Slot

    def __str__(self) -> str:
        return f"turn {self.slot}"


@dataclass(frozen=True, slots=True)
class Transfer(Move):
    """Move points of this round from one colour to another; 0 points to decline."""

    source: str
    target: str
    points: int

    def __str__(self) -> str:
        return f"move {self.source} {self.target} {self.points}"


KaosmosMove = Keep | Put | Lift | LeaveOut | Grab | Done | Turn | Transfer

EXPECTED_MOVE = (
    "keep T01 T05 T33, put T01 b2 3, lift T01, leave T07, grab green blue, done, "
    "turn b2, move green blue 2"
)

_TILE = r"T[0-9]{2}"
_SLOT = rf"[{COLUMNS}][{ROWS}]"
_COLOUR = "|".join(COLOURS)

Words = Sequence[str]

_FORMS: tuple[tuple[re.Pattern[str], Callable[[Words], KaosmosMove]], ...] = (
    (re.compile(rf"put {_TILE} {_SLOT} [0-3]"), lambda w: Put(w[1], w[2], int(w[3]))),
    (re.compile(rf"keep {_TILE} {_TILE} {_TILE}"), lambda w: Keep(tuple(sorted(w[1:])))),
    (re.compile(rf"lift {_TILE}"), lambda w: Lift(w[1])),
    (re.compile(rf"leave {_TILE}"), lambda w: LeaveOut(w[1])),
    (
        re.compile(rf"grab(?: (?:{_COLOUR})){{1,3}}"),
        lambda w: Grab(tuple(sorted(w[1:], key=COLOURS.index))),
    ),
    (re.compile(r"done"), lambda w: Done()),
    (re.compile(rf"turn {_SLOT}"), lambda w: Turn(w[1])),
    (
        re.compile(rf"move (?:{_COLOUR}) (?:{_COLOUR}) (?:0|[1-9][0-9]?)"),
        lambda w: Transfer(w[1], w[2], int(w[3])),
    ),
)
"""The pattern and parser of each move. Tiles and colours are sorted, so that every move has one
canonical text."""


def parse_move(text: str) -> KaosmosMove:
    """Parse a move."""
    words = text.split()
    repeated = len(set(words)) < len(words) and words[0] in ("keep", "grab")
    for form, move in _FORMS:
        if form.fullmatch(" ".join(words)) and not repeated:
            return move(words)
    raise Refused(Code.MALFORMED, "bad-move", found=text, expected=EXPECTED_MOVE)


# --- chance ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardTurned(Chance):
    """The Kaos card of a round."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Fill(Chance):
    """The random placement of tiles that a seat had not laid in time."""

    seat: Seat
    puts: tuple[tuple[TileId, Slot, Turns], ...]


def read_chance(entry: Mapping[str, Json]) -> Chance:
    """Parse a chance entry from a line of a record."""
    what = entry.get("what")
    if what == "card":
        card = entry.get("card")
        if not isinstance(card, str):
            raise Refused(Code.MALFORMED, "bad-card", found=card, expected="breche, …")
        return CardTurned("card", card)
    if what not in ("draw", "fill"):
        raise Refused(Code.MALFORMED, "bad-chance", found=what, expected="card, draw, fill")
    seat, tiles = entry.get("seat"), entry.get("tiles")
    if type(seat) is not int:
        raise Refused(Code.MALFORMED, "bad-seat", found=seat, expected="0, 1, …")
    expected = '["T01", …]' if what == "draw" else '[["T01", "c3", 2], …]'
    if not isinstance(tiles, list):
        raise Refused(Code.MALFORMED, "bad-tiles", found=tiles, expected=expected)
    for tile in tiles:
        if not (_is_tile(tile) if what == "draw" else _is_put(tile)):
            raise Refused(Code.MALFORMED, "bad-tiles", found=tile, expected=expected)
    if what == "draw":
        return TilesDrawn("draw", seat, tuple(tiles))
    return Fill("fill", seat, tuple((tile, slot, turns) for tile, slot, turns in tiles))


def _is_tile(value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(_TILE, value) is not None


def _is_put(value: Json) -> bool:
    if not isinstance(value, list) or len(value) != 3:
        return False
    tile, slot, turns = value
    there = isinstance(slot, str) and slot in READING
    return _is_tile(tile) and there and type(turns) is int and 0 <= turns < 4


def write_chance(chance: Chance) -> dict[str, Json]:
    """Return the fields of a chance entry in a line of a record."""
    if isinstance(chance, CardTurned):
        return {"what": chance.what, "card": chance.card}
    if isinstance(chance, Fill):
        puts = [list(put) for put in chance.puts]
        return {"what": chance.what, "seat": chance.seat, "tiles": puts}
    return write_draw(chance)


# --- galaxies -------------------------------------------------------------------------------------

_LAID = re.compile(rf"(?:({_SLOT}):)?({_TILE})/(0|90|180|270)")


def parse_galaxy(text: str, shape: Shape = SQUARE) -> dict[Slot, Laid]:
    """Parse a galaxy: 'T03/270 T12/180 …', tiles with degrees clockwise.

    Tiles fill the slots of the shape in reading order; 'b2:T03/270' names a slot, and the next tile
    goes to the slot after it. A '·' between two tiles is ignored.
    """
    galaxy: dict[Slot, Laid] = {}
    place = 0
    for word in text.split():
        if word == "·":
            continue
        match = _LAID.fullmatch(word)
        if match is None:
            expected = "‘T03/270’, ‘b2:T03/270’"
            raise Refused(Code.MALFORMED, "bad-galaxy", found=word, expected=expected)
        if match[1] in shape.slots:
            place = shape.slots.index(match[1])
        elif match[1] or place == len(shape.slots):
            raise Refused(Code.MALFORMED, "galaxy-slot", found=word, expected=list(shape.slots))
        slot = shape.slots[place]
        if slot in galaxy:
            raise Refused(Code.MALFORMED, "slot-twice", found=word)
        if any(match[2] == tile for tile, _ in galaxy.values()):
            raise Refused(Code.MALFORMED, "tile-twice", found=word)
        galaxy[slot] = match[2], int(match[3]) // 90
        place += 1
    return galaxy


def write_galaxy(galaxy: Galaxy) -> str:
    """Write a galaxy with all slots named, in reading order."""
    slots = sorted(galaxy, key=READING.__getitem__)
    return " ".join(f"{slot}:{galaxy[slot][0]}/{galaxy[slot][1] * 90}" for slot in slots)
