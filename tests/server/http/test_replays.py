"""Replays of records and of finished games, each step with what it changed in the view."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.changes import apply_changes
from tests.server.house import House, house, table_of_two
from tuilerie import record
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import Json, Seat
from tuilerie.server.http import tables
from tuilerie.simulate import play_game


@pytest.fixture(scope="module")
def game() -> str:
    rules = GAMES["blockers"]
    return record.write(play_game(rules, 2, {}, ["random", "random"], "1"))


def views_of(replayed: Json) -> list[Json]:
    """The view before the first step, and after each, as a client makes them."""
    views = [replayed["start"]]
    for step in replayed["steps"]:
        views.append(apply_changes(views[-1], step["changes"]))
    return views


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [None, 1])
async def test_start_and_changes_make_every_view(
    tmp_path: Path, name: str, viewer: Seat | None
) -> None:
    text = record.write(play_game(GAMES[name], 2, {}, ["random", "random"], "3"))
    replay = record.replay(text)
    states = [replay.start, *(played.state for played in replay.played)]
    rules = replay.game
    async with house(tmp_path) as server:
        for after in (0, len(replay.played) // 2, len(replay.played), 10_000):
            asked = {"record": text, "viewer": viewer, "after": after}
            answer = (await server.browser().post("/replay", asked)).json()
            expected = [
                rules.view(state, viewer) for state in states[min(after, len(states) - 1) :]
            ]
            assert views_of(answer) == json.loads(json.dumps(to_builtins(expected)))


@pytest.mark.parametrize("name", GAMES)
async def test_a_spectator_of_a_replay_sees_every_hand(tmp_path: Path, name: str) -> None:
    text = record.write(play_game(GAMES[name], 2, {}, ["random", "random"], "3"))
    replay = record.replay(text)
    states = [replay.start, *(played.state for played in replay.played)]
    expected = [[list(replay.game.held(state, seat)) for seat in (0, 1)] for state in states]
    async with house(tmp_path) as server:
        answer = (await server.browser().post("/replay", {"record": text})).json()
        found = [answer["hands"]]
        for step in answer["steps"]:
            found.append(found[-1] if step["hands"] is None else step["hands"])
        assert found == expected
        assert any(hands[0] and hands[0] != hands[1] for hands in found)
        mine = (await server.browser().post("/replay", {"record": text, "viewer": 1})).json()
        assert {mine["hands"] is None, *(step["hands"] is None for step in mine["steps"])} == {True}


async def test_a_record_is_replayed_step_by_step(tmp_path: Path, game: str) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        whole = (await browser.post("/replay", {"record": game})).json()
        assert (whole["game"], whole["players"], whole["fault"]) == ("blockers", 2, None)
        assert len(whole["steps"]) == len(game.splitlines()) - 2
        assert views_of(whole)[-1]["result"]
        mine = (await browser.post("/replay", {"record": game, "viewer": 1})).json()
        dealt = [step["events"][0] for step in mine["steps"][:2]]
        assert [event["tiles"] is None for event in dealt] == [True, False]


async def test_a_record_that_breaks_the_rules_is_replayed_up_to_the_fault(
    tmp_path: Path, game: str
) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        lines = game.splitlines()
        action = next(index for index, line in enumerate(lines) if '"action"' in line)
        broken = json.loads(lines[action]) | {"move": "nonsense"}
        lines[action] = json.dumps(broken)
        answer = (await browser.post("/replay", {"record": "\n".join(lines)})).json()
        assert answer["fault"]["line"] == action + 1
        assert len(answer["steps"]) == action - 1
        for bad in ("", "{}", "nonsense", '{"format":"tuilerie"}'):
            answer = await browser.post("/replay", {"record": bad})
            assert answer.status_code == 400, answer.text
        seat = await browser.post("/replay", {"record": game, "viewer": 5})
        assert seat.json()["rule"] == "bad-seat"


# --- games that are over --------------------------------------------------------------------------


async def finished(server: House, **body: Json) -> Json:
    """A game of two, resigned after a few moves: the table's id and the browsers."""
    slug, browsers, lines = await table_of_two(server, **body)
    for _ in range(4):
        turn = next(line for line in lines if line.view["play"]["legal"])
        done = await turn.do("make", move=turn.view["play"]["legal"][0])
        for line in lines:
            await line.until_number(done["number"])
    await lines[0].do("resign")
    return slug, browsers


async def test_a_finished_game_is_replayed_from_its_table(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, (ada, _) = await finished(server)
        text = (await ada.get(f"/tables/{slug}/record")).text
        for browser in (ada, server.browser()):
            for viewer in (None, 0, 1):
                asked = "" if viewer is None else f"?viewer={viewer}"
                answer = await browser.get(f"/tables/{slug}/replay{asked}")
                assert answer.status_code == 200, answer.text
                assert answer.headers["content-type"].startswith("application/json")
                given = {"record": text, "viewer": viewer}
                assert answer.json() == (await ada.post("/replay", given)).json()
                assert answer.json()["start"]["viewer"] == viewer
        assert answer.json()["seats"] == ["Ada", "Bob"]


async def test_a_game_in_play_is_not_replayed(tmp_path: Path) -> None:
    """Not even for its players: a record reveals everything."""
    async with house(tmp_path) as server:
        slug, (ada, _), _ = await table_of_two(server)
        for browser in (ada, server.browser()):
            for asked in ("", "?viewer=0"):
                answer = await browser.get(f"/tables/{slug}/replay{asked}")
                assert (answer.status_code, answer.json()["rule"]) == (404, "game-not-over")
        waiting = await ada.create()
        answer = await ada.get(f"/tables/{waiting}/replay")
        assert (answer.status_code, answer.json()["rule"]) == (404, "game-not-over")
        answer = await ada.get("/tables/no-such-table/replay")
        assert (answer.status_code, answer.json()["rule"]) == (404, "no-such-table")


async def test_a_game_is_not_over_yet_for_delayed_spectators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables._SPECTATORS, "delayed", 600)
    async with house(tmp_path) as server:
        slug, (ada, _) = await finished(server, spectators="delayed")
        assert (await ada.get(f"/tables/{slug}/replay")).status_code == 200
        answer = await server.browser().get(f"/tables/{slug}/replay")
        assert (answer.status_code, answer.json()["rule"]) == (404, "game-not-over")


@pytest.mark.parametrize(
    ("viewer", "rule"),
    [(2, "bad-seat"), (16, "bad-seat"), (-1, "bad-seat"), (-9, "bad-seat"), ("x", "bad-request")],
)
async def test_an_invalid_viewer_is_refused(tmp_path: Path, viewer: object, rule: str) -> None:
    async with house(tmp_path) as server:
        slug, (ada, _) = await finished(server)
        answer = await ada.get(f"/tables/{slug}/replay?viewer={viewer}")
        assert answer.status_code == 400, answer.text
        assert (answer.json()["code"], answer.json()["rule"]) == ("malformed", rule)


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True),
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("identity", False),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, identity", False),
        ("x-notgzip", False),
    ],
)
async def test_a_replay_is_compressed_if_the_client_accepts_gzip(
    tmp_path: Path, game: str, accepted: str, compressed: bool
) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        async with browser.http.stream(
            "POST", "/api/replay", json={"record": game}, headers={"Accept-Encoding": accepted}
        ) as answer:
            data = b"".join([piece async for piece in answer.aiter_raw()])
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers.get("content-encoding") == ("gzip" if compressed else None)
        assert int(answer.headers["content-length"]) == len(data)
        plain = gzip.decompress(data) if compressed else data
        assert json.loads(plain)["game"] == "blockers"
        assert len(data) < len(plain) / 4 or not compressed
