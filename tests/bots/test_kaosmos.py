"""The simple bots for Kaosmos: their moves are legal, they come to an end, and greedy is better."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from tests.amounts import one_in
from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building, counted, tiles_of
from tuilerie.bots.kaosmos import greedy_move, random_move
from tuilerie.games.game import Pick
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.board import groups
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import count
from tuilerie.games.kaosmos.versions import VERSIONS
from tuilerie.games.kaosmos.view import View

Bot = Callable[[View, Pick], str]


def first(number: int) -> int:
    """A source of chance that always takes the first."""
    return 0


def last(number: int) -> int:
    return number - 1


def play(driver: GameDriver, bots: tuple[Bot, ...], seed: int, moves: int = 500) -> GameDriver:
    """Let bots play on to the end of the game; each move must be among the legal ones."""
    random = Random(seed)
    while driver.state.result is None:
        state = driver.state
        if driver.game.due(state):
            driver.enter(driver.game.chance(state, random.randrange))
            continue
        seat = random.choice(driver.game.actors(state))
        view = driver.view(seat)
        move = bots[seat % len(bots)](view, random.randrange)
        assert move in view.legal
        driver.act(seat, move)
        moves -= 1
        assert moves, "a game without an end"
    return driver


def build(driver: GameDriver, seat: int, bot: Bot, pick: Pick = first) -> list[str]:
    """Let a bot build until it is locked; its moves."""
    moves = []
    while driver.state.phase == "building" and seat in driver.state.waiting:
        moves.append(bot(driver.view(seat), pick))
        driver.act(seat, moves[-1])
        assert len(moves) < 100
    return moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cards", "bot", "version"), one_in(3, product(range(4), (random_move, greedy_move), VERSIONS))
)
def test_bots_play_every_card_to_the_end(bot: Bot, cards: int, version: int) -> None:
    driver = GameDriver(3, Kaosmos(version=VERSIONS[version]), seconds=None)
    random = Random(cards)
    for seat in driver.asked(list(CARDS)[cards * 5 : cards * 5 + 5], random):
        view = driver.view(seat)
        move = bot(view, random.randrange)
        assert move in view.legal
        driver.act(seat, move)
    assert driver.state.result is not None


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 6])
def test_bots_play_without_cards_and_draft(players: int) -> None:
    bots = (random_move, greedy_move)
    assert play(GameDriver(players, kaos=False, draft=False), bots, players).state.round == 5


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    wins = 0
    for seed in range(6):
        result = play(GameDriver(2, kaos=False), (greedy_move, random_move), seed).state.result
        assert result is not None
        wins += result.places[0] == 1
    assert wins == 6


def test_random_usually_plays_done_and_sometimes_grabs() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN))
    moves = [random_move(driver.view(0), Random(seed).randrange) for seed in range(300)]
    kinds = [move.split()[0] for move in moves]
    assert set(kinds) == {"done", "grab", "put", "lift"}
    assert kinds.count("done") > 150


@pytest.mark.parametrize("version", VERSIONS)
def test_random_seldom_grabs_with_an_unfinished_galaxy(version: int) -> None:
    driver = GameDriver(game=Kaosmos(version=VERSIONS[version]), kaos=False, draft=False)
    driver.draw(tiles_of(MARTIN), tiles_of(OTHER)).act(0, "put T03 a1 0")
    moves = [random_move(driver.view(0), Random(seed).randrange) for seed in range(600)]
    early = sum(move.startswith("grab") for move in moves)
    assert (2 < early < 40) if VERSIONS[version].bonus_unfinished else not early


def test_random_does_not_grab_taken_bonus_tiles() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).act(0, "grab green blue orange")
    driver.lay(1, parse_galaxy(OTHER))
    moves = {random_move(driver.view(1), Random(seed).randrange) for seed in range(100)}
    assert not any(move.startswith("grab") for move in moves)


def test_random_does_not_rotate_fixed_tiles() -> None:
    driver = building("gyroscope-bloque").act(0, "put T03 b2 0")
    moves = {random_move(driver.view(0), Random(seed).randrange) for seed in range(200)}
    assert "lift T03" in moves
    assert moves <= set(driver.view(0).legal)


def test_greedy_keeps_tiles_with_planets_and_arms() -> None:
    poor = ("T01", "T23", "T29", "T34", "T12", "T13")
    packet = ("T16", "T20", "T54", *poor)  # four planets each, or three and arms
    driver = GameDriver(kaos=False).draw(
        packet, ("T02", "T03", *(f"T0{n}" for n in range(4, 10)), "T10")
    )
    assert greedy_move(driver.view(0), first) == "keep T16 T20 T54"


def test_greedy_keeps_what_its_weakest_colour_needs() -> None:
    packet = ("T54", "T37", "T38", "T35", "T36", "T41", "T44", "T48", "T49")
    driver = GameDriver(kaos=False).draw(packet, tiles_of(OTHER))
    driver.with_markers((30, 30, 0, 0), (0, 0, 0, 0))
    assert greedy_move(driver.view(0), first) == "keep T37 T38 T54"  # the orange ones
    driver.with_markers((0, 30, 30, 0), (0, 0, 0, 0))
    assert greedy_move(driver.view(0), first) == "keep T35 T41 T49"  # green ones, with arms


def test_greedy_joins_the_zones_around_the_last_gap() -> None:
    driver = building().lay(0, parse_galaxy(MARTIN)).act(0, "lift T02")
    assert count(driver.state.galaxies[0]).largest["green"] < 9
    driver.act(0, greedy_move(driver.view(0), first))
    counted_galaxy = count(driver.state.galaxies[0])
    assert counted_galaxy.largest["green"] == 9
    assert counted_galaxy.path.length >= 7


def test_greedy_rotates_a_tile_once_to_improve_the_galaxy() -> None:
    driver = building().lay(0, {**parse_galaxy(MARTIN), "b2": ("T02", 0)})
    moves = build(driver, 0, greedy_move)
    assert len(moves) >= 2
    assert all(move.startswith("put") for move in moves[:-1])
    before = count({**parse_galaxy(MARTIN), "b2": ("T02", 0)}).points
    after = count(driver.state.galaxies[0]).points
    assert sum(after.values()) > sum(before.values())


def test_greedy_grabs_a_bonus_that_it_is_sure_to_win() -> None:
    # Nine green planets are more than an empty galaxy may still get; four orange ones are not.
    driver = building().lay(0, parse_galaxy(MARTIN))
    assert build(driver, 0, greedy_move)[-1] == "grab green"


def test_greedy_leaves_a_bonus_that_another_has_won() -> None:
    driver = building("gyroscope-bloque")
    driver.lay(0, {slot: (tile, 0) for slot, (tile, _) in parse_galaxy(MARTIN).items()})
    driver.lay(1, parse_galaxy(OTHER))
    counts = [count(galaxy) for galaxy in driver.state.galaxies]
    expected = [
        colour
        for colour in ("green", "blue", "orange")
        if counts[1].largest[colour] > counts[0].largest[colour] and counts[1].largest[colour] > 2
    ]
    assert expected  # seat 1 has the greatest zone of some colour
    assert greedy_move(driver.view(1), first) == f"grab {' '.join(expected)}"
    driver.act(1, f"grab {' '.join(expected)}")
    move = greedy_move(driver.view(0), first)
    assert not set(move.split()) & set(expected)


@pytest.mark.parametrize("bot", [random_move, greedy_move])
def test_a_bot_reconnects_a_disconnected_galaxy(bot: Bot) -> None:
    driver = building("derive")
    for tile, slot in zip(
        tiles_of(MARTIN), ("a1", "c1", "e1", "g1", "i1", "a9", "c9", "c8", "c7"), strict=True
    ):
        driver.act(0, f"put {tile} {slot} 0")
    build(driver, 0, bot, last)
    assert driver.state.locked == (0,)
    assert len(groups(driver.state.galaxies[0])) == 1


def test_greedy_turns_the_tile_that_costs_the_next_player_most() -> None:
    driver = building("ingerence")
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done").lay(1, parse_galaxy(OTHER)).act(1, "done")
    move = greedy_move(driver.view(1), first)
    slot = move.removeprefix("turn ")
    galaxy = parse_galaxy(MARTIN)
    tile, turns = galaxy[slot]
    turned = count({**galaxy, slot: (tile, (turns + 1) % 4)}).points
    assert sum(turned.values()) < sum(count(galaxy).points.values())


def test_greedy_moves_points_to_its_lowest_colour() -> None:
    driver = counted("transfert")  # green 5, blue 4, orange 5: nothing is gained by moving
    assert greedy_move(driver.view(0), first) == "move green blue 0"
    driver = building("transfert").with_markers((0, 0, 10, 0), (0, 0, 0, 0))
    driver.lay(0, parse_galaxy(MARTIN)).act(0, "done").lay(1, parse_galaxy(OTHER)).act(1, "done")
    # Green 5, blue 4, orange 15.
    assert greedy_move(driver.view(0), first) == "move orange blue 3"
