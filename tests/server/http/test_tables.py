"""HTTP API of tables: seats, QR codes, records, limits and security headers."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import segno
from sqlalchemy import select

from tests.server.house import HOST, Browser, Closed, Line, house
from tuilerie.bots import offered
from tuilerie.games import GAMES
from tuilerie.language import LANGUAGES
from tuilerie.native import engine
from tuilerie.server.http.pages import Pages
from tuilerie.server.http.security import PICTURE_POLICY
from tuilerie.server.ws.messages import PROTOCOL
from tuilerie.store import open_store
from tuilerie.store.log import Status
from tuilerie.store.schema import seat_tokens
from tuilerie.store.seats import MOST_TOKENS

GOOD = {"game": "genial", "players": 2, "name": "A"}


async def test_games_are_listed_with_their_options_and_levels(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        games = (await server.browser().get("/games")).json()
        assert [game["name"] for game in games] == list(GAMES)
        for game in games:
            assert [level["id"] for level in game["levels"]] == list(offered(game["name"]))
            for level in game["levels"]:
                assert set(level["name"]) == set(level["line"]) == set(LANGUAGES)
                assert all(level["name"].values())
                assert all(level["line"].values())
        assert games[0]["players"] == [GAMES["genial"].card.players[0], 4]


async def test_retrying_with_the_same_key_gets_the_same_seat(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug = await server.browser().create("blockers", 2)
        body = {"name": "Bob", "key": "a secret of this browser"}
        seats = [(await server.browser().post(f"/tables/{slug}/seat", body)).json()["seat"]]
        seats.append((await server.browser().post(f"/tables/{slug}/seat", body)).json()["seat"])
        assert seats == [1, 1]
        full = await server.browser().post(f"/tables/{slug}/seat", {"name": "Eve"})
        assert (full.status_code, full.json()["rule"]) == (409, "table-full")


async def test_the_lobby_shows_public_tables_with_open_seats_only(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        public = await ada.create("genial", 2, public=True)
        await ada.create("genial", 2)
        lobby = (await bob.get("/tables")).json()
        assert [table["table"] for table in lobby] == [public]
        await bob.sit(public)
        assert (await bob.get("/tables")).json() == []


async def test_my_tables_lists_the_tables_of_this_browser(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("genial", 2)
        assert [
            (table["table"], table["you"]) for table in (await ada.get("/my/tables")).json()
        ] == [(slug, 0)]
        assert (await bob.get("/my/tables")).json() == []


async def test_table_facts_show_seats_taken_over_for_good(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("genial", 3, bots=[{"seat": 2, "level": "random"}])
        await bob.sit(slug)
        lines = [await browser.join(slug) for browser in (ada, bob)]
        for line in lines:
            await line.do("ready", ready=True)
        await lines[1].do("resign")
        for browser in (ada, bob):
            [table] = (await browser.get("/my/tables")).json()
            assert table["status"] == "playing"
            assert [seat["for_good"] for seat in table["seats"]] == [False, True, False]


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ({"game": "chess", "players": 2, "name": "A"}, "unknown-game"),
        ({"game": "genial", "players": 9, "name": "A"}, None),
        ({"game": "genial", "players": 2, "name": ""}, "bad-request"),
        ({"game": "genial", "players": 2, "name": "A", "extra": 1}, "bad-request"),
        ({"game": "genial", "players": 2, "name": "A", "options": {"variant": "x"}}, None),
        (GOOD | {"clock": {"kind": "move"}}, "clock-needs-seconds"),
        (GOOD | {"bots": [{"seat": 5, "level": "random"}]}, "no-such-seat"),
        (GOOD | {"bots": [{"seat": 1, "level": "x"}]}, "unknown-level"),
        ([], "bad-request"),
    ],
)
async def test_an_invalid_table_is_refused_with_a_rule(
    tmp_path: Path, body: object, rule: str | None
) -> None:
    async with house(tmp_path) as server:
        answer = await server.browser().post("/tables", body)
        assert answer.status_code == 400, answer.text
        problem = answer.json()
        assert set(problem) == {"code", "rule", "params"}
        assert rule in (None, problem["rule"])


async def test_a_refused_name_gets_the_length_limit(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug = await server.browser().create()
        unseen = {"name": "a\u200db"}
        answer = await server.browser().post(f"/tables/{slug}/seat", unseen)
        assert answer.json()["rule"] == "bad-name"
        longest = answer.json()["params"]["expected"]
        too_long = {"name": "W" * (longest + 1)}
        assert (await server.browser().post(f"/tables/{slug}/seat", too_long)).status_code == 400
        assert await server.browser().sit(slug, "W" * longest) == 1


async def test_not_found_errors_have_the_common_form(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        for path, rule in [
            ("/tables/nothing", "no-such-table"),
            ("/tables/nothing/qr.svg", "no-such-table"),
            ("/nothing", "no-such-page"),
            ("/rules/chess", "no-such-game"),
            ("/rules/genial?lang=xx", "no-such-language"),
        ]:
            answer = await browser.get(path)
            assert (answer.status_code, answer.json()["rule"]) == (404, rule)
        assert (await browser.post("/recover", {"token": "x" * 22})).status_code == 404
        assert (await browser.post("/games")).status_code == 405


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        ({"kind": "none"}, 120),
        ({"kind": "move", "seconds": 30}, 120),
        ({"kind": "game", "seconds": 900, "increment": 10}, 120),
        ({"kind": "move", "seconds": 86_400}, 86_400),
    ],
)
async def test_takeover_waits_as_long_as_a_move_may_take(
    tmp_path: Path, clock: dict[str, Any], seconds: int
) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        line = await ada.join(await ada.create(clock=clock))
        assert line.view["config"]["takeover_after"] == seconds


async def test_qr_code_and_record_of_a_table(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 2)
        picture = await ada.get(f"/tables/{slug}/qr.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text.startswith("<svg")
        rules = await ada.get("/rules/blockers?lang=fr")
        assert rules.text.startswith("# ")
        version = (await ada.get("/version")).json()
        assert version["protocol"] == PROTOCOL
        assert version["engine"] == engine()
        health = await ada.http.get("/healthz")
        assert health.json() == {"status": "ok", "bots": "ok"}


# --- links to seats -------------------------------------------------------------------------------


async def test_a_new_recovery_link_can_be_requested(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, phone, bob = server.browser(), server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        made = await ada.post(f"/tables/{slug}/seat/link")
        assert made.status_code == 201, made.text
        page, key = made.json()["link"].split("#")
        assert page == f"http://{HOST}/t/{slug}"
        assert (await phone.post("/recover", {"token": key})).json() == {"table": slug}
        for browser in (ada, phone):
            assert (await browser.join(slug)).you == 0
        refused = await bob.post(f"/tables/{slug}/seat/link")
        assert (refused.status_code, refused.json()["rule"]) == (403, "not-seated")


async def test_a_recovery_link_comes_with_its_qr_code(tmp_path: Path) -> None:
    def picture(link: str) -> str:
        code = segno.make(link, error="m")
        return code.svg_data_uri(scale=8, border=4, dark="#000", light="#fff")

    async with house(tmp_path) as server:
        ada = server.browser()
        made = (await ada.post(f"/tables/{await ada.create()}/seat/link")).json()
        assert made["qr"].startswith("data:image/svg+xml")
        assert made["qr"] == picture(made["link"])
        assert made["qr"] != picture(made["link"][:-1] + "-")


# --- strangers ------------------------------------------------------------------------------------


async def test_cross_site_requests_are_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        body = {"game": "genial", "players": 2, "name": "Eve"}
        evil = server.browser(Origin="https://evil.example")
        assert (await evil.post("/tables", body)).json()["rule"] == "other-origin"
        bare = server.browser()
        del bare.http.headers["X-Tuilerie"]
        assert (await bare.post("/tables", body)).json()["rule"] == "no-csrf-header"
        assert (await bare.get("/games")).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"http://{HOST}.evil.example"])
async def test_cross_site_sockets_are_refused(tmp_path: Path, origin: str) -> None:
    async with house(tmp_path) as server:
        line = server.browser().line(origin=origin)
        with pytest.raises(Closed):
            await line.open()


async def test_a_socket_must_request_our_subprotocol(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        line = Line(server.front, {"host": HOST}, protocol="chat")
        with pytest.raises(Closed):
            await line.open()


async def test_every_response_has_the_security_headers(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        browser = server.browser()
        for answer in (
            await browser.http.get("/"),
            await browser.get("/games"),
            await browser.get("/nothing"),
            await browser.post("/tables", []),
            await server.browser(Origin="https://evil.example").post("/tables", {}),
        ):
            policy = answer.headers["content-security-policy"]
            assert "unsafe" not in policy
            assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(
                policy.split("; ")
            )
            sources = {each.partition(" ")[2] for each in policy.split("; ")}
            assert sources <= {"'none'", "'self'", "'self' data:"}, "nothing from other hosts"
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["cross-origin-opener-policy"] == "same-origin"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert "permissions-policy" in answer.headers
            assert "strict-transport-security" not in answer.headers


async def test_a_picture_may_style_itself_and_do_nothing_else(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        answer = await server.browser().http.get("/icon.svg")
        if answer.status_code == 404:
            pytest.skip("the client is not built")
        policies = answer.headers.get_list("content-security-policy")
        assert policies == [PICTURE_POLICY]
        assert "script" not in PICTURE_POLICY
        assert "default-src 'none'" in PICTURE_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_over_tls_cookies_are_bound_to_the_host(tmp_path: Path) -> None:
    async with house(tmp_path, public_url=f"https://{HOST}") as server:
        ada = server.browser(Origin=f"https://{HOST}")
        answer = await ada.post("/tables", {"game": "genial", "players": 2, "name": "Ada"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-tuilerie-seat-")
        for word in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"):
            assert word in cookie
        assert "strict-transport-security" in answer.headers
        assert answer.json()["link"].startswith(f"https://{HOST}/t/")
        assert (await server.browser().post("/tables", {})).json()["rule"] == "other-origin"


async def test_tokens_are_stored_as_hashes(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        made = await ada.post("/tables", {"game": "genial", "players": 2, "name": "Ada"})
        token, recovery = dict(ada.http.cookies).popitem()[1], made.json()["recovery"]
    async with await open_store(tmp_path):
        data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"Ada" in data
        assert token.encode() not in data
        assert recovery.encode() not in data


async def test_rate_limits_answer_with_retry_after(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=0.05) as server:
        browser = server.browser()
        answers = [await browser.post("/tables", {}) for _ in range(12)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert refused[0].json()["wait"] >= 1
        assert refused[0].headers["retry-after"] == str(refused[0].json()["wait"])


async def test_a_body_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        answer = await server.browser().post("/tables", {"name": "x" * 100_000})
        assert answer.status_code == 413


# --- the client's files ---------------------------------------------------------------------------


def test_assets_are_cached_for_ever_and_pages_never(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "app.abc123.js").write_text("x = 1;\n" * 500)
    (tmp_path / "index.html").write_text("<!doctype html>")
    pages = Pages(tmp_path)
    script, index = pages.find("assets/app.abc123.js"), pages.find("index.html")
    assert script is not None
    assert index is not None
    assert "immutable" in script.keep
    assert script.packed is not None
    assert index.keep == "no-cache"
    for path in ("", "t/abc", "lobby", "learn/genial", "r/abc"):
        assert pages.find(path) == index
    for path in ("assets/gone.js", "api/nothing", "favicon.ico"):
        assert pages.find(path) is None


def test_a_copy_without_the_engine_says_so_without_an_error(tmp_path: Path) -> None:
    listed = Pages(tmp_path, engine=tmp_path / "none").find("engine/manifest.json")
    assert listed is not None
    assert json.loads(listed.content)["files"] == []
    assert Pages(tmp_path, engine=tmp_path / "none").find("engine/python.bin") is None


async def test_head_is_like_get_without_the_body(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        http = server.browser().http
        got, head = await http.get("/t/abc"), await http.head("/t/abc")
        assert (head.status_code, head.content) == (200, b"")
        assert got.headers["content-type"].startswith(head.headers["content-type"])
        assert head.headers["content-length"] == got.headers["content-length"]


async def test_lists_come_from_rows_without_reading_logs(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        waiting = await ada.create("blockers", 3, public=True)
        await bob.sit(waiting)
        clock = {"kind": "game", "seconds": 600, "increment": 5}
        await ada.create("genial", 2, spectators="delayed", clock=clock)
        before = [await listed(each, "/my/tables") for each in (ada, bob)]
        lobby = await listed(ada, "/tables")
        assert [seat["name"] for seat in lobby[0]["seats"]] == ["Ada", "Bob", None]
        kept = [each.http.cookies for each in (ada, bob)]
    async with house(tmp_path) as server:
        for cookies, expected in zip(kept, before, strict=True):
            browser = server.browser()
            browser.http.cookies = cookies
            assert await listed(browser, "/my/tables") == expected
            assert await listed(browser, "/tables") == lobby
        assert not server.registry.is_in_memory(waiting)
        # A row of an older version has no summary: it is made from the log, once.
        await server.registry.store.log.set_summary(waiting, Status.OPEN, None)
        assert await listed(browser, "/tables") == lobby
        assert server.registry.is_in_memory(waiting)


async def listed(browser: Browser, path: str) -> list[Any]:
    """A list, without the times: a row has the time of storing, a log that of the fact."""
    return [{**each, "updated": None} for each in (await browser.get(path)).json()]


async def test_asking_for_the_same_seat_again_stores_no_more_tokens(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 2)
        cookies = dict(ada.http.cookies)
        for _ in range(40):
            assert await ada.sit(slug, "Ada") == 0
        assert dict(ada.http.cookies) == cookies, "the browser keeps its token"
        stranger = server.browser()
        rows = await server.registry.store.sql.all(select(seat_tokens.c.recovery))
        assert Counter(row.recovery for row in rows) == {False: 1, True: MOST_TOKENS}
        link = (await ada.post(f"/tables/{slug}/seat/link")).json()["link"]
        for _ in range(MOST_TOKENS + 2):
            stranger = server.browser()
            answer = await stranger.post("/recover", {"token": link.partition("#")[2]})
            assert answer.status_code == 201
        rows = await server.registry.store.sql.all(select(seat_tokens.c.recovery))
        assert Counter(row.recovery for row in rows) == {False: MOST_TOKENS, True: MOST_TOKENS}
        assert (await stranger.get(f"/tables/{slug}")).json()["you"] == 0, "the newest works"
