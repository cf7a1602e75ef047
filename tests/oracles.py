"""Test oracles: tiles and points counted with other algorithms than in the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from tests.tables import Moment
from tuilerie.games.blockers.state import State as BlockersState
from tuilerie.games.game import Action, Json
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.state import State as GenialState
from tuilerie.games.genial.tiles import BAG
from tuilerie.games.kaosmos.events import Counted
from tuilerie.games.kaosmos.state import State as KaosmosState

# --- Génial! --------------------------------------------------------------------------------------


def genial_conserves(state: GenialState) -> bool:
    """Return whether bag, hands, tiles set aside and laid symbols make up the 120 tiles."""
    held = Counter(state.bag) + Counter(state.aside)
    for hand in state.hands:
        held += Counter(hand)
    laid = Counter(BAG) - held
    if held - Counter(BAG):
        return False
    symbols = Counter(letter for tile in laid.elements() for letter in tile)
    shown = Counter(c for cell, c in state.symbols.items() if cell not in state.board.printed)
    return symbols == shown and 2 * laid.total() == shown.total()


def genial_points(symbols: Mapping[str, str], cell: str, colour: str, other: str) -> int:
    """Score a half by arithmetic on rows and numbers, in five directions."""

    def at(name: str) -> tuple[int, int]:
        return ord(name[0]), int(name[1:])

    occupied = {at(name): symbol for name, symbol in symbols.items()}
    row, number = at(cell)
    points = 0
    for rows, numbers in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
        if (row + rows, number + numbers) == at(other):
            continue
        step = 1
        while occupied.get((row + step * rows, number + step * numbers)) == colour:
            points += 1
            step += 1
    return points


def genial_recounts(moment: Moment) -> None:
    """Check that markers move by the points on the board, clamped to the track."""
    before, after, entry = moment.before, moment.after, moment.entry
    if not isinstance(entry, Action) or not isinstance(entry.move, Placement):
        assert before.tracks == after.tracks
        return
    move, variant = entry.move, before.options.variant
    track = entry.seat % 2 if variant == "teams" else entry.seat
    expected = dict(before.tracks[track])
    bonus = 0
    gained: Counter[str] = Counter()
    # The tile is already on the board: only then do five directions differ from six.
    gained[move.tile[0]] += genial_points(after.symbols, move.first, move.tile[0], move.second)
    gained[move.tile[1]] += genial_points(after.symbols, move.second, move.tile[1], move.first)
    for colour, points in gained.items():
        for _ in range(points):
            if expected[colour] in {"duel": (9, -9)}.get(variant, (18,)) and variant not in (
                "solo",
                "teams",
            ):
                break
            if expected[colour] == 36:
                break
            expected[colour] += 1
            if expected[colour] in {"standard": (18,), "duel": (9,)}.get(variant, (18, 36)):
                bonus += 1
                break
    assert after.tracks[track] == expected
    if after.outcome is None and after.hands[entry.seat]:
        assert after.bonus == max(0, before.bonus - 1) + bonus
    for seat, other in enumerate(after.tracks):
        if seat != track and variant != "duel":
            assert other == before.tracks[seat]


# --- Blockers! ------------------------------------------------------------------------------------


def blockers_conserves(state: BlockersState) -> bool:
    """Return whether each of the 28 tiles of every colour exists exactly once."""
    tiles: list[str] = [*state.board.values(), *state.discards]
    for several in (*state.racks, *state.captures, *state.piles.values()):
        tiles += several
    return len(tiles) == len(set(tiles)) == 28 * len(state.options.in_play)


def blockers_groups(cells: Iterable[str]) -> int:
    """Count the orthogonal groups of these cells by flood fill."""
    left = {(ord(cell[0]), int(cell[1])) for cell in cells}
    groups = 0
    while left:
        groups += 1
        flood = [left.pop()]
        while flood:
            row, column = flood.pop()
            for next_to in (
                (row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)
            ):  # fmt: skip
                if next_to in left:
                    left.remove(next_to)
                    flood.append(next_to)
    return groups


def blockers_recounts(moment: Moment) -> None:
    """Check groups by flood fill; a capture never increases the victim's groups."""
    state = moment.after
    for colour in state.options.in_play:
        cells = [cell for cell, tile in state.board.items() if tile[0] == colour]
        assert state.groups[colour] == blockers_groups(cells)
        if isinstance(moment.entry, Action):
            own = state.options.colours[moment.entry.seat]
            if colour not in own:
                assert state.groups[colour] <= moment.before.groups[colour]
    if state.result is None:
        return
    for seat, score in enumerate(state.result.scores):
        groups = sum(state.groups[colour] for colour in state.options.colours[seat])
        taken = Counter(tile[0] for tile in state.captures[seat])
        most = max(taken.values(), default=0) if state.options.scoring == "blockers" else 0
        assert (score["groups"], score["score"]) == (groups, groups + most)
        assert Counter(score["captures"]) == taken
    keys = [(score["score"], sum(score["captures"].values())) for score in state.result.scores]
    assert state.result.places == tuple(1 + sum(k < key for k in keys) for key in keys)


# --- Kaosmos --------------------------------------------------------------------------------------

CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # NW NE SE SW, as (column, row) within a tile
CUTS = {"N": (0, 1), "E": (1, 2), "S": (2, 3), "W": (3, 0)}  # the corners that an arm separates
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FACING = {"N": "S", "S": "N", "E": "W", "W": "E"}


def kaosmos_conserves(state: KaosmosState) -> bool:
    """Return whether no tile is at two places, and each builder has nine."""
    everywhere: list[str] = []
    for seat in range(state.players):
        hand = state.hands[seat]
        own: list[str] = [*hand.packet, *hand.kept, *hand.supply]
        own += [laid[0] for laid in state.galaxies[seat].values()]
        own += [tile for tile in (state.aside[seat],) if tile is not None]
        if state.phase == "building" and len(own) != 9:
            return False
        everywhere += own
    return len(everywhere) == len(set(everywhere)) and set(everywhere) <= set(state.box.tiles.ids)


def kaosmos_zones(
    galaxy: Mapping[str, tuple[str, int]], tiles: Json, cut: bool
) -> list[tuple[str, int, int]]:
    """Return all zones as (kind, fields, planets), by flood fill of a grid of single fields."""
    fields: dict[tuple[int, int], str] = {}
    walls: set[frozenset[tuple[int, int]]] = set()
    for slot, (name, turns) in galaxy.items():
        tile = tiles[name]
        column, row = 2 * (ord(slot[0]) - ord("a")), 2 * (int(slot[1]) - 1)
        at = [(column + x, row + y) for x, y in CORNERS]
        for corner in range(4):
            fields[at[(corner + turns) % 4]] = tile.cells[corner]
        for arm in tile.arms:
            one, other = CUTS["NESW"[("NESW".index(arm) + turns) % 4]]
            walls.add(frozenset((at[one], at[other])))
    zones = []
    left = set(fields)
    while left:
        flood = [left.pop()]
        zone = []
        while flood:
            x, y = flood.pop()
            zone.append((x, y))
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                same = beside in left and fields[beside][0] == fields[x, y][0]
                if same and not (cut and frozenset(((x, y), beside)) in walls):
                    left.remove(beside)
                    flood.append(beside)
        planets = sum(int(fields[place][1:] or 0) for place in zone)
        zones.append((fields[zone[0]][0], len(zone), planets))
    return sorted(zones)


def kaosmos_path(galaxy: Mapping[str, tuple[str, int]], tiles: Json) -> int:
    """Return the length of the longest path, by exhaustive search from every tile."""
    arms: dict[tuple[int, int], set[str]] = {}
    for slot, (name, turns) in galaxy.items():
        turned = {"NESW"[("NESW".index(arm) + turns) % 4] for arm in tiles[name].arms}
        arms[ord(slot[0]), int(slot[1])] = turned

    def longest(at: tuple[int, int], seen: frozenset[tuple[int, int]]) -> int:
        best = len(seen)
        for arm in arms[at]:
            further = (at[0] + SIDES[arm][0], at[1] + SIDES[arm][1])
            if further not in seen and FACING[arm] in arms.get(further, ()):
                best = max(best, longest(further, seen | {further}))
        return best

    return max((longest(at, frozenset((at,))) for at, own in arms.items() if own), default=0)


def kaosmos_recounts(moment: Moment) -> None:
    """Check zones and paths by brute force, and markers as the sum of their changes."""
    state = moment.after
    letters = {"green": "G", "blue": "B", "orange": "O"}
    for event in moment.events:
        if not isinstance(event, Counted):
            continue
        counted, tiles = event.count, state.box.tiles.by_id
        galaxy, cut = counted.galaxy, state.box.rules(moment.before.card).cut
        zones = [(letters[z.colour], len(z.fields), z.planets) for z in counted.count.zones]
        zones += [("K", len(fields), 0) for fields in counted.count.constellations]
        assert sorted(zones) == kaosmos_zones(galaxy, tiles, cut)
        assert counted.count.path.length == kaosmos_path(galaxy, tiles)
        for marker, after in counted.after.items():
            at = counted.before[marker]
            for change in counted.changes:
                if change.marker == marker:
                    assert change.before == at
                    at = max(0, min(30, at + change.points))
                    assert change.after == at
            assert after == at
    if state.result is None:
        return
    keys = []
    for seat, score in enumerate(state.result.scores):
        assert {name: score[name] for name in state.markers[seat]} == state.markers[seat]
        low = min(score["green"], score["blue"], score["orange"])
        assert score["score"] == low + score["star"]
        keys.append((score["score"], -score["star"]))
    assert state.result.places == tuple(1 + sum(k > key for k in keys) for key in keys)


CONSERVED: Mapping[str, Callable[[Json], bool]] = {
    "genial": genial_conserves,
    "kaosmos": kaosmos_conserves,
    "blockers": blockers_conserves,
}
RECOUNT: Mapping[str, Callable[[Moment], None]] = {
    "genial": genial_recounts,
    "kaosmos": kaosmos_recounts,
    "blockers": blockers_recounts,
}
