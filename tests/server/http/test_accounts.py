"""Accounts: create, log in and out, claim seats, change the password, delete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.house import Browser, house
from tuilerie.server.ops.limits import LOGINS, NAME_LENGTH
from tuilerie.server.tables.bus import LocalBus, News
from tuilerie.server.ws.connection import GOING_AWAY
from tuilerie.store.errors import Unavailable

PASSWORD = "correct horse battery"
BETTER = "incorrect zebra charger"


async def test_an_account_claims_seats_and_finds_them_on_another_device(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, phone = server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        made = await ada.post("/account", {"login": "ada", "password": PASSWORD})
        assert made.json() == {"login": "ada"}
        here = (await ada.get("/session")).json()
        assert here["login"] == "ada"
        (seat,) = here["seats"]
        assert seat.pop("updated") > 0
        assert seat == {"table": slug, "game": "blockers", "name": "Ada"}
        assert (await ada.post("/account/claim", {"tables": [slug]})).json() == {"seats": 1}
        assert (await ada.get("/session")).json()["seats"] == []
        wrong = await phone.post("/session", {"login": "ada", "password": "not the password"})
        assert (wrong.status_code, wrong.json()["rule"]) == (403, "wrong-password")
        await phone.post("/session", {"login": "ADA", "password": PASSWORD})
        assert [table["table"] for table in (await phone.get("/my/tables")).json()] == [slug]
        line = await phone.join(slug)
        assert line.you == 0
        assert (await phone.http.delete("/api/session")).status_code == 204
        assert (await phone.get("/session")).json() == {"login": None, "seats": []}


async def test_a_deleted_account_leaves_no_name_and_no_session(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        await ada.post("/account", {"login": "Ada Byron", "password": PASSWORD})
        slug = await ada.create("blockers", 2, name="Ada Byron")
        await bob.sit(slug)
        mine, line = await ada.join(slug), await bob.join(slug)
        assert mine.you == 0
        bad = await ada.http.request("DELETE", "/api/account", json={"password": "wrong"})
        assert bad.status_code == 403
        gone = await ada.http.request("DELETE", "/api/account", json={"password": PASSWORD})
        assert gone.status_code == 204, gone.text
        await line.until("welcome")
        assert "Ada Byron" not in json.dumps(line.view)
        assert "Ada Byron" not in (await bob.get(f"/tables/{slug}")).text
        again = await ada.join(slug)
        assert again.you is None
        login = await bob.post("/session", {"login": "Ada Byron", "password": PASSWORD})
        assert login.status_code == 403


async def test_a_name_is_erased_on_every_node_and_its_sockets_are_closed(tmp_path: Path) -> None:
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, bob = one.browser(), two.browser()
        await ada.post("/account", {"login": "Ada Byron", "password": PASSWORD})
        slug = await ada.create("blockers", 2, name="Ada Byron")
        await bob.sit(slug)
        there = two.browser()
        there.http.cookies = ada.http.cookies
        phone, line = await there.join(slug), await bob.join(slug)
        await ada.http.request("DELETE", "/api/account", json={"password": PASSWORD})
        await line.until("welcome")
        assert "Ada Byron" not in json.dumps(line.view)
        assert await phone.end() == GOING_AWAY
        again = await bob.join(slug)
        assert again.welcome["events"]
        assert "Ada Byron" not in json.dumps(again.welcome)
        assert one.registry._dismissed == [], "what all have received is not sent again"


async def test_erased_names_are_published_again_until_the_bus_is_back(tmp_path: Path) -> None:
    bus = DeafBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, bob = one.browser(), two.browser()
        await ada.post("/account", {"login": "Ada Byron", "password": PASSWORD})
        slug = await ada.create("blockers", 2, name="Ada Byron")
        await bob.sit(slug)
        line = await bob.join(slug)
        await ada.http.request("DELETE", "/api/account", json={"password": PASSWORD})
        assert one.registry._dismissed
        bus.deaf = False
        await one.registry._beat()
        await line.until("welcome")
        assert "Ada Byron" not in json.dumps(line.view)


class DeafBus(LocalBus):
    """Drops all news until `mended`."""

    deaf = True

    def publish_news(self, news: News, node: str | None = None) -> None:
        if not self.deaf:
            super().publish_news(news, node)


async def rematch(host: Browser, guest: Browser, slug: str) -> str:
    """Play a rematch after a short game; returns the new table's id."""
    await guest.sit(slug)
    lines = await host.join(slug), await guest.join(slug)
    await lines[1].do("ready", ready=True)
    await lines[0].do("begin")
    await lines[0].do("resign")
    for line in lines:
        await line.do("ask-rematch")
    await lines[0].until_fact("rematched")
    name: str = lines[0].view["rematch"]
    return name


async def test_a_rematch_belongs_to_the_same_account(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        await ada.post("/account", {"login": "Ada Byron", "password": PASSWORD})
        slug = await ada.create("blockers", 2, name="Ada Byron")
        new = await rematch(ada, bob, slug)
        phone = server.browser()
        await phone.post("/session", {"login": "ada byron", "password": PASSWORD})
        assert new in [table["table"] for table in (await phone.get("/my/tables")).json()]
        await phone.http.request("DELETE", "/api/account", json={"password": PASSWORD})
        for table in (slug, new):
            assert "Ada Byron" not in (await bob.get(f"/tables/{table}")).text


async def test_only_the_named_seats_are_claimed(tmp_path: Path) -> None:
    """On a shared device not every seat belongs to the account."""
    async with house(tmp_path) as server:
        ada = server.browser()
        mine, my_sisters = await ada.create(name="Ada"), await ada.create(name="Allegra")
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        named = {"tables": [mine, "nowhere"]}
        assert (await ada.post("/account/claim", named)).json() == {"seats": 1}
        (left,) = (await ada.get("/session")).json()["seats"]
        assert (left["table"], left["name"]) == (my_sisters, "Allegra")
        refused = await server.browser().post("/account/claim", named)
        assert (refused.status_code, refused.json()["rule"]) == (403, "not-logged-in")


async def test_logging_out_releases_the_seats_of_the_account(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        guest = await ada.create(name="somebody else")
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await ada.create(name="Ada")
        kept = dict(ada.http.cookies)
        tab = await ada.join(slug)
        assert tab.you == 0
        assert (await ada.http.delete("/api/session")).status_code == 204
        assert await tab.end() == GOING_AWAY, "nor to who finds a tab that is still open"
        assert (await ada.get(f"/tables/{slug}")).json()["you"] is None
        assert (await ada.join(slug)).you is None
        assert (await ada.get(f"/tables/{guest}")).json()["you"] == 0, "it was no seat of hers"
        thief = server.browser()
        thief.http.cookies.update(kept)
        assert (await thief.get("/session")).json()["login"] is None
        assert (await thief.join(slug)).you is None, "the token is worthless, too"
        await ada.post("/session", {"login": "ada", "password": PASSWORD})
        assert (await ada.join(slug)).you == 0
        assert (await server.browser().http.delete("/api/session")).status_code == 204


async def test_logging_in_as_another_releases_the_previous_accounts_seats(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        await browser.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await browser.create(name="Ada")
        session = browser.http.cookies["tuilerie-session"]
        kept = dict(browser.http.cookies)
        await browser.post("/account", {"login": "bob", "password": PASSWORD})
        assert (await browser.get(f"/tables/{slug}")).json()["you"] is None
        assert (await browser.get("/my/tables")).json() == []
        again = server.browser()
        again.http.cookies.set("tuilerie-session", session)
        assert (await again.get("/session")).json()["login"] is None, "the first session is over"
        thief = server.browser()
        thief.http.cookies.update(kept)
        assert (await thief.join(slug)).you is None, "the token is worthless, too"


@pytest.mark.slow
async def test_changing_the_password_ends_all_other_sessions(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, thief = server.browser(), server.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await ada.create(name="Ada")
        await thief.post("/session", {"login": "ada", "password": PASSWORD})
        link = (await thief.post(f"/tables/{slug}/seat/link")).json()["link"]
        tab = await thief.join(slug)
        wrong = await thief.post("/account/password", {"password": "a guess", "new": BETTER})
        assert (wrong.status_code, wrong.json()["rule"]) == (403, "wrong-password")
        short = await ada.post("/account/password", {"password": PASSWORD, "new": "short"})
        assert short.status_code == 400
        done = await ada.post("/account/password", {"password": PASSWORD, "new": BETTER})
        assert done.json() == {"login": "ada"}
        assert (await ada.get("/session")).json()["login"] == "ada"
        assert (await ada.join(slug)).you == 0
        assert (await thief.get("/session")).json()["login"] is None
        assert await tab.end() == GOING_AWAY
        assert (await thief.join(slug)).you is None
        again = await thief.post("/recover", {"token": link.split("#")[1]})
        assert again.status_code == 404
        assert await _login(server.browser(), PASSWORD) == 403
        assert await _login(server.browser(), BETTER) == 201
        nobody = await server.browser().post(
            "/account/password", {"password": PASSWORD, "new": BETTER}
        )
        assert (nobody.status_code, nobody.json()["rule"]) == (403, "not-logged-in")


async def test_released_seats_are_released_on_every_node(tmp_path: Path) -> None:
    bus = LocalBus()
    async with house(tmp_path, bus=bus) as one, house(tmp_path, bus=bus) as two:
        ada, there = one.browser(), two.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await ada.create(name="Ada")
        there.http.cookies.update(dict(ada.http.cookies))
        tab = await there.join(slug)
        assert tab.you == 0
        await ada.http.delete("/api/session")
        assert await tab.end() == GOING_AWAY
        assert (await there.join(slug)).you is None, "its memory is cleared, too"


async def test_on_a_shared_device_another_players_seat_is_not_offered(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        device, beside = server.browser(), server.browser()
        await device.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await device.create(name="Ada")
        made = await beside.post(f"/tables/{slug}/seat", {"name": "Bob"})
        await device.post("/recover", {"token": made.json()["recovery"]})  # it is Bob's turn
        assert (await device.get("/session")).json()["seats"] == []
        assert (await device.post("/account/claim", {"tables": [slug]})).json() == {"seats": 0}
        (table,) = (await device.get("/my/tables")).json()
        assert table["you"] == 0


async def _login(browser: Browser, password: str) -> int:
    return (await browser.post("/session", {"login": "ada", "password": password})).status_code


@pytest.mark.parametrize("login", ["x" * (NAME_LENGTH + 1), "   ", "  z", "ada\u202eevil"])
async def test_an_unprintable_login_is_refused(tmp_path: Path, login: str) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        refused = await browser.post("/account", {"login": login, "password": PASSWORD})
        assert (refused.status_code, refused.json()["rule"]) == (400, "bad-login")
        assert refused.json()["params"] == {"expected": NAME_LENGTH}
        assert (await browser.get("/session")).json()["login"] is None


async def test_logins_are_unique(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        await server.browser().post("/account", {"login": "Ada", "password": PASSWORD})
        again = await server.browser().post("/account", {"login": "ADA", "password": BETTER})
        assert (again.status_code, again.json()["rule"]) == (409, "name-taken")


@pytest.mark.parametrize(("login", "password"), [("a", PASSWORD), ("ada", "short"), ("", "")])
async def test_a_password_of_the_wrong_length_is_a_wrong_password(
    tmp_path: Path, login: str, password: str
) -> None:
    async with house(tmp_path) as server:
        refused = await server.browser().post("/session", {"login": login, "password": password})
        assert (refused.status_code, refused.json()["rule"]) == (403, "wrong-password")


def from_anywhere(browser: Browser, number: int) -> Browser:
    """The same browser at another address."""
    app: Any = browser._front
    browser.http._transport = httpx.ASGITransport(app, client=(f"10.0.1.{number}", 1000))
    return browser


@pytest.mark.slow
async def test_password_guesses_in_an_open_session_are_limited(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1.0) as server:
        ada = server.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        guess = {"password": "a guess", "new": BETTER}
        tries = [
            await from_anywhere(ada, number).post("/account/password", guess)
            for number in range(2 * int(LOGINS.burst))
        ]
        assert {each.status_code for each in tries} == {403, 429}
        assert all("wait" in each.json() for each in tries if each.status_code == 429)


async def test_password_guesses_are_counted_whatever_the_spelling_of_the_name(
    tmp_path: Path,
) -> None:
    """And they do not lock out the owner, who is logged in."""
    lifted = {"logins": 1000.0, "requests": 1000.0}
    async with house(tmp_path, limit_factor=1.0, refill=False, limits=lifted) as server:
        ada, eve = server.browser(), server.browser()
        await ada.post("/account", {"login": "ada byron", "password": PASSWORD})
        names = ["ADA BYRON", "ada  byron", " ada byron", "ａｄａ byron"] * int(LOGINS.burst)
        tries = [
            await eve.post("/session", {"login": name, "password": "a guess that is wrong"})
            for name in names
        ]
        assert {each.status_code for each in tries} == {403, 429}
        done = await ada.post("/account/password", {"password": PASSWORD, "new": BETTER})
        assert done.status_code == 201


async def test_logging_out_closes_pages_authenticated_by_session_only(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await ada.create(name="Ada")
        await ada.post("/account/password", {"password": PASSWORD, "new": BETTER})
        assert set(ada.http.cookies) == {"tuilerie-session"}, "dead cookies are ended"
        tab = await ada.join(slug)
        assert tab.you == 0
        await ada.http.delete("/api/session")
        assert await tab.end() == GOING_AWAY


async def test_seats_are_released_despite_store_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        tabs = [await ada.join(await ada.create(name="Ada")) for _ in range(2)]

        async def away(*_: Any, **__: Any) -> Any:
            raise Unavailable("away")

        with monkeypatch.context() as broken:
            broken.setattr(server.registry.store.log, "read", away)
            assert (await ada.http.delete("/api/session")).status_code == 204
        assert [await tab.end() for tab in tabs] == [GOING_AWAY, GOING_AWAY]


async def test_a_revoked_token_in_the_cache_gets_no_new_token(
    tmp_path: Path,
) -> None:
    """A node that was not notified yet caches the old token for a while."""
    async with house(tmp_path, bus=DeafBus()) as one, house(tmp_path, bus=DeafBus()) as two:
        ada, thief = one.browser(), two.browser()
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        slug = await ada.create(name="Ada")
        thief.http.cookies.update(dict(ada.http.cookies))
        assert (await thief.get(f"/tables/{slug}")).json()["you"] == 0
        await ada.post("/account/password", {"password": PASSWORD, "new": BETTER})
        assert (await thief.post(f"/tables/{slug}/seat/link")).status_code == 403
        taken = await thief.post(f"/tables/{slug}/seat", {"name": "thief"})
        assert taken.json()["seat"] == 1, "a seat of their own, as anybody's"


async def test_a_seat_at_an_earlier_game_does_not_give_an_accounts_seat(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2, name="Ada")
        new = await rematch(ada, bob, slug)
        assert (await ada.get(f"/tables/{new}")).json()["you"] is not None
        guest = {name: value for name, value in ada.http.cookies.items() if slug in name}
        await ada.post("/account", {"login": "ada", "password": PASSWORD})
        assert (await ada.post("/account/claim", {"tables": [new]})).json() == {"seats": 2}
        old = server.browser()
        old.http.cookies.update(guest)
        await ada.http.delete("/api/session")
        assert (await old.get(f"/tables/{new}")).json()["you"] is None
