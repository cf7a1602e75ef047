"""Drawing of a galaxy's count: zones, path, bonus, Kaos card, markers."""

from __future__ import annotations

import re

import pytest

from tests.tables import Table, random_game
from tuilerie.games.kaosmos.card import MARKERS
from tuilerie.games.kaosmos.cards import CARDS, PATH, TABLES
from tuilerie.games.kaosmos.events import Counted
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import count, count_round
from tuilerie.games.kaosmos.tiles import TILES
from tuilerie.terminal.count import (
    draw_count,
    draw_seat_count,
    extra_lines,
    step_words,
    zone_letters,
)
from tuilerie.terminal.layout import width

RULEBOOK_GALAXY = "T03/270 T12/180 T49/180 · T14/270 T02/180 T06/0 · T26/270 T46/270 T47/270"


def test_rulebook_galaxy_is_drawn_with_the_reason_of_each_point() -> None:
    galaxy = parse_galaxy(RULEBOOK_GALAXY)
    drawn = draw_count(count(galaxy), galaxy, "en", False)
    lines = drawn.splitlines()
    reasons = [" ".join(line[34:].split()) for line in lines]
    assert reasons[:10] == [
        "a G green 9 planets 9+ 5",
        "b G green 2 planets < 3 –",
        "c B blue 3 planets 2–4 2",
        "d B blue 2 planets 2–4 2",
        "e B blue 1 planet < 2 –",
        "f O orange 4 planets 4–6 5",
        "g O orange 1 planet < 2 –",
        "no planets: h i",
        "★ star path of 7 tiles 6–8 2",
        "b1→c1→c2→c3→b3→b2→a2",
    ]
    assert lines[-1] == "In all:  G green 5  B blue 4  O orange 5  ★ star 2"


def test_fields_show_zone_letters_and_tiles_show_path_order() -> None:
    galaxy = parse_galaxy(RULEBOOK_GALAXY)
    counted = count(galaxy)
    lines = [line.ljust(40) for line in draw_count(counted, galaxy, "en", False).splitlines()]
    place = {"NW": (1, 1), "NE": (1, 6), "SE": (3, 6), "SW": (3, 1)}
    found = {}
    for slot in galaxy:
        row, column = 4 * (int(slot[1]) - 1), 10 * "abc".index(slot[0])
        for corner, (down, right) in place.items():
            text = lines[row + down][column + right : column + right + 4]
            if text[0] in "GBO":
                found[slot, corner] = text[1]
        order = re.search(r"\((\d)\)", lines[row][column : column + 10])
        expected = counted.path.slots.index(slot) + 1 if slot in counted.path.slots else None
        assert (int(order[1]) if order else None) == expected
    assert found == zone_letters(counted)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_round_count_fits_80_columns_and_lists_all_changes(lang: str) -> None:
    seen: set[str] = set()
    for seed in range(4):
        for moment in random_game(Table("kaosmos", 3, {"draft": False}), seed):
            for event in moment.events:
                if not isinstance(event, Counted):
                    continue
                rules = moment.before.rules
                drawn = draw_seat_count(event.count, lang, False, rules, TILES)
                assert max(map(width, drawn.splitlines())) <= 80, drawn
                for marker, after in event.count.after.items():
                    assert f"{event.count.before[marker]} → {after}" in drawn
                for bonus in event.count.bonuses:
                    assert f"{bonus.points:+}" in drawn
                seen |= {change.step for change in event.count.changes}
                seen |= {gain.reason for gain in event.count.kaos}
    assert seen >= {"zones", "path", "bonus", "kaos"}


def test_row_of_nine_and_doubled_path_fit_80_columns() -> None:
    rules = CARDS["une-dimension"]
    galaxy = parse_galaxy(RULEBOOK_GALAXY, rules.shape)
    counted = count(galaxy, rules)
    drawn = draw_count(counted, galaxy, "fr", False, rules=rules)
    assert max(map(width, drawn.splitlines())) <= 80
    assert "i1" in drawn
    double = CARDS["pluie-d-asteroides"]
    square = parse_galaxy(RULEBOOK_GALAXY)
    drawn = draw_count(count(square, double), square, "en", False, rules=double)
    assert "6–8 ×2  4" in drawn


def test_incomplete_galaxy_draws_only_its_tiles() -> None:
    galaxy = parse_galaxy("b2:T20/0")
    drawn = draw_count(count(galaxy), galaxy, "en", False)
    assert "b2" in drawn
    assert "a1" not in drawn


def test_card_points_are_listed_by_zone() -> None:
    galaxy = parse_galaxy(RULEBOOK_GALAXY)
    lines = {}
    for card in ("floraison", "constellation", "supernova", "equilibre"):
        (seat, _) = count_round(
            [galaxy, {}], dict.fromkeys(TABLES), [dict.fromkeys(MARKERS, 0)] * 2, CARDS[card]
        )
        lines[card] = extra_lines(seat, "en", False)
    assert lines["floraison"] == ["Kaos: zones a b, G green +2"]
    assert lines["constellation"] == [
        "Kaos: 1 constellation field, ★ star +1",
        "Kaos: 2 constellation fields together, ★ star +1",
    ]
    assert lines["supernova"] == [
        "Kaos: zone a counts, G green +2",
        "Kaos: zone c counts, B blue +2",
        "Kaos: zone f counts, O orange +2",
    ]
    assert lines["equilibre"] == ["Kaos: all three colours score, ★ star +3"]


@pytest.mark.parametrize(
    ("amount", "words"), [(0, "< 3"), (3, "3–5"), (5, "3–5"), (6, "6–8"), (9, "9+"), (20, "9+")]
)
def test_step_words_names_the_range(amount: int, words: str) -> None:
    assert step_words(TABLES["green"], amount) == words


def test_step_words_names_a_single_amount() -> None:
    assert step_words(((1, 1), (2, 3)), 1) == "1"
    assert step_words(PATH, 4) == "4–5"
