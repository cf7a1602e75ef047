"""The Kaos cards: each changes the rules of one round.

**The file format** (`cards.json`): a JSON array, one card per line::

    {"id": "vide-sideral", "effect": "constellation-sizes", "points": [[2, 1], [3, 2]]}

- `id`: lower-case letters and digits, words joined by '-', unique. The texts shown to players are
  stored elsewhere, by id.
- `effect`: one of the list below, with exactly its parameters.
- `source` (optional): the origin of the effect. 'known': from public sources; 'known-effect': the
  effect is from public sources, the amounts are ours; 'hinted': our reading of a hint in public
  sources; 'ours'. It has no effect in play.

====================  ==============================================================================
effect                what it does, and its parameters
====================  ==============================================================================
shape                 the galaxy has another shape. `shape`: 'row' (nine in a row), 'twins' (two
                      separate squares of four, one tile left out), 'ring' (the centre stays empty,
                      one tile left out), 'free' (any connected shape), 'square'
time                  the timer runs shorter or longer. `factor`: [2, 3] is two thirds
no-draft              everyone builds with their drawn tiles
fixed-orientation     tiles may not be turned
open-arms             arms do not cut zones
tables                colours score by other tables. `uses`: {"green": "orange"} scores green zones
                      by the orange table; other colours keep their own
largest-only          of each colour only the zone with most planets counts. `points`: extra points
                      for that colour if this zone scores
path                  the points of the longest path are multiplied. `factor`: 2
bonus                 the points of a bonus tile. `won`: 5, `lost`: -4 (not above 0)
constellation-sizes   stars for each zone of constellations. `points`: [[2, 1], [5, 3]] is 1 for 2–4
                      fields and 3 for 5 or more
colour-zones          points for each zone of a colour. `colour`, `planets` (minimum per zone),
                      `points` (for that colour)
balance               stars if the zones of each colour score enough. `least`: per colour, `points`
interference          after building, everyone secretly picks a tile of the next player, and it
                      turns. `turns`: quarter turns clockwise
transfer              after the count, everyone may move points gained in this round from one colour
                      to another. `most`: the maximum
====================  ==============================================================================

A set needs at least five cards, one per round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources

from tuilerie.games.game import Json
from tuilerie.games.kaosmos.board import SHAPES, SQUARE, Shape
from tuilerie.games.kaosmos.card import COLOURS, ROUNDS
from tuilerie.games.kaosmos.files import Node, Reader
from tuilerie.games.kaosmos.tiles import check_id

CardId = str
"""The id of a card: 'trou-noir'."""

Steps = tuple[tuple[int, int], ...]
"""A scoring table: ascending pairs of (minimum amount, points)."""

TABLES: Mapping[str, Steps] = {
    "green": ((3, 1), (6, 3), (9, 5)),
    "blue": ((2, 2), (5, 4), (8, 6)),
    "orange": ((2, 2), (4, 5), (7, 7)),
}
"""Points of a zone by its planets."""

PATH: Steps = ((4, 1), (6, 2), (9, 4))
"""Points of the longest path by its tiles."""


SOURCES = ("known", "known-effect", "hinted", "ours")
"""The possible origins of a card's effect."""


def by_steps(steps: Steps, amount: int) -> int:
    """Look up the points for an amount."""
    points = 0
    for least, worth in steps:
        if amount < least:
            break
        points = worth
    return points


@dataclass(frozen=True, slots=True)
class ColourZones:
    """Points for each zone of a colour with at least this many planets."""

    colour: str
    planets: int
    points: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Stars if the zones of each colour score at least this much."""

    least: int
    points: int


@dataclass(frozen=True, slots=True)
class RoundRules:
    """The rules of one round; the defaults are the basic rules."""

    shape: Shape = SQUARE
    time: tuple[int, int] = (1, 1)  # the length of the timer, as a fraction
    draft: bool = True
    turning: bool = True  # whether tiles may be turned
    cut: bool = True  # whether arms cut zones
    tables: Mapping[str, Steps] = field(default_factory=lambda: TABLES)
    largest_only: int | None = (
        None  # extra points of the one zone that counts; None: all zones count
    )
    path_factor: int = 1
    bonus_won: int = 3
    bonus_lost: int = -2
    constellations: Steps = ()
    colour_zones: ColourZones | None = None
    balance: Balance | None = None
    interference: int = 0  # quarter turns
    transfer: int = 0  # maximum points


BASIC = RoundRules()
"""The rules of a round without a card."""


# --- parameters -----------------------------------------------------------------------------------

Check = Callable[[Reader, str, Node], Json]
"""Parses a parameter and reports faults to the reader."""


def _whole(least: int, most: int) -> Check:
    def check(reader: Reader, key: str, node: Node) -> Json:
        if reader.is_kind(key, node, "whole number") and not least <= node.value <= most:
            reader.fault(node.at, "out-of-range", key=key, found=node.value, least=least, most=most)
        return node.value

    return check


def _one_of(known: tuple[str, ...]) -> Check:
    def check(reader: Reader, key: str, node: Node) -> Json:
        if reader.is_kind(key, node, "text") and node.value not in known:
            expected = list(known)
            reader.fault(node.at, "value-unknown", key=key, found=node.value, expected=expected)
        return node.value

    return check


def _pair(first: Check, second: Check) -> Check:
    def check(reader: Reader, key: str, node: Node) -> Json:
        if node.kind != "list" or len(node.value) != 2:
            reader.fault(node.at, "wrong-type", key=key, found=node.data, expected="two numbers")
            return (0, 0)
        return (first(reader, key, node.value[0]), second(reader, key, node.value[1]))

    return check


def _steps(reader: Reader, key: str, node: Node) -> Json:
    if not reader.is_kind(key, node, "list"):
        return ()
    faults = len(reader.faults)
    steps = tuple(_STEP(reader, key, step) for step in node.value)
    if len(reader.faults) == faults:
        for before, after, step in zip(steps, steps[1:], node.value[1:], strict=False):
            if before[0] >= after[0]:
                reader.fault(step.at, "not-rising", key=key, found=step.data)
    return steps


def _uses(reader: Reader, key: str, node: Node) -> Json:
    if not reader.is_kind(key, node, "object"):
        return {}
    for colour, used in node.value.items():
        if colour not in COLOURS:
            expected = list(COLOURS)
            reader.fault(used.key_at, "value-unknown", key=key, found=colour, expected=expected)
        _COLOUR(reader, key, used)
    return node.data


_MOST = 30  # the length of a marker's track
_POINTS = _whole(-_MOST, _MOST)
_COLOUR = _one_of(COLOURS)
_STEP = _pair(_whole(1, 36), _POINTS)
_FACTOR = _pair(_whole(1, 100), _whole(1, 100))
_SOURCE = _one_of(SOURCES)


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect of cards: its parameters, and the resulting rules of a round."""

    params: Mapping[str, Check]
    rules: Callable[[Mapping[str, Json]], RoundRules]


def _other_tables(given: Mapping[str, Json]) -> RoundRules:
    used = {colour: given["uses"].get(colour, colour) for colour in COLOURS}
    return replace(BASIC, tables={colour: TABLES[other] for colour, other in used.items()})


EFFECTS: Mapping[str, Effect] = {
    "shape": Effect(
        {"shape": _one_of(tuple(SHAPES))}, lambda given: RoundRules(shape=SHAPES[given["shape"]])
    ),
    "time": Effect({"factor": _FACTOR}, lambda given: RoundRules(time=given["factor"])),
    "no-draft": Effect({}, lambda given: RoundRules(draft=False)),
    "fixed-orientation": Effect({}, lambda given: RoundRules(turning=False)),
    "open-arms": Effect({}, lambda given: RoundRules(cut=False)),
    "tables": Effect({"uses": _uses}, _other_tables),
    "largest-only": Effect(
        {"points": _whole(0, _MOST)}, lambda given: RoundRules(largest_only=given["points"])
    ),
    "path": Effect(
        {"factor": _whole(0, 10)}, lambda given: RoundRules(path_factor=given["factor"])
    ),
    "bonus": Effect(
        {"won": _whole(0, _MOST), "lost": _whole(-_MOST, 0)},
        lambda given: RoundRules(bonus_won=given["won"], bonus_lost=given["lost"]),
    ),
    "constellation-sizes": Effect(
        {"points": _steps}, lambda given: RoundRules(constellations=given["points"])
    ),
    "colour-zones": Effect(
        {"colour": _COLOUR, "planets": _whole(0, 72), "points": _POINTS},
        lambda given: RoundRules(colour_zones=ColourZones(**given)),
    ),
    "balance": Effect(
        {"least": _whole(1, _MOST), "points": _POINTS},
        lambda given: RoundRules(balance=Balance(**given)),
    ),
    "interference": Effect(
        {"turns": _whole(1, 3)}, lambda given: RoundRules(interference=given["turns"])
    ),
    "transfer": Effect(
        {"most": _whole(1, _MOST)}, lambda given: RoundRules(transfer=given["most"])
    ),
}
"""All effects by name."""


# --- the file -------------------------------------------------------------------------------------

Cards = Mapping[CardId, RoundRules]
"""The cards of a box: the rules of a round by card."""

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read_cards(text: str, name: str = "cards.json") -> Cards:
    """Parse a cards file. Raises `BadSet` with all faults."""
    reader = Reader(text, name)
    cards = check_cards(reader, reader.entries())
    reader.check()
    return cards


def read_sources(text: str) -> Mapping[CardId, str]:
    """Return the `source` of the cards of a valid file."""
    return {
        card["id"]: card["source"]
        for card in json.loads(text.removeprefix("\ufeff"))
        if "source" in card
    }


def check_cards(reader: Reader, entries: list[Node]) -> Cards:
    """Return the valid cards among the entries; faults are reported to the reader."""
    cards: dict[CardId, RoundRules] = {}
    seen: dict[CardId, int] = {}
    for entry in entries:
        faults = len(reader.faults)
        effect = _effect_of(reader, entry)
        # Without a valid effect the expected keys are unknown: accept all.
        others = effect.params if effect else entry.value if entry.kind == "object" else ()
        keys = tuple(key for key in dict.fromkeys(("id", "effect", *others)) if key != "source")
        members = reader.members(entry, keys, optional=("source",))
        check_id(reader, members, ID, "trou-noir", seen)
        if "source" in members:
            _SOURCE(reader, "source", members["source"])
        checks = effect.params if effect else {}
        given = {
            key: check(reader, key, members[key]) for key, check in checks.items() if key in members
        }
        if effect and len(reader.faults) == faults:
            cards[members["id"].value] = effect.rules(given)
    if len(entries) < ROUNDS:
        reader.fault(len(reader.text), "too-few-cards", found=len(entries), needed=ROUNDS)
    return cards


def _effect_of(reader: Reader, entry: Node) -> Effect | None:
    """Return the effect of a card, if it is known."""
    node = entry.value.get("effect") if entry.kind == "object" else None
    if node is None or not reader.is_kind("effect", node, "text"):
        return None
    if node.value not in EFFECTS:
        reader.fault(node.at, "effect-unknown", found=node.value, expected=list(EFFECTS))
    return EFFECTS.get(node.value)


CARDS = read_cards(resources.files(__package__).joinpath("cards.json").read_text("utf-8"))
"""The twenty default cards."""
