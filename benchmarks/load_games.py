"""The games of the load test: tables in the middle of a game, and the next move of a seat.

Only this module knows the form of a view. A move is chosen from the view's plain fields, not from a
list of all legal moves: listing them would make the load generator the bottleneck, and for Génial!
and Kaosmos the list does not travel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import Action, Json
from tuilerie.games.genial.board import board_for
from tuilerie.games.genial.legal import first_turn_cells
from tuilerie.games.kaosmos.box import BOX
from tuilerie.match import commands, facts
from tuilerie.match.config import Config
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import evolve, fold
from tuilerie.record import write_entry
from tuilerie.server.tables.actor import now_ms, pick
from tuilerie.server.tables.log_codec import write_fact
from tuilerie.simulate import play_game

SEATS = 4

OPTIONS: Mapping[str, Mapping[str, Json]] = {
    "blockers": {},
    "genial": {},
    "kaosmos": {"seconds": None},  # no timer: a round ends when all are done
}

SAMPLES = 16
"""So many different games are cut off at many places."""

LIFTS, GRABS = 0.1, 0.5
"""How often a builder of Kaosmos takes a tile back, and how often one who is done claims a bonus
tile first."""


# --- logs -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameLog:
    """A whole game of four people; the facts are encoded, as in the store."""

    people: tuple[str, ...]
    rules: int
    facts: tuple[bytes, ...]
    cuts: tuple[int, ...]  # so many facts are a log where a person is to move, move by move
    record: str  # of the whole game


def cut(game: str, moves: float, random: Random) -> tuple[GameLog, tuple[bytes, ...]]:
    """A log truncated at random, with so many moves left if possible."""
    log = whole_game(game, random.randrange(SAMPLES))
    latest = max(1, len(log.cuts) - round(moves))
    return log, log.facts[: log.cuts[random.randrange(latest)]]


@cache
def whole_game(game: str, seed: int) -> GameLog:
    """The log of a whole game with random moves."""
    played = play_game(GAMES[game], SEATS, OPTIONS[game], ["random"] * SEATS, str(seed))
    now, people = now_ms(), tuple(f"person-{seat}" for seat in range(SEATS))
    config = Config(
        players=SEATS, options=OPTIONS[game], takeover_after=None, host=people[0], level="random"
    )
    names = tuple(f"P{seat}" for seat in range(SEATS))
    log: list[facts.Fact] = list(open_table(game, config, now))
    for seat, (who, name) in enumerate(zip(people, names, strict=True)):
        log.append(facts.Seated(at=now, seat=seat, player=who, name=name))
        log.append(facts.Readied(at=now, seat=seat, ready=True))
    log.append(facts.Started(at=now, options=played.header.options, names=names))
    table, cuts = fold(log), []
    for each in played.played:
        if isinstance(each.entry, Action):
            cuts.append(len(log))
        log.append(facts.Entered(at=now, entry=write_entry(played.game, each.entry, 0)))
        table = evolve(table, log[-1])
    log += [each.fact for each in decide(table, commands.Tick(), now, pick)]  # the end
    written = tuple(map(write_fact, log))
    return GameLog(people, table.rules_version, written, tuple(cuts), record.write(played))


# --- views ----------------------------------------------------------------------------------------


def changed(value: Any, change: Any) -> Any:
    """A JSON value after a change tree: `[value]` sets, `null` removes, an object descends. A list
    grows and shrinks at its end."""
    if isinstance(change, list):
        return change[0]
    if isinstance(value, list):
        for at in sorted(map(int, change)):
            if change[str(at)] is None:
                del value[at:]
                break
            was = value[at] if at < len(value) else None
            value[at : at + 1] = [changed(was, change[str(at)])]
        return value
    for key, inner in change.items():
        if inner is None:
            del value[key]
        else:
            value[key] = changed(value.get(key), inner)
    return value


# --- moves ----------------------------------------------------------------------------------------


RACES = ("grab", "done")
"""How moves of Kaosmos begin that may be held until a race is decided."""


def move_of(game: str, view: Any, random: Random) -> str | None:
    """A move for the seat of this view; `None` if it has none."""
    play = view["play"]
    if view["you"] not in play["actors"]:
        return None
    return MOVES[game](play, view["you"], random)


def _blockers(play: Any, _seat: int, random: Random) -> str:
    """A random move of the view's list."""
    move: str = random.choice(play["legal"])
    return move


def _genial(play: Any, _seat: int, random: Random) -> str:
    """A tile of the hand, on the first free pair of cells from a random one on."""
    if play["phase"] == "swap":
        return "keep"
    board, symbols = board_for(SEATS), play["symbols"]
    first_turn = play["turns"] < play["players"]
    near = first_turn_cells(board, symbols) if first_turn else board.neighbours
    at = random.randrange(len(board.pairs))
    for a, b in board.pairs[at:] + board.pairs[:at]:
        if a not in symbols and b not in symbols and (a in near or b in near):
            return f"{random.choice(play['hand'])} {a} {b}"
    raise AssertionError("no place for a tile")


def _kaosmos(play: Any, seat: int, random: Random) -> str:
    """Keep, put and lift, then claim or be done."""
    galaxies, phase = play["galaxies"], play["phase"]
    if phase == "draft":
        return " ".join(("keep", *play["packet"][:3]))
    if phase == "ingerence":
        owner = (seat + (1 if play["direction"] == "left" else -1)) % SEATS
        return f"turn {random.choice(list(galaxies[owner]))}"
    if phase == "transfert":
        return "move green blue 0"
    galaxy, rules = galaxies[seat], BOX.rules(play["card"])
    slots = rules.shape.slots[: rules.shape.size]  # of a free shape: nine in a row
    strays = [tile for slot, (tile, _) in galaxy.items() if slot not in slots]
    if strays:
        return f"lift {strays[0]}"
    if galaxy and random.random() < LIFTS:
        return f"lift {random.choice(list(galaxy.values()))[0]}"
    if free := [slot for slot in slots if slot not in galaxy]:
        turns = random.randrange(4) if rules.turning else 0
        return f"put {random.choice(play['supply'])} {random.choice(free)} {turns}"
    left = [colour for colour, owner in play["bonuses"].items() if owner is None]
    if left and random.random() < GRABS:
        return f"grab {random.choice(left)}"
    return "done"


MOVES: Mapping[str, Callable[[Any, int, Random], str]] = {
    "blockers": _blockers,
    "genial": _genial,
    "kaosmos": _kaosmos,
}
"""The function that chooses a move, by game."""
