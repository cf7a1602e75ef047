"""The network of Génial!: the same numbers by both builds, and weights that are checked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.native.test_sanitized import SANITIZERS
from tests.perft import after
from tests.tables import TABLES, Table, random_game
from tuilerie import native
from tuilerie.bots import genial_levels
from tuilerie.bots.bot import Budget
from tuilerie.games import GAMES
from tuilerie.games.genial.state import State

if not native.is_compiled():
    pytest.skip("the compiled core is not built", allow_module_level=True)

from tuilerie.native import _genial as baseline
from tuilerie.native import genial

fast = vars(genial)["core"]

ROOT = Path(__file__).resolve().parents[2]
GAME = GAMES["genial"]
STANDARD = [
    table
    for table in TABLES
    if table.game == "genial" and table.players > 1 and not table.options.get("variant")
]
DATA = genial.WEIGHTS.read_bytes()


def positions(table: Table, seed: int) -> list[str]:
    """What the seat on turn sees, before each of its moves in a random game."""
    return [
        genial.write_view(GAME.view(moment.after, moment.after.seat))
        for moment in random_game(table, seed)
        if moment.after.phase in {"place", "swap"} and moment.after.outcome is None
    ]


def compare_builds(seed: int) -> int:
    """Compare all values of both builds, to the last bit; return the number of positions."""
    count = 0
    slow, quick = baseline.Weights(DATA), fast.Weights(DATA)
    for table in STANDARD:
        if not slow.has(table.players):
            continue
        for text in positions(table, seed):
            asked = (text, seed, 0, 0.0, 10_000, 0, 1)
            assert baseline.think_with_net(slow, *asked) == fast.think_with_net(quick, *asked)
            count += 1
    return count


def test_both_builds_agree_to_the_last_bit() -> None:
    assert compare_builds(seed=0) > 30


def test_both_builds_search_alike() -> None:
    table = STANDARD[0]
    slow, quick = baseline.Weights(DATA), fast.Weights(DATA)
    for text in positions(table, 1)[::9]:
        asked = (text, 7, 60, 0.0, 8, 0, 2)
        assert baseline.think_with_net(slow, *asked) == fast.think_with_net(quick, *asked)


@pytest.mark.proof
def test_both_builds_agree_over_ten_thousand_positions() -> None:
    count, seed = 0, 0
    while count < 10_000:
        seed += 1
        count += compare_builds(seed)
    print(f"\nboth builds value {count} positions alike, each with all its moves")


# --- inputs ---------------------------------------------------------------------------------------


def test_values_do_not_depend_on_the_order_of_hand_and_bag() -> None:
    """Nothing but the kinds of tiles counts."""
    weights = genial.Weights(DATA)
    random = Random(1)
    for text in positions(STANDARD[0], 3)[::5]:
        words = text.split(" ")
        tiles = [words[11][at : at + 2] for at in range(0, len(words[11]), 2)]
        random.shuffle(tiles)
        words[11] = "".join(tiles)
        asked = (1, 0, 0.0, 10_000, 0, 1)
        assert genial.think_with_net(weights, " ".join(words), *asked) == genial.think_with_net(
            weights, text, *asked
        )


def test_values_know_who_is_ahead() -> None:
    """With higher markers of its own, a seat expects more; with the rival's, less."""
    weights = genial.Weights(DATA)
    for text in positions(STANDARD[0], 5)[8:40:4]:
        words = text.split(" ")
        seat = int(words[4])
        shares = []
        for own, other in ((0, 14), (7, 7), (14, 0)):
            tracks = [",".join([str(other)] * 6)] * 2
            tracks[seat] = ",".join([str(own)] * 6)
            words[9] = "/".join(tracks)
            found = genial.think_with_net(weights, " ".join(words), 1, 0, 0.0, 1, 0, 1)
            shares.append(found[0][1])
        assert all(low < high for low, high in pairwise(shares))


def test_all_moves_are_valued_once() -> None:
    weights = genial.Weights(DATA)
    for table in STANDARD:
        if weights.has(table.players):
            text = positions(table, 2)[7]
            found = genial.think_with_net(weights, text, 1, 0, 0.0, 100_000, 0, 1)
            assert sorted(move for move, *_ in found) == sorted(
                move for move, *_ in genial.moves(text)
            )
            assert all(0 <= win <= 1 for _, win, _, _ in found)


# --- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "size"),
        (DATA[:-1], "size"),
        (b"X" + DATA[1:], "no file of weights"),
        (DATA[:8] + b"\x63" + DATA[9:], "version"),
        (DATA[:12] + b"\x01" + DATA[13:], "another network"),
        (DATA[:999] + bytes([DATA[999] ^ 1]) + DATA[1000:], "checksum"),
    ],
)
def test_damaged_weights_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        genial.Weights(data)


@pytest.fixture
def other_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another file of weights, which does not exist yet."""
    path = tmp_path / "genial.net"
    monkeypatch.setattr(genial, "WEIGHTS", path)
    monkeypatch.setattr(genial, "_load_weights", genial._load_weights.__wrapped__)
    return path


@pytest.mark.parametrize("data", [None, b"damaged"])
def test_without_weights_levels_fall_back_and_say_so(
    other_weights: Path, data: bytes | None
) -> None:
    if data is not None:
        other_weights.write_bytes(data)
    assert genial.weights() is None
    assert (genial.why_no_weights() or "").startswith("genial.net: ")
    state: State = after(STANDARD[0], 9)
    view = GAME.view(state, state.seat)
    for level, released in zip(genial_levels.LEVELS[3:], genial_levels.RELEASED, strict=True):
        few = Budget(nodes=100)
        assert level.think(view, 1, few) == released.think(view, 1, few)


def test_the_weights_are_small() -> None:
    assert len(DATA) <= 1_000_000
    weights = genial.Weights(DATA)
    assert weights.has(2)
    assert not weights.has(5)


# --- luck -----------------------------------------------------------------------------------------


def test_luck_is_zero_on_average() -> None:
    """Over all tiles in the bag, each as likely as another."""
    weights = genial.Weights(DATA)
    drawing = [
        moment.after for moment in random_game(STANDARD[0], 4) if moment.after.phase == "draw"
    ]
    spread = 0.0
    for state in drawing[::7]:
        if len(state.hands[state.seat]) < 5:
            continue
        text = genial.write_state(state)
        lucks = [genial.luck(weights, text, tile) for tile in state.bag]
        assert abs(sum(lucks)) < 1e-6
        spread = max(spread, max(lucks) - min(lucks))
    assert spread > 0.05


# --- training -------------------------------------------------------------------------------------


def train(folder: Path, *more: str) -> bytes:
    command = [sys.executable, "native/train.py", "--small", "--folder", str(folder), *more]
    if "TUILERIE_CORE" in os.environ:  # a build with sanitizers
        command += ["--sanitize", SANITIZERS]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return (folder / "genial.net").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("c++") is None, reason="no compiler found")
def test_the_trainer_compiles() -> None:
    """Without optimisation, which takes most of the time; a proof trains with it."""
    command = ["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([*command, "-Inative", "native/genial_train.cpp"], cwd=ROOT, check=True)


@pytest.mark.proof
@pytest.mark.skipif(shutil.which("c++") is None, reason="no compiler found")
def test_the_same_seed_trains_the_same_weights(tmp_path: Path) -> None:
    one = train(tmp_path / "one", "--games", "60")
    assert one == train(tmp_path / "other", "--games", "60")
    assert one != train(tmp_path / "seed", "--games", "60", "--seed", "2")
    genial.Weights(one)


@pytest.mark.proof
@pytest.mark.skipif(shutil.which("c++") is None, reason="no compiler found")
def test_a_small_training_beats_greedy(tmp_path: Path) -> None:
    """`make net SMALL=1`: ten minutes."""
    train(tmp_path)
    (curve,) = tmp_path.glob("*.jsonl")
    last = curve.read_text().splitlines()[-1]
    share = float(last.partition('"against_greedy": ')[2].partition(",")[0])
    print(f"\na network of ten minutes wins {100 * share:.0f} % of 200 games against greedy")
    assert share >= 0.9
