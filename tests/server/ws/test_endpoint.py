"""Protocol v1, as a client meets it: hello, resume, commands, refusals, presence, closing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.server.house import Line, house, table_of_two, whose_turn
from tuilerie.server.http import tables
from tuilerie.server.ops import limits
from tuilerie.server.ws.connection import GOING_AWAY, POLICY, TOO_SLOW


async def test_a_table_is_welcomed_with_a_view_and_played_to_its_end(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 3, bots=[{"seat": 1, "level": "greedy"}])
        bob = server.browser()
        assert await bob.sit(slug) == 2
        lines = (await ada.join(slug), await bob.join(slug))
        assert [line.welcome["you"] for line in lines] == [0, 2]
        await lines[1].do("ready", ready=True)
        await lines[0].do("begin")
        while lines[0].view["result"] is None:
            await _play_one(lines)
        await lines[1].until_number(lines[0].number)
        assert lines[1].view["result"] == lines[0].view["result"]
        record = await ada.get(f"/tables/{slug}/record")
        assert record.status_code == 200
        assert json.loads(record.text.splitlines()[-1])["kind"] == "result"


async def _play_one(lines: tuple[Line, ...]) -> None:
    """Whoever may act does; otherwise everybody hears what the bot does."""
    for line in lines:
        await line.quiet()
    for line in lines:
        play = line.view["play"]
        if play["legal"]:
            assert (await line.do("make", move=play["legal"][0]))["t"] == "done"
            return
    await asyncio.sleep(0.01)


async def test_everyone_hears_every_number_once_and_in_order(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _slug, _, lines = await table_of_two(server)
        for _ in range(6):
            line = whose_turn(lines)
            done = await line.do("make", move=line.view["play"]["legal"][0])
            for each in lines:
                await each.until_number(done["number"])  # a gap would be an assertion there
        assert lines[0].number == lines[1].number


async def test_a_client_resumes_with_the_events_that_it_missed(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await lines[1].quiet()
        last = lines[1].number
        await lines[1].close()
        if lines[0].view["play"]["legal"]:
            done = await lines[0].do("make", move=lines[0].view["play"]["legal"][0])
        else:
            done = await lines[0].do("react", reaction="hello")
        again = await browsers[1].join(slug, last)
        numbers = [event["number"] for event in again.welcome["events"]]
        assert numbers == list(range(last + 1, done["number"] + 1))
        assert "view" not in again.welcome
        fresh = await browsers[1].join(slug)
        if again.view is not None:
            assert again.view == fresh.view
        assert fresh.welcome["number"] == again.number


async def test_a_client_that_is_long_gone_or_ahead_gets_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        slug, browsers, _ = await table_of_two(server)
        ahead = await browsers[0].join(slug, 10_000)
        assert ahead.welcome["view"]["number"] == ahead.number
        first = await browsers[0].join(slug, 1)
        assert "events" in first.welcome, "the whole game is still in mind"
    async with house(tmp_path) as server:
        browser = server.browser()
        browser.http.cookies = browsers[0].http.cookies
        (await server.registry.table(slug)).actor.recent.clear()  # type: ignore[union-attr]
        again = await browser.join(slug, 1)  # from the log, then
        assert again.welcome["events"] == first.welcome["events"]
        monkeypatch.setattr("tuilerie.server.tables.actor.RESUME_EVENTS", 2)
        assert "view" in (await browser.join(slug, 1)).welcome


async def test_a_repeated_id_gets_the_first_answer_and_does_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        line = whose_turn(lines)
        move = line.view["play"]["legal"][0]
        first = await line.do("make", command_id="the-first-move", move=move)
        assert first["t"] == "done"
        again = await line.do("make", command_id="the-first-move", move=move)
        assert again == first
        number = line.number
        late = await line.do("make", command_id="another-move", move=move)
        assert late["t"] == "refused"
        assert (await line.do("make", command_id="another-move", move=move)) == late
        assert not [each for each in await line.quiet() if each["t"] == "event"]
        assert line.number == number
        who = lines.index(line)
    async with house(tmp_path) as server:  # the answer is known to the log, not to memory only
        browser = server.browser()
        browser.http.cookies = browsers[who].http.cookies
        line = await browser.join(slug)
        number = line.number
        assert await line.do("make", command_id="the-first-move", move=move) == first
        assert not [each for each in await line.quiet() if each["t"] == "event"]
        assert line.number == number


async def test_ids_of_one_person_are_not_those_of_another(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
        mine = await lines[0].do("react", command_id="same-id-for-two", reaction="hello")
        theirs = await lines[1].do("react", command_id="same-id-for-two", reaction="wow")
        assert theirs["number"] == mine["number"] + 1


async def test_refusals_name_the_rule_and_change_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
        turn = whose_turn(lines)
        other = lines[1 - lines.index(turn)]
        asked = [
            (other, {"c": "make", "move": turn.view["play"]["legal"][0]}, "not-your-turn"),
            (turn, {"c": "make", "move": "nonsense"}, "malformed"),
            (turn, {"c": "sit", "name": "Eve"}, "too-late"),
            (other, {"c": "stand"}, "too-late"),
            (turn, {"c": "answer-takeback", "yes": True}, "too-late"),
            (turn, {"c": "react", "reaction": "rude"}, "malformed"),
        ]
        for line, command, code in asked:
            fields = {name: value for name, value in command.items() if name != "c"}
            answer = await line.do(str(command["c"]), **fields)
            assert (answer["t"], answer["code"]) == ("refused", code), (command, answer)
            assert answer["rule"]
        assert not [each for each in await other.quiet() if each["t"] == "event"]


async def test_who_has_no_seat_may_watch_but_do_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server)
        eve = await server.browser().join(slug)
        assert eve.welcome["you"] is None
        answer = await eve.do("make", move=whose_turn(lines).view["play"]["legal"][0])
        assert (answer["code"], answer["rule"]) == ("forbidden", "no-seat")


async def test_a_table_without_spectators_lets_only_the_seated_watch(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob, eve = server.browser(), server.browser(), server.browser()
        slug = await ada.create("blockers", 2, spectators="none")
        watching = await eve.join(slug)  # before the start: she may yet take the seat
        await bob.sit(slug)
        first, second = await ada.join(slug), await bob.join(slug)
        await second.do("ready", ready=True)
        await first.do("begin")
        assert await watching.end() == POLICY
        assert json.loads(watching.heard[-1]) == {"t": "bye", "code": "no-spectators", "wait": None}
        line = eve.line()
        await line.open()
        line.send({"t": "hello", "table": slug, "last": 0})
        assert (await line.recv())["rule"] == "no-spectators"


async def test_spectators_who_are_behind_hear_it_later_and_without_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables._SPECTATORS, "delayed", 1)
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server, spectators="delayed")
        begun = lines[0].number
        eve = await server.browser().join(slug)
        assert eve.number < begun, "the start is too fresh for her"
        assert not eve.view["play"]
        await eve.until_number(begun)
        assert eve.view["play"]["number"] > 0


async def test_who_is_behind_sees_the_open_seats_at_once(tmp_path: Path) -> None:
    """Before the start there is nothing to hide, and who comes to sit down must see where."""
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 3, spectators="delayed")
        eve = await server.browser().join(slug)
        assert [seat["kind"] for seat in eve.view["seats"]] == ["person", "open", "open"]
        await bob.sit(slug)
        await eve.until("event", kind="seated")
        assert eve.view["seats"][1]["name"] == "Bob"


async def test_nothing_tells_those_who_are_behind_what_has_just_happened(tmp_path: Path) -> None:
    """Neither the socket nor any request: not a move, nor the end, nor the record."""
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server, spectators="delayed")
        eve = server.browser()
        connection = await eve.join(slug)
        before = (await eve.get(f"/tables/{slug}")).json()
        assert before["status"] == "waiting"
        turn = whose_turn(lines)
        await turn.do("make", move=turn.view["play"]["legal"][0])
        await turn.do("resign")
        assert (await eve.get(f"/tables/{slug}")).json() == before
        assert (await eve.get(f"/tables/{slug}/record")).json()["rule"] == "game-not-over"
        assert {heard["t"] for heard in await connection.quiet()} <= {"presence"}
        assert (await eve.join(slug, 1)).view == connection.view


async def test_those_who_are_behind_stay_so_when_a_name_is_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables._SPECTATORS, "delayed", 2)
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server, spectators="delayed")
        eve = await server.browser().join(slug)
        room = await server.registry.table(slug)
        assert room is not None
        bob = room.table.seats[1].player
        assert bob is not None
        number = eve.number
        await server.registry.dismiss([(slug, bob)])
        await eve.until("welcome")
        assert (eve.number, eve.view["play"]) == (number, None)
        await eve.until_number(lines[0].number)  # a gap would be an assertion there
        assert await lines[1].end() == GOING_AWAY
        assert browsers


async def test_presence_is_told_together_and_without_numbers(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await browsers[0].join(slug)
        eve = await server.browser().join(slug)
        told = await lines[0].until("presence", spectators=1)
        assert told == {"t": "presence", "seats": [True, True], "spectators": 1}
        await eve.close()
        await lines[1].close()
        told = await lines[0].until("presence", spectators=0)
        assert told["seats"] == [True, False]


async def test_who_leaves_is_said_to_be_away_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.tables.room.LEAVE_SECONDS", 0.05)
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await lines[1].close()
        await lines[0].until("event", kind="left")
        assert lines[0].view["seats"][1]["away"] is True
        await browsers[1].join(slug)
        await lines[0].until("event", kind="returned")
        assert lines[0].view["seats"][1]["away"] is False


async def test_a_seat_has_several_devices(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, phone = server.browser(), server.browser()
        made = (await ada.post("/tables", {"game": "genial", "players": 2, "name": "Ada"})).json()
        assert (await phone.post("/recover", {"token": made["recovery"]})).json() == {
            "table": made["table"]
        }
        first, second = await ada.join(made["table"]), await phone.join(made["table"])
        assert first.welcome["you"] == second.welcome["you"] == 0
        assert (await second.do("ready", ready=True))["t"] == "done"
        await first.until("event", kind="readied")


async def test_a_slow_socket_is_closed_and_can_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        room = await server.registry.table(slug)
        assert room is not None
        await lines[1].quiet()
        connection = next(each for each in room.connections if each.viewer == 1)

        async def never(_text: str) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(connection, "_send", never)
        monkeypatch.setattr("tuilerie.server.ws.connection.QUEUE_MESSAGES", 3)
        for reaction in ("hello", "wow", "oops"):
            await lines[0].do("react", reaction=reaction)
        for _ in range(3):
            lines[1].send({"t": "ping", "n": 1})
        assert await lines[1].end() == TOO_SLOW
        again = await browsers[1].join(slug, lines[1].number)
        kinds = [event["kind"] for event in again.welcome["events"]]
        assert kinds == ["reacted"] * 3


async def test_a_server_that_stops_says_when_to_come_back(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
    assert await lines[0].end() == GOING_AWAY
    bye = json.loads(lines[0].heard[-1])
    assert (bye["t"], bye["code"]) == ("bye", "restart")
    assert limits.CLOSE_WAIT_MS[0] <= bye["wait"] <= limits.CLOSE_WAIT_MS[1]


async def test_a_rematch_is_another_table_with_the_same_people(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _slug, browsers, lines = await table_of_two(server)
        await lines[0].do("resign")
        await lines[0].do("ask-rematch")
        await lines[1].do("ask-rematch")
        await lines[0].until("event", kind="rematched")
        new = lines[0].view["rematch"]
        facts = (await browsers[1].get(f"/tables/{new}")).json()
        assert facts["you"] == 0, "each sits one seat on"
        assert any(new in name for name in browsers[1].http.cookies)
        line = await browsers[0].join(new)
        assert line.welcome["you"] == 1
        mine = (await browsers[1].get("/my/tables")).json()
        assert new in [table["table"] for table in mine]


async def test_a_socket_that_says_nothing_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HELLO_SECONDS", 0.05)
    async with house(tmp_path) as server:
        line = server.browser().line()
        await line.open()
        assert await line.end() == POLICY
        assert json.loads(line.heard[-1])["code"] == "no-hello"


async def test_the_way_is_known_from_pings_that_follow_a_pong_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the client's heartbeat sends them: three, each as soon as the pong before has come."""
    now = [100.0]
    monkeypatch.setattr("tuilerie.server.ws.connection.time.perf_counter", lambda: now[0])
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server, game="kaosmos")
        room = await server.registry.table(slug)
        assert room is not None
        connection = next(each for each in room.connections if each.viewer == 0)

        async def heartbeat(way: float) -> None:
            now[0] += 15
            for _ in range(3):
                await lines[0].quiet()
                now[0] += way

        lines[0].send({"t": "ping", "n": 1})
        await lines[0].until("pong")
        now[0] += 15
        lines[0].send({"t": "ping", "n": 2})
        await lines[0].until("pong")
        assert connection.rtt is None, "a ping now and then tells nothing"
        await heartbeat(0.08)
        assert connection.rtt == 80
        await heartbeat(0.05)
        assert connection.rtt == 50
        for _ in range(3):
            await heartbeat(0.2)
        assert connection.rtt == 200, "the way has grown longer"
