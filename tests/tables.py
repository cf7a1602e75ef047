"""Every kind of table: each game, number of players and option; and random games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from tuilerie.bots import BOTS
from tuilerie.games import GAMES
from tuilerie.games.game import Action, AnyGame, Entry, Event, Json, Pick, Seat, Timeout
from tuilerie.games.kaosmos.board import free_beside, groups
from tuilerie.games.kaosmos.card import COLOURS
from tuilerie.games.kaosmos.notation import Done, Grab, Lift, Put


@dataclass(frozen=True)
class Table:
    """A game with its number of players, options and rules version."""

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
    """A step of a random game: the state before, the entry, the state after and the events."""

    before: Json
    entry: Entry[Json]
    after: Json
    events: tuple[Event, ...]


def random_game(table: Table, seed: int, bots: tuple[str, ...] | None = None) -> Iterator[Moment]:
    """Play a whole game, by bots or (much faster) with random legal moves.

    In timed phases, the time occasionally runs out. Without bots, seats that the game does not wait
    for occasionally make optional moves.
    """
    game, random = table.rules, Random(f"{table}/{seed}")
    pick = random.randrange
    state = game.start(table.players, game.draw_lots(table.players, table.options, pick))
    while game.result(state) is None:
        entry: Entry[Json]
        if game.due(state):
            entry = game.chance(state, pick)
        elif game.timer(state) is not None and pick(40 * table.players) == 0:
            entry = Timeout()
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
    """Return a seat that the game waits for or, occasionally, another one that may act."""
    seats = game.actors(state)
    if game.card.simultaneous:
        others = [seat for seat in range(state.players) if seat not in seats]
        free = [seat for seat in others if game.legal(state, seat)]
        if free and pick(8) == 0:
            return free[pick(len(free))]
    return seats[pick(len(seats))]


def any_move(game: AnyGame, state: Json, seat: Seat, pick: Pick) -> Json:
    """Return a random legal move. A builder mostly lays new tiles: with uniform moves, most of
    which move or lift laid tiles, no galaxy would be completed. Occasionally it takes a bonus tile
    early, if it may."""
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
