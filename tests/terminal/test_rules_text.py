"""Rules texts and their examples, rendered for a terminal."""

from __future__ import annotations

import re

import click
import pytest

from tests.terminal.test_drawing import read_blockers, read_genial
from tuilerie.games import GAMES
from tuilerie.language import language
from tuilerie.terminal.layout import width
from tuilerie.terminal.rules_text import draw_example, draw_rules, fill, inline
from tuilerie.terminal.style import PLAIN, Style
from tuilerie.texts import rules_text
from tuilerie.texts.examples import (
    EXAMPLES,
    BlockersCapture,
    BlockersScore,
    GenialRanking,
    GenialTile,
    KaosmosBonus,
    KaosmosFinal,
    KaosmosGalaxy,
)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_drawn_within_its_width(name: str, lang: str) -> None:
    drawn = draw_example(name, False, lang)
    assert max(map(width, drawn.splitlines())) <= 76
    assert "\x1b" not in drawn
    coloured = click.unstyle(draw_example(name, True, lang))
    assert [line.rstrip() for line in coloured.splitlines()] == [
        line.rstrip() for line in drawn.splitlines()
    ]


@pytest.mark.parametrize(
    "name", [name for name, example in EXAMPLES.items() if isinstance(example, GenialTile)]
)
def test_genial_example_shows_tile_and_points(name: str) -> None:
    example = EXAMPLES[name]
    assert isinstance(example, GenialTile)
    drawn = draw_example(name, False, "en")
    radius = {2: 5, 3: 6}[example.players]
    symbols, _ = read_genial("\n" + drawn, radius, cells=False)
    for text in (*example.laid, example.move):
        tile, first, second = text.split()
        assert (symbols[first], symbols[second]) == (tile[0], tile[1])
    board, legend, _ = drawn.partition(language("en").say("draw.genial-legend"))
    assert legend
    assert board.count("{") == 2
    *_, first_half, second_half = drawn.splitlines()
    assert first_half.endswith(f"= {example.points[0]}")
    assert second_half.endswith(f"= {example.points[1]}")
    counted = {cell for line in (first_half, second_half) for cell in re.findall(r"[a-o]\d+", line)}
    counted -= set(example.move.split())
    assert board.count("(") == len(counted)


def test_blockers_example_marks_captures_and_explains_refusals() -> None:
    for name, example in EXAMPLES.items():
        if isinstance(example, BlockersCapture):
            drawn = draw_example(name, False, "en")
            tiles, _ = read_blockers(drawn.replace("{", "[").replace("}", "]"))
            assert tiles == example.board
            cells = {text.split("x")[1] for text in example.captures}
            assert drawn.count("{") == len(cells)
            assert drawn.count("✗") == len(example.refused)
        elif isinstance(example, BlockersScore):
            tiles, _ = read_blockers(draw_example(name, False, "fr"))
            assert tiles == example.board


def test_other_examples_show_their_numbers() -> None:
    for name, example in EXAMPLES.items():
        drawn = " ".join(draw_example(name, False, "en").split())
        if isinstance(example, GenialRanking):
            assert all(f"→ {place}." in drawn for place in example.places)
        elif isinstance(example, KaosmosGalaxy):
            points = example.points
            assert f"G green {points['green']} B blue {points['blue']}" in drawn
        elif isinstance(example, KaosmosBonus):
            assert f"{example.points:+}" in drawn
            assert all(f"{planets} planets (*)" in drawn for planets in example.planets)
        elif isinstance(example, KaosmosFinal):
            for score, place in zip(example.scores, example.places, strict=True):
                assert f"{score} → {place}." in drawn


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_rendered_rules_contain_no_markup(game: str, lang: str, columns: int) -> None:
    drawn = draw_rules(game, lang, columns, False)
    text = [line for line in drawn.splitlines() if not re.search(r"[│┃━─═●○·]", line)]
    assert max(map(width, text)) <= max(columns, 80)
    assert "{{" not in drawn
    assert "**" not in drawn
    assert "`" not in drawn
    words = re.sub(r"[^\w]+", " ", drawn)
    for heading in re.findall(r"^#+ (.+)$", rules_text(game, lang), re.MULTILINE):
        assert re.sub(r"[^\w]+", " ", heading).strip() in words


def test_wrapping_keeps_paint_and_no_break_spaces() -> None:
    words = inline("One **two three** *four* `RB h8` five\u00a0!", PLAIN)
    assert words == ["One", "two", "three", "four", "‘RB\u00a0h8’", "five\u00a0!"]
    painted = inline("a **b c**d", Style(colour=True))
    assert [click.unstyle(word) for word in painted] == ["a", "b", "cd"]
    assert painted[1] != "b"
    assert fill(["aaa", "bb", "cc"], 6, "  ", "- ") == ["- aaa", "  bb", "  cc"]
