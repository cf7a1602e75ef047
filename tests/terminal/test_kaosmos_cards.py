"""Kaosmos in the terminal: cards that ask for a choice, custom card sets, undo while building."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.terminal.fake_console import FakeConsole, Player, is_pause, run_game
from tests.terminal.test_play import only_file
from tuilerie import record
from tuilerie.games.game import Action, AnyGame
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.record import Replay
from tuilerie.terminal.layout import width
from tuilerie.terminal.play import play
from tuilerie.terminal.text_ui.kaosmos_undo import layout_of, next_move_towards

CHOICES = ("transfert", "ingerence", "univers-paralleles", "derive", "une-dimension")


def with_cards(*names: str) -> dict[str, AnyGame]:
    return {"kaosmos": Kaosmos(cards={name: CARDS[name] for name in names})}


def five_times(name: str) -> dict[str, AnyGame]:
    """A custom set of five identical cards, which have no texts."""
    return {"kaosmos": Kaosmos(cards={f"our-{number}": CARDS[name] for number in range(5)})}


def only_game(folder: Path, games: dict[str, AnyGame]) -> Replay:
    return record.replay(only_file(folder).read_text("utf-8"), games)


@pytest.mark.slow
def test_every_card_choice_can_be_made(tmp_path: Path) -> None:
    games = with_cards(*CHOICES)
    console = run_game(Player(), tmp_path, game="kaosmos", players=2, lang="fr", games=games)
    replay = only_game(tmp_path, games)
    assert replay.confirmed
    own = [
        str(played.entry.move).split()[0]
        for played in replay.played
        if isinstance(played.entry, Action) and played.entry.seat == 0
    ]
    assert {"keep", "put", "turn", "move"} <= set(own)
    wide = [line for line in console.out if width(line) > 80 and str(tmp_path) not in line]
    assert not wide, "\n".join(wide)


@pytest.mark.slow
def test_moves_are_listed_in_every_phase(tmp_path: Path) -> None:
    player = Player()

    def answer(prompt: str) -> str:
        if not is_pause(prompt) and not listed.get(prompt):
            listed[prompt] = True
            return "moves"
        return player(prompt)

    listed: dict[str, bool] = {}
    games = with_cards(*CHOICES)
    sit_desk = FakeConsole(answer)
    player.console = sit_desk
    play("kaosmos", players=2, lang="en", seed="7", console=sit_desk, folder=tmp_path, games=games)
    text = " ".join(sit_desk.text.split())
    for said in ("keep T", "Put any of", "turn a1", "move green blue 0", "done"):
        assert said in text


def test_game_with_a_custom_set_resumes_only_with_that_set(tmp_path: Path) -> None:
    games = five_times("trou-noir")
    answers = ["1 2 3", "1 2 3", "leave 1", "quit"]
    console = run_game(answers, tmp_path, game="kaosmos", games=games)
    assert "our-" in console.text
    assert "Left out: T" in console.text
    assert "a card of another set" in console.text
    assert "--tiles and --cards" in console.text
    with pytest.raises(SystemExit):
        run_game([], tmp_path, resume=only_file(tmp_path))
    assert (
        "resumed after"
        in run_game(["quit"], tmp_path, resume=only_file(tmp_path), games=games).text
    )


# --- undo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["trou-noir", "derive", "une-dimension", "gyroscope-bloque"])
def test_undo_restores_the_layout_after_any_building_move(card: str) -> None:
    """Undoes each of 80 random moves at once: the layout is always restored."""
    game = five_times(card)["kaosmos"]
    random = Random(card)
    state = game.start(2, game.options(2, {"draft": False, "seconds": None}))
    while game.due(state):
        state = game.apply(state, game.chance(state, random.randrange)).state
    for number in range(80):
        view = game.view(state, 0)
        before = layout_of(view)
        moves = [move for move in view.legal if move.split()[0] in ("put", "lift", "leave")]
        kind = ("put", "leave", "lift")[number % 7 % 3]
        moves = [move for move in moves if move.startswith(kind)] or moves
        moved = game.apply(state, Action(0, game.parse_move(random.choice(moves)))).state
        back, steps = moved, 0
        while (text := next_move_towards(game.view(back, 0), before)) is not None:
            back = game.apply(back, Action(0, game.parse_move(text))).state
            steps += 1
            assert steps <= 4
        assert layout_of(game.view(back, 0)) == before
        assert steps > 0
        state = moved
