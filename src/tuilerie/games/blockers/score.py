"""Groups, and the points that they and the captures give. The lowest score wins."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from tuilerie.games.blockers.board import Cell, Group, groups_of
from tuilerie.games.blockers.card import UPTOWN, Options
from tuilerie.games.blockers.tiles import Colour, Tile, count_of
from tuilerie.games.game import Json, Result, Seat, ranking


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's final score and where each point comes from.

    `groups` are the groups of each of its colours; `captures` counts the captured tiles of every
    colour in play but its own; `counted` is the colour whose captures are points, `None` where
    there are none. Of several colours captured equally often only one counts.
    """

    groups: Mapping[Colour, tuple[Group, ...]]
    captures: Mapping[Colour, int]
    counted: Colour | None
    score: int

    @property
    def group_count(self) -> int:
        """The groups of all of the seat's colours."""
        return sum(len(groups) for groups in self.groups.values())

    def plain(self) -> dict[str, Json]:
        """The score as a record holds it."""
        return {
            "groups": self.group_count,
            "captures": dict(self.captures),
            "score": self.score,
        }


def score_of(
    options: Options,
    seat: Seat,
    cells: Mapping[Colour, Set[Cell]],
    captured: tuple[Tile, ...],
) -> Score:
    """The score of a seat whose tiles lie on these cells, and who captured these tiles."""
    own = options.colours[seat]
    groups = {colour: groups_of(cells[colour]) for colour in own}
    count = sum(map(len, groups.values()))
    # Each colour for itself: with two players, an opponent's two colours are never added up.
    captures = {c: count_of(captured, c) for c in options.in_play if c not in own}
    if options.scoring == UPTOWN or not captured:
        return Score(groups, captures, None, count)
    counted = max(captures, key=captures.__getitem__)
    return Score(groups, captures, counted, count + captures[counted])


def result_of(scores: tuple[Score, ...]) -> Result:
    """Who came where: the lowest score, then the fewest captures in all; then a place is shared."""
    keys = [(-score.score, -sum(score.captures.values())) for score in scores]
    return Result("all-laid", ranking(keys), tuple(score.plain() for score in scores))
