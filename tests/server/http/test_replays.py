"""Looking at records: each step with a viewer's view, and a fault where the rules are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.house import house
from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.simulate import play_game


@pytest.fixture(scope="module")
def game() -> str:
    rules = GAMES["blockers"]
    return record.write(play_game(rules, 2, {}, ["random", "random"], "1"))


async def test_a_record_is_told_step_by_step(tmp_path: Path, game: str) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        whole = (await browser.post("/replay", {"record": game})).json()
        assert (whole["game"], whole["players"], whole["fault"]) == ("blockers", 2, None)
        assert len(whole["steps"]) == len(game.splitlines()) - 2
        assert whole["steps"][-1]["view"]["result"]
        mine = (await browser.post("/replay", {"record": game, "viewer": 1})).json()
        dealt = [step["events"][0] for step in mine["steps"][:2]]
        assert [event["tiles"] is None for event in dealt] == [True, False]


async def test_a_record_that_breaks_the_rules_is_told_up_to_there(
    tmp_path: Path, game: str
) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        lines = game.splitlines()
        action = next(index for index, line in enumerate(lines) if '"action"' in line)
        broken = json.loads(lines[action]) | {"move": "nonsense"}
        lines[action] = json.dumps(broken)
        told = (await browser.post("/replay", {"record": "\n".join(lines)})).json()
        assert told["fault"]["line"] == action + 1
        assert len(told["steps"]) == action - 1
        for bad in ("", "{}", "nonsense", '{"format":"tuilerie"}'):
            answer = await browser.post("/replay", {"record": bad})
            assert answer.status_code == 400, answer.text
        seat = await browser.post("/replay", {"record": game, "viewer": 5})
        assert seat.json()["rule"] == "bad-seat"
