"""docs/formats.md is correct: every example parses, every table is complete."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import Code, Json
from tuilerie.games.genial.board import PRINTED, ROWS, board_for
from tuilerie.games.kaosmos.cards import CARDS, EFFECTS, read_cards
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.tiles import TILES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
SOURCE = ROOT / "src" / "tuilerie"
BLOCKS = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def section(heading: str) -> str:
    """Return the text under a heading."""
    found = re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
    assert found, heading
    return found[1]


def table(text: str, first: str) -> list[list[str]]:
    """Return the rows of the table whose first column has this name."""
    found = re.search(rf"^\| {first} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found, first
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in found[1].splitlines()]


def code(cell: str) -> str:
    assert re.fullmatch(r"`[^`]+`", cell), cell
    return cell[1:-1]


# --- records --------------------------------------------------------------------------------------


def test_every_game_has_an_example_record() -> None:
    games = [json.loads(block.splitlines()[0])["game"] for block in BLOCKS]
    assert sorted(games) == sorted(GAMES)


@pytest.mark.parametrize("block", BLOCKS)
def test_example_records_round_trip(block: str) -> None:
    replay = record.replay(block)
    assert replay.cut_line is None
    assert record.write(replay) == block


def test_complete_record_is_complete() -> None:
    replay = record.replay(BLOCKS[-1])
    assert replay.confirmed
    kinds = {
        (line["kind"], line.get("what")) for line in map(json.loads, BLOCKS[-1].splitlines()[1:])
    }
    whats = {("chance", what) for what in ("card", "draw", "fill")}
    assert kinds == {("action", None), ("clock", "time"), ("result", None), *whats}


@pytest.mark.parametrize("name", GAMES)
def test_example_lines_parse(name: str) -> None:
    game = GAMES[name]
    rows = table(section(f"Records of {game.card.title}"), "Line")
    kinds = set()
    for row in rows:
        text = code(row[0])
        fields: dict[str, Json] = json.loads(text)
        kinds.add(fields["kind"])
        if fields["kind"] == "result":
            assert fields.keys() == {"kind", "reason", "places", "scores"}
            assert all(tuple(score) == game.card.score_fields for score in fields["scores"])
            continue
        entry = record.read_entry(game, fields)
        assert record.entry_line(game, entry) == text
    assert kinds >= {"action", "chance", "result"}


@pytest.mark.parametrize("name", GAMES)
def test_options_are_listed_with_their_defaults(name: str) -> None:
    game = GAMES[name]
    rows = table(section(f"Records of {game.card.title}"), "Option")
    assert [code(row[0]) for row in rows] == [option.name for option in game.card.options]
    for option, (_, values, default) in zip(game.card.options, rows, strict=True):
        for value in option.values:
            assert f"`{json.dumps(value)}`" in values
        if option.default is not None:
            assert default.startswith(f"`{json.dumps(option.default)}`")


def test_all_reasons_are_listed() -> None:
    genial, blockers, kaosmos = (
        section(f"Records of {GAMES[g].card.title}") for g in GAMES_IN_ORDER
    )
    assert "`board-full`" in genial
    assert "`markers-full`" in genial
    assert "`all-laid`" in blockers
    assert "`five-rounds`" in kaosmos


GAMES_IN_ORDER = ("genial", "blockers", "kaosmos")


# --- notation -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_example_moves_are_canonical(name: str) -> None:
    game = GAMES[name]
    moves = [code(row[0]) for row in table(section(f"Notation: {game.card.title}"), "Move")]
    assert [str(game.parse_move(move)) for move in moves] == moves
    kinds = {type(game.parse_move(move)) for move in moves}
    assert len(kinds) == {"genial": 3, "blockers": 3, "kaosmos": 8}[name], "every kind of move"


def test_canonical_texts_are_as_documented() -> None:
    parse = GAMES["genial"].parse_move
    text = section("Notation: Génial!")
    for read, written in (("BR h9 h8", "RB h8 h9"), ("YY h10 h9", "YY h9 h10")):
        assert str(parse(read)) == written
        assert f"`{written}`" in text
    parse = GAMES["kaosmos"].parse_move
    assert str(parse("keep T33 T05  T01")) == "keep T01 T05 T33"
    assert str(parse("grab orange green")) == "grab green orange"
    assert parse_galaxy("b2:T03/270 T12/180") == {"b2": ("T03", 3), "c2": ("T12", 2)}


def test_genial_boards_are_as_documented() -> None:
    text = section("Notation: Génial!")
    for (players, radius, cells, rows, *ends), number in zip(
        table(text, "Players"), (2, 3, 4), strict=True
    ):
        board = board_for(number)
        assert (players[-1], radius, cells) == (
            str(number),
            str(board.radius),
            str(len(board.cells)),
        )
        used = [row for row in ROWS if any(cell[0] == row for cell in board.cells)]
        assert rows == f"{used[0]}–{used[-1]}"
        for row, documented in zip((used[0], "h", used[-1]), ends, strict=True):
            numbers = [int(cell[1:]) for cell in board.cells if cell[0] == row]
            assert documented == f"{row}{min(numbers)}–{row}{max(numbers)}"
    for cell, colour in PRINTED.items():
        assert re.search(rf"`{cell}`\s{colour}", text)


# --- Kaosmos boxes --------------------------------------------------------------------------------


def test_cards_and_effects_are_all_listed() -> None:
    text = section("Records of Kaosmos")
    listed = re.search(r"The names of the twenty cards: ([^.]*)\.", text)
    assert listed
    assert re.findall(r"`([^`]+)`", listed[1]) == list(CARDS)
    rows = table(text, "Effect")
    assert [code(row[0]) for row in rows] == list(EFFECTS)
    for effect, params, _ in rows:
        named = [name for name in re.findall(r"`([a-z]+)`", params) if name in PARAMS]
        assert named == list(EFFECTS[code(effect)].params)


PARAMS = {param for effect in EFFECTS.values() for param in effect.params}


def test_example_tile_and_card_are_valid() -> None:
    tile, card = re.findall(r"`(\{\"id\": .*?\})`", section("Records of Kaosmos"))
    shown = json.loads(tile)
    ours = TILES.by_id[shown["id"]]
    assert (list(ours.cells), ours.arms) == (shown["cells"], shown["arms"])
    others = [json.dumps({"id": f"x{n}", "effect": "no-draft"}) for n in range(4)]
    assert json.loads(card)["id"] in read_cards(f"[{', '.join([card, *others])}]")


# --- faults ---------------------------------------------------------------------------------------


def codes_by_rule() -> dict[str, set[str]]:
    """Return every rule that a move or a record can break, with its codes."""
    found: dict[str, set[str]] = {}
    for file in (SOURCE / "record.py", *sorted((SOURCE / "games").rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in ("Refused", "_fault") or len(node.args) < 2:
                continue
            with_code, rule = node.args[:2]
            if isinstance(rule, ast.Constant):
                name = with_code.attr if isinstance(with_code, ast.Attribute) else ""
                value = Code.MALFORMED if node.func.id == "_fault" else Code[name]
                found.setdefault(str(rule.value), set()).add(value.value)
    return found


def test_every_rule_is_explained_with_its_codes() -> None:
    rows = table(section("What can be wrong"), "Rule")
    documented = {code(row[0]): set(re.findall(r"`([a-z-]+)`", row[1])) for row in rows}
    assert documented == codes_by_rule()
    assert len(documented) == len(rows)


def test_every_code_is_explained() -> None:
    rows = table(section("What can be wrong"), "Code")
    assert [code(row[0]) for row in rows] == [each.value for each in Code]
