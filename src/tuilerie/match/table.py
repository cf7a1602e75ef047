"""The state of a table, computed from its log by `evolve`, fact by fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tuilerie.games.game import AnyGame, AnyState, Event, Json, Result, Seat
from tuilerie.match.clock import SeatClock
from tuilerie.match.config import Config, PlayerId
from tuilerie.record import ACTION

OPEN: Literal["open"] = "open"
PERSON: Literal["person"] = "person"
BOT: Literal["bot"] = "bot"


MOST_CHANGES = 300
"""How many facts a table may have before the game begins. From then on it can only fill up and
begin: toggling `ready` cannot grow a log without bound."""

MOST_BESIDE = 5_000
"""How many facts other than game entries it may have before reactions, takebacks and undo are
refused. Leaving and returning are always recorded."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat and who holds it."""

    kind: Literal["open", "person", "bot"] = OPEN
    name: str = ""
    player: PlayerId | None = None  # a person's
    level: str | None = None  # a bot's
    since: int = 0  # the number of the fact by which it was taken
    ready: bool = False
    away: int | None = None  # when the person left
    bot: str | None = None  # the level of the bot that plays for the person
    for_good: bool = False  # the bot does not hand the seat back
    resigned: bool = False

    @property
    def is_present(self) -> bool:
        """Whether a person sits here and has not left."""
        return self.kind == PERSON and self.away is None

    @property
    def is_played_by_person(self) -> bool:
        """Whether a person makes the moves of this seat."""
        return self.kind == PERSON and self.bot is None


@dataclass(frozen=True, slots=True)
class TimerState:
    """A timed phase: moves are accepted from `starts_at` to `ends_at` (ms since the epoch).
    `started`: nothing lies face down any more (in rules that hide nothing: always true)."""

    starts_at: int
    ends_at: int
    started: bool


@dataclass(frozen=True, slots=True)
class Takeback:
    """A request to take an action back; `agreed`: the seats that said yes."""

    seat: Seat
    asked_at: int
    agreed: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """A turn whose last action can still be undone, until it is ended or `ends_at` has passed."""

    seat: Seat
    ends_at: int


@dataclass(frozen=True, slots=True)
class Count:
    """Players look at a count: no clock runs for those who are not among `seen`, until `until`."""

    until: int
    seen: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The whole state of a table, hidden tiles and player ids included."""

    number: int  # of the last fact
    at: int  # of the last fact, ms since the epoch
    game: str
    rules: AnyGame = field(compare=False, repr=False)  # the game itself
    rules_version: int
    config: Config
    seats: tuple[SeatState, ...]
    opened_at: int
    awake_since: int  # since when at least one person has been present
    started_at: int | None = None
    options: Mapping[str, Json] = field(default_factory=dict)  # of the game that was started
    names: tuple[str, ...] = ()  # of the seats, when it was started
    game_state: AnyState = None  # None before the start
    entries: tuple[Mapping[str, Json], ...] = ()  # the lines of the record
    entered: int = 0  # the number of the last fact that changed the game
    acted: tuple[int, ...] = ()  # by seat, the number of its last action
    clock: tuple[SeatClock, ...] | None = None
    timer: TimerState | None = None
    takeback: Takeback | None = None
    held: HeldTurn | None = None
    count: Count | None = None
    hinted: tuple[Seat, ...] = ()  # seats that asked for a hint
    closed: bool = False  # by the host, before the start
    result: Result | None = None
    votes: tuple[Seat, ...] = ()  # seats that asked for a rematch
    rematch: str | None = None  # the id of the next table
    reacted: tuple[tuple[int, ...], ...] = ()  # by seat, the times of its last reactions
    # The game state before the last entry, if it is known: a takeback replays nothing.
    before: AnyState = field(default=None, compare=False, repr=False)
    # The game events of the last fact. They are derived, so they are not compared.
    events: tuple[Event, ...] = field(default=(), compare=False, repr=False)

    @property
    def host(self) -> PlayerId | None:
        """Who may seat bots and start the game: set by the config, or the person seated longest."""
        if self.config.host is not None:
            return self.config.host
        people = [holder for holder in self.seats if holder.kind == PERSON]
        return min(people, key=lambda holder: holder.since).player if people else None

    @property
    def is_playing(self) -> bool:
        """Whether the game has started and is not over."""
        return self.started_at is not None and self.result is None

    @property
    def can_grow(self) -> bool:
        """Whether the log may hold more of what the game can do without."""
        beside = self.number - len(self.entries)
        return beside < (MOST_CHANGES if self.started_at is None else MOST_BESIDE)

    @property
    def is_face_down(self) -> bool:
        """Whether something is hidden from everybody until the timer starts."""
        return self.shown_state is not self.game_state

    @property
    def shown_state(self) -> AnyState:
        """The game state from which views are made: before the timer of a phase starts, the rules
        may hide tiles."""
        state = self.game_state
        if not self.is_playing or self.rules.timer(state) is None:
            return state
        started = self.timer is not None and self.timer.started
        return state if started else self.rules.face_down(state)

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that the game waits for; while a turn is held, its own."""
        if self.held is not None:
            return (self.held.seat,)
        return self.rules.actors(self.shown_state) if self.is_playing else ()

    @property
    def is_anybody_waiting(self) -> bool:
        """Whether at least one person is present who plays, or will."""
        return any(holder.is_present and not holder.for_good for holder in self.seats)

    @property
    def rematch_agreed(self) -> bool:
        """Whether all who are present asked for a rematch, and its table was not created yet."""
        if self.result is None or self.rematch is not None:
            return False
        there = [seat for seat, holder in enumerate(self.seats) if holder.is_present]
        return bool(there) and all(seat in self.votes for seat in there)

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a person."""
        for seat, holder in enumerate(self.seats):
            if holder.player == player:
                return seat
        return None

    def is_flagged(self, seat: Seat) -> bool:
        """Whether the time for this decision is over, so that a bot makes it."""
        return self.clock is not None and self.clock[seat].flagged

    def bot_level(self, seat: Seat) -> str | None:
        """The level of the bot that makes the next move of this seat; `None`: a person does."""
        holder = self.seats[seat]
        if holder.kind == BOT:
            return holder.level
        return holder.bot or (self.config.level if self.is_flagged(seat) else None)

    def looking(self) -> tuple[Seat, ...]:
        """The persons who are present and have not seen the count yet."""
        if self.count is None:
            return ()
        return tuple(
            seat
            for seat, holder in enumerate(self.seats)
            if holder.is_present and holder.bot is None and seat not in self.count.seen
        )

    def silent(self) -> tuple[Seat, ...]:
        """The persons who have not answered the takeback request yet."""
        if self.takeback is None:
            return ()
        answered = (self.takeback.seat, *self.takeback.agreed)
        return tuple(
            seat
            for seat, holder in enumerate(self.seats)
            if holder.is_played_by_person and seat not in answered
        )

    def can_take_back(self, seat: Seat) -> bool:
        """Whether the last entry of the game is this person's own action, and nothing was revealed
        since: no chance outcome, no other seat's action."""
        last = self.entries[-1] if self.entries else {}
        if last.get("kind") != ACTION or last["seat"] != seat:
            return False
        if self.rules.card.simultaneous or not self.is_playing or self.takeback is not None:
            return False
        if self.rules.reveals(self.rules.parse_move(last["move"])):
            return False
        return self.held is None and self.seats[seat].is_played_by_person

    def can_undo(self, seat: Seat) -> bool:
        """Whether this person may undo the last action, without asking: their turn has not ended.
        Where a clock runs, only the action that ends the turn: any other one has renewed the
        time."""
        if self.held is not None:
            return self.held.seat == seat
        in_turn = self.config.clock is None and seat in self.actors
        return in_turn and self.can_take_back(seat)
