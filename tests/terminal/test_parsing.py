"""Input parsing: lenient about form, strict about meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tables import Table, random_game
from tuilerie.games.blockers.view import View as BlockersView
from tuilerie.games.genial.view import View as GenialView
from tuilerie.games.kaosmos.view import View as KaosmosView
from tuilerie.terminal.phrasing import bot_level, bot_name, command, in_notation, shown_names
from tuilerie.terminal.text_ui import TEXT_UIS, UnclearInput


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
def test_genial_moves_are_parsed(typed: str, move: str) -> None:
    assert TEXT_UIS["genial"].parse(typed, genial_view()) == move


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
def test_blockers_moves_are_parsed(typed: str, move: str) -> None:
    assert TEXT_UIS["blockers"].parse(typed, blockers_view(3)) == move


def test_blockers_tile_needs_its_colour_with_two_colours() -> None:
    assert TEXT_UIS["blockers"].parse("7 d7", blockers_view(2)) == "7-D7"


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
def test_kaosmos_draft_moves_are_parsed(typed: str, move: str) -> None:
    assert TEXT_UIS["kaosmos"].parse(typed, kaosmos_view("draft")) == move


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
def test_kaosmos_building_moves_are_parsed(typed: str, move: str) -> None:
    assert TEXT_UIS["kaosmos"].parse(typed, kaosmos_view("building")) == move


@pytest.mark.parametrize("typed", ["turn a1", "lift a1", "leave a1", "a1 b2", "put a1 b2 1"])
def test_empty_slot_raises_unclear_input(typed: str) -> None:
    with pytest.raises(UnclearInput, match="nothing-on"):
        TEXT_UIS["kaosmos"].parse(typed, kaosmos_view("building"))


def test_unknown_tile_number_raises_unclear_input() -> None:
    for phase, typed in (("building", "8 a1"), ("building", "0 a1"), ("draft", "1 2 12")):
        with pytest.raises(UnclearInput, match="no-number"):
            TEXT_UIS["kaosmos"].parse(typed, kaosmos_view(phase))
    with pytest.raises(UnclearInput, match="no-number"):
        TEXT_UIS["genial"].parse("7 h8 h9", genial_view())


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
def test_kaosmos_card_choices_are_parsed(phase: str, typed: str, move: str) -> None:
    assert TEXT_UIS["kaosmos"].parse(typed, kaosmos_view(phase)) == move


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
def test_commands_are_understood_in_both_languages(
    typed: str, meant: tuple[str, str] | None
) -> None:
    assert command(typed) == meant


def test_french_move_words_become_notation() -> None:
    assert in_notation("Prendre Vert, bleu") == ["grab", "green", "blue"]


def test_bot_name_includes_its_level() -> None:
    name = bot_name("Ada", "greedy")
    assert (bot_level(name), bot_level("You"), bot_level("greedy 2")) == ("greedy", None, None)
    assert shown_names([name, "You"]) == ["Ada", "You"]
