"""Every kind of table that the games know: each game, number of players and option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from tuilerie.bots import BOTS
from tuilerie.games import GAMES
from tuilerie.games.game import Action, AnyGame, Clock, Entry, Event, Json, Pick, Seat
from tuilerie.games.kaosmos.board import free_beside, groups
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.notation import Done, Grab, Lift, Put


@dataclass(frozen=True)
class Table:
    """One way to play a game."""

    game: str
    players: int
    options: Mapping[str, Json] = field(default_factory=dict)
    version: int | None = None  # of the rules; None: the newest

    @property
    def rules(self) -> AnyGame:
        game = GAMES[self.game]
        return game if self.version is None else game.by_version(self.version)

    def __str__(self) -> str:
        named = {**self.options, **({} if self.version is None else {"rules": self.version})}
        chosen = "-".join(f"{name}={value}" for name, value in named.items())
        return f"{self.game}-{self.players}" + (f"-{chosen}" if chosen else "")


TABLES: tuple[Table, ...] = (
    *(Table("genial", players) for players in (1, 2, 3, 4)),
    *(Table("genial", players, {"adjacent": True}) for players in (1, 2, 3, 4)),
    Table("genial", 3, {"first": 2}),
    Table("genial", 4, {"variant": "teams"}),
    Table("genial", 4, {"variant": "teams", "adjacent": True}),
    Table("genial", 2, {"variant": "duel"}),
    Table("genial", 2, {"variant": "duel", "adjacent": True}),
    *(Table("blockers", n, {"scoring": s}) for s in ("blockers", "uptown") for n in (2, 3, 4, 5)),
    *(Table("kaosmos", players) for players in (2, 3, 4, 5, 6)),
    *(Table("kaosmos", players, {"seconds": None}) for players in (2, 6)),
    *(Table("kaosmos", players, {"kaos": False}) for players in (2, 3, 6)),
    *(Table("kaosmos", players, {"draft": False}) for players in (2, 3, 6)),
    *(Table("kaosmos", players, {"kaos": False, "draft": False}) for players in (2, 4)),
)


@dataclass(frozen=True)
class Moment:
    """A step of a random game: the state before, the entry, and what followed."""

    before: Json
    entry: Entry[Json]
    after: Json
    events: tuple[Event, ...]


def random_game(table: Table, seed: int, bots: tuple[str, ...] | None = None) -> Iterator[Moment]:
    """A whole game, step by step: by bots, or (much faster) with any legal move.

    Where a phase is timed, time is up now and then. Bots move when the game waits for them; without
    bots, a seat that is not waited for now and then makes a move that it could do without.
    """
    game, random = table.rules, Random(f"{table}/{seed}")
    pick = random.randrange
    state = game.start(table.players, game.draw_lots(table.players, table.options, pick))
    while game.result(state) is None:
        entry: Entry[Json]
        if game.due(state):
            entry = game.chance(state, pick)
        elif game.glass(state) is not None and pick(40 * table.players) == 0:
            entry = Clock()
        elif bots is None:
            seat = any_seat(game, state, pick)
            entry = Action(seat, any_move(game, state, seat, pick))
        else:
            seats = game.actors(state)
            seat = seats[pick(len(seats))]
            bot = BOTS[table.game][bots[seat % len(bots)]]
            entry = Action(seat, game.parse_move(bot(game.view(state, seat), pick)))
        after, events = game.apply(state, entry)
        yield Moment(state, entry, after, events)
        state = after


def any_seat(game: AnyGame, state: Json, pick: Pick) -> Seat:
    """A seat that the game waits for; or, now and then, another one that may act, too."""
    seats = game.actors(state)
    if game.card.simultaneous:
        others = [seat for seat in range(state.players) if seat not in seats]
        free = [seat for seat in others if game.legal(state, seat)]
        if free and pick(8) == 0:
            return free[pick(len(free))]
    return seats[pick(len(seats))]


def any_move(game: AnyGame, state: Json, seat: Seat, pick: Pick) -> Json:
    """A legal move at random. Who builds a galaxy lays tiles until it is complete: with just any
    move, most of which move or lift what lies, no galaxy would ever be done. Now and then it takes
    a bonus tile before that, where it may."""
    if state.phase == "building" and seat in game.actors(state) and pick(10):
        galaxy, shape = state.galaxies[seat], state.rules.shape
        supply = state.hands[seat].supply
        slots, strays = shape.slots, []
        if shape.joined and galaxy:
            main, *others = groups(galaxy)
            slots, strays = free_beside(main), [slot for group in others for slot in group]
        free = [slot for slot in slots if slot not in galaxy]
        if state.is_complete(seat):
            colours = [colour for colour in COLOURS if state.bonuses[colour] is None]
            if colours and pick(3) == 0:
                return Grab((colours[pick(len(colours))],))
            return Done()
        if state.version.bonus_unfinished and pick(40) == 0:
            grabs = [move for move in game.legal(state, seat) if isinstance(move, Grab)]
            if grabs:
                return grabs[pick(len(grabs))]
        if strays:
            return Lift(galaxy[strays[0]][0])
        if supply and free and len(galaxy) < shape.size:
            turns = pick(4) if state.rules.turning else 0
            return Put(supply[pick(len(supply))], free[pick(len(free))], turns)
    moves = game.legal(state, seat)
    return moves[pick(len(moves))]
