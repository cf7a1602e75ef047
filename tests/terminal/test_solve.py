"""`tuilerie solve`: the drawn solution, JSON output, error messages."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tuilerie import native
from tuilerie.cli import commands
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import count

if not native.is_compiled():
    pytest.skip(f"no compiled core: {native.why_not_compiled()}", allow_module_level=True)

RULEBOOK_TILES = "T03 T12 T49 T14 T02 T06 T26 T46 T47".split()  # noqa: SIM905 - as it is typed


def run(*words: str) -> Result:
    return CliRunner().invoke(commands, ["solve", "kaosmos", *words, "--lang", "en"])


def test_best_galaxy_is_drawn_and_proven() -> None:
    output = run(*RULEBOOK_TILES).output
    assert "path of 9 tiles" in output
    assert "Worth 20, and no galaxy of these tiles is worth more: proven" in output
    assert "Bonus tiles worth a bet: green" in output


def test_json_output_holds_the_galaxy() -> None:
    output = json.loads(run(*RULEBOOK_TILES, "--json").output)
    assert output["proven"]
    counted = count(parse_galaxy(output["galaxy"]))
    assert sum(counted.points.values()) == output["value"] == output["bound"] == 20


DRIFTING = "T04 T06 T11 T17 T20 T24 T43 T48 T53".split()  # noqa: SIM905

HARD = "T09 T16 T24 T31 T35 T38 T39 T41 T53".split()  # noqa: SIM905 - millions of nodes


def test_free_shape_is_proven() -> None:
    output = run(*DRIFTING, "--card", "derive").output
    assert "Worth 21, and no galaxy of these tiles is worth more: proven" in output


def test_timeout_reports_an_unproven_solution() -> None:
    output = run(*HARD, "--card", "derive", "--seconds", "0.01").output
    assert "not proven: none is worth more than 19" in output


def test_totals_and_round_change_the_goal() -> None:
    full = json.loads(run(*RULEBOOK_TILES, "--totals", "30,30,0,30", "--json").output)
    assert full["value"] == full["points"]["orange"]
    assert run(*RULEBOOK_TILES, "--totals", "9,3,9,1", "--round", "5").exit_code == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["T03"], "9 different tiles; 1 were named"),
        ([*RULEBOOK_TILES[:8], "T03"], "9 different tiles; 8 were named"),
        ([*RULEBOOK_TILES[:8], "X1"], "There is no tile X1"),
        ([*RULEBOOK_TILES, "--card", "x"], "There is no Kaos card ‘x’"),
        ([*RULEBOOK_TILES, "--totals", "1,2,3"], "‘1,2,3’ is not four markers"),
        ([*RULEBOOK_TILES, "--totals", "1,2,3,31"], "is not four markers"),
    ],
)
def test_bad_input_prints_an_error_message(words: list[str], why: str) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert why in result.output
