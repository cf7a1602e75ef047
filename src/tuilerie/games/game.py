"""The protocol that every game implements, and the types that all games share.

A game is a log of **entries**. An entry is an action of a seat, a chance outcome or a timeout;
nothing else changes a game. `Game.apply` takes a state and an entry and returns the next state and
the **events** that happened, with the reasons for all points.

Nothing in this folder draws a random number, reads a clock or touches a file: chance and time are
entries, provided by the caller. States are immutable: `apply` never changes its argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    TypeVar,
    get_type_hints,
)

Seat = int
"""The index of a seat: 0, 1, 2 … in turn order. A spectator is `None`."""

Json = Any
"""What `json.loads` can return: an option's value, a parameter of a refusal. Never a state, a move
or a view, which have their own types."""


class Values(NamedTuple):
    """Annotates a `str` with all the values that it can have. `all_keys`: a mapping by it has them
    all."""

    values: tuple[str, ...]
    all_keys: bool = True


Pick = Callable[[int], int]
"""A random source, as `random.randrange`: `pick(n)` is one of 0 … n-1, each equally likely."""


# --- entries: everything that changes a game ----------------------------------------------------

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Action(Generic[M]):
    """A seat makes a move."""

    seat: Seat
    move: M


@dataclass(frozen=True, slots=True)
class Chance:
    """A random outcome. `what` is its name in a record."""

    what: str


@dataclass(frozen=True, slots=True)
class TilesDrawn(Chance):
    """`what` is 'deal' (the first hand) or 'draw' (any later one)."""

    seat: Seat
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeout:
    """The time for this phase is over. `what` is always 'time'. The caller measures time."""

    what: str = "time"


Entry = Action[M] | Chance | Timeout


# --- events: what an entry led to -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as data. Each game derives its own kinds.

    A field that a viewer may not know is `None` in the event that this viewer gets (`Game.redact`).
    """

    kind: str = field(init=False)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: its reason, and the rank of each seat. Ties share a rank (1, 1, 3)."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over."""

    kind: Literal["ended"] = field(default="ended", init=False)
    result: Result


S = TypeVar("S")


class Step(NamedTuple, Generic[S]):
    """What `Game.apply` returns: the next state and the events."""

    state: S
    events: tuple[Event, ...]


# --- refusals -------------------------------------------------------------------------------------


class Code(StrEnum):
    """The categories of refusals."""

    MALFORMED = "malformed"  # not a move of this game at all
    ILLEGAL = "illegal"  # a move, but against the rule that is named
    NOT_YOUR_TURN = "not-your-turn"
    TOO_LATE = "too-late"  # it would have been allowed before: locked, taken, time is up
    OVER = "over"  # the game has ended


class Refused(Exception):
    """Raised for an entry that the rules refuse. The state is unchanged.

    `rule` names the rule that was broken; `params` are the values for its message. The message is
    written where the user's language is known (`tuilerie.language`).
    """

    def __init__(self, code: Code, rule: str, **params: Json) -> None:
        super().__init__(code, rule, params)
        self.code = code
        self.rule = rule
        self.params: dict[str, Json] = params

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.code.value}: {self.rule}" + (f" ({facts})" if facts else "")


# --- the card: a game's facts, for lobbies, tests and documents -----------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game. `values`: all allowed values, if they can be listed; `default`: the one
    that is used if none is given."""

    name: str
    default: Json
    values: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The facts of a game that do not depend on a state."""

    name: str
    title: str
    versions: tuple[int, ...]  # of the rules, oldest first: a fix that changes a game adds one
    players: range
    options: tuple[Option, ...]
    hidden: bool  # some tiles are known to some seats only
    simultaneous: bool  # several seats may act at the same time
    score_fields: tuple[str, ...]  # the names in each seat's final score
    longest: int  # upper bound of the actions that a game needs

    @property
    def rules(self) -> int:
        """The newest version of the rules, by which new games are played."""
        return self.versions[-1]

    def check_version(self, version: Json) -> None:
        """Refuses a version of the rules that this game does not know."""
        if type(version) is not int or version not in self.versions:
            known = ", ".join(map(str, self.versions))
            raise Refused(Code.MALFORMED, "unknown-rules", found=version, expected=known)


# --- the protocol ---------------------------------------------------------------------------------

V = TypeVar("V")


class Game(Protocol[S, M, V]):
    """The protocol of a game. S is its state, M its moves, V its views."""

    card: Card

    view_type: type[V]
    """The class of its views."""

    event_types: tuple[type[Event], ...]
    """The classes of all its events but `Ended`."""

    version: int
    """The version of the rules that it plays by."""

    edition: str | None
    """Which other tiles and cards it is played with than our own; `None` for ours."""

    def by_version(self, version: int) -> Game[S, M, V]:
        """The same game by another version of its rules, for games that were begun with it.
        Raises `Refused` (`unknown-rules`)."""
        ...

    def options(self, players: int, given: Mapping[str, Json]) -> dict[str, Json]:
        """Validate the given options for that many players, and fill in the defaults."""
        ...

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """The options with all random choices made (who plays first)."""
        ...

    def start(self, players: int, options: Mapping[str, Json]) -> S:
        """The initial state."""
        ...

    def due(self, state: S) -> bool:
        """Whether a chance entry is due before any seat may act."""
        ...

    def chance(self, state: S, pick: Pick) -> Chance:
        """Draw the chance entry that is due, with the probabilities of the rules."""
        ...

    def actors(self, state: S) -> tuple[Seat, ...]:
        """The seats that the game waits for. Another seat may have legal moves that are optional
        (Kaosmos: bonus tiles after 'done')."""
        ...

    def timer(self, state: S) -> int | None:
        """The time limit of the current phase in seconds; `None` if it is not timed."""
        ...

    def face_down(self, state: S) -> S:
        """The state as the table sees it until the timer of its phase starts; the same object if
        nothing is hidden until then."""
        ...

    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """Every move that this seat may make now, each once, in a fixed order."""
        ...

    def apply(self, state: S, entry: Entry[M]) -> Step[S]:
        """Apply an entry. Raises `Refused` if it is not allowed."""
        ...

    def is_race(self, state: S, seat: Seat, move: M) -> bool:
        """Whether this move races with moves of other seats: such moves are collected for a moment
        and decided in random order."""
        ...

    def is_count(self, event: Event) -> bool:
        """Whether players look at this event, such as a count, before the game goes on."""
        ...

    def reveals(self, move: M) -> bool:
        """Whether this move reveals hidden tiles: then it cannot be taken back."""
        ...

    def rearranges(self, state: S, seat: Seat, move: M) -> bool:
        """Whether a move only rearranges what the seat has laid, so that such moves could go on for
        ever. All others lead to the end of the game."""
        ...

    def held(self, state: S, seat: Seat) -> tuple[str, ...]:
        """The tiles that a seat holds, in notation. Only a replay shows those of others."""
        ...

    def result(self, state: S) -> Result | None:
        """The result, or `None` while the game is not over."""
        ...

    def view(self, state: S, viewer: Seat | None) -> V:
        """What this seat (or a spectator) may know, built from scratch: the open fields and its
        own (`Own`), and no others."""
        ...

    def own_view(self, state: S, viewer: Seat | None) -> Mapping[str, object]:
        """The fields of this viewer's view that are marked `Own`, by name."""
        ...

    def redact(self, event: Event, viewer: Seat | None) -> Event:
        """The event as this viewer may see it: complete (the same object), or as a spectator sees
        it. An event with hidden fields has a `seat`, the only viewer who sees it complete."""
        ...

    def write_view(self, view: V) -> dict[str, Json]:
        """A view for a bot in another process: its fields, and what the seat remembers."""
        ...

    def read_view(self, data: Mapping[str, Json]) -> V:
        """The view that `write_view` wrote. Raises `codec.Malformed`."""
        ...

    def parse_move(self, text: str) -> M:
        """Parse a move in notation. `str(move)` is the inverse."""
        ...

    def read_chance(self, entry: Mapping[str, Json]) -> Chance:
        """The chance entry of a record's line."""
        ...

    def write_chance(self, chance: Chance) -> dict[str, Json]:
        """The fields of a chance entry in a record's line, without its kind."""
        ...


AnyState = Any
"""A state of any game."""

AnyMove = Any
"""A move of any game."""

AnyView = Any
"""A view of any game."""

AnyGame = Game[AnyState, AnyMove, AnyView]


class BaseGame(Generic[S, M]):
    """Defaults for turn-based games: one version of the rules, no timer, no races."""

    card: Card
    edition: str | None = None

    def by_version(self, version: int) -> Self:
        """There is only one version of these rules."""
        self.card.check_version(version)
        return self

    def timer(self, state: S) -> int | None:
        """Nothing is timed."""
        return None

    def face_down(self, state: S) -> S:
        """Nothing waits for a timer."""
        return state

    def is_race(self, state: S, seat: Seat, move: M) -> bool:
        """Only one seat acts at a time."""
        return False

    def is_count(self, event: Event) -> bool:
        """Points are counted move by move."""
        return False

    def rearranges(self, state: S, seat: Seat, move: M) -> bool:
        """What is laid stays."""
        return False


# --- views ----------------------------------------------------------------------------------------

T = TypeVar("T")

OWN = "own"

Own = Annotated[T, OWN]
"""Marks a field of a view that only its viewer may know, or that depends on the viewer. All other
fields are open: the same for every viewer."""


@cache
def own_fields(view: type[object]) -> frozenset[str]:
    """The names of the fields that are marked `Own`."""
    hints = get_type_hints(view, include_extras=True)
    return frozenset(name for name in hints if OWN in getattr(hints[name], "__metadata__", ()))


# --- small things that all games need -------------------------------------------------------------


def ranking(keys: Sequence[Any]) -> tuple[int, ...]:
    """Competition ranking by key, largest first: ties share a rank, and the next rank is skipped.

    >>> ranking([7, 9, 9, 3])
    (3, 1, 1, 4)
    """
    return tuple(1 + sum(other > key for other in keys) for key in keys)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of any game: its `str` is its notation."""


def choose(values: Sequence[Any], count: int, pick: Pick) -> tuple[Any, ...]:
    """A uniform random sample of `count` members of `values`, in random order."""
    rest = list(values)
    chosen = []
    for _ in range(count):
        index = pick(len(rest))
        rest[index], rest[-1] = rest[-1], rest[index]
        chosen.append(rest.pop())
    return tuple(chosen)


def read_draw(
    entry: Mapping[str, Json], tile_of: Callable[[str], str | None], tiles: str, example: str
) -> TilesDrawn:
    """Parse tiles dealt or drawn from a line of a record. `tile_of` names the tile of a text, if
    there is one; `tiles` and `example` are for the messages of refusals."""
    what, seat, given = entry.get("what"), entry.get("seat"), entry.get("tiles")
    if what not in ("deal", "draw"):
        raise Refused(Code.MALFORMED, "bad-chance", found=what, expected="deal, draw")
    if type(seat) is not int:
        raise Refused(Code.MALFORMED, "bad-seat", found=seat, expected="0, 1, …")
    if not isinstance(given, list):
        raise Refused(Code.MALFORMED, "bad-tiles", found=given, expected=tiles)
    drawn = []
    for text in given:
        tile = tile_of(text) if isinstance(text, str) else None
        if tile is None:
            raise Refused(Code.MALFORMED, "unknown-tile", found=text, expected=example)
        drawn.append(tile)
    return TilesDrawn(what, seat, tuple(drawn))


def write_draw(chance: Chance) -> dict[str, Json]:
    """Return the fields of tiles dealt or drawn in a line of a record."""
    assert isinstance(chance, TilesDrawn)
    return {"what": chance.what, "seat": chance.seat, "tiles": list(chance.tiles)}


def put_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one member replaced."""
    return (*values[:index], value, *values[index + 1 :])
