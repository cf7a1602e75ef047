"""Protocol v2 from a client's side: hello, resume, commands, refusals, presence, closing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.house import WAIT, Line, house, table_of_two, whose_turn
from tuilerie.server.http import tables
from tuilerie.server.ops import limits
from tuilerie.server.ws.connection import GOING_AWAY, POLICY, TOO_SLOW


async def test_a_game_can_be_played_from_welcome_to_end(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("blockers", 3, bots=[{"seat": 1, "level": "greedy"}])
        bob = server.browser()
        assert await bob.sit(slug) == 2
        lines = (await ada.join(slug), await bob.join(slug))
        assert [line.you for line in lines] == [0, 2]
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
    """The seat that may act moves; otherwise everybody waits for the bot."""
    for line in lines:
        await line.quiet()
    for line in lines:
        play = line.view["play"]
        if play["legal"]:
            assert (await line.do("make", move=play["legal"][0]))["t"] == "done"
            return
    await asyncio.sleep(0.01)


async def test_everyone_gets_every_event_once_and_in_order(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _slug, _, lines = await table_of_two(server)
        for _ in range(6):
            line = whose_turn(lines)
            done = await line.do("make", move=line.view["play"]["legal"][0])
            for each in lines:
                await each.until_number(done["number"])  # a gap would be an assertion there
        assert lines[0].number == lines[1].number


async def test_resume_sends_missed_events(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await lines[1].quiet()
        held = lines[1]
        await held.close()
        if lines[0].view["play"]["legal"]:
            done = await lines[0].do("make", move=lines[0].view["play"]["legal"][0])
        else:
            done = await lines[0].do("react", reaction="hello")
        again = await browsers[1].join(slug, held)
        assert again.welcome is None
        numbers = [event["number"] for event in again.events]
        assert numbers == list(range(held.number + 1, done["number"] + 1))
        fresh = await browsers[1].join(slug)
        assert again.view == fresh.view
        assert fresh.welcome["number"] == again.number
        assert fresh.events[-len(numbers) :] == again.events
        same = await browsers[1].join(slug, fresh)
        assert json.loads(same.received[0]) == {
            "t": "update",
            "number": fresh.number,
            "events": [],
            "changes": {},
        }


async def test_a_client_too_far_behind_or_ahead_gets_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as server:
        slug, browsers, (line, _) = await table_of_two(server)
        fresh = await browsers[0].join(slug)
        whole = fresh.welcome["events"]
        assert [event["number"] for event in whole] == list(range(2, line.number + 1))
        ahead = browsers[0].line()
        ahead.view, ahead.number = line.view, 10_000
        await ahead.open()
        assert (await ahead.hello(slug))["t"] == "welcome"
        assert ahead.welcome["events"] == whole, "all events, as if it had none"
        assert ahead.view == fresh.view
    async with house(tmp_path) as server:
        browser = server.browser()
        browser.http.cookies = browsers[0].http.cookies
        room = await server.registry.table(slug)
        assert room is not None
        room.actor.recent.clear()
        line = browser.line()
        line.keeps_view = False
        await line.open()
        line.send({"t": "hello", "table": slug, "last": 0, "you": None})
        welcome = await line.until("welcome")
        assert welcome["events"][: len(whole)] == whole, "from the log"
        monkeypatch.setattr("tuilerie.server.tables.room.RESUME_EVENTS", 2)
        monkeypatch.setattr("tuilerie.server.tables.delivery.RESUME_EVENTS", 2)
        line.send({"t": "hello", "table": slug, "last": 2, "you": 0})
        welcome = await line.until("welcome")
        assert welcome["view"] == fresh.view
        kinds = {event["fact"]["kind"] for event in welcome["events"]}
        assert kinds <= {"left", "returned"}, "a long log is not read for them"


async def test_a_view_of_another_seat_is_not_resumed(tmp_path: Path) -> None:
    """A client that took a seat meanwhile, or claims another seat, gets a snapshot."""
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 3)
        held = await bob.join(slug)
        assert held.you is None
        await held.close()
        assert await bob.sit(slug) == 1
        again = await bob.join(slug, held)
        assert (again.welcome["you"], again.you) == (1, 1)
        for you in (None, 0, 2, 15):
            line = bob.line()
            await line.open()
            line.send({"t": "hello", "table": slug, "last": again.number, "you": you})
            assert (await line.until("welcome"))["view"] == again.view
        for wrong in (-1, 16, "1", True, 1.5):
            line.send({"t": "hello", "table": slug, "last": again.number, "you": wrong})
            assert (await line.until("refused"))["rule"] == "bad-message"


async def test_taking_a_seat_while_connected_sends_own_fields(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        line = await ada.join(slug)
        await line.do("stand")
        assert line.you is None
        await line.do("sit", name="Ada", seat=1)
        assert line.you == 1
        assert await bob.sit(slug) == 0
        other = await bob.join(slug)
        await other.do("ready", ready=True)
        done = await line.do("ready", ready=True)
        await line.until_number(done["number"])
        assert line.view == (await ada.join(slug)).view
        assert line.view["play"]["viewer"] == 1


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
        assert not [each for each in await line.quiet() if each["t"] == "update"]
        assert line.number == number
        who = lines.index(line)
    async with house(tmp_path) as server:  # the answer is known to the log, not to memory only
        browser = server.browser()
        browser.http.cookies = browsers[who].http.cookies
        line = await browser.join(slug)
        number = line.number
        assert await line.do("make", command_id="the-first-move", move=move) == first
        assert not [each for each in await line.quiet() if each["t"] == "update"]
        assert line.number == number


async def test_command_ids_are_separate_for_each_player(tmp_path: Path) -> None:
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
            (other, {"kind": "make", "move": turn.view["play"]["legal"][0]}, "not-your-turn"),
            (turn, {"kind": "make", "move": "nonsense"}, "malformed"),
            (turn, {"kind": "sit", "name": "Eve"}, "too-late"),
            (other, {"kind": "stand"}, "too-late"),
            (turn, {"kind": "answer-takeback", "yes": True}, "too-late"),
            (turn, {"kind": "react", "reaction": "rude"}, "malformed"),
        ]
        for line, command, code in asked:
            fields = {name: value for name, value in command.items() if name != "kind"}
            answer = await line.do(str(command["kind"]), **fields)
            assert (answer["t"], answer["code"]) == ("refused", code), (command, answer)
            assert answer["rule"]
        assert not [each for each in await other.quiet() if each["t"] == "update"]


async def test_spectators_cannot_send_commands(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server)
        eve = await server.browser().join(slug)
        assert eve.you is None
        answer = await eve.do("make", move=whose_turn(lines).view["play"]["legal"][0])
        assert (answer["code"], answer["rule"]) == ("forbidden", "no-seat")


async def test_a_table_without_spectators_admits_only_players(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, bob, eve = server.browser(), server.browser(), server.browser()
        slug = await ada.create("blockers", 2, spectators="none")
        watching = await eve.join(slug)  # before the start she may still take a seat
        await bob.sit(slug)
        first, second = await ada.join(slug), await bob.join(slug)
        await second.do("ready", ready=True)
        await first.do("begin")
        assert await watching.end() == POLICY
        assert json.loads(watching.received[-1]) == {
            "t": "bye",
            "code": "no-spectators",
            "wait": None,
        }
        line = eve.line()
        await line.open()
        line.send({"t": "hello", "table": slug, "last": 0})
        assert (await line.recv())["rule"] == "no-spectators"


@pytest.mark.slow
async def test_delayed_spectators_get_every_event_later(
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


async def test_delayed_spectators_see_open_seats_at_once(tmp_path: Path) -> None:
    """Before the start nothing is hidden, and newcomers must see the open seats."""
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 3, spectators="delayed")
        eve = await server.browser().join(slug)
        assert [seat["kind"] for seat in eve.view["seats"]] == ["person", "open", "open"]
        await bob.sit(slug)
        await eve.until_fact("seated")
        assert eve.view["seats"][1]["name"] == "Bob"


async def test_nothing_reveals_recent_events_to_delayed_spectators(tmp_path: Path) -> None:
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
        assert {received["t"] for received in await connection.quiet()} <= {"presence"}
        assert (await eve.join(slug)).view == connection.view
        again = await eve.join(slug, connection)
        assert again.view == connection.view
        assert again.welcome["events"] == connection.welcome["events"]


async def test_what_delayed_spectators_may_know_is_kept_in_memory(tmp_path: Path) -> None:
    """A list of such tables read the log of each, and computed the game again: half a second."""
    async with house(tmp_path) as server:
        slug, _, lines = await table_of_two(server, spectators="delayed", public=True)
        for _ in range(4):
            turn = whose_turn(lines)
            await turn.do("make", move=turn.view["play"]["legal"][0])
            await lines[0].until_number(turn.number)
            await lines[1].until_number(turn.number)
        log, reads = server.registry.store.log, 0
        plain = log.read

        async def read(*args: Any, **named: Any) -> Any:
            nonlocal reads
            reads += 1
            return await plain(*args, **named)

        log.read = read  # type: ignore[method-assign]
        eve = server.browser()
        assert (await eve.get(f"/tables/{slug}")).json()["status"] == "waiting"
        assert (await eve.get("/tables?status=playing")).status_code == 200
        assert reads == 0


async def test_who_left_before_the_start_learns_no_more_than_a_spectator(tmp_path: Path) -> None:
    """Nor from the list of own tables, which is read from stored rows."""
    async with house(tmp_path) as server:
        ada, eve = server.browser(), server.browser()
        slug = await ada.create("blockers", 2, spectators="delayed")
        await eve.sit(slug, "Eve")
        await (await eve.join(slug)).do("stand")
        await ada.post(f"/tables/{slug}/seat", {"name": "Ada"})
        line = await ada.join(slug)
        await line.do("add-bot", level="greedy")
        await line.do("begin")
        await line.do("resign")
        room = await server.registry.table(slug)
        assert room is not None
        assert room.table.result is not None
        async with asyncio.timeout(WAIT):
            while not (await ada.get("/my/tables")).json()[0]["result"]:
                await asyncio.sleep(0.01)
            await server.registry._rows.flush()
        server.registry._unload_room(room)
        [told] = (await eve.get("/my/tables")).json()
        assert (told["status"], told["result"]) == ("waiting", None)


@pytest.mark.slow
async def test_delayed_spectators_stay_delayed_when_a_name_is_erased(
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


async def test_presence_changes_are_sent_together_without_numbers(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await browsers[0].join(slug)
        eve = await server.browser().join(slug)
        presence = await lines[0].until("presence", spectators=1)
        assert presence["seats"] == [True, True]
        assert "number" not in presence
        assert not presence["hurried"]
        await eve.close()
        await lines[1].close()
        presence = await lines[0].until("presence", spectators=0)
        assert presence["seats"] == [True, False]


async def test_a_disconnected_player_is_away_until_the_reconnect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuilerie.server.tables.room.LEAVE_SECONDS", 0.05)
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        await lines[1].close()
        await lines[0].until_fact("left")
        assert lines[0].view["seats"][1]["away"] is True
        await browsers[1].join(slug)
        await lines[0].until_fact("returned")
        assert lines[0].view["seats"][1]["away"] is False


async def test_a_seat_can_be_used_on_several_devices(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada, phone = server.browser(), server.browser()
        made = (await ada.post("/tables", {"game": "genial", "players": 2, "name": "Ada"})).json()
        assert (await phone.post("/recover", {"token": made["recovery"]})).json() == {
            "table": made["table"]
        }
        first, second = await ada.join(made["table"]), await phone.join(made["table"])
        assert first.you == second.you == 0
        assert (await second.do("ready", ready=True))["t"] == "done"
        await first.until_fact("readied")


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
        again = await browsers[1].join(slug, lines[1])
        assert [event["fact"]["kind"] for event in again.events] == ["reacted"] * 3


async def test_a_stopping_server_tells_clients_when_to_reconnect(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _, _, lines = await table_of_two(server)
    assert await lines[0].end() == GOING_AWAY
    bye = json.loads(lines[0].received[-1])
    assert (bye["t"], bye["code"]) == ("bye", "restart")
    assert limits.CLOSE_WAIT_MS[0] <= bye["wait"] <= limits.CLOSE_WAIT_MS[1]


async def test_a_rematch_is_a_new_table_with_the_same_people(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        _slug, browsers, lines = await table_of_two(server)
        await lines[0].do("resign")
        await lines[0].do("ask-rematch")
        await lines[1].do("ask-rematch")
        await lines[0].until_fact("rematched")
        new = lines[0].view["rematch"]
        facts = (await browsers[1].get(f"/tables/{new}")).json()
        assert facts["you"] == 0, "each sits one seat on"
        assert any(new in name for name in browsers[1].http.cookies)
        line = await browsers[0].join(new)
        assert line.you == 1
        mine = (await browsers[1].get("/my/tables")).json()
        assert new in [table["table"] for table in mine]


async def test_a_socket_without_hello_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HELLO_SECONDS", 0.05)
    async with house(tmp_path) as server:
        line = server.browser().line()
        await line.open()
        assert await line.end() == POLICY
        assert json.loads(line.received[-1])["code"] == "no-hello"


async def test_rtt_is_measured_from_pings_that_follow_a_pong(
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
