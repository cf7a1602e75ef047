"""The tables of a browser, without the browser: the log is kept before anything is announced, and
viewers get the server's own messages."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tuilerie import record
from tuilerie.bots import BOTS
from tuilerie.bots.thinker import Question, decode, read_hints, think
from tuilerie.codec import from_builtins, public_fields
from tuilerie.local.home import Home
from tuilerie.match.bodies import TableFacts
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder

GAMES = ["genial", "blockers", "kaosmos"]
OPTIONS: dict[str, dict[str, Any]] = {"kaosmos": {"seconds": None}}


class Browser:
    """A browser with one home: keeps the log as the worker does."""

    def __init__(self) -> None:
        self.home = Home()
        self.now = 1_700_000_000_000
        self.log: dict[str, list[dict[str, Any]]] = {}
        self.rows: dict[str, dict[str, Any]] = {}
        self.received: list[dict[str, Any]] = []
        self.full = False
        self.asked = 0

    def ask(self, **asked: Any) -> dict[str, Any]:
        self.now += 10
        reply: dict[str, Any] = json.loads(self.home.ask(json.dumps({"now": self.now, **asked})))
        if keep := reply.get("keep"):
            if self.full:
                why = {"code": "failed", "rule": "storage-full", "params": {}}
                reply = json.loads(self.home.not_kept(json.dumps(why)))
            else:
                row = {"facts": keep["facts"], "key": keep["key"]}
                self.log.setdefault(keep["slug"], []).append(row)
                self.rows[keep["slug"]] = keep["row"]
                reply = json.loads(self.home.kept())
        self.received += [json.loads(text) for _, text in reply.get("send", [])]
        for following in reply.get("next", []):
            self.ask(**following)
        return reply

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = self.ask(op="request", method=method, path=path, body=body)["answer"]
        return answer["status"], answer["body"]

    def send(self, message: Any, connection: int = 1) -> dict[str, Any]:
        self.ask(op="message", connection=connection, message=message)
        return self.received[-1]

    def do(self, connection: int = 1, name: str | None = None, **command: Any) -> dict[str, Any]:
        self.asked += 1
        name = name or f"command-{self.asked}"
        return self.send({"t": "do", "id": name, "command": command}, connection)

    def make(self, game: str, *, bots: int = 1, level: str = "random") -> str:
        seats = [{"seat": seat, "level": level} for seat in range(1, 1 + bots)]
        body = {"game": game, "players": 2, "name": "Ana", "bots": seats}
        status, made = self.call("POST", "/tables", {**body, "options": OPTIONS.get(game, {})})
        assert status == 201, made
        return str(made["table"])

    def play(self, slug: str, most: int = 10_000) -> None:
        """Ana plays at random, and the bots play."""
        random = Random(7)
        for _ in range(most):
            room = self.home._rooms[slug]
            table = room.table
            if table.result is not None:
                return
            seat = table.actors[0]
            if table.bot_level(seat) is None:
                seen = table.rules.view(table.shown_state, seat)
                move = BOTS[table.game]["random"](seen, random.randrange)
                assert self.do(kind="make", move=move)["t"] == "done"
            else:
                due = {each["seat"]: each for each in room.due()["bots"]}[seat]
                answer = think(decode(Question, due["question"].encode()))
                number = due["number"]
                reply = self.ask(
                    op="do", kind="bot", slug=slug, seat=seat, move=answer.text, number=number
                )
                assert "refused" not in reply


def at_table(game: str) -> tuple[Browser, str]:
    browser = Browser()
    slug = browser.make(game)
    browser.send({"t": "hello", "table": slug})
    browser.do(kind="ready", ready=True)
    return browser, slug


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_gives_a_record_that_replays(game: str) -> None:
    browser, slug = at_table(game)
    browser.play(slug)
    status, text = browser.call("GET", f"/tables/{slug}/record")
    replay = record.replay(text)
    table = browser.home._rooms[slug].table
    assert status == 200
    assert replay.game.result(replay.played[-1].state) == table.rules.result(table.game_state)
    assert browser.rows[slug]["status"] == "over"
    status, seen = browser.call("GET", f"/tables/{slug}/replay?viewer=1")
    assert (status, len(seen["steps"])) == (200, len(replay.played))


@pytest.mark.parametrize("game", GAMES)
def test_a_table_goes_on_from_its_log(game: str) -> None:
    browser, slug = at_table(game)
    browser.play(slug, 12)
    later = Browser()
    later.now = browser.now
    reply = later.ask(op="load", slug=slug, rows=browser.log[slug])
    assert reply["answer"]["status"] == 200
    before, after = (each.home._rooms[slug].table for each in (browser, later))
    assert (after.number, after.game_state) == (before.number, before.game_state)
    later.send({"t": "hello", "table": slug})
    later.play(slug)
    assert later.home._rooms[slug].table.result is not None


@pytest.mark.parametrize("game", GAMES)
def test_viewers_get_what_the_server_would_send(game: str) -> None:
    browser, slug = at_table(game)
    browser.received.clear()
    browser.play(slug, 40)
    past = browser.home._rooms[slug].past
    tables = {each.table.number: each.table for each in past}
    updates = [each for each in browser.received if each["t"] == "update"]
    assert len(updates) > 20
    for ours in updates:
        first, last = ours["events"][0]["number"], ours["number"]
        made = [
            Transition(number, each.fact, tables[number - 1], each.table)
            for each in past
            if first <= (number := each.table.number) <= last
        ]
        theirs = UpdateEncoder(made, Snapshot(tables[first - 1]), Snapshot(tables[last]))
        assert ours == json.loads(theirs.text(0, 0))
    welcome = browser.send({"t": "hello", "table": slug}, connection=2)
    assert welcome["t"] == "presence"
    made = [
        Transition(two.table.number, two.fact, one.table, two.table) for one, two in pairwise(past)
    ]
    expected = json.loads(delivery.welcome(past[-1].table, made, 0, browser.now))
    ours = browser.received[-2]
    assert ours == expected


def test_a_hint_is_a_question_to_the_strongest_level_and_is_noted() -> None:
    browser, slug = at_table("blockers")
    while browser.home._rooms[slug].table.actors != (0,):
        browser.play(slug, 1)
    status, asked = browser.call("POST", f"/tables/{slug}/hint")
    table = browser.home._rooms[slug].table
    assert (status, asked["number"]) == (202, table.number)
    answer = think(decode(Question, asked["question"].encode()))
    legal = set(table.rules.view(table.shown_state, 0).legal)
    found = {each.move for each in read_hints(answer.text)}
    assert found
    assert found <= legal
    assert browser.rows[slug]["assisted"]


def test_lists_show_what_the_server_would_show() -> None:
    browser, slug = at_table("genial")
    facts = browser.call("GET", f"/tables/{slug}")[1]
    assert set(facts) == set(public_fields(TableFacts))
    assert from_builtins(TableFacts, facts).actors


def test_a_repeated_command_gets_its_first_answer_even_after_a_reload() -> None:
    browser, slug = at_table("genial")
    first = browser.do(name="say-hello", kind="react", reaction="hello")
    number = browser.home._rooms[slug].table.number
    assert browser.do(name="say-hello", kind="react", reaction="hello") == first
    later = Browser()
    later.ask(op="load", slug=slug, rows=browser.log[slug])
    later.send({"t": "hello", "table": slug})
    assert later.do(name="say-hello", kind="react", reaction="hello") == first
    assert later.home._rooms[slug].table.number == number


def test_what_is_not_stored_has_not_happened() -> None:
    browser, slug = at_table("genial")
    room = browser.home._rooms[slug]
    browser.full = True
    before, received = room.table, len(browser.received)
    answer = browser.do(kind="react", reaction="wow")
    assert (answer["t"], answer["rule"]) == ("refused", "storage-full")
    assert (room.table, len(browser.received)) == (before, received + 1)
    browser.full = False
    assert browser.do(kind="react", reaction="wow")["t"] == "done"


def test_a_table_that_cannot_be_stored_is_not_made() -> None:
    browser = Browser()
    browser.full = True
    status, why = browser.call("POST", "/tables", {"game": "genial", "players": 2, "name": "Ana"})
    assert (status, why["rule"]) == (400, "storage-full")
    assert browser.home._rooms == {}


def test_players_share_a_device() -> None:
    browser = Browser()
    status, made = browser.call("POST", "/tables", {"game": "genial", "players": 2, "name": "Ana"})
    slug = made["table"]
    body = {"name": "Bo", "seat": 1, "key": "0123456789abcdef"}
    status, taken = browser.call("POST", f"/tables/{slug}/seat", body)
    assert (status, taken["seat"]) == (201, 1)
    assert browser.call("POST", f"/tables/{slug}/seat", body) == (status, taken)  # asked again
    for connection, token in ((1, made["recovery"]), (2, taken["recovery"])):
        assert browser.call("POST", "/recover", {"token": token}) == (200, {"table": slug})
        browser.send({"t": "hello", "table": slug}, connection)
        assert browser.received[-2]["you"] == connection - 1
        browser.do(connection, kind="ready", ready=True)
    table = browser.home._rooms[slug].table
    assert table.is_playing
    own = [json.loads(json.dumps(browser.received[-1]))]
    assert own[0]["t"] == "done"


def test_a_rematch_is_another_table_of_this_browser() -> None:
    browser, slug = at_table("blockers")
    browser.play(slug)
    browser.do(kind="ask-rematch")
    following = browser.home._rooms[slug].table.rematch
    assert following is not None
    assert following in browser.log
    assert browser.home._rooms[following].table.is_playing
    assert browser.call("GET", f"/tables/{following}")[1]["you"] == 1


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ({"t": "hello", "table": "local-nowhere"}, "no-such-table"),
        ({"t": "do", "id": "x" * 8, "command": {"kind": "fly"}}, "say-hello-first"),
        ({"t": "sing"}, "bad-message"),
        ("nonsense", "bad-message"),
    ],
)
def test_bad_messages_are_refused(message: Any, rule: str) -> None:
    assert Browser().send(message)["rule"] == rule


@pytest.mark.parametrize(
    "command", [{"kind": "fly"}, {"kind": "make"}, {"kind": "react", "reaction": 5, "more": 1}]
)
def test_bad_commands_are_refused(command: dict[str, Any]) -> None:
    browser, _ = at_table("genial")
    answer = browser.do(name="bad-command", **command)
    assert (answer["t"], answer["rule"], answer["id"]) == ("refused", "bad-message", "bad-command")


@pytest.mark.parametrize(
    ("method", "path", "body", "rule"),
    [
        ("GET", "/tables", None, "needs-server"),
        ("POST", "/account", {}, "needs-server"),
        ("POST", "/tables", None, "bad-message"),
        ("POST", "/tables", {"game": "chess", "players": 2, "name": "A"}, "unknown-game"),
        ("POST", "/tables", {"game": "genial", "players": 2}, "bad-message"),
        ("POST", "/recover", {"token": "local-x.y"}, "no-such-table"),
        ("POST", "/replay", {"record": "nonsense"}, "not-json"),
    ],
)
def test_bad_requests_are_refused(method: str, path: str, body: Any, rule: str) -> None:
    status, why = Browser().call(method, path, body)
    assert status in (400, 404)
    assert why["rule"] == rule


def test_a_damaged_log_says_so_and_an_unknown_version_too() -> None:
    browser, slug = at_table("genial")
    rows = json.loads(json.dumps(browser.log[slug]))
    rows[0]["facts"][0]["rules"] = 99
    answer = Browser().ask(op="load", slug=slug, rows=rows)["answer"]
    assert answer["body"]["rule"] == "unknown-rules"
    rows[0]["facts"][0]["kind"] = "nonsense"
    answer = Browser().ask(op="load", slug=slug, rows=rows)["answer"]
    assert answer["body"]["rule"] == "local-damaged"


def test_time_away_is_not_charged() -> None:
    browser = Browser()
    clock = {"kind": "move", "seconds": 30}
    body = {"game": "genial", "players": 2, "name": "Ana", "clock": clock}
    bots = [{"seat": 1, "level": "random"}]
    slug = browser.call("POST", "/tables", {**body, "bots": bots})[1]["table"]
    browser.send({"t": "hello", "table": slug})
    browser.do(kind="ready", ready=True)
    later = Browser()
    later.now = browser.now + 3_600_000
    later.ask(op="load", slug=slug, rows=browser.log[slug])
    due = later.home._rooms[slug].due()["wake"]
    assert due > later.now + 25_000
