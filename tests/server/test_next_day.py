"""A table created on one device, joined by link on another and closed on both can be resumed the
next day."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.house import Browser, Line, house, table_of_two, whose_turn
from tuilerie.server.http.security import COOKIE_SECONDS

DAY = 86_400


def move_clocks(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Advance all clocks: of the server, its store, and the browsers' cookies."""
    true_ns, true = time.time_ns, time.time
    monkeypatch.setattr(time, "time_ns", lambda: true_ns() + round(seconds * 1e9))
    monkeypatch.setattr(time, "time", lambda: true() + seconds)


async def make_a_move(lines: tuple[Line, ...]) -> None:
    line = whose_turn(lines)
    done = await line.do("make", move=line.view["play"]["legal"][0])
    assert done["t"] == "done", done
    for each in lines:
        await each.until_number(done["number"])


def with_cookies_of(browser: Browser, other: Browser) -> Browser:
    """The same browser, reopened with the cookies that have not expired."""
    kept: Any = httpx.Cookies()
    for cookie in other.http.cookies.jar:
        if not cookie.is_expired(int(time.time())):
            kept.jar.set_cookie(cookie)
    browser.http.cookies = kept
    return browser


async def test_a_table_can_be_resumed_the_next_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.tables.room.LEAVE_SECONDS", 0.05)
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        made = (await ada.post("/tables", {"game": "blockers", "players": 2, "name": "Ada"})).json()
        slug, link = made["table"], made["link"]
        assert (await bob.http.get(link)).status_code == 200  # the page of the table
        taken = (await bob.post(f"/tables/{slug}/seat", {"name": "Bob"})).json()
        lines = await ada.join(slug), await bob.join(slug)
        await lines[1].do("ready", ready=True)
        begun = await lines[0].do("begin")
        await lines[1].until_number(begun["number"])
        for _ in range(3):
            await make_a_move(lines)
        await lines[0].close()
        await lines[1].until_fact("left")
        await lines[1].close()
        number = lines[1].number

    move_clocks(monkeypatch, DAY)
    async with house(tmp_path) as server:  # closed; the next day, in another process
        again = with_cookies_of(server.browser(), ada)
        mine = (await again.get("/my/tables")).json()
        assert [(table["table"], table["you"], table["status"]) for table in mine] == [
            (slug, 0, "playing")
        ]
        first = await again.join(slug, held=lines[0])
        assert first.number >= number
        assert not first.view["seats"][1]["bot"], "no bot has played for who was not waited for"
        phone = server.browser()  # Bob's other one is at home
        assert (await phone.post("/recover", {"token": taken["recovery"]})).status_code == 201
        second = await phone.join(slug)
        assert (second.you, second.view["seats"][1]["name"]) == (1, "Bob")
        await first.until_number(second.number)
        while first.view["result"] is None:
            await make_a_move((first, second))
        assert second.view["result"] == first.view["result"]


@pytest.mark.parametrize(("days", "known"), [(29, True), (399, True), (401, False)])
async def test_a_seat_is_recognised_as_long_as_its_cookie_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, known: bool
) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        answer = await ada.post("/tables", {"game": "genial", "players": 2, "name": "Ada"})
        assert f"Max-Age={COOKIE_SECONDS}" in answer.headers["set-cookie"]
        slug, recovery = answer.json()["table"], answer.json()["recovery"]
    move_clocks(monkeypatch, days * DAY)
    async with house(tmp_path) as server:
        again = with_cookies_of(server.browser(), ada)
        seen = (await again.get(f"/tables/{slug}")).json()["you"]
        assert seen == (0 if known else None)
        recovered = (await again.post("/recover", {"token": recovery})).status_code
        assert recovered == (201 if days < 30 else 404)  # links expire earlier


async def test_an_hour_of_downtime_is_given_back_to_the_clocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = {"kind": "game", "seconds": 600, "increment": 0}
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server, clock=clock)
        await make_a_move(lines)
        left = time_left(whose_turn(lines))
    move_clocks(monkeypatch, 3_600)
    async with house(tmp_path) as server:
        line = await server.browser().join(slug)
        assert [seat["kind"] for seat in line.view["seats"]] == ["person", "person"]
        assert not any(each["flagged"] for each in line.view["clock"])
        assert 0 < left - time_left(line) < 60_000, "only the time of this test has passed"
        table = await server.registry.table(slug)
        assert table is not None
        assert "interrupted" in [each.fact.kind for each in await table.actor.replay()]


def time_left(line: Line) -> float:
    (deadline,) = [each["deadline"] for each in line.view["clock"] if each["deadline"]]
    return float(deadline - time.time() * 1000)
