"""The compiled core for Kaosmos: counting galaxies, building the best one, and sampled futures.

Everything goes in and out as text in the notation's own forms, so that both sides can be read. The
formats stand in native/kaosmos_text.h and native/kaosmos_view.h.
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
from tuilerie.games.kaosmos.state import TRANSFER, State, Table
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
    """The box as the core knows it: its tiles and cards, made ready once."""
    if box is BOX:
        return _own_core_box()
    return _core_box(box.edition, write_box_tiles(box), write_box_cards(box))


def write_box_tiles(box: Box) -> str:
    """The tiles of a box, a line for each."""
    tiles = box.tiles.tiles
    return "\n".join(f"{tile.id} {','.join(tile.cells)} {tile.arms or NONE}" for tile in tiles)


def write_box_cards(box: Box) -> str:
    """The cards of a box, a line for each; the first tells what holds without a card."""
    cards = {NONE: BASIC, **box.cards}
    return "\n".join(f"{name} {write_rules(rules)}" for name, rules in cards.items())


def write_rules(rules: RoundRules) -> str:
    """The rules of a round, as far as a galaxy and its count depend on them."""
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
    """A galaxy in one word: 'a1:T03/270,b1:T12/180'."""
    slots = sorted(galaxy, key=READING.__getitem__)
    laid = (f"{slot}:{galaxy[slot][0]}/{galaxy[slot][1] * 90}" for slot in slots)
    return ",".join(laid) or NONE


def read_galaxy(text: str) -> dict[Slot, Laid]:
    """The galaxy that the core has written."""
    galaxy: dict[Slot, Laid] = {}
    for word in [] if text == NONE else text.split(","):
        slot, laid = word.split(":")
        tile, degrees = laid.split("/")
        galaxy[slot] = tile, int(degrees) // 90
    return galaxy


def _listed(values: Sequence[object]) -> str:
    return ",".join(NONE if value is None else str(value) for value in values) or NONE


def _write_table(table: Table) -> list[str]:
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


def _write_seat(table: Table, seat: int, piles: Sequence[str], choice: str | None) -> list[str]:
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
    """A state as the core's position, with all hands."""
    words = _write_table(state)
    for seat, hand in enumerate(state.hands):
        piles = [_listed(hand.packet), _listed(hand.kept), _listed(hand.supply)]
        words += _write_seat(state, seat, piles, hand.choice)
    return " ".join(words)


def write_view(view: View) -> str:
    """A view as the core's position with holes: how many tiles others hold, not which."""
    assert view.viewer is not None
    words = _write_table(view)
    seen = "/".join(map(_listed, view.seen)) or NONE
    words += [f"viewer={view.viewer}", f"seen={seen}"]
    for seat in range(view.players):
        counts = view.packets[seat], view.kept[seat], view.supplies[seat]
        piles = [f"?{count}" for count in counts]
        if seat == view.viewer:  # what it kept in a draft `seen` tells; what it drew unseen nothing
            kept = NONE if view.seen else f"?{view.kept[seat]}"
            piles = [_listed(view.packet or ()), kept, _listed(view.supply or ())]
        words += _write_seat(view, seat, piles, view.choice if seat == view.viewer else None)
    return " ".join(words)


def resample(view: View, seed: int) -> str:
    """A whole position that is consistent with all that the viewer knows, each equally likely."""
    return core.resample(core_box(view.box), write_view(view), seed)


# --- random games ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """How a random game is played."""

    players: int
    kaos: bool = True
    draft: bool = True
    timed: bool = True
    version: int = NEWEST.number  # of the rules


def random_game(kind: Kind, seed: int, box: Box = BOX) -> list[tuple[str, int, int]]:
    """A random game: each entry in words, with checksums of what could be done before it and of the
    position after it (see `native/kaosmos_module.cpp`)."""
    return core.random_game(core_box(box), *_told(kind), seed)


def random_rounds(
    kind: Kind, seed: int, box: Box = BOX
) -> tuple[list[tuple[str, list[int], list[tuple[str, list[int], str]]]], list[list[int]]]:
    """A random game by its rounds: the card, the owners of the bonus tiles, and for each seat its
    galaxy, its markers and what it moved; then all markers at the end."""
    return core.random_rounds(core_box(box), *_told(kind), seed)


def _told(kind: Kind) -> tuple[int, int, bool, bool, bool]:
    return kind.version, kind.players, kind.kaos, kind.draft, kind.timed


# --- the solver -----------------------------------------------------------------------------------

PROOF_AFTER = 6_000
"""How many galaxies are counted by annealing before the proof begins, and in each of its pauses."""

LARGEST = 16
"""Zones of so many planets and more are alike in a table of bonus bets."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A galaxy that was found. `bound`: no galaxy of these tiles is worth more."""

    galaxy: dict[Slot, Laid]
    value: float
    bound: float
    proven: bool
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be made as large as possible, from where the markers stand.

    `temperature` 0: the points gained on all markers, which stay within 0–30. Above 0: what the
    match needs, the star and a soft minimum of the colours (see `temperature_of`).
    """

    totals: tuple[int, int, int, int] = (0, 0, 0, 0)
    temperature: float = 0.0
    bonus: tuple[float, ...] = ()  # for each colour and size of its largest zone; not for proofs


def totals_of(markers: Markers) -> tuple[int, int, int, int]:
    """The markers of a seat in their order."""
    green, blue, orange, star = (markers[name] for name in MARKERS)
    return green, blue, orange, star


def temperature_of(round_number: int) -> float:
    """How evenly points on the colours count in a round: in the last, only the lowest does."""
    left = ROUNDS - round_number
    return float(0.35 + 1.6 * left**0.5)


def solve(  # noqa: PLR0913 - what, from where, and how long
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
    """The best galaxy of these tiles, those that are laid staying where they are.

    Without a limit of nodes or seconds it goes on until it is proven. In any shape that is mostly a
    matter of seconds, too, but it can take a minute, and longer where only few tiles lie already.
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


def weigh_keeps(  # noqa: PLR0913, PLR0917 - each is a separate choice of a level
    view: View,
    temperature: float,
    nodes: int,
    seconds: float,
    seed: int,
    candidates: int,
    build: int,
) -> list[tuple[tuple[TileId, ...], float, int]]:
    """Tiles to keep, best first, each with the mean worth of its galaxy and how often it was
    tried."""
    told = write_view(view)
    found = core.weigh_keeps(
        core_box(view.box), told, temperature, nodes, seconds, seed, candidates, build
    )
    return [(tuple(tiles.split(",")), value, visits) for tiles, value, visits in found]


def odds(view: View, samples: int, build: int, seed: int) -> dict[str, tuple[float, ...]]:
    """For each colour and size how likely it is that no other galaxy will have a larger zone."""
    found = core.odds(core_box(view.box), write_view(view), samples, build, seed)
    return {colour: tuple(row) for colour, row in zip(COLOURS, found, strict=True)}
