"""What a whole game of four takes on the wire, compressed as the server sends it: bytes per event
and of its replay. `make bench-server` measures the same under load."""

from __future__ import annotations

import gzip
import statistics

import pytest

from tests.match.driver import Driver, started
from tuilerie.match.batch import Applied
from tuilerie.match.replay import replayed
from tuilerie.match.table import Table
from tuilerie.match.table_record import record_of
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder, encode
from tuilerie.server.ws.uvicorn_protocol import frames

KILOBYTE = 1000


@pytest.mark.parametrize("game", ["genial", "kaosmos"])
def test_events_and_replays_are_small(game: str) -> None:
    sizes: list[int] = []

    def measure(_driver: Driver, before: Table, new: Applied) -> None:
        change = Transition(new.table.number, new.fact, before, new.table)
        text = UpdateEncoder([change], Snapshot(before), Snapshot(new.table)).text(0, 0)
        sizes.append(len(frames([text], deflate=True)))

    driver = started(game, 4, 1, spectators=0)
    driver.look([measure])
    while driver.table.result is None:
        if 0 in driver.table.actors and not driver.table.is_face_down:
            driver.move(0, after=50)
        elif not driver.let_bots_move(after=50):
            driver.tick()
    assert len(sizes) > 100
    assert statistics.median(sizes) <= 2 * KILOBYTE
    assert max(sizes) <= 8 * KILOBYTE
    whole = replayed(record_of(driver.table), None, 0, 10_000)
    assert len(whole.steps) > 100
    assert len(gzip.compress(encode(whole), 6)) <= 150 * KILOBYTE
