"""The compiled core for Kaosmos: scoring, the galaxy solver, and sampled states.

All input and output is text in the game's notation. native/kaosmos_text.h and native/kaosmos_view.h
describe the formats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tuilerie.games.kaosmos.board import READING, Slot
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.card import COLOURS, MARKERS, ROUNDS
from tuilerie.games.kaosmos.cards import BASIC, CardId, RoundRules, Steps
from tuilerie.games.kaosmos.score import Galaxy, Markers
from tuilerie.games.kaosmos.state import TRANSFER, PublicState, State
from tuilerie.games.kaosmos.tiles import Laid, TileId
from tuilerie.games.kaosmos.versions import NEWEST
from tuilerie.games.kaosmos.view import View
from tuilerie.native import _kaosmos as core

NONE = "-"

# --- the box --------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _core_box(edition: str, tiles: str, cards: str) -> core.Box:
    return core.Box(tiles, cards)


@lru_cache(maxsize=1)
def _own_core_box() -> core.Box:
    return core.Box(write_box_tiles(BOX), write_box_cards(BOX))


def core_box(box: Box = BOX) -> core.Box:
    """Return the core's box with these tiles and cards, cached."""
    if box is BOX:
        return _own_core_box()
    return _core_box(box.edition, write_box_tiles(box), write_box_cards(box))


def write_box_tiles(box: Box) -> str:
    """Write the tiles of a box, one per line."""
    tiles = box.tiles.tiles
    return "\n".join(f"{tile.id} {','.join(tile.cells)} {tile.arms or NONE}" for tile in tiles)


def write_box_cards(box: Box) -> str:
    """Write the cards of a box, one per line; the first line is the rules without a card."""
    cards = {NONE: BASIC, **box.cards}
    return "\n".join(f"{name} {write_rules(rules)}" for name, rules in cards.items())


def write_rules(rules: RoundRules) -> str:
    """Write the rules of a round that affect a galaxy and its count."""
    words = {
        "shape": rules.shape.name,
        "draft": str(int(rules.draft)),
        "turning": str(int(rules.turning)),
        "cut": str(int(rules.cut)),
        "path": str(rules.path_factor),
        "won": str(rules.bonus_won),
        "lost": str(rules.bonus_lost),
        **{colour: _write_steps(rules.tables[colour]) for colour in COLOURS},
        "constellations": _write_steps(rules.constellations),
    }
    if rules.largest_only is not None:
        words["largest"] = str(rules.largest_only)
    if rules.colour_zones is not None:
        zones = rules.colour_zones
        words["zones"] = f"{COLOURS.index(zones.colour)}:{zones.planets}:{zones.points}"
    if rules.balance is not None:
        words["balance"] = f"{rules.balance.least}:{rules.balance.points}"
    if rules.interference:
        words["interference"] = str(rules.interference)
    if rules.transfer:
        words["transfer"] = str(rules.transfer)
    return " ".join(f"{name}={value}" for name, value in words.items())


def _write_steps(steps: Steps) -> str:
    return ",".join(f"{least}:{points}" for least, points in steps) or NONE


# --- galaxies and positions -----------------------------------------------------------------------


def write_galaxy(galaxy: Galaxy) -> str:
    """Write a galaxy as one word: 'a1:T03/270,b1:T12/180'."""
    slots = sorted(galaxy, key=READING.__getitem__)
    laid = (f"{slot}:{galaxy[slot][0]}/{galaxy[slot][1] * 90}" for slot in slots)
    return ",".join(laid) or NONE


def read_galaxy(text: str) -> dict[Slot, Laid]:
    """Parse a galaxy from the core."""
    galaxy: dict[Slot, Laid] = {}
    for word in [] if text == NONE else text.split(","):
        slot, laid = word.split(":")
        tile, degrees = laid.split("/")
        galaxy[slot] = tile, int(degrees) // 90
    return galaxy


def _listed(values: Sequence[object]) -> str:
    return ",".join(NONE if value is None else str(value) for value in values) or NONE


def _write_table(table: PublicState) -> list[str]:
    options = table.options
    return [
        f"rules={table.version.number}",
        f"players={table.players}",
        f"kaos={int(options.kaos)}",
        f"draft={int(options.draft)}",
        f"timed={int(options.seconds is not None)}",
        f"round={table.round}",
        f"phase={table.phase}",
        f"card={table.card or NONE}",
        f"cards={_listed(table.cards)}",
        f"waiting={_listed(table.waiting)}",
        f"bonuses={_listed([table.bonuses[colour] for colour in COLOURS])}",
    ]


def _write_seat(
    table: PublicState, seat: int, piles: Sequence[str], choice: str | None
) -> list[str]:
    gained = [0] * len(COLOURS)
    if table.phase == TRANSFER:
        gained = [table.counts[seat].gained(colour) for colour in COLOURS]
    packet, kept, supply = piles
    words = {
        "packet": packet,
        "kept": kept,
        "supply": supply,
        "galaxy": write_galaxy(table.galaxies[seat]),
        "aside": table.aside[seat] or NONE,
        "markers": _listed([table.markers[seat][name] for name in MARKERS]),
        "gained": _listed(gained),
        "locked": str(int(seat in table.locked)),
        "choice": NONE if choice is None else choice.replace(" ", ":"),
    }
    return [f"{seat}.{name}={value}" for name, value in words.items()]


def write_position(state: State) -> str:
    """Write a state as a position with all hands."""
    words = _write_table(state)
    for seat, hand in enumerate(state.hands):
        piles = [_listed(hand.packet), _listed(hand.kept), _listed(hand.supply)]
        words += _write_seat(state, seat, piles, hand.choice)
    return " ".join(words)


def write_view(view: View) -> str:
    """Write a view as a partial position: the number of the others' tiles, not which."""
    assert view.viewer is not None
    words = _write_table(view)
    seen = "/".join(map(_listed, view.seen)) or NONE
    words += [f"viewer={view.viewer}", f"seen={seen}"]
    for seat in range(view.players):
        counts = view.packets[seat], view.kept[seat], view.supplies[seat]
        piles = [f"?{count}" for count in counts]
        if seat == view.viewer:  # `seen` holds what it kept in a draft; face-down draws are unknown
            kept = NONE if view.seen else f"?{view.kept[seat]}"
            piles = [_listed(view.packet or ()), kept, _listed(view.supply or ())]
        words += _write_seat(view, seat, piles, view.choice if seat == view.viewer else None)
    return " ".join(words)


def resample(view: View, seed: int) -> str:
    """Sample a complete position consistent with the view, uniformly."""
    return core.resample(core_box(view.box), write_view(view), seed)


# --- random games ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """The settings of a random game."""

    players: int
    kaos: bool = True
    draft: bool = True
    timed: bool = True
    version: int = NEWEST.number  # of the rules


def random_game(kind: Kind, seed: int, box: Box = BOX) -> list[tuple[str, int, int]]:
    """Play a random game: each entry as text, with checksums of the legal moves before it and of
    the position after it (see `native/kaosmos_module.cpp`)."""
    return core.random_game(core_box(box), *_arguments(kind), seed)


def random_rounds(
    kind: Kind, seed: int, box: Box = BOX
) -> tuple[list[tuple[str, list[int], list[tuple[str, list[int], str]]]], list[list[int]]]:
    """Play a random game and return its rounds: the card, the owners of the bonus tiles, and for
    each seat its galaxy, its markers and its transfer; then all final markers."""
    return core.random_rounds(core_box(box), *_arguments(kind), seed)


def _arguments(kind: Kind) -> tuple[int, int, bool, bool, bool]:
    return kind.version, kind.players, kind.kaos, kind.draft, kind.timed


# --- the solver -----------------------------------------------------------------------------------

PROOF_AFTER = 6_000
"""Galaxies evaluated by simulated annealing before the proof search, and in each of its pauses."""

LARGEST = 16
"""Zone size from which a table of bonus bets is constant."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution. `bound`: an upper bound for all galaxies of these tiles."""

    galaxy: dict[Slot, Laid]
    value: float
    bound: float
    proven: bool
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Goal:
    """The objective function, given the current markers.

    `temperature` 0: the points gained on all markers, which stay within 0–30. Above 0: the value
    for the match, the star plus a soft minimum of the colours (see `temperature_of`).
    """

    totals: tuple[int, int, int, int] = (0, 0, 0, 0)
    temperature: float = 0.0
    bonus: tuple[float, ...] = ()  # by colour and size of its largest zone; not for proofs


def totals_of(markers: Markers) -> tuple[int, int, int, int]:
    """Return the markers of a seat in fixed order."""
    green, blue, orange, star = (markers[name] for name in MARKERS)
    return green, blue, orange, star


def temperature_of(round_number: int) -> float:
    """Return the softness of the minimum in a round: in the last, only the lowest colour counts."""
    left = ROUNDS - round_number
    return float(0.35 + 1.6 * left**0.5)


def solve(  # noqa: PLR0913 - input, objective and limits
    tiles: Sequence[TileId],
    *,
    card: CardId | None = None,
    laid: Galaxy | None = None,
    goal: Goal | None = None,
    box: Box = BOX,
    nodes: int = 0,
    seconds: float = 0.0,
    prove: bool = True,
    seed: int = 1,
) -> Solution:
    """Find the best galaxy of these tiles; tiles already laid stay.

    Without a limit of nodes or seconds it runs until the solution is proven optimal. A free shape
    mostly takes seconds, but may take a minute, or longer with a few tiles already laid.
    """
    aim = goal or Goal()
    galaxy, value, bound, proven, used, taken = core.solve(
        core_box(box),
        card or NONE,
        _listed(tiles),
        write_galaxy(laid or {}),
        aim.totals,
        aim.temperature,
        list(aim.bonus),
        nodes,
        seconds,
        PROOF_AFTER if prove else 0,
        seed,
    )
    return Solution(read_galaxy(galaxy), value, bound, proven, used, taken)


# --- for bots -------------------------------------------------------------------------------------


def weigh_keeps(  # noqa: PLR0913, PLR0917 - parameters of a level
    view: View,
    temperature: float,
    nodes: int,
    seconds: float,
    seed: int,
    candidates: int,
    build: int,
) -> list[tuple[tuple[TileId, ...], float, int]]:
    """Rank the tiles to keep, best first, each with the mean value of its galaxies and its number
    of samples."""
    text = write_view(view)
    found = core.weigh_keeps(
        core_box(view.box), text, temperature, nodes, seconds, seed, candidates, build
    )
    return [(tuple(tiles.split(",")), value, visits) for tiles, value, visits in found]


def odds(view: View, samples: int, build: int, seed: int) -> dict[str, tuple[float, ...]]:
    """Estimate, by colour and size, the probability that no other galaxy has a larger zone."""
    found = core.odds(core_box(view.box), write_view(view), samples, build, seed)
    return {colour: tuple(row) for colour, row in zip(COLOURS, found, strict=True)}
