"""Static facts of Blockers! and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tuilerie.games.blockers.tiles import COLOURS, Colour
from tuilerie.games.game import Card, Code, Json, Option, Refused, Seat

BLOCKERS: Literal["blockers"] = "blockers"
UPTOWN: Literal["uptown"] = "uptown"
Scoring = Literal["blockers", "uptown"]

CARD = Card(
    name="blockers",
    title="Blockers!",
    versions=(1,),
    players=range(2, 6),
    options=(
        Option("colours", None),  # None: b, y, g, r, k in the order of the seats
        Option("scoring", BLOCKERS, (BLOCKERS, UPTOWN)),
        Option("first", 0),  # a seat; drawn at random by default
    ),
    hidden=True,
    simultaneous=False,
    score_fields=("groups", "captures", "score"),
    longest=5 * 24,  # each of five colours plays 24 of its tiles
)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    `colours`: the colours of each seat, one letter each, two with two players.
    `scoring`: 'blockers' adds the colour captured most to the groups; 'uptown' counts groups only.
    `first`: the seat that begins.
    """

    colours: tuple[str, ...]
    scoring: Scoring
    first: Seat

    @property
    def in_play(self) -> tuple[Colour, ...]:
        """The colours in play, in fixed order."""
        taken = "".join(self.colours)
        return tuple(colour for colour in COLOURS if colour in taken)

    def owner(self, colour: Colour) -> Seat:
        """Return the seat that plays a colour."""
        return next(seat for seat, own in enumerate(self.colours) if colour in own)

    def to_json(self) -> dict[str, Json]:
        """Return the options as in a record."""
        return {"colours": list(self.colours), "scoring": self.scoring, "first": self.first}


def read_options(players: int, given: Mapping[str, Json]) -> Options:
    """Validate the given options and fill in the defaults."""
    if players not in CARD.players:
        raise Refused(Code.MALFORMED, "bad-players", found=players, expected="2–5")
    names = [option.name for option in CARD.options]
    for name in given:
        if name not in names:
            expected = ", ".join(names)
            raise Refused(Code.MALFORMED, "unknown-option", found=name, expected=expected)
    colours = given.get("colours")
    return Options(
        _usual_colours(players) if colours is None else _read_colours(players, colours),
        _read_scoring(given.get("scoring", BLOCKERS)),
        _read_first(players, given.get("first", 0)),
    )


def _usual_colours(players: int) -> tuple[str, ...]:
    # With two players each has two colours.
    return ("by", "gr") if players == 2 else tuple(COLOURS[:players])


def _read_colours(players: int, given: Json) -> tuple[str, ...]:
    each = 2 if players == 2 else 1
    shaped = (
        isinstance(given, (list, tuple))
        and len(given) == players
        and all(isinstance(own, str) and len(own) == each for own in given)
    )
    taken = "".join(given) if shaped else ""
    if not shaped or len(set(taken)) < len(taken) or not set(taken) <= set(COLOURS):
        expected = f"{players} × {each} of {', '.join(COLOURS)}"
        raise Refused(Code.MALFORMED, "bad-option", name="colours", found=given, expected=expected)
    return tuple(given)


def _read_scoring(given: Json) -> Scoring:
    if given == BLOCKERS:
        return BLOCKERS
    if given == UPTOWN:
        return UPTOWN
    expected = f"{BLOCKERS}, {UPTOWN}"
    raise Refused(Code.MALFORMED, "bad-option", name="scoring", found=given, expected=expected)


def _read_first(players: int, given: Json) -> Seat:
    if type(given) is not int or not 0 <= given < players:
        expected = f"0–{players - 1}"
        raise Refused(Code.MALFORMED, "bad-option", name="first", found=given, expected=expected)
    return given
