"""A game that was played without the server is handed to an account as a record."""

from __future__ import annotations

import asyncio
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.house import Browser, House, house
from tests.servers import postgres, postgres_url
from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import Json
from tuilerie.server.ops import limits, upkeep
from tuilerie.server.records.worker import PREFIX
from tuilerie.simulate import play_game
from tuilerie.store import open_store
from tuilerie.store.administration import Administration
from tuilerie.store.maintenance.purge import Retention, purge
from tuilerie.store.maintenance.verify import verify

__all__ = ["postgres", "postgres_url"]

PASSWORD = "correct horse battery"
DAY = 86_400_000
AFTER_ALL = 4_000_000_000_000


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """The databases in turn."""
    url: str | Path = tmp_path
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
    return url


@cache
def played(game: str = "blockers", seed: str = "1", players: int = 2) -> str:
    """The record of a game between a person and bots."""
    done = play_game(GAMES[game], players, {}, ["random"] * players, seed)
    head, *rest = record.write(done).splitlines()
    seats = ["Ada", *(f"greedy {seat + 1}" for seat in range(1, players))]
    started = {**json.loads(head), "seats": seats, "started": "2026-01-02T03:04:05Z"}
    return "\n".join([json.dumps(started), *rest]) + "\n"


def handed(text: str, **more: Json) -> dict[str, Json]:
    seats = [int(number) - 1 for number in re.findall(r'"greedy (\d)"', text)]
    bots = [{"seat": seat, "level": "greedy"} for seat in seats]
    return {"record": text, "seat": 0, "bots": bots, **more}


async def member(server: House, name: str = "Ada Byron") -> Browser:
    browser = server.browser()
    made = await browser.post("/account", {"login": name, "password": PASSWORD})
    assert made.status_code == 201, made.text
    return browser


async def hand_over(browser: Browser, text: str, **more: Json) -> httpx.Response:
    return await browser.post("/account/records", handed(text, **more))


async def games(browser: Browser) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await browser.get("/my/tables")).json()
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_a_handed_over_game_is_listed_and_can_be_looked_back(
    game: str, place: str | Path
) -> None:
    text = played(game)
    async with house(place) as server:
        ada = await member(server)
        answer = await hand_over(ada, text)
        assert answer.status_code == 201, answer.text
        slug = answer.json()["table"]
        assert slug.startswith(PREFIX)
        (listed,) = await games(ada)
        end = json.loads(text.splitlines()[-1])
        assert (listed["table"], listed["status"], listed["you"]) == (slug, "over", 0)
        assert listed["result"]["places"] == end["places"]
        assert listed["created"] == 1_767_323_045_000
        assert [seat["kind"] for seat in listed["seats"]] == ["person", "bot"]
        stored = (await ada.get(f"/tables/{slug}/record")).text
        assert stored.splitlines()[-1] == text.splitlines()[-1]
        look = (await ada.get(f"/tables/{slug}/replay?viewer=0")).json()
        assert len(look["steps"]) == len(text.splitlines()) - 2
        assert (await server.browser().get("/tables?status=playing")).json() == []
    async with await open_store(place) as store:
        assert [report.verdict async for report in verify(store)] == ["agrees"]


async def test_the_same_record_twice_is_one_game(place: str | Path) -> None:
    text = played()
    async with house(place) as server:
        ada = await member(server)
        both = await asyncio.gather(hand_over(ada, text), hand_over(ada, text))
        other_form = text.replace("\n", "\r\n\n")
        again = await hand_over(ada, other_form)
        assert len({each.json()["table"] for each in (*both, again)}) == 1
        assert len(await games(ada)) == 1
        await hand_over(ada, played(seed="2"))
        assert len(await games(ada)) == 2


async def test_a_game_is_kept_even_if_the_first_attempt_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        ada = await member(server)
        seats = server.registry.store.seats
        with monkeypatch.context() as broken:
            broken.setattr(seats, "assign", None)
            assert (await hand_over(ada, played())).status_code == 500
        assert await games(ada) == []
        assert (await hand_over(ada, played())).status_code == 201
        assert len(await games(ada)) == 1


async def test_a_handed_over_game_belongs_to_its_account_only(place: str | Path) -> None:
    text = played()
    async with house(place) as server:
        ada, bob, guest = await member(server), await member(server, "Bob"), server.browser()
        mine = (await hand_over(ada, text)).json()["table"]
        assert await games(bob) == await games(guest) == []
        theirs = (await hand_over(bob, text)).json()["table"]
        assert theirs != mine, "nobody learns whether another has the same record"
        assert [each["table"] for each in await games(ada)] == [mine]
        nobody = await hand_over(guest, text)
        assert (nobody.status_code, nobody.json()["rule"]) == (403, "not-logged-in")
        line = guest.line()
        await line.open()
        line.send({"t": "hello", "table": mine})
        assert (await line.recv())["rule"] == "no-spectators"


async def test_it_is_exported_kept_and_erased_with_the_account(place: str | Path) -> None:
    async with house(place) as server:
        ada = await member(server)
        slug = (await hand_over(ada, played())).json()["table"]
        later = AFTER_ALL + 4000 * DAY
        gone = await purge(server.registry.store, Retention(), now=lambda: later)
        assert gone.guest_games == 0, "an account keeps its games"
        store = server.registry.store
        people = Administration(store.sql, store.accounts)
        account = await people.account("Ada Byron")
        assert [seat["table"] for seat in (await people.export(account))["seats"]] == [slug]
        done = await ada.http.request("DELETE", "/api/account", json={"password": PASSWORD})
        assert done.status_code == 204
        found = await server.browser().get(f"/tables/{slug}")
        assert found.status_code == 200
        assert '"Ada"' not in found.text
        gone = await purge(server.registry.store, Retention(), now=lambda: later)
        assert gone.guest_games == 1


async def test_who_resigned_has_lost(tmp_path: Path) -> None:
    cut = "".join(f"{line}\n" for line in played().splitlines()[:9])
    async with house(tmp_path) as server:
        ada = await member(server)
        assert (await hand_over(ada, cut)).json()["rule"] == "unfinished-record"
        assert (await hand_over(ada, cut, resigned=0)).status_code == 201
        (listed,) = await games(ada)
        assert listed["result"] == {"reason": "resigned", "places": [2, 1], "scores": []}


async def test_of_three_who_resigned_comes_last(tmp_path: Path) -> None:
    text = next(
        text
        for text in (played("blockers", f"{seed}", 3) for seed in range(50))
        if json.loads(text.splitlines()[-1])["places"][0] == 1
    )
    async with house(tmp_path) as server:
        ada = await member(server)
        assert (await hand_over(ada, text, resigned=0)).status_code == 201
        (listed,) = await games(ada)
        assert listed["result"]["places"][0] == 3
        cut = text[: text.index("\n", 2000) + 1]
        refused = await hand_over(ada, cut, resigned=0)
        assert refused.json()["rule"] == "unfinished-record", "the others have gone on"


def tampered(kind: str) -> str:
    lines = played().splitlines()
    first = json.loads(lines[0])
    if kind == "result":
        lines[-1] = lines[-1].replace('"places": [1, 2]', '"places": [2, 1]', 1)
        if lines[-1] == played().splitlines()[-1]:
            lines[-1] = lines[-1].replace('"places": [2, 1]', '"places": [1, 2]', 1)
    elif kind == "move":
        lines[5] = lines[6]
    elif kind == "rules":
        lines[0] = json.dumps({**first, "rules": 999})
    elif kind == "name":
        lines[0] = json.dumps({**first, "seats": ["A" * 60, "Bob"]})
    elif kind == "erased":
        lines[0] = json.dumps({**first, "seats": ["", "Bob"]})
    elif kind == "text":
        return "no record"
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("kind", "status", "rule"),
    [
        ("result", 409, "wrong-result"),
        ("rules", 400, "unknown-rules"),
        ("name", 400, "bad-name"),
        ("erased", 400, "bad-name"),
        ("text", 400, "not-json"),
    ],
)
async def test_a_bad_record_is_refused_and_nothing_is_stored(
    kind: str, status: int, rule: str, tmp_path: Path
) -> None:
    async with house(tmp_path) as server:
        ada = await member(server)
        answer = await hand_over(ada, tampered(kind))
        assert (answer.status_code, answer.json()["rule"]) == (status, rule)
        assert await games(ada) == []


async def test_an_illegal_move_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = await member(server)
        answer = await hand_over(ada, tampered("move"))
        assert (answer.status_code, answer.json()["code"]) == (409, "illegal")
        assert await games(ada) == []


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"seat": 2}, "no-such-seat"),
        ({"seat": 1}, "no-such-seat"),  # a bot's
        ({"bots": [{"seat": 5, "level": "greedy"}]}, "no-such-seat"),
        ({"bots": [{"seat": 1, "level": "nobody"}]}, "unknown-level"),
        ({"resigned": 7}, "no-such-seat"),
        ({"seat": -1}, "bad-request"),
        ({"surprise": 1}, "bad-request"),
    ],
)
async def test_a_seat_or_bot_that_does_not_exist_is_refused(
    more: dict[str, Json], rule: str, tmp_path: Path
) -> None:
    async with house(tmp_path) as server:
        ada = await member(server)
        answer = await hand_over(ada, played(), **more)
        assert (answer.status_code, answer.json()["rule"]) == (400, rule)
        assert await games(ada) == []


async def test_times_of_a_record_are_not_trusted(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in played().splitlines()]
    lines[0]["started"] = "9999-12-31T23:59:59Z"
    for line in lines[5:-1]:
        line["ms"] = 10**40
    async with house(tmp_path) as server:
        ada = await member(server)
        answer = await hand_over(ada, "".join(json.dumps(line) + "\n" for line in lines))
        assert answer.status_code == 201, answer.text
        (listed,) = await games(ada)
        assert 0 <= listed["created"] <= listed["updated"] < AFTER_ALL
        stored = (await ada.get(f"/tables/{listed['table']}/record")).text.splitlines()
        assert 0 <= json.loads(stored[-2])["ms"] < AFTER_ALL


async def test_no_record_is_kept_when_the_disk_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        ada = await member(server)
        monkeypatch.setattr(upkeep, "free_bytes", lambda path: limits.DISK_LOW_BYTES - 1)
        assert (await ada.http.get("/healthz")).json()["status"] == "disk-low"
        refused = await hand_over(ada, played())
        assert (refused.status_code, refused.json()["rule"]) == (503, "disk-low")
        assert await games(ada) == []


async def test_handing_over_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lifted = {"requests": 1000.0, "logins": 1000.0}
    monkeypatch.setattr(limits, "RECORDS_HANDED", limits.Rate("records-handed", 4, 0.1))
    monkeypatch.setattr(limits, "GAMES_HANDED", limits.Most("games-handed", 2))
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        ada = await member(server)
        answers = [await hand_over(ada, played(seed=seed)) for seed in ("1", "2", "3", "1", "2")]
        assert [each.status_code for each in answers] == [201, 201, 409, 201, 429]
        assert answers[2].json()["rule"] == "games-handed"
        assert answers[4].json()["rule"] == "records-handed"
        assert int(answers[4].headers["retry-after"]) >= 1
        assert len(await games(ada)) == 2
        too_long = played() + " " * limits.RECORD_LENGTH
        assert (await hand_over(await member(server, "Bob"), too_long)).status_code == 400


async def test_many_accounts_of_a_network_hand_over_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would fill the disk."""
    monkeypatch.setattr(limits, "NETWORK_RECORDS", limits.Rate("network-records", 2, 0.1))
    lifted = {"requests": 1000.0, "logins": 1000.0}
    async with house(tmp_path, limit_factor=1, refill=False, limits=lifted) as server:
        people = [await member(server, name) for name in ("Ada Byron", "Bob Byron", "Cy Byron")]
        answers = [await hand_over(each, played()) for each in people]
        assert [each.status_code for each in answers] == [201, 201, 429]
        assert answers[2].json()["rule"] == "network-records"
