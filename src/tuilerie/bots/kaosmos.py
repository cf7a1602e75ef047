"""Simple bots for Kaosmos."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from tuilerie.games.game import Pick, Seat
from tuilerie.games.kaosmos.board import READING, Slot, free_beside, groups
from tuilerie.games.kaosmos.card import COLOURS, STAR
from tuilerie.games.kaosmos.notation import Done, Grab, Keep, Lift, Put, Transfer, Turn, parse_move
from tuilerie.games.kaosmos.score import Galaxy, GalaxyCount, clamp, count, kaos_gains
from tuilerie.games.kaosmos.state import BUILDING, DRAFT, INTERFERENCE
from tuilerie.games.kaosmos.tiles import TileId, Turns
from tuilerie.games.kaosmos.view import View

K = TypeVar("K")

# --- random ---------------------------------------------------------------------------------------


def random_move(view: View, pick: Pick) -> str:
    """A random choice; but it builds a galaxy tile by tile and seldom moves a tile again. It seldom
    takes a bonus tile before the galaxy is complete."""
    if view.phase != BUILDING:
        legal = view.legal
        return legal[pick(len(legal))]
    galaxy = _own(view)
    if galaxy and pick(12) == 0:
        return _unsettle(view, galaxy, pick)
    grabs = [move for move in view.legal if move.startswith("grab")]
    if not view.is_complete(_seat(view)):
        if grabs and pick(40) == 0:
            return grabs[pick(len(grabs))]
        tiles, slots = _open_tiles(view), _open_slots(view)
        turns = pick(4) if view.rules.turning else 0
        return str(Put(tiles[pick(len(tiles))], slots[pick(len(slots))], turns))
    if grabs and pick(4) == 0:
        return grabs[pick(len(grabs))]
    return str(Done())


def _unsettle(view: View, galaxy: Galaxy, pick: Pick) -> str:
    """Rotate a placed tile, or take it back."""
    slots = sorted(galaxy, key=READING.__getitem__)
    slot = slots[pick(len(slots))]
    tile, turns = galaxy[slot]
    if view.rules.turning and pick(2):
        return str(Put(tile, slot, (turns + 1 + pick(3)) % 4))
    return str(Lift(tile))


# --- greedy ---------------------------------------------------------------------------------------


def greedy_move(view: View, pick: Pick) -> str:
    """The tile, slot and orientation that make the best galaxy so far, without looking ahead."""
    if view.phase == DRAFT:
        return _best_keep(view)
    if view.phase == BUILDING:
        return _build(view, pick)
    if view.phase == INTERFERENCE:
        return _worst_turn(view, pick)
    return _best_transfer(view)


def _best_keep(view: View) -> str:
    """Prefer tiles with planets, above all of the colours that are behind, and with arms."""
    assert view.packet is not None
    markers = view.markers[_seat(view)]
    first = max(markers[colour] for colour in COLOURS)
    need = {colour: 1 + (first - markers[colour]) / 10 for colour in COLOURS}

    def worth(name: TileId) -> float:
        tile = view.box.tiles.by_id[name]
        planets = sum(need[colour] * number for colour, number in tile.planets.items())
        return planets + 0.3 * len(tile.arms)

    return str(Keep(tuple(sorted(sorted(view.packet, key=worth, reverse=True)[:3]))))


def _build(view: View, pick: Pick) -> str:
    if view.is_complete(_seat(view)):
        return _better_turn(view, _own(view)) or finish(view)
    strays = _strays(view)
    galaxy = {slot: laid for slot, laid in _own(view).items() if slot not in strays}
    slots = _open_slots(view)
    if galaxy:  # slots next to placed tiles score more
        near = set(free_beside(galaxy))
        slots = tuple(slot for slot in slots if slot in near) or slots
    else:  # for the first tile all slots are equal
        slots = (slots[len(slots) // 2],)
    found: dict[tuple[TileId, Slot, Turns], float] = {}
    for tile in _open_tiles(view):
        for slot in slots:
            for turns in range(4 if view.rules.turning else 1):
                found[tile, slot, turns] = _worth(view, {**galaxy, slot: (tile, turns)})
    return str(Put(*_one_of_best(found, pick)))


def _better_turn(view: View, galaxy: Galaxy) -> str | None:
    """Rotate one tile of a complete galaxy, if that improves it. It ends, since each one improves
    it."""
    if not view.rules.turning:
        return None
    found = {
        str(Put(tile, slot, turns)): _worth(view, {**galaxy, slot: (tile, turns)})
        for slot, (tile, _) in galaxy.items()
        for turns in range(4)
    }
    best = max(found, key=lambda move: found[move])
    return best if found[best] > _worth(view, galaxy) else None


def finish(view: View) -> str:
    """Take each bonus tile whose colour looks won; galaxies still being built may grow a little."""
    seat = _seat(view)
    counts = [count(galaxy, view.rules, view.box.tiles) for galaxy in view.galaxies]
    wanted = []
    for colour in COLOURS:
        own = counts[seat].largest[colour]
        rivals = [
            counts[other].largest[colour] + view.supplies[other] / 2
            for other in range(view.players)
            if other != seat
        ]
        if view.bonuses[colour] is None and own >= 3 and own > max(rivals):
            wanted.append(colour)
    return str(Grab(tuple(wanted)) if wanted else Done())


def _worst_turn(view: View, pick: Pick) -> str:
    """Rotate the tile of the next player that costs them most."""
    owner = view.next_to(_seat(view))
    galaxy = view.galaxies[owner]
    found: dict[Slot, float] = {}
    for slot in sorted(galaxy, key=READING.__getitem__):
        tile, turns = galaxy[slot]
        turned = {**galaxy, slot: (tile, (turns + view.rules.interference) % 4)}
        found[slot] = -_worth(view, turned, owner)
    return str(Turn(_one_of_best(found, pick)))


def _best_transfer(view: View) -> str:
    """Raise the lowest colour as high as possible, with the fewest points moved."""
    markers = view.markers[_seat(view)]

    def worth(text: str) -> tuple[list[int], int]:
        move = parse_move(text)
        assert isinstance(move, Transfer)
        moved = dict(markers)
        moved[move.source] -= move.points
        moved[move.target] = clamp(moved[move.target] + move.points)
        return sorted(moved[colour] for colour in COLOURS), -move.points

    return max(view.legal, key=worth)


# --- shared ---------------------------------------------------------------------------------------

WEIGHTS = (1.0, 0.5, 0.25)
"""The value of a point on the lowest colour, the middle one and the highest."""


def _worth(view: View, galaxy: Galaxy, owner: Seat | None = None) -> float:
    """The value of a galaxy, complete or not: its points, weighted by its owner's weakest colour,
    and a little for zones that can still grow."""
    seat = _seat(view) if owner is None else owner
    counted = count(galaxy, view.rules, view.box.tiles)
    points = _points(view, counted)
    markers = view.markers[seat]
    totals = sorted(clamp(markers[colour] + points[colour]) for colour in COLOURS)
    worth = sum(weight * total for weight, total in zip(WEIGHTS, totals, strict=True))
    growing = sum(zone.planets**2 for zone in counted.zones)
    return worth + points[STAR] + 0.04 * growing + 0.3 * counted.path.length


def _points(view: View, counted: GalaxyCount) -> Mapping[str, int]:
    """The points of a galaxy with the card of the round."""
    points = dict(counted.points)
    for gain in kaos_gains(counted, view.rules):
        points[gain.marker] += gain.points
    return points


def _seat(view: View) -> Seat:
    assert view.viewer is not None, "a spectator does not move"
    return view.viewer


def _own(view: View) -> Galaxy:
    return view.galaxies[_seat(view)]


def _strays(view: View) -> tuple[Slot, ...]:
    """The slots of tiles apart from the largest group, in a shape that must be connected."""
    galaxy = _own(view)
    if not view.rules.shape.joined or not galaxy:
        return ()
    return tuple(slot for group in groups(galaxy)[1:] for slot in group)


def _open_tiles(view: View) -> tuple[TileId, ...]:
    """The tiles not placed yet."""
    galaxy = _own(view)
    return view.supply or tuple(galaxy[slot][0] for slot in _strays(view))


def _open_slots(view: View) -> tuple[Slot, ...]:
    """The free slots of the shape; where it must be connected, those next to placed tiles."""
    galaxy, shape = _own(view), view.rules.shape
    if shape.joined:
        strays = _strays(view)
        free = free_beside([slot for slot in galaxy if slot not in strays])
        return tuple(slot for slot in free if slot not in galaxy)
    return tuple(slot for slot in shape.slots if slot not in galaxy)


def _one_of_best(found: Mapping[K, float], pick: Pick) -> K:
    best = max(found.values())
    ties = [what for what, worth in found.items() if worth == best]
    return ties[pick(len(ties))]
