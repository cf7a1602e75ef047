"""Scoring: the count of a galaxy, the count of a round, and the final ranking.

Every point comes with its reason as data: the fields of the zone, the tiles of the path, the
galaxies that a bonus was won or lost against, and how each marker moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tuilerie.games.game import Result, Seat, ranking
from tuilerie.games.kaosmos.board import ABOVE, FIELDS, LEFT, READING, Field, Slot
from tuilerie.games.kaosmos.card import COLOURS, MARKERS, STAR, Colour, Marker
from tuilerie.games.kaosmos.cards import BASIC, PATH, RoundRules, by_steps
from tuilerie.games.kaosmos.tiles import CONSTELLATION, TILES, Face, Laid, TileSet

Galaxy = Mapping[Slot, Laid]
"""The laid tiles: by slot, the tile and its quarter turns."""

Markers = Mapping[Marker, int]
"""Where the four markers of a seat stand: green, blue, orange, star."""

LOWEST, HIGHEST = 0, 30
"""The ends of a marker's track."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Connected fields of one colour, and their points."""

    colour: Colour
    fields: tuple[Field, ...]
    planets: int
    points: int


@dataclass(frozen=True, slots=True)
class Path:
    """The longest path along asteroid lines that visits no tile twice."""

    slots: tuple[Slot, ...]
    length: int
    points: int


@dataclass(frozen=True, slots=True)
class GalaxyCount:
    """The count of a single galaxy.

    `zones` are in the order green, blue, orange, and within a colour by planets, most first.
    `points` sums the zones of each colour, and has the path's points for the star.
    `largest` is the number of planets in the largest zone of each colour.
    """

    zones: tuple[Zone, ...]
    constellations: tuple[tuple[Field, ...], ...]  # the fields of each constellation zone
    path: Path
    points: Markers
    largest: Mapping[Colour, int]


# --- one galaxy -----------------------------------------------------------------------------------

_Zones = dict[str, list[tuple[int, tuple[Field, ...]]]]


def count(galaxy: Galaxy, rules: RoundRules = BASIC, tiles: TileSet = TILES) -> GalaxyCount:
    """Count a galaxy, complete or not, by the rules of a round."""
    by_kind, edges, first_armed = _trace(galaxy, tiles.faces(cut=rules.cut))
    zones: list[Zone] = []
    points: dict[str, int] = {}
    largest: dict[str, int] = {}
    for colour in COLOURS:
        table, found = rules.tables[colour], by_kind[colour]
        found.sort(key=_planets, reverse=True)
        worth = [by_steps(table, planets) for planets, _ in found]
        if rules.largest_only is not None:
            worth[1:] = [0] * (len(worth) - 1)
        zones += [
            Zone(colour, fields, planets, worth[place])
            for place, (planets, fields) in enumerate(found)
        ]
        points[colour] = sum(worth)
        largest[colour] = found[0][0] if found else 0
    slots = longest_path(edges) or first_armed
    path = Path(slots, len(slots), by_steps(PATH, len(slots)) * rules.path_factor)
    points[STAR] = path.points
    constellations = tuple(fields for _, fields in by_kind[CONSTELLATION])
    return GalaxyCount(tuple(zones), constellations, path, points, largest)


def _planets(found: tuple[int, tuple[Field, ...]]) -> int:
    return found[0]


def _trace(
    galaxy: Galaxy, faces: Mapping[Laid, Face]
) -> tuple[_Zones, tuple[tuple[Slot, Slot], ...], tuple[Slot, ...]]:
    """Find zones and arms in one pass over the tiles, in reading order.

    Returns the zones as (planets, fields), the pairs of slots joined by arms, and the first tile
    that has an arm.
    """
    root: list[int] = []  # union-find parents: an earlier part of the zone, or itself
    kinds: list[str] = []
    planets: list[int] = []
    fields: list[list[Field]] = []
    corners: dict[Slot, tuple[list[int], Face]] = {}
    edges: list[tuple[Slot, Slot]] = []
    first_armed: tuple[Slot, ...] = ()

    def join(one: int, other: int) -> None:
        if kinds[one] == kinds[other]:
            while root[one] != one:
                one = root[one]
            while root[other] != other:
                other = root[other]
            if one < other:
                root[other] = one
            else:
                root[one] = other

    for slot in sorted(galaxy, key=READING.__getitem__):
        face = faces[galaxy[slot]]
        base = len(root)
        here = FIELDS[slot]
        for kind, number, places in face.parts:
            root.append(len(root))
            kinds.append(kind)
            planets.append(number)
            fields.append([here[place] for place in places])
        own = [base + part for part in face.part_at]
        corners[slot] = own, face
        if not first_armed and (face.north or face.east or face.south or face.west):
            first_armed = (slot,)
        # Corners are NW 0, NE 1, SE 2, SW 3. Equal colours always connect across a tile's edge.
        above = ABOVE.get(slot)
        if above in corners:
            other, over = corners[above]
            join(other[3], own[0])
            join(other[2], own[1])
            if face.north and over.south:
                edges.append((above, slot))
        left = LEFT.get(slot)
        if left in corners:
            other, beside = corners[left]
            join(other[1], own[0])
            join(other[2], own[3])
            if face.west and beside.east:
                edges.append((left, slot))

    # Parents point backwards, so the first part of a zone comes before the others.
    for part, before in enumerate(root):
        if before != part:
            first = root[part] = root[before]
            planets[first] += planets[part]
            fields[first] += fields[part]
    zones: _Zones = {"green": [], "blue": [], "orange": [], CONSTELLATION: []}
    for part, first in enumerate(root):
        if first == part:
            zones[kinds[part]].append((planets[part], tuple(fields[part])))
    return zones, tuple(edges), first_armed


@lru_cache(maxsize=1 << 14)
def longest_path(edges: tuple[tuple[Slot, Slot], ...]) -> tuple[Slot, ...]:
    """Find the longest path that visits no tile twice; of equal ones, the first found.

    Cached, as the same arms recur while building.
    """
    beside: dict[Slot, list[Slot]] = {}
    for one, other in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    best: list[Slot] = []
    way: list[Slot] = []

    def walk(slot: Slot) -> None:
        way.append(slot)
        if len(way) > len(best):
            best[:] = way
        if len(best) < len(beside):  # a path through all tiles is optimal
            for further in beside[slot]:
                if further not in way:
                    walk(further)
        way.pop()

    for start in sorted(beside, key=READING.__getitem__):
        walk(start)
    return tuple(best)


# --- a round --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bonus:
    """A taken bonus tile: the planets in the seat's largest zone and in the others'."""

    colour: Colour
    own: int
    best_of_others: int
    won: bool
    points: int


@dataclass(frozen=True, slots=True)
class Gain:
    """Points from the Kaos card. `reason` is its effect, `fields` the zone that earned them (empty
    for the galaxy as a whole)."""

    reason: str
    marker: Marker
    points: int
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """How one marker moved in one step. `clamped`: it met an end of its track."""

    step: str  # zones, path, bonus or kaos
    marker: Marker
    before: int
    points: int
    after: int
    clamped: bool


@dataclass(frozen=True, slots=True)
class SeatCount:
    """The whole count of a seat in a round."""

    seat: Seat
    galaxy: Galaxy
    count: GalaxyCount
    bonuses: tuple[Bonus, ...]
    kaos: tuple[Gain, ...]
    changes: tuple[Change, ...]
    before: Markers
    after: Markers

    def gained(self, colour: str) -> int:
        """Return the total advance of a marker in this round."""
        return max(0, self.after[colour] - self.before[colour])


def clamp(value: int) -> int:
    """Clamp a marker to 0–30."""
    return max(LOWEST, min(HIGHEST, value))


def kaos_gains(counted: GalaxyCount, rules: RoundRules) -> tuple[Gain, ...]:
    """Return the card's points for a galaxy, zone by zone."""
    gains = []
    for fields in counted.constellations:
        points = by_steps(rules.constellations, len(fields))
        gains.append(Gain("constellation-sizes", STAR, points, fields))
    for zone in counted.zones:
        extra = rules.colour_zones
        if extra and zone.colour == extra.colour and zone.planets >= extra.planets:
            gains.append(Gain("colour-zones", zone.colour, extra.points, zone.fields))
        if rules.largest_only and zone.points:
            gains.append(Gain("largest-only", zone.colour, rules.largest_only, zone.fields))
    balance = rules.balance
    if balance and all(counted.points[colour] >= balance.least for colour in COLOURS):
        gains.append(Gain("balance", STAR, balance.points, ()))
    return tuple(gain for gain in gains if gain.points)


def count_round(
    galaxies: Sequence[Galaxy],
    bonuses: Mapping[Colour, Seat | None],
    markers: Sequence[Markers],
    rules: RoundRules = BASIC,
    tiles: TileSet = TILES,
) -> tuple[SeatCount, ...]:
    """Count the galaxies of all seats. `bonuses` holds the owner of each bonus tile."""
    counts = [count(galaxy, rules, tiles) for galaxy in galaxies]
    found = []
    for seat, counted in enumerate(counts):
        taken = tuple(
            _bonus(colour, seat, counts, rules) for colour in COLOURS if bonuses[colour] == seat
        )
        kaos = kaos_gains(counted, rules)
        steps = (
            ("zones", [(colour, counted.points[colour]) for colour in COLOURS]),
            ("path", [(STAR, counted.path.points)]),
            ("bonus", [(bonus.colour, bonus.points) for bonus in taken]),
            ("kaos", [(gain.marker, gain.points) for gain in kaos]),
        )
        changes, after = _move_markers(markers[seat], steps)
        found.append(
            SeatCount(seat, galaxies[seat], counted, taken, kaos, changes, markers[seat], after)
        )
    return tuple(found)


def _bonus(colour: str, seat: Seat, counts: list[GalaxyCount], rules: RoundRules) -> Bonus:
    """Score a bonus tile: won by the zone with most planets, ties included.

    Ruling: a zone without planets never wins.
    """
    own = counts[seat].largest[colour]
    others = max(c.largest[colour] for other, c in enumerate(counts) if other != seat)
    won = own >= max(others, 1)
    return Bonus(colour, own, others, won, rules.bonus_won if won else rules.bonus_lost)


def _move_markers(
    before: Markers, steps: Sequence[tuple[str, Sequence[tuple[str, int]]]]
) -> tuple[tuple[Change, ...], Markers]:
    """Move the markers step by step, clamped to their track after each step."""
    changes = []
    now = dict(before)
    for step, gains in steps:
        for marker in MARKERS:
            points = sum(gain for name, gain in gains if name == marker)
            if points:
                was, now[marker] = now[marker], clamp(now[marker] + points)
                clamped = now[marker] != was + points
                changes.append(Change(step, marker, was, points, now[marker], clamped))
    return tuple(changes), now


# --- the end --------------------------------------------------------------------------------------


def final(markers: Sequence[Markers]) -> Result:
    """Rank by the lowest colour plus the star. Of equal scores the lower star ranks first."""
    scores = [min(own[colour] for colour in COLOURS) + own[STAR] for own in markers]
    places = ranking([(score, -own[STAR]) for score, own in zip(scores, markers, strict=True)])
    return Result(
        "five-rounds",
        places,
        tuple({**own, "score": score} for score, own in zip(scores, markers, strict=True)),
    )
