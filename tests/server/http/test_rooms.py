"""Lists of tables, closing a table, hints, and turns that are held, over HTTP and a socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.server.house import Browser, Line, house

BOT = [{"seat": 1, "level": "random"}]


async def tables(browser: Browser, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await browser.get(path)).json()
    return found


async def until(line: Line, reached: Any) -> None:
    """Read messages until the view is as wished."""
    while not reached(line.view):
        await line.recv()


async def on_turn(line: Line) -> None:
    await until(line, lambda view: view["play"] and 0 in view["play"]["actors"])


async def test_the_lobby_hides_closed_and_deserted_tables(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("genial", 3, public=True)
        line = await ada.join(slug)
        assert [each["table"] for each in await tables(bob, "/tables")] == [slug]
        assert (await line.do("close"))["t"] == "done"
        assert await tables(bob, "/tables") == []
        assert await tables(ada, "/my/tables") == []
        assert (await ada.get(f"/tables/{slug}")).json()["status"] == "closed"
        refused = await bob.post(f"/tables/{slug}/seat", {"name": "Bob"})
        assert refused.json()["rule"] == "table-closed"


async def test_games_in_play_can_be_found_and_watched(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        found = []
        for spectators in ("live", "none"):
            slug = await ada.create("genial", 2, public=True, spectators=spectators, bots=BOT)
            line = await ada.join(slug)
            assert (await line.do("begin"))["t"] == "done"
            found.append(slug)
        await ada.create("genial", 2, bots=BOT)
        [shown] = await tables(bob, "/tables?status=playing")
        assert shown["table"] == found[0]
        assert shown["actors"] == [], "whose turn it is, is for players"
        assert await tables(bob, "/tables") == []
        assert (await bob.get("/tables?status=over")).status_code == 400


async def test_my_tables_say_whose_turn_it_is_and_how_it_ended(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2, options={"first": 0})
        await bob.sit(slug)
        line = await ada.join(slug)
        await line.do("begin")
        for browser in (ada, bob):
            [table] = await tables(browser, "/my/tables")
            assert (table["status"], table["actors"], table["result"]) == ("playing", [0], None)
        await line.do("make", move=line.view["play"]["legal"][0])
        [table] = await tables(bob, "/my/tables")
        assert (table["actors"], table["moves"]) == ([1], 1)
        await line.do("resign")
        [table] = await tables(bob, "/my/tables")
        assert table["status"] == "over"
        assert table["result"]["places"] == [2, 1]
        assert table["created"] <= table["updated"]


async def test_a_turn_is_held_and_undone_over_the_socket(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 2, options={"first": 0}, bots=BOT)
        line = await ada.join(slug)
        await line.do("begin")
        await on_turn(line)
        move = line.view["play"]["legal"][0]
        assert (await line.do("make", move=move, hold=3_600_000))["t"] == "done"
        await until(line, lambda view: view["held"] is not None)
        assert line.view["can_undo"]
        assert (await line.do("undo"))["t"] == "done"
        await until(line, lambda view: view["held"] is None)
        assert move in line.view["play"]["legal"]
        await line.do("make", move=move, hold=3_600_000)
        assert (await line.do("end-turn"))["t"] == "done"
        await on_turn(line)
        assert (await line.do("undo"))["rule"] == "no-undo"
        assert (await line.do("make", move=move, hold=-1))["rule"] == "bad-message"


async def test_a_turn_ends_by_itself_on_the_server(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 2, options={"first": 0}, bots=BOT)
        line = await ada.join(slug)
        await line.do("begin")
        await on_turn(line)
        await line.do("make", move=line.view["play"]["legal"][0], hold=1)
        assert (await line.until_fact("turn-ended"))["fact"]["seat"] == 0


async def test_a_hint_is_computed_and_marks_the_game(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("genial", 2, bots=BOT)
        line = await ada.join(slug)
        await line.do("begin")
        await on_turn(line)
        assert (await bob.post(f"/tables/{slug}/hint")).status_code == 403
        answer = await ada.post(f"/tables/{slug}/hint")
        assert answer.status_code == 200, answer.text
        moves = answer.json()["moves"]
        assert 1 <= len(moves) <= 3
        await until(line, lambda view: view["assisted"])
        [table] = await tables(ada, "/my/tables")
        assert table["assisted"]
        assert (await line.do("make", move=moves[0]["move"]))["t"] == "done"


async def test_hints_are_refused_among_people(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("genial", 2)
        await bob.sit(slug)
        line = await ada.join(slug)
        await line.do("begin")
        answers = await asyncio.gather(*(each.post(f"/tables/{slug}/hint") for each in (ada, bob)))
        assert {answer.json()["rule"] for answer in answers} == {"no-hint"}
        assert not (await tables(ada, "/my/tables"))[0]["assisted"]
