"""The facts of Kaosmos, and the options that a table can choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tuilerie.games.game import Card, Code, Json, Option, Refused
from tuilerie.games.kaosmos.versions import VERSIONS

ROUNDS = 5
"""How many rounds a game has."""

COLOURS = ("green", "blue", "orange")
"""The colours of zones, in the order in which they are counted."""

STAR = "star"
"""The fourth marker: paths, and what Kaos cards give to it."""

MARKERS = (*COLOURS, STAR)

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
    # Six players, five rounds: two keeps, nine tiles put, 'done', one choice that a card asks for.
    longest=6 * ROUNDS * (2 + 9 + 1 + 1),
)


@dataclass(frozen=True, slots=True)
class Options:
    """How a table plays.

    `kaos`: a Kaos card is turned in each round.
    `draft`: tiles are passed on before building. Without both it is the game for beginners.
    `seconds`: how long the timer runs; `None`: no timer, everyone says when done.
    """

    kaos: bool
    draft: bool
    seconds: int | None

    def plain(self) -> dict[str, Json]:
        """The options as a record holds them."""
        return asdict(self)


def read_options(players: int, given: Mapping[str, Json]) -> Options:
    """The options for that many players, each given one checked."""
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
