"""What is typed at the table: kind about form, never about meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tables import Table, random_game
from tuilerie.games.blockers.view import View as BlockersView
from tuilerie.games.genial.view import View as GenialView
from tuilerie.games.kaosmos.view import View as KaosmosView
from tuilerie.terminal.speech import bot_level, bot_name, command, in_notation, shown_names
from tuilerie.terminal.talk import TALKS, Unclear


def genial_view() -> GenialView:
    moments = list(zip(range(2), random_game(Table("genial", 2), 1), strict=False))
    view: GenialView = Table("genial", 2).rules.view(moments[-1][1].after, 0)
    return replace(view, hand=("BB", "BG", "GO", "RY", "RY", "YO"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("RB h8 h9", "RB h8 h9"),
        ("rb H8 h9", "RB h8 h9"),
        ("  rb   h8,h9 ", "RB h8 h9"),
        ("RBh8h9", "RB h8 h9"),
        ("rb-h10-h11", "RB h10 h11"),
        ("2 h8 h9", "BG h8 h9"),
        ("6 h8 h9", "YO h8 h9"),
        ("swap", "swap"),
        ("Échanger", "swap"),
        ("garder", "keep"),
        ("KEEP", "keep"),
        ("nonsense", "nonsense"),
    ],
)
def test_moves_of_genial(typed: str, move: str) -> None:
    assert TALKS["genial"].read(typed, genial_view()) == move


def blockers_view(players: int) -> BlockersView:
    table = Table("blockers", players)
    moments = list(zip(range(players + 1), random_game(table, 1), strict=False))
    view: BlockersView = table.rules.view(moments[-1][1].after, 0)
    return replace(view, board={"C7": "yC"})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("b7-C7", "b7-C7"),
        ("b7xC7", "b7xC7"),
        ("B7 c7", "b7xC7"),
        ("b7 d7", "b7-D7"),
        ("bc c1", "bC-C1"),
        ("bbb7", "bB-B7"),
        ("b#4 e2", "b#4-E2"),
        ("b # 4 e 2", "b#4-E2"),
        ("b* a1", "b*-A1"),
        ("7 d7", "b7-D7"),
        ("*c7", "b*xC7"),
        ("#3 a9", "b#3-A9"),
        ("discard b7", "discard b7"),
        ("retirer b#2", "discard b#2"),
        ("discard 7", "discard b7"),
        ("what", "what"),
    ],
)
def test_moves_of_blockers(typed: str, move: str) -> None:
    assert TALKS["blockers"].read(typed, blockers_view(3)) == move


def test_with_two_colours_a_tile_of_blockers_needs_its_letter() -> None:
    assert TALKS["blockers"].read("7 d7", blockers_view(2)) == "7-D7"


def kaosmos_view(phase: str) -> KaosmosView:
    table = Table("kaosmos", 2, {"kaos": False})
    for moment in random_game(table, 1):
        view: KaosmosView = table.rules.view(moment.after, 0)
        if view.phase == "draft":
            break
    packet = ("T01", "T05", "T09", "T20", "T33", "T40", "T41", "T50", "T54")
    galaxy = {"b2": ("T07", 3), "c3": ("T08", 0)}
    return replace(
        view, phase=phase, packet=packet, supply=packet[:7], galaxies=(galaxy, {}), waiting=(0, 1)
    )


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("keep T01 T05 T33", "keep T01 T05 T33"),
        ("keep 1 2 5", "keep T01 T05 T33"),
        ("1 2 5", "keep T01 T05 T33"),
        ("garder t1 t05 T33", "keep T01 T05 T33"),
    ],
)
def test_choosing_in_kaosmos(typed: str, move: str) -> None:
    assert TALKS["kaosmos"].read(typed, kaosmos_view("draft")) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("put T01 b2 3", "put T01 b2 3"),
        ("PUT t1 B2 3", "put T01 b2 3"),
        ("1 b2 3", "put T01 b2 3"),
        ("poser 7 a1", "put T41 a1 0"),
        ("4 a1", "put T20 a1 0"),
        ("b2 a1", "put T07 a1 3"),
        ("b2 a1 1", "put T07 a1 1"),
        ("turn b2", "put T07 b2 0"),
        ("turn c3", "put T08 c3 1"),
        ("tourner b2 2", "put T07 b2 1"),
        ("lift b2", "lift T07"),
        ("reprendre T07", "lift T07"),
        ("lift 1", "lift T01"),
        ("leave 2", "leave T05"),
        ("laisser c3", "leave T08"),
        ("grab green blue", "grab green blue"),
        ("prendre vert", "grab green"),
        ("grab g o", "grab green orange"),
        ("fini", "done"),
        ("T54 a1", "put T54 a1 0"),
        ("what a1", "put what a1 0"),
    ],
)
def test_building_in_kaosmos(typed: str, move: str) -> None:
    assert TALKS["kaosmos"].read(typed, kaosmos_view("building")) == move


@pytest.mark.parametrize("typed", ["turn a1", "lift a1", "leave a1", "a1 b2", "put a1 b2 1"])
def test_a_slot_without_a_tile_is_unclear(typed: str) -> None:
    with pytest.raises(Unclear, match="nothing-on"):
        TALKS["kaosmos"].read(typed, kaosmos_view("building"))


def test_a_number_without_a_tile_is_unclear() -> None:
    for phase, typed in (("building", "8 a1"), ("building", "0 a1"), ("draft", "1 2 12")):
        with pytest.raises(Unclear, match="no-number"):
            TALKS["kaosmos"].read(typed, kaosmos_view(phase))
    with pytest.raises(Unclear, match="no-number"):
        TALKS["genial"].read("7 h8 h9", genial_view())


@pytest.mark.parametrize(
    ("phase", "typed", "move"),
    [
        ("ingerence", "b2", "turn b2"),
        ("ingerence", "turn B2", "turn b2"),
        ("transfert", "move green blue 2", "move green blue 2"),
        ("transfert", "vert bleu 2", "move green blue 2"),
        ("transfert", "g o 1", "move green orange 1"),
        ("transfert", "no", "move green blue 0"),
        ("transfert", "0", "move green blue 0"),
        ("transfert", "fini", "move green blue 0"),
    ],
)
def test_choices_that_cards_ask_for(phase: str, typed: str, move: str) -> None:
    assert TALKS["kaosmos"].read(typed, kaosmos_view(phase)) == move


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("help", ("help", "")),
        ("?", ("help", "")),
        ("AIDE", ("help", "")),
        ("règles", ("rules", "")),
        ("regles", ("rules", "")),
        ("points RB h8 h9", ("points", "RB h8 h9")),
        ("sauver  mon fichier", ("save", "mon fichier")),
        ("quitter", ("quit", "")),
        ("u", ("undo", "")),
        ("RB h8 h9", None),
        ("", None),
    ],
)
def test_commands_of_both_languages_are_understood(
    typed: str, meant: tuple[str, str] | None
) -> None:
    assert command(typed) == meant


def test_words_of_moves_are_understood_in_french() -> None:
    assert in_notation("Prendre Vert, bleu") == ["grab", "green", "blue"]


def test_the_level_of_a_bot_stands_in_its_name() -> None:
    name = bot_name("Ada", "greedy")
    assert (bot_level(name), bot_level("You"), bot_level("greedy 2")) == ("greedy", None, None)
    assert shown_names([name, "You"]) == ["Ada", "You"]
