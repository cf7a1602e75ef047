"""Static facts of Kaosmos and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from tuilerie.games.game import Card, Code, Json, Option, Refused, Values
from tuilerie.games.kaosmos.versions import VERSIONS

ROUNDS = 5
"""Rounds per game."""

COLOURS = ("green", "blue", "orange")
"""The colours of zones, in scoring order."""

Colour = Annotated[str, Values(COLOURS)]

STAR = "star"
"""The fourth marker, for paths and some Kaos cards."""

MARKERS = (*COLOURS, STAR)
Marker = Annotated[str, Values(MARKERS)]

CARD = Card(
    name="kaosmos",
    title="Kaosmos",
    versions=tuple(VERSIONS),
    players=range(2, 7),
    options=(
        Option("kaos", True, (True, False)),
        Option("draft", True, (True, False)),
        Option("seconds", 60, (30, 45, 60, 90, 120, None)),
    ),
    hidden=True,
    simultaneous=True,
    score_fields=(*MARKERS, "score"),
    # Six players, five rounds: two keeps, nine puts, 'done', one choice for a card.
    longest=6 * ROUNDS * (2 + 9 + 1 + 1),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    `kaos`: a Kaos card is turned in each round.
    `draft`: tiles are drafted before building. Without both it is the beginners' game.
    `seconds`: the length of the timer; `None`: no timer, building ends when everyone is done.
    """

    kaos: bool
    draft: bool
    seconds: int | None

    def to_json(self) -> dict[str, Json]:
        """Return the options as in a record."""
        return asdict(self)


def read_options(players: int, given: Mapping[str, Json]) -> Options:
    """Validate the given options and fill in the defaults."""
    if players not in CARD.players:
        raise Refused(Code.MALFORMED, "bad-players", found=players, expected="2–6")
    allowed = {option.name: option.values for option in CARD.options}
    for name, value in given.items():
        if name not in allowed:
            expected = ", ".join(allowed)
            raise Refused(Code.MALFORMED, "unknown-option", found=name, expected=expected)
        if (type(value), value) not in ((type(known), known) for known in allowed[name]):
            known = ", ".join("null" if v is None else str(v).lower() for v in allowed[name])
            raise Refused(Code.MALFORMED, "bad-option", name=name, found=value, expected=known)
    return Options(**{option.name: option.default for option in CARD.options} | dict(given))
