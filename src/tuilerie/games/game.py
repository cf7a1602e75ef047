"""What every game is: the few words that all games share, and the one protocol that they speak.

A game is a log of **entries**. An entry is an action of a seat, an outcome of chance, or the clock
running out; nothing else ever changes a game. `Game.apply` takes a state and an entry and answers
with the next state and the **events** that tell what happened, with the reasons of every point.

Nothing in this folder draws a random number, reads a clock or touches a file: chance and time come
in as entries, from outside. States are values: `apply` never changes the one that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, get_type_hints

Seat = int
"""A place at the table: 0, 1, 2 … in the order of play. A spectator is `None`."""

Json = Any
"""What `json.loads` can return: an option's value, a parameter of a refusal. Never a state, a move
or a view, which have types of their own."""


class Values(NamedTuple):
    """Annotates a `str` with all the values that it can have. `all_keys`: a mapping by it has them
    all."""

    values: tuple[str, ...]
    all_keys: bool = True


Pick = Callable[[int], int]
"""A random source, as `random.randrange`: `pick(n)` is one of 0 … n-1, each equally likely."""


# --- entries: all that can happen to a game -------------------------------------------------------

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Action(Generic[M]):
    """A seat makes a move."""

    seat: Seat
    move: M


@dataclass(frozen=True, slots=True)
class Chance:
    """Something that luck decided. `what` is its name in a record."""

    what: str


@dataclass(frozen=True, slots=True)
class TilesDrawn(Chance):
    """`what` is 'deal' (the first hand) or 'draw' (any later one)."""

    seat: Seat
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, passed in by the caller. `what` is always 'time': the time for this phase is over."""

    what: str = "time"


Entry = Action[M] | Chance | Clock


# --- events: what an entry led to -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as data. Each game derives its own kinds.

    A field that a viewer may not know is `None` in the event that this viewer gets (`Game.redact`).
    """

    kind: str = field(init=False)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: why, and who came where. Shared places share their number (1, 1, 3)."""

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
    """What `Game.apply` answers: the state after the entry, and what happened on the way."""

    state: S
    events: tuple[Event, ...]


# --- refusals -------------------------------------------------------------------------------------


class Code(StrEnum):
    """The five ways in which an entry can be wrong."""

    MALFORMED = "malformed"  # not a move of this game at all
    ILLEGAL = "illegal"  # a move, but against the rule that is named
    NOT_YOUR_TURN = "not-your-turn"
    TOO_LATE = "too-late"  # it would have been allowed before: locked, taken, time is up
    OVER = "over"  # the game has ended


class Refused(Exception):
    """An entry that the rules do not take. The state is as it was before.

    `rule` names the rule that was broken; `params` are the facts to fill a sentence with. The
    sentence itself is made where the user's language is known (`tuilerie.language`).
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
    """One thing that a table can choose. `values` are all the allowed ones, where they can be
    listed; `default` is what is played where nothing is said."""

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
    longest: int  # no game has more actions than this that were needed to end it

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
    """The one protocol that every game speaks. S is its state, M its moves, V its views."""

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
        """All options of a game for that many players, the given ones checked."""
        ...

    def draw_lots(self, players: int, options: Mapping[str, Json], pick: Pick) -> dict[str, Json]:
        """The options with what is left to luck before a game begins (who plays first)."""
        ...

    def start(self, players: int, options: Mapping[str, Json]) -> S:
        """The table before anything has happened."""
        ...

    def due(self, state: S) -> bool:
        """Whether chance must speak before any seat may act."""
        ...

    def chance(self, state: S, pick: Pick) -> Chance:
        """One outcome of the chance that is due, as likely as the rules make it."""
        ...

    def actors(self, state: S) -> tuple[Seat, ...]:
        """The seats that the game waits for. Another seat may have legal moves, too, which it can
        do without (Kaosmos: bonus tiles after 'done')."""
        ...

    def timer(self, state: S) -> int | None:
        """How many seconds the phase that now runs may last, `None` where nothing is timed."""
        ...

    def face_down(self, state: S) -> S:
        """The state as the table sees it until the timer of its phase starts; the very same one
        where nothing is hidden until then."""
        ...

    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """Every move that this seat may make now, each once, in a fixed order."""
        ...

    def apply(self, state: S, entry: Entry[M]) -> Step[S]:
        """What follows from this entry. Raises `Refused` if it is not allowed."""
        ...

    def is_race(self, state: S, seat: Seat, move: M) -> bool:
        """Whether others may reach for the same at this moment: such moves are settled together, in
        the order in which they were made."""
        ...

    def is_count(self, event: Event) -> bool:
        """Whether this event is a count that players look at before the game goes on."""
        ...

    def reveals(self, move: M) -> bool:
        """Whether others learn by this move what a seat holds: then it cannot be taken back."""
        ...

    def result(self, state: S) -> Result | None:
        """How the game ended, or `None` while it goes on."""
        ...

    def view(self, state: S, viewer: Seat | None) -> V:
        """What this seat (or a spectator) may know, built from nothing: the open fields and its
        own (`Own`), and no others."""
        ...

    def own_view(self, state: S, viewer: Seat | None) -> Mapping[str, object]:
        """The fields of this viewer's view that are marked `Own`, by name."""
        ...

    def redact(self, event: Event, viewer: Seat | None) -> Event:
        """The event as this viewer may see it: whole, and then the very same, or as a spectator
        sees it. An event that hides something has a `seat`, which alone sees it whole."""
        ...

    def write_view(self, view: V) -> dict[str, Json]:
        """A view for a bot in another process: its fields, and what the seat remembers."""
        ...

    def read_view(self, data: Mapping[str, Json]) -> V:
        """The view that `write_view` wrote. Raises `codec.Malformed`."""
        ...

    def parse_move(self, text: str) -> M:
        """The move that a text of the notation means. `str(move)` is the way back."""
        ...

    def read_chance(self, entry: Mapping[str, Json]) -> Chance:
        """The chance entry of a record's line."""
        ...

    def write_chance(self, chance: Chance) -> dict[str, Json]:
        """The fields of a chance entry in a record's line, without its kind."""
        ...


AnyState = Any
"""A state of whichever game is played."""

AnyMove = Any
"""A move of whichever game is played."""

AnyView = Any
"""A view of whichever game is played."""

AnyGame = Game[AnyState, AnyMove, AnyView]


class BaseGame(Generic[S, M]):
    """What most games answer alike: turns instead of a timer, and no races."""

    edition: str | None = None

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


# --- views ----------------------------------------------------------------------------------------

T = TypeVar("T")

OWN = "own"

Own = Annotated[T, OWN]
"""Marks a field of a view that only its viewer may know, or that depends on who looks. All other
fields are open: the same for every viewer."""


@cache
def own_fields(view: type[object]) -> frozenset[str]:
    """The names of the fields that are marked `Own`."""
    hints = get_type_hints(view, include_extras=True)
    return frozenset(name for name in hints if OWN in getattr(hints[name], "__metadata__", ()))


# --- small things that all games need -------------------------------------------------------------


def ranking(keys: Sequence[Any]) -> tuple[int, ...]:
    """Places from keys, the largest key first; equal keys share a place and the next is left out.

    >>> ranking([7, 9, 9, 3])
    (3, 1, 1, 4)
    """
    return tuple(1 + sum(other > key for other in keys) for key in keys)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of any game: its `str` is its notation."""


def choose(values: Sequence[Any], count: int, pick: Pick) -> tuple[Any, ...]:
    """`count` different members of `values`, each set of them and each order equally likely."""
    rest = list(values)
    chosen = []
    for _ in range(count):
        index = pick(len(rest))
        rest[index], rest[-1] = rest[-1], rest[index]
        chosen.append(rest.pop())
    return tuple(chosen)


def put_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one member replaced."""
    return (*values[:index], value, *values[index + 1 :])
