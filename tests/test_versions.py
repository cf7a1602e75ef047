"""Games with an older version of the rules replay and continue by that version.

`fixtures/rules-1` was written when version 1 was the newest of every game: records, and a database
with unfinished tables.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.match.driver import PEOPLE
from tests.server.house import house
from tuilerie import record
from tuilerie.bots import BOTS
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import Action, Code, Refused
from tuilerie.language import language
from tuilerie.match import commands as c
from tuilerie.match.config import Config
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import evolve, fold
from tuilerie.match.facts import Opened, from_json
from tuilerie.match.table import Table
from tuilerie.match.table_record import record_of
from tuilerie.match.ticks import next_tick
from tuilerie.match.view import view
from tuilerie.store import Store, open_store
from tuilerie.store.maintenance.verify import verify

FIXTURES = Path(__file__).parent / "fixtures" / "rules-1"
RECORDS = sorted(FIXTURES.glob("*.jsonl"))
TABLES = {
    "genial-under-way",
    "blockers-under-way",
    "kaosmos-announced",
    "kaosmos-done-timed",
    "kaosmos-done-untimed",
    "kaosmos-second-draft",
    "kaosmos-over",
}


# --- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_replays_by_its_version(path: Path) -> None:
    text = path.read_text("utf-8")
    replay = record.replay(text)
    assert replay.confirmed
    assert replay.header.rules == replay.game.version == 1
    assert record.write(replay) == text


def test_there_are_records_of_every_game() -> None:
    games = [record.replay(path.read_text("utf-8")).header.game for path in RECORDS]
    assert {game: games.count(game) for game in GAMES} == {"genial": 2, "blockers": 2, "kaosmos": 5}


@pytest.mark.parametrize("version", [0, 3, 99])
def test_a_record_of_an_unknown_version_is_refused(version: int) -> None:
    text = (FIXTURES / "kaosmos-2.jsonl").read_text("utf-8")
    with pytest.raises(record.RecordError) as caught:
        record.replay(text.replace('"rules": 1', f'"rules": {version}', 1))
    fault = caught.value.fault
    assert (fault.line, fault.code, fault.rule) == (1, Code.MALFORMED, "unknown-rules")
    assert fault.params == {"found": version, "expected": "1, 2"}


def unfinished_grab(version: int) -> str:
    """A record in which a bonus tile is taken before any tile is laid."""
    options = {"kaos": False, "draft": False, "seconds": 60}
    header = record.Header("kaosmos", version, ("Ana", "Bo"), options)
    game = GAMES["kaosmos"]
    state, random = game.start(2, options), Random(1)
    lines = [record.header_line(header)]
    while game.due(state):
        chance = game.chance(state, random.randrange)
        lines.append(record.entry_line(game, chance))
        state, _ = game.apply(state, chance)
    lines.append(record.entry_line(game, Action(0, game.parse_move("grab green"))))
    return "\n".join(lines) + "\n"


def test_legality_depends_on_the_recorded_version() -> None:
    assert record.replay(unfinished_grab(2)).state.bonuses["green"] == 0
    with pytest.raises(record.RecordError) as caught:
        record.replay(unfinished_grab(1))
    assert caught.value.fault.rule == "galaxy-incomplete"


# --- stored tables --------------------------------------------------------------------------------


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """The database of version 1, opened by this version of the program."""
    shutil.copy(FIXTURES / "tables.db", tmp_path / "tuilerie.db")
    async with await open_store(tmp_path) as opened:
        yield opened


async def stored(store: Store, name: str) -> Table:
    return fold([from_json(json.loads(body)) for _, body in await store.log.read(name)])


class ResumedTable:
    """A stored table that continues from its last time."""

    def __init__(self, table: Table) -> None:
        self.table, self.now, self.random = table, table.at, Random(5)

    def do(self, command: c.Command, after: int = 0) -> list[str]:
        self.now += after
        applied = decide(self.table, command, self.now, self.random.randrange)
        for each in applied:
            self.table = evolve(self.table, each.fact)
        return [each.fact.kind for each in applied]

    def refused(self, command: c.Command) -> str:
        with pytest.raises(Refused) as caught:
            decide(self.table, command, self.now, self.random.randrange)
        return caught.value.rule

    def _move(self, seat: int) -> None:
        play = self.table.rules.view(self.table.game_state, seat)
        move = BOTS[self.table.game]["random"](play, self.random.randrange)
        if self.table.bot_level(seat) is None:
            self.do(c.Make(str(self.table.seats[seat].player), move), 50)
        else:
            self.do(c.BotMoved(seat, move, self.table.number), 50)

    def play_on(self) -> None:
        """Let seats move, or time pass, until the game is over."""
        while self.table.result is None:
            seats = self.table.actors
            timer = self.table.timer
            timed = self.table.rules.timer(self.table.game_state) is not None
            started = self.now >= timer.starts_at if timer else not timed
            if seats and started and self.table.takeback is None:
                self._move(self.random.choice(seats))
            else:
                due = next_tick(self.table)
                assert due is not None
                self.now = max(self.now, due, 0 if timer is None else timer.starts_at)
                self.do(c.Tick())


async def test_every_stored_table_is_verified_by_its_version(store: Store) -> None:
    reports = [report async for report in verify(store)]
    assert {report.table for report in reports} == TABLES
    assert {report.rules for report in reports} == {1}
    assert [report for report in reports if report.verdict == "differs"] == []


@pytest.mark.parametrize("name", sorted(TABLES))
async def test_stored_table_continues_to_its_end_by_its_version(store: Store, name: str) -> None:
    going = ResumedTable(await stored(store, name))
    assert going.table.rules.version == going.table.rules_version == 1
    assert view(going.table, None).rules == 1
    going.play_on()
    replay = record.replay(record_of(going.table))
    assert replay.header.rules == 1
    assert to_builtins(replay.result) == to_builtins(going.table.result)


async def test_version_1_table_bars_bonus_tiles_after_done(store: Store) -> None:
    for name in ("kaosmos-done-timed", "kaosmos-done-untimed"):
        going = ResumedTable(await stored(store, name))
        assert going.refused(c.Make(PEOPLE[0], "grab blue")) == "locked"
        other = going.table.actors[0]
        assert going.refused(c.Make(PEOPLE[other], "grab blue")) == "galaxy-incomplete"


async def test_version_1_table_shows_tiles_when_the_timer_is_announced(
    store: Store,
) -> None:
    going = ResumedTable(await stored(store, "kaosmos-announced"))
    assert going.table.timer is not None
    assert going.now < going.table.timer.starts_at
    assert not going.table.is_face_down
    assert len(view(going.table, 0).play.supply) == 9
    going.now = going.table.timer.starts_at
    assert going.do(c.Tick()) == []


def test_new_tables_use_the_newest_version() -> None:
    for name, game in GAMES.items():
        (opened,) = open_table(name, Config(players=2), 5)
        assert isinstance(opened, Opened)
        assert opened.rules == game.card.rules == game.version
        assert fold([opened]).rules is game


@pytest.mark.parametrize("game", sorted(GAMES))
def test_unknown_version_is_refused_with_a_message(game: str) -> None:
    with pytest.raises(Refused) as caught:
        fold([Opened(5, game, 99, Config(players=2))])
    assert caught.value.rule == "unknown-rules"
    words = language("en").refusal(caught.value)
    assert "version 99 of its rules" in words
    assert "A newer Tuilerie" in words


# --- on a server ----------------------------------------------------------------------------------


async def test_server_resumes_stored_tables(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "tables.db", tmp_path / "tuilerie.db")
    async with house(tmp_path) as server:
        spectator = await server.browser().join("kaosmos-done-untimed")
        assert spectator.view["rules"] == 1
        assert spectator.view["play"]["phase"] == "building"


async def test_server_refuses_a_table_with_an_unknown_rules_version(tmp_path: Path) -> None:
    """All other tables still work."""
    shutil.copy(FIXTURES / "tables.db", tmp_path / "tuilerie.db")
    with closing(sqlite3.connect(tmp_path / "tuilerie.db")) as database:
        database.execute(
            "UPDATE facts SET body = replace(CAST(body AS TEXT), '\"rules\": 1', '\"rules\": 99')"
            " WHERE CAST(body AS TEXT) LIKE '%\"opened\"%' AND CAST(body AS TEXT) LIKE '%genial%'"
        )
        database.execute("UPDATE tables SET rules = 99 WHERE game = 'genial'")
        assert database.total_changes == 2
        database.commit()
    async with house(tmp_path) as server:
        browser = server.browser()
        answer = await browser.http.get("/api/tables/genial-under-way")
        assert answer.status_code == 400
        assert answer.json()["rule"] == "unknown-rules"
        assert answer.json()["params"] == {"found": 99, "expected": "1"}
        line = browser.line()
        await line.open()
        line.send({"t": "hello", "table": "genial-under-way", "last": 0})
        assert (await line.recv())["rule"] == "unknown-rules"
        await server.registry._sweep()
        assert (await browser.join("blockers-under-way")).view["rules"] == 1
    async with await open_store(tmp_path) as opened:
        (wrong,) = [each async for each in verify(opened) if each.verdict == "differs"]
    assert wrong.error is not None
    assert "begun by version 99" in wrong.error
