"""Rules texts: worked examples agree with the rules, and all languages have the same structure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest

from tuilerie.games.blockers import score as blockers_score
from tuilerie.games.blockers.board import Cell, loose_of
from tuilerie.games.blockers.card import read_options as blockers_options
from tuilerie.games.blockers.notation import Capture
from tuilerie.games.blockers.notation import parse_move as blockers_move
from tuilerie.games.blockers.rules import apply as blockers_apply
from tuilerie.games.blockers.rules import legal as blockers_legal
from tuilerie.games.blockers.rules import start as blockers_start
from tuilerie.games.blockers.state import State as BlockersState
from tuilerie.games.blockers.tiles import CELLS_OF, KEPT, TILES, Tile, cells_by_colour
from tuilerie.games.game import Action, Refused
from tuilerie.games.genial import score as genial_score
from tuilerie.games.genial.board import Board, board_for
from tuilerie.games.genial.card import STANDARD
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.notation import parse_move as genial_move
from tuilerie.games.genial.tiles import BAG, without
from tuilerie.games.kaosmos import score as kaosmos_score
from tuilerie.games.kaosmos.card import COLOURS as ZONE_COLOURS
from tuilerie.games.kaosmos.cards import CARDS, PATH, SOURCES, TABLES, read_sources
from tuilerie.games.kaosmos.notation import Put
from tuilerie.games.kaosmos.notation import parse_move as kaosmos_move
from tuilerie.games.kaosmos.tiles import TILES as GALAXY_TILES
from tuilerie.language import LANGUAGES, Language
from tuilerie.texts import rules_text
from tuilerie.texts.examples import (
    EXAMPLES,
    BlockersBoard,
    BlockersCapture,
    BlockersScore,
    Example,
    GenialBoard,
    GenialRanking,
    GenialTile,
    KaosmosBonus,
    KaosmosFinal,
    KaosmosGalaxy,
    KaosmosTile,
)

TEXTS = ("genial", "blockers", "kaosmos")
DIRECTIVE = re.compile(r"\{\{example ([a-z0-9-]+)\}\}")
ROOT = Path(__file__).parent.parent
CLIENTS = ROOT / "web" / "src" / "games"
CARD_SOURCES = read_sources(
    resources.files("tuilerie.games.kaosmos").joinpath("cards.json").read_text("utf-8")
)


def of_kind(kind: type[Example]) -> list[str]:
    return [name for name, example in EXAMPLES.items() if isinstance(example, kind)]


# --- Génial! --------------------------------------------------------------------------------------


def lay(board: Board, symbols: genial_score.Symbols, text: str) -> genial_score.Symbols:
    """Return the board after a legal placement."""
    move = genial_move(text)
    assert isinstance(move, Placement)
    assert str(move) == text, "canonical notation"
    assert move.second in board.neighbours[move.first]
    assert not {move.first, move.second} & symbols.keys()
    return {**symbols, move.first: move.tile[0], move.second: move.tile[1]}


@pytest.mark.parametrize("name", of_kind(GenialTile))
def test_genial_example_points(name: str) -> None:
    example = EXAMPLES[name]
    assert isinstance(example, GenialTile)
    board = board_for(example.players)
    symbols: genial_score.Symbols = board.printed
    for text in example.laid:
        symbols = lay(board, symbols, text)
    move = genial_move(example.move)
    assert isinstance(move, Placement)
    halves = genial_score.score_tile(board, symbols, move.tile, move.first, move.second)
    assert tuple(half.points for half in halves) == example.points
    lengths = [sorted((len(line.cells) for line in half.lines), reverse=True) for half in halves]
    assert lengths == [sorted(lines, reverse=True) for lines in example.lines]
    lay(board, symbols, example.move)
    tiles = [genial_move(text) for text in (*example.laid, example.move)]
    held = tuple(tile.tile for tile in tiles if isinstance(tile, Placement))
    assert without(BAG, held) is not None, "all these tiles exist"


def test_genial_examples_cover_the_rulebook_totals() -> None:
    points = [e.points for e in EXAMPLES.values() if isinstance(e, GenialTile)]
    assert points == [(1, 0), (2, 1), (2, 2), (4, 2), (7, 5)]


def test_genial_example_ranking() -> None:
    example = EXAMPLES["genial-ranking"]
    assert isinstance(example, GenialRanking)
    tracks = [dict(track) for track in example.tracks]
    assert genial_score.places(STANDARD, tracks, len(tracks)) == example.places
    assert [min(track.values()) for track in tracks] == [10, 9, 9, 7]


def test_genial_example_board_exists() -> None:
    example = EXAMPLES["genial-board"]
    assert isinstance(example, GenialBoard)
    assert board_for(example.players).printed


# --- Blockers! ------------------------------------------------------------------------------------


def checked_board(board: Mapping[str, str]) -> dict[Cell, Tile]:
    """Return an example's board, after checking that tiles match their cells and are unique."""
    tiles = {Cell(cell): Tile(tile) for cell, tile in board.items()}
    assert all(cell in CELLS_OF[tile] for cell, tile in tiles.items())
    assert len(set(tiles.values())) == len(tiles)
    return tiles


def blockers_position(example: BlockersCapture) -> BlockersState:
    state = blockers_start(len(example.colours), {"colours": list(example.colours)})
    board = checked_board(example.board)
    rack = tuple(map(Tile, example.rack))
    assert not set(rack) & set(board.values())
    cells = cells_by_colour(board, state.options.in_play)
    fields = {name: getattr(state, name) for name in state.__slots__}
    loose = frozenset[Cell]().union(*map(loose_of, cells.values()))
    fields |= {"phase": "play", "board": board, "_cells": cells, "_loose": loose}
    fields |= {"racks": (rack, *state.racks[1:])}
    return BlockersState(**fields)


@pytest.mark.parametrize("name", of_kind(BlockersCapture))
def test_blockers_example_captures(name: str) -> None:
    example = EXAMPLES[name]
    assert isinstance(example, BlockersCapture)
    state = blockers_position(example)
    captures = [str(m) for m in blockers_legal(state, 0) if isinstance(m, Capture)]
    assert tuple(captures) == example.captures
    assert example.refused
    for text, rule in example.refused.items():
        with pytest.raises(Refused) as refused:
            blockers_apply(state, Action(0, blockers_move(text)))
        assert refused.value.rule == rule


def test_blockers_example_score() -> None:
    example = EXAMPLES["blockers-c"]
    assert isinstance(example, BlockersScore)
    board = checked_board(example.board)
    options = blockers_options(len(example.colours), {"colours": list(example.colours)})
    cells = cells_by_colour(board, options.in_play)
    captured = tuple(tuple(map(Tile, tiles)) for tiles in example.captured)
    scores = tuple(
        blockers_score.score_of(options, seat, cells, tiles) for seat, tiles in enumerate(captured)
    )
    assert tuple(score.group_count for score in scores) == example.groups == (4, 3, 2)
    assert tuple(score.score for score in scores) == example.scores == (5, 5, 2)
    assert blockers_score.result_of(scores).places == example.places
    # The end of a real game: four tiles of each colour are left on the rack.
    out = [*board.values(), *(tile for tiles in captured for tile in tiles)]
    assert len(set(out)) == len(out)
    for colour in example.colours:
        assert sum(tile[0] == colour for tile in out) == len(TILES[colour]) - KEPT


def test_blockers_example_board_exists() -> None:
    assert isinstance(EXAMPLES["blockers-board"], BlockersBoard)


# --- Kaosmos --------------------------------------------------------------------------------------


def galaxy_of(tiles: tuple[str, ...]) -> kaosmos_score.Galaxy:
    moves = [kaosmos_move(f"put {tile}") for tile in tiles]
    puts = [move for move in moves if isinstance(move, Put)]
    assert len({put.tile for put in puts}) == len({put.slot for put in puts}) == len(tiles)
    return {put.slot: (put.tile, put.turns) for put in puts}


def test_kaosmos_example_tile() -> None:
    example = EXAMPLES["kaosmos-tile"]
    assert isinstance(example, KaosmosTile)
    for turns in example.turns:
        tile = GALAXY_TILES.by_id[example.tile].turned(turns)
        assert tile.planets == example.planets
        assert len(tile.arms) == example.arms
    assert sorted(tile.cells) == ["B1", "B2", "G0", "O1"], "as the text describes it"


def test_kaosmos_example_of_arms_that_cut_a_zone() -> None:
    example = EXAMPLES["kaosmos-arms"]
    assert isinstance(example, KaosmosTile)
    tile = GALAXY_TILES.by_id[example.tile]
    assert {cell[0] for cell in tile.cells} == {"G"}
    assert (tile.planets, len(tile.arms)) == (example.planets, example.arms)
    zones = kaosmos_score.count({"a1": (example.tile, 0)}).zones
    assert [(len(zone.fields), zone.planets) for zone in zones] == [(2, 2), (2, 0)]
    assert sorted(corner for _, corner in zones[0].fields) == ["NW", "SW"], "on the left"


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("genial", {"fr": "dès huit ans", "en": "eight years of age"}),
        ("blockers", {"fr": "dès huit ans", "en": "eight years of age"}),
        ("kaosmos", {"fr": "dès dix ans", "en": "ten years of age"}),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_name_the_age_and_the_time(game: str, words: dict[str, str], lang: str) -> None:
    first = rules_text(game, lang).split("\n\n")[1]
    assert words[lang] in first
    assert re.search("minutes|heure|hour", first)


@pytest.mark.parametrize("name", of_kind(KaosmosGalaxy))
def test_kaosmos_example_points(name: str) -> None:
    example = EXAMPLES[name]
    assert isinstance(example, KaosmosGalaxy)
    counted = kaosmos_score.count(galaxy_of(example.galaxy))
    planets = {
        colour: tuple(zone.planets for zone in counted.zones if zone.colour == colour)
        for colour in ZONE_COLOURS
    }
    assert planets == example.zones
    assert counted.path.length == example.path
    assert counted.points == example.points


@pytest.mark.parametrize("name", of_kind(KaosmosBonus))
def test_kaosmos_example_bonus(name: str) -> None:
    example = EXAMPLES[name]
    assert isinstance(example, KaosmosBonus)
    galaxies = [galaxy_of(tiles) for tiles in example.galaxies]
    tiles = [tile for galaxy in galaxies for tile, _ in galaxy.values()]
    assert len(set(tiles)) == 9 * len(galaxies), "nine tiles each, and each tile once"
    takers = {colour: 0 if colour == example.colour else None for colour in ZONE_COLOURS}
    before = dict.fromkeys((*ZONE_COLOURS, "star"), 10)
    counts = kaosmos_score.count_round(galaxies, takers, [before] * len(galaxies))
    assert tuple(each.count.largest[example.colour] for each in counts) == example.planets
    (bonus,) = counts[0].bonuses
    assert bonus.points == example.points


def test_kaosmos_example_tie() -> None:
    example = EXAMPLES["kaosmos-final"]
    assert isinstance(example, KaosmosFinal)
    result = kaosmos_score.final(example.markers)
    assert tuple(score["score"] for score in result.scores) == example.scores
    assert result.places == example.places


@pytest.mark.parametrize("lang", LANGUAGES)
def test_card_texts_are_those_of_the_program(lang: str) -> None:
    words = Language(lang)
    text = rules_text("kaosmos", lang)
    listed = re.findall(r"^\| \*\*(.+)\*\* \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert listed == [
        (
            words.say(f"card.{card}.name"),
            words.say(f"card.{card}.text"),
            words.say(f"source.{CARD_SOURCES[card]}"),
        )
        for card in CARDS
    ]


def test_every_card_has_a_source() -> None:
    assert list(CARD_SOURCES) == list(CARDS)
    assert Counter(CARD_SOURCES.values()) == {
        "known": 7,
        "known-effect": 1,
        "hinted": 3,
        "ours": 9,
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_source_marks_are_explained(lang: str) -> None:
    marks = [Language(lang).say(f"source.{source}") for source in SOURCES]
    text = part("kaosmos", lang, "The Kaos cards", "Les cartes Kaos")
    assert re.findall(r"^- \*\*(.+?)\u00a0?:\*\*", text, re.MULTILINE)[: len(SOURCES)] == marks


EXTRA = ("constellation", "vide-sideral", "floraison", "grand-gel", "vent-de-sable")

READINGS = (
    (*EXTRA, "equilibre", "supernova"),
    ("floraison", "grand-gel", "vent-de-sable"),
    ("equilibre",),
    ("supernova",),
    ("transfert",),
    ("ingerence",),
    ("univers-paralleles", "trou-noir"),
    ("gyroscope-bloque",),
    ("temps-contracte", "loterie"),
    ("derive",),
)
"""Cards whose text leaves something open, with our rulings."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_open_points_of_cards_have_rulings(lang: str) -> None:
    names = {Language(lang).say(f"card.{card}.name"): card for card in CARDS}
    text = part("kaosmos", lang, "The cards in detail", "Les cartes en détail")
    listed = []
    for point in re.findall(r"^- (.+)$", text, re.MULTILINE):
        strong = " ".join(re.findall(r"\*\*(.+?)\*\*", point))
        listed.append(tuple(sorted(names[name] for name in names if name in strong)))
    assert listed == [tuple(sorted(cards)) for cards in READINGS]


# --- sources --------------------------------------------------------------------------------------


def part(game: str, lang: str, english: str, french: str) -> str:
    """Return the text under a heading."""
    heading = {"en": english, "fr": french}[lang]
    (found,) = re.findall(
        rf"^##+ {re.escape(heading)}\n(.*?)(?=^#|\Z)",
        rules_text(game, lang),
        re.MULTILINE | re.DOTALL,
    )
    return str(found)


@pytest.mark.parametrize(
    ("game", "english", "french"),
    [
        ("genial", "solo teams duel always beside", "solitaire équipes duel toujours à côté"),
        ("blockers", "two players uptown colours", "deux joueurs uptown couleurs"),
        ("kaosmos", "cards 54 tiles options beginners", "cartes 54 tuiles options débutants"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_names_its_sources(game: str, english: str, french: str, lang: str) -> None:
    text = part(game, lang, "Where it all comes from", "D’où vient tout cela").lower()
    assert {"en": "rulebook", "fr": "livret"}[lang] in text
    for word in {"en": english, "fr": french}[lang].split():
        assert word in text


@pytest.mark.parametrize(
    ("game", "english", "french"),
    [
        ("genial", "the youngest player begins", "c’est le plus jeune joueur"),
        ("genial", "for which no tile is left in your hand lapse", "il ne reste rien en main"),
        ("kaosmos", "*Si un jeton atteint la case 30,", "*Si un jeton atteint la case 30,"),
        ("kaosmos", "A path visits no tile twice.", "ne passe pas deux fois par la même tuile."),
        ("kaosmos", "it needs a complete galaxy", "il demande une galaxie complète"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rulings_are_listed(game: str, english: str, french: str, lang: str) -> None:
    wanted = {"en": english, "fr": french}[lang]
    assert wanted in part(game, lang, "Our rulings", "Nos décisions")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lesson_has_the_full_condition_for_the_first_tile(lang: str) -> None:
    lesson = (CLIENTS / "genial" / f"learn.{lang}.ftl").read_text("utf-8")
    (first,) = re.findall(r"(?m)^genial-learn-first = (.*)$", lesson)
    assert {
        "en": "a printed symbol that no other tile touches yet",
        "fr": "un symbole imprimé qu’aucune autre tuile ne touche encore",
    }[lang] in first


def test_no_variant_is_called_official() -> None:
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *CLIENTS.parent.rglob("*.ftl")]
    files += (ROOT / "src" / "tuilerie" / "texts").glob("*.md")
    files += (ROOT / "src" / "tuilerie" / "language").glob("*.toml")
    assert len(files) > 30
    for file in files:
        assert not re.search(r"(?i)\bofficiel|\bofficial", file.read_text("utf-8")), file


AVOIDED = {
    "en": r"\bglass\b|\bbrings? \d|with most planets|hang together|equal symbols",
    "fr": r"\bchamps?\b(?<!sur-le-champ)|sélection|en retard|(?<!qui la )\bréserves?\b|\bprises\b"
    r"|pareil|bâti",
}


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_uses_players_terms(game: str, lang: str) -> None:
    assert re.findall(f"(?i).*(?:{AVOIDED[lang]}).*", rules_text(game, lang)) == []


# --- the texts ------------------------------------------------------------------------------------


def structure(text: str) -> list[str]:
    """Return the language-independent structure: headings, examples, lists and tables."""
    found = []
    for line in text.splitlines():
        if heading := re.match(r"#+ ", line):
            found.append(heading[0].strip())
        elif DIRECTIVE.fullmatch(line):
            found.append(line)
        elif item := re.match(r"- |1\. |\| ", line):
            found.append(item[0].strip() + (str(line.count("|")) if line[0] == "|" else ""))
    return found


@pytest.mark.parametrize("game", TEXTS)
def test_languages_have_the_same_structure(game: str) -> None:
    first, *others = (structure(rules_text(game, lang)) for lang in LANGUAGES)
    assert first
    for other in others:
        assert other == first


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_uses_the_markdown_subset(game: str, lang: str) -> None:
    lines = rules_text(game, lang).splitlines()
    assert [line for line in lines if line.startswith("# ")] == [lines[0]]
    for before, line in pairwise(lines):
        assert not line.startswith(("####", "  ", "\t", "* ", "+ ", ">", "```", "<")), line
        assert line == line.rstrip()
        assert "\\" not in line
        if "{{" in line:
            assert DIRECTIVE.fullmatch(line), line
        if line.startswith(("#", "{{")):
            assert before == "", f"a blank line before {line}"
        assert line.count("**") % 2 == 0
        assert line.count("`") % 2 == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_example_is_used_exactly_once(lang: str) -> None:
    used = [name for game in TEXTS for name in DIRECTIVE.findall(rules_text(game, lang))]
    assert used == list(EXAMPLES)


def test_examples_belong_to_their_game() -> None:
    for game in TEXTS:
        for name in DIRECTIVE.findall(rules_text(game, "en")):
            assert type(EXAMPLES[name]).__name__.lower().startswith(game)


CODE = re.compile(r"`[^`]*`|\{\{.*?\}\}")


@pytest.mark.parametrize("game", TEXTS)
def test_french_typography(game: str) -> None:
    """No-break spaces before double punctuation and inside quotation marks, and typographic
    apostrophes."""
    text = CODE.sub("", rules_text(game, "fr")).replace("Génial!", "").replace("Blockers!", "")
    text = re.sub(r"^\|[-|]+$", "", text, flags=re.MULTILINE)
    assert re.findall(r".{0,20}(?<!\u00a0)[:;!?»].{0,5}", text) == []
    assert re.findall(r"«(?!\u00a0).{0,10}", text) == []
    assert "'" not in text
    assert '"' not in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("marker", "steps"), [*TABLES.items(), ("star", PATH)])
def test_client_shows_the_points_of_zones_and_paths(
    lang: str, marker: str, steps: tuple[tuple[int, int], ...]
) -> None:
    (listed,) = re.findall(
        rf"(?m)^kaosmos-scale-{marker} = (.*)$",
        (CLIENTS / "kaosmos" / f"{lang}.ftl").read_text("utf-8"),
    )
    spans = [(least, more - 1, points) for (least, points), (more, _) in pairwise(steps)]
    assert [int(number) for number in re.findall(r"\d+", listed)] == [*sum(spans, ()), *steps[-1]]
