"""Static facts of Génial! and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tuilerie.games.game import Card, Code, Json, Option, Refused, Seat
from tuilerie.games.genial.tiles import COLOURS

STANDARD, SOLO, TEAMS, DUEL = "standard", "solo", "teams", "duel"

LOT = "lot"
"""The first player is drawn at random."""

CARD = Card(
    name="genial",
    title="Génial!",
    versions=(1,),
    players=range(1, 5),
    options=(
        Option("variant", STANDARD, (STANDARD, SOLO, TEAMS, DUEL)),
        Option("adjacent", False, (False, True)),
        Option("first", 0),  # a seat, or drawn at random
    ),
    hidden=True,
    simultaneous=False,
    score_fields=tuple(COLOURS),
    longest=2 * 81,  # 81 tiles fit on the largest board, each perhaps followed by a swap
)

PLAYERS_OF_VARIANT: Mapping[str, tuple[int, ...]] = {
    STANDARD: (2, 3, 4),
    SOLO: (1,),
    TEAMS: (4,),
    DUEL: (2,),
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    `variant`: standard; solo on a track to 36; teams of two (seats 0 and 2 against 1 and 3) on a
    track to 36; duel with one tug-of-war track per colour.
    `adjacent`: the house rule that a tile must always touch a tile or a printed symbol.
    `first`: the seat that begins (in the book, the youngest player's), or a random one.
    """

    variant: str
    adjacent: bool
    first: Seat | str = 0

    def to_json(self) -> dict[str, Json]:
        """Return the options as in a record, which omits `first` if seat 0 begins."""
        fields = asdict(self)
        if self.first == 0:
            del fields["first"]
        return fields


def read_options(players: int, given: Mapping[str, Json]) -> Options:
    """Validate the given options and fill in the defaults; a single player plays solo."""
    if players not in CARD.players:
        raise Refused(Code.MALFORMED, "bad-players", found=players, expected="1–4")
    allowed = {option.name: option.values for option in CARD.options}
    for name, value in given.items():
        if name not in allowed:
            expected = ", ".join(allowed)
            raise Refused(Code.MALFORMED, "unknown-option", found=name, expected=expected)
        if name == "first":
            _check_first(players, value)
        elif (type(value), value) not in ((type(known), known) for known in allowed[name]):
            expected = ", ".join(str(known).lower() for known in allowed[name])
            raise Refused(Code.MALFORMED, "bad-option", name=name, found=value, expected=expected)
    variant = given.get("variant", SOLO if players == 1 else STANDARD)
    if players not in PLAYERS_OF_VARIANT[variant]:
        expected = ", ".join(map(str, PLAYERS_OF_VARIANT[variant]))
        raise Refused(
            Code.MALFORMED, "variant-players", name=variant, found=players, expected=expected
        )
    return Options(variant, given.get("adjacent", False), given.get("first", 0))


def _check_first(players: int, given: Json) -> None:
    """Check the option `first`: a seat, or a random one."""
    if given != LOT and (type(given) is not int or given not in range(players)):
        expected = f"0–{players - 1}, {LOT}"
        raise Refused(Code.MALFORMED, "bad-option", name="first", found=given, expected=expected)
