"""Scoring by groups and captures. The lowest score wins."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from tuilerie.games.blockers.board import Cell, Group, groups_of
from tuilerie.games.blockers.card import UPTOWN, Options
from tuilerie.games.blockers.tiles import Colour, Tile, count_of
from tuilerie.games.game import Json, Result, Seat, ranking


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's final score with its parts.

    `groups` are the groups of each of its colours; `captures` counts the captured tiles by colour;
    `counted` is the colour captured most, whose tiles are points, `None` without captures. Of
    several equally captured colours only one counts.
    """

    groups: Mapping[Colour, tuple[Group, ...]]
    captures: Mapping[Colour, int]
    counted: Colour | None
    score: int

    @property
    def group_count(self) -> int:
        """The number of groups of all the seat's colours."""
        return sum(len(groups) for groups in self.groups.values())

    def to_json(self) -> dict[str, Json]:
        """Return the score as in a record."""
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
    """Score a seat with tiles on these cells and these captured tiles."""
    own = options.colours[seat]
    groups = {colour: groups_of(cells[colour]) for colour in own}
    count = sum(map(len, groups.values()))
    # Colours count separately: with two players, the opponent's two colours are not added up.
    captures = {c: count_of(captured, c) for c in options.in_play if c not in own}
    if options.scoring == UPTOWN or not captured:
        return Score(groups, captures, None, count)
    counted = max(captures, key=captures.__getitem__)
    return Score(groups, captures, counted, count + captures[counted])


def result_of(scores: tuple[Score, ...]) -> Result:
    """Rank the seats: lowest score, then fewest captures; a complete tie shares the rank."""
    keys = [(-score.score, -sum(score.captures.values())) for score in scores]
    return Result("all-laid", ranking(keys), tuple(score.to_json() for score in scores))
