"""The command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tests.amounts import one_in
from tests.tables import TABLES, Table
from tuilerie import record
from tuilerie.cli import ELSEWHERE, LINE, SECTIONS, commands
from tuilerie.games import GAMES
from tuilerie.games.game import Json

MARTIN = "T03/270 T12/180 T49/180 T14/270 T02/180 T06/0 T26/270 T46/270 T47/270"
TILES = Path("src/tuilerie/games/kaosmos/tiles.json")


def run(*words: str, **options: Json) -> Result:
    result = CliRunner().invoke(commands, [*words, "--lang", options.pop("lang", "en")], **options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def option_words(options: Mapping[str, Json]) -> list[str]:
    words = []
    for name, value in options.items():
        words += ["--option", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return words


def simulate(folder: Path, table: Table, games: int = 3) -> list[Path]:
    result = run(
        "simulate", table.game, "--players", str(table.players), "--games", str(games),
        "--seed", "9", *option_words(table.options), "--out", str(folder),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    return sorted(folder.iterdir())


# --- simulate and replay ---


@pytest.mark.slow
@pytest.mark.parametrize("table", one_in(4, TABLES), ids=str)
def test_simulated_games_replay_to_the_same_result(table: Table, tmp_path: Path) -> None:
    paths = simulate(tmp_path / "games", table)
    assert [path.name for path in paths] == ["000001.jsonl", "000002.jsonl", "000003.jsonl"]
    for path in paths:
        replay = record.replay(record.decode(path.read_bytes()))
        assert replay.confirmed
        assert len(replay.header.seats) == table.players
        assert dict(table.options).items() <= dict(replay.header.options).items()
    output = run("replay", str(paths[0]))
    assert output.exit_code == 0
    assert GAMES[table.game].card.title in output.stdout
    assert "1. " in output.stdout


@pytest.mark.proof
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_two_hundred_simulated_games_of_each_kind_replay(table: Table, tmp_path: Path) -> None:
    for path in simulate(tmp_path / "games", table, games=200):
        assert record.replay(record.decode(path.read_bytes())).confirmed


def test_seed_determines_the_games(tmp_path: Path) -> None:
    words = ["simulate", "blockers", "--players", "4", "--games", "2", "--out"]
    texts = []
    for folder, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        run(*words, str(tmp_path / folder), "--seed", seed)
        texts.append((tmp_path / folder / "000002.jsonl").read_text("utf-8"))
    assert texts[0] == texts[1] != texts[2]


def test_one_bot_for_all_seats_or_one_per_seat(tmp_path: Path) -> None:
    result = run(
        "simulate", "genial", "--players", "2", "--games", "4", "--bots", "greedy,random",
        "--out", str(tmp_path / "x"),
    )  # fmt: skip
    assert "greedy 1 won 100.0 %" in result.stdout


def test_existing_records_are_not_overwritten(tmp_path: Path) -> None:
    words = ["simulate", "genial", "--players", "1", "--out", str(tmp_path), "--seed"]
    assert run(*words, "1").exit_code == 0
    kept = (tmp_path / "000001.jsonl").read_bytes()
    again = run(*words, "2")
    assert again.exit_code == 1
    assert "--overwrite" in again.stderr
    assert (tmp_path / "000001.jsonl").read_bytes() == kept
    assert run(*words, "2", "--overwrite").exit_code == 0
    assert (tmp_path / "000001.jsonl").read_bytes() != kept


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["genial", "--players", "7"], "7 players"),
        (["genial", "--players", "2", "--option", "variant=solo"], "solo"),
        (["genial", "--players", "2", "--option", "adjacent=perhaps"], "perhaps"),
        (["genial", "--players", "2", "--option", "adjacent"], "NAME=VALUE"),
        (["genial", "--players", "2", "--option", "weather=fine"], "weather"),
        (["genial", "--players", "2", "--bots", "deep"], "random, greedy"),
        (["genial", "--players", "3", "--bots", "random,greedy"], "3 players"),
        (["kaosmos", "--players", "2", "--option", "seconds=61"], "61"),
        (["chess", "--players", "2"], "genial"),
        (["genial", "--players", "2", "--games", "0"], "0"),
    ],
)
def test_simulate_prints_error_messages(words: list[str], said: str, tmp_path: Path) -> None:
    result = run("simulate", *words, "--out", str(tmp_path / "x"))
    assert result.exit_code in (1, 2)
    assert said in result.stderr
    assert not (tmp_path / "x").exists()


def test_replay_json_has_entries_states_and_events(tmp_path: Path) -> None:
    (path, *_) = simulate(tmp_path, Table("genial", 2), games=1)
    lines = [json.loads(line) for line in run("replay", str(path), "--json").stdout.splitlines()]
    entries = path.read_text("utf-8").splitlines()[1:-1]
    assert [line["entry"] for line in lines] == [json.loads(entry) for entry in entries]
    scored = [event for line in lines for event in line["events"] if event["kind"] == "scored"]
    for event in scored:
        for half in event["halves"]:
            assert half["points"] == sum(len(line["cells"]) for line in half["lines"])
    assert lines[-1]["events"][-1]["kind"] == "ended"
    assert set(lines[0]["state"]) >= {"symbols", "hands", "bag", "tracks", "phase"}


def test_replay_reports_line_and_rule_of_a_fault(tmp_path: Path) -> None:
    (path, *_) = simulate(tmp_path, Table("genial", 2), games=1)
    lines = path.read_text("utf-8").splitlines()
    entry = json.loads(lines[3])
    lines[3] = json.dumps(entry | {"move": entry["move"][:2] + " h8 h9"})
    path.write_text("\n".join(lines), "utf-8")
    for lang, word in (("en", "Line 4"), ("fr", "Ligne 4")):
        result = run("replay", str(path), lang=lang)
        assert result.exit_code == 1
        assert word in result.stderr
        assert "first-turn" in result.stderr
    partly = run("replay", str(path), "--json")
    assert len(partly.stdout.splitlines()) == 2  # the entries before the fault are printed


def test_replay_reports_a_truncated_file(tmp_path: Path) -> None:
    (path, *_) = simulate(tmp_path, Table("blockers", 3), games=1)
    whole = path.read_bytes()
    path.write_bytes(whole[:4000])
    result = run("replay", str(path))
    assert result.exit_code == 0
    cut_line = whole[:4000].count(b"\n") + 1
    assert f"line {cut_line}" in result.stderr
    assert f"{cut_line - 2} entries" in result.stdout
    path.write_bytes(whole[: whole.rindex(b'{"kind": "result"')])
    assert "result" in run("replay", str(path)).stderr


def test_replay_reads_stdin(tmp_path: Path) -> None:
    (path, *_) = simulate(tmp_path, Table("genial", 2), games=1)
    result = run("replay", "-", input=path.read_bytes())
    assert result.exit_code == 0
    assert "1. random" in result.stdout


@pytest.mark.parametrize("data", [b"", b"hello", b"\xff\xfe\x00", b'{"format": "tuilerie"}\n'])
def test_replay_of_an_invalid_file_prints_an_error(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(data)
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith("Line 1: ")


def test_file_errors_print_a_message(tmp_path: Path) -> None:
    assert "no-such" in run("replay", str(tmp_path / "no-such")).stderr
    taken = tmp_path / "taken"
    taken.write_text("x")
    result = run("simulate", "genial", "--players", "2", "--out", str(taken / "below"))
    assert result.exit_code == 1
    assert "taken" in result.stderr


# --- score, rules, check-tiles ---


def test_score_of_the_rulebook_galaxy() -> None:
    output = run("score", "kaosmos", MARTIN).stdout
    assert "path of 7 tiles" in output
    assert "9 planets" in output
    for points in ("green 5", "blue 4", "orange 5", "star 2"):
        assert points in output


def test_score_with_a_card() -> None:
    assert (
        run("score", "kaosmos", MARTIN, "--card", "pluie-d-asteroides").stdout.count("star 4") == 1
    )
    row = run("score", "kaosmos", MARTIN, "--card", "une-dimension")
    assert "i1" in row.stdout


@pytest.mark.parametrize(
    ("galaxy", "said"),
    [
        ("T03/45", "T03/45"),
        ("T03/0 T03/90", "T03/90"),
        ("T99/0", "T99"),
        ("a1:T01/0 a1:T02/0", "a1:T02/0"),
        ("d4:T01/0", "d4:T01/0"),
    ],
)
def test_score_reports_an_invalid_galaxy(galaxy: str, said: str) -> None:
    result = run("score", "kaosmos", galaxy)
    assert result.exit_code == 1
    assert said in result.stderr


def test_score_reports_an_incomplete_galaxy() -> None:
    result = run("score", "kaosmos", "T03/270 T12/180")
    assert result.exit_code == 0
    assert "2 tiles" in result.stderr


def test_score_lists_the_known_cards() -> None:
    assert "Breach" in run("score", "kaosmos", MARTIN, "--card", "joker").stderr


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_rules_are_printed_with_drawn_examples(game: str, lang: str) -> None:
    output = run("rules", game, lang=lang).stdout
    assert len(output.splitlines()) > 100
    assert "{{" not in output
    assert max(len(line) for line in output.splitlines()) <= 80


def test_check_tiles_accepts_default_files_and_lists_faults(tmp_path: Path) -> None:
    assert run("check-tiles", str(TILES)).exit_code == 0
    cards = run("check-tiles", str(TILES.with_name("cards.json")))
    assert cards.exit_code == 0
    assert "known 7, known (our amounts) 1, hinted 3, ours 9" in cards.stdout
    lines = TILES.read_text("utf-8").splitlines()
    lines[4] = lines[4].replace('"B0"', '"Z9"', 1)
    lines[10] = lines[10].replace('"arms": ""', '"arms": "NX"')
    bad = tmp_path / "tiles.json"
    bad.write_text("\n".join(lines), "utf-8")
    result = run("check-tiles", str(bad))
    assert result.exit_code == 1
    assert "line 5" in result.stderr
    assert "Z9" in result.stderr
    assert "line 11" in result.stderr


def test_custom_set_is_played_recorded_and_recognised(tmp_path: Path) -> None:
    """Custom tiles and cards need no code."""
    lines = TILES.read_text("utf-8").splitlines()
    lines[1] = lines[1].replace('"B1", "B1", "B0", "B0"', '"B2", "B2", "B0", "B0"')
    other = tmp_path / "tiles.json"
    other.write_text("\n".join(lines), "utf-8")
    out = tmp_path / "games"
    words = ["simulate", "kaosmos", "--players", "2", "--out", str(out), "--tiles", str(other)]
    assert run(*words).exit_code == 0
    path = out / "000001.jsonl"
    assert run("replay", str(path), "--tiles", str(other)).exit_code == 0
    with_ours = run("replay", str(path))
    assert with_ours.exit_code == 1
    assert "edition" in with_ours.stderr
    broken = tmp_path / "broken.json"
    broken.write_text("[]", "utf-8")
    result = run(*words[:-1], str(broken), "--overwrite")
    assert result.exit_code == 1
    assert "broken.json" in result.stderr


# --- the program ---


def test_broken_pipe_exits_quietly() -> None:
    command = f"{sys.executable} -m tuilerie.cli rules genial --lang en | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.strip()
    assert done.stderr == ""


def test_help_lists_every_command() -> None:
    output = CliRunner().invoke(commands, ["--help"]).stdout
    for command in ("play", "simulate", "replay", "rules", "score", "check-tiles"):
        assert command in output


def test_help_lists_every_command_by_section_without_importing_the_server() -> None:
    script = """
import sys
from tuilerie import cli
try:
    cli.commands(["--help"])
except SystemExit:
    pass
print([name for name in ("litestar", "sqlalchemy", "uvicorn") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    *shown, heavy = done.stdout.splitlines()
    assert heavy == "[]"
    listed = [name for names in SECTIONS.values() for name in names]
    context = click.Context(commands)
    assert sorted(listed) == sorted(commands.list_commands(context))
    for name in listed:
        assert any(line.startswith(f"  {name} ") for line in shown), name
    for name, (_, line) in ELSEWHERE.items():
        command = commands.get_command(context, name)
        assert command is not None
        assert line == command.get_short_help_str(LINE), name
