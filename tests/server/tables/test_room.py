"""A client that joins gets every event exactly once, whatever happens while it joins."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.tables.rooms import (
    SLUG,
    SlowLog,
    Viewer,
    Watch,
    begin,
    loaded,
    move,
    opened,
    playing,
    seat_two,
)
from tests.store.memory_log import MemoryLog
from tuilerie.match import commands as c
from tuilerie.server.ops.limits import RECENT_TRANSITIONS, TooOften
from tuilerie.server.tables import actor as actors
from tuilerie.server.tables import delivery
from tuilerie.server.tables import room as rooms
from tuilerie.server.tables.presence import PresenceTracker
from tuilerie.server.tables.room import NoSpectators, Room


class CountingLog(MemoryLog):
    """Counts how often it was read."""

    readings = 0

    async def read(self, *words: Any, **named: Any) -> Any:
        self.readings += 1
        return await super().read(*words, **named)


async def playing_with_counting_log(watch: Watch) -> tuple[Room, CountingLog]:
    """A game after twelve moves, whose log was not read yet."""
    log = CountingLog()
    room = await playing(log, watch, 12)
    log.readings = 0
    return room, log


@pytest.mark.parametrize("player", ["a", None])
@pytest.mark.parametrize("moves", [1, RECENT_TRANSITIONS, 3 * RECENT_TRANSITIONS])
async def test_moves_during_a_log_read_are_delivered_to_a_new_client(
    watch: Watch, player: str | None, moves: int
) -> None:
    """Also if more happens meanwhile than a table keeps in memory."""
    log = SlowLog()
    room = await playing(log, watch, 9)

    async def they_move() -> None:
        await move(room, watch, moves)

    log.after = they_move
    viewer = Viewer(player)
    await viewer.join(room)
    await viewer.check(room)
    await move(room, watch)
    await viewer.check(room)
    assert viewer.kinds == ["welcome", "update"]
    room.close()


@pytest.mark.parametrize("moves", [1, 12])
async def test_moves_during_a_log_read_are_delivered_to_a_resuming_client(
    watch: Watch, moves: int
) -> None:
    log = SlowLog()
    room = await playing(log, watch, 2)
    viewer = Viewer("a")
    await viewer.join(room)
    room.leave(viewer.connection)
    await move(room, watch, 9)

    async def they_move() -> None:
        await move(room, watch, moves)

    log.after = they_move
    await viewer.join(room)
    await viewer.check(room)
    assert viewer.kinds == ["welcome", "update"], "what it missed, from the log"
    room.close()


async def test_facts_not_yet_applied_are_delivered_once(watch: Watch) -> None:
    """Another node has written; the facts are in the log, but this node has not applied them."""
    log = MemoryLog()
    other = await playing(log, watch, 9)
    room = await loaded(log)
    held = Viewer("b")
    await held.join(room)
    room.leave(held.connection)
    await move(room, watch, 8)
    await other.actor.catch_up()
    await move(other, watch, 2)
    newcomer = Viewer("a")
    for viewer in (newcomer, held):
        await viewer.join(room)
        assert viewer.number == room.actor.number < other.actor.number
        await viewer.check(room)
    await room.actor.catch_up()
    for viewer in (newcomer, held):
        await viewer.check(room)
    assert newcomer.kinds == ["welcome", "update"]
    assert held.kinds == ["welcome", "update", "update"]
    room.close()
    other.close()


async def test_a_client_ahead_of_the_log_gets_a_snapshot(watch: Watch) -> None:
    """As after a backup from yesterday was restored."""
    room = await playing(MemoryLog(), watch, 9)
    viewer = Viewer("a")
    viewer.view, viewer.number = {"you": 0, "at": 5}, 1000
    await viewer.join(room)
    assert viewer.kinds == ["welcome"]
    await viewer.check(room)
    room.close()


async def test_a_seat_taken_during_a_log_read_is_seen_from_that_seat(watch: Watch) -> None:
    """They came as a spectator; what they are sent is what they see from the seat."""
    log = SlowLog()
    room = await opened(log, watch)
    await seat_two(room)
    await room.actor.do(c.Stand("b"))
    viewer = Viewer("b")
    await viewer.join(room)
    room.leave(viewer.connection)
    room.actor.recent.clear()

    async def b_sits_down() -> None:
        await room.actor.do(c.Sit("b", None, "b"))

    log.before = b_sits_down
    viewer.number -= 1  # so that the log is read
    await viewer.join(room)
    assert viewer.kinds == ["welcome", "welcome"]
    assert viewer.view["you"] == 1
    await viewer.check(room)
    room.close()


async def test_no_spectator_joins_during_the_start_of_a_closed_table(watch: Watch) -> None:
    log = SlowLog()
    room = await opened(log, watch, spectators=None)
    await seat_two(room)
    room.actor.recent.clear()

    async def it_begins() -> None:
        await begin(room)

    log.before = it_begins
    viewer = Viewer()
    with pytest.raises(NoSpectators):
        await viewer.join(room)
    assert not room.connections
    assert not viewer.messages
    room.close()


async def test_concurrent_joins_respect_the_socket_limit(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "SPECTATORS_PER_TABLE", 3)
    log = MemoryLog()
    room = await playing(log, watch, 9)

    async def slowly(*words: object) -> object:
        await asyncio.sleep(0.01)
        return await MemoryLog.read(log, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(log, "read", slowly)
    answers = await asyncio.gather(*(Viewer().join(room) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(answer, TooOften) for answer in answers) == 5
    assert len(room.connections) == 3
    room.close()


async def test_spectators_do_not_take_the_places_of_players(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "SPECTATORS_PER_TABLE", 2)
    monkeypatch.setattr(rooms, "SOCKETS_PER_PLAYER", 2)
    room = await playing(MemoryLog(), watch, 1)
    for _ in range(2):
        await Viewer().join(room)
    with pytest.raises(TooOften):
        await Viewer().join(room)
    await Viewer("a").join(room)
    await Viewer("b").join(room)
    room.close()


async def test_a_player_does_not_take_the_places_of_others(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one could keep an opponent from coming back, and win on time."""
    monkeypatch.setattr(rooms, "SOCKETS_PER_PLAYER", 2)
    room = await playing(MemoryLog(), watch, 1)
    for _ in range(2):
        await Viewer("a").join(room)
    with pytest.raises(TooOften):
        await Viewer("a").join(room)
    await Viewer("b").join(room)
    await Viewer().join(room)
    room.close()


async def test_an_error_in_a_view_closes_only_the_sockets(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The facts are in the log: the command succeeds, and other listeners are notified."""
    room = await playing(MemoryLog(), watch, 1)
    viewer = Viewer("a")
    await viewer.join(room)
    received: list[int] = []
    room.actor.subscribe(lambda changes, _ours: received.append(changes[-1].number))
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "view", lambda *_: 1 / 0)
        await move(room, watch)
    assert received == [room.actor.number]
    assert viewer.connection.closed
    room.leave(viewer.connection)
    again = Viewer("a")
    again.view, again.number, again.events = viewer.view, viewer.number, viewer.events
    await again.join(room)
    await again.check(room)
    room.close()


async def test_a_listener_that_raises_does_not_stop_the_others(watch: Watch) -> None:
    room = await playing(MemoryLog(), watch, 1)
    received: list[bool] = []

    def with_a_fault(*_: object) -> None:
        raise ZeroDivisionError

    room.actor.subscribe(with_a_fault)
    room.actor.subscribe(lambda _changes, ours: received.append(ours))
    await move(room, watch)
    assert received == [True]
    room.close()


async def test_joins_within_seconds_read_the_log_once(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the log is cached for a short time only."""
    monkeypatch.setattr(actors, "HISTORY_SECONDS", 60)
    room, log = await playing_with_counting_log(watch)
    for count in range(5):
        viewer = Viewer()
        await viewer.join(room)
        await viewer.check(room)
        await move(room, watch, count % 2)
        await viewer.check(room)
    assert log.readings == 1
    await move(room, watch, RECENT_TRANSITIONS)
    monkeypatch.setattr(actors, "HISTORY_SECONDS", 0.5)
    late = Viewer("a")
    await late.join(room)
    await late.check(room)
    assert log.readings == 2
    async with asyncio.timeout(60):
        while room.actor._past is not None:
            await asyncio.sleep(0.05)
    room.close()


async def test_a_name_erased_during_a_log_read_is_not_sent(watch: Watch) -> None:
    log = SlowLog()
    room = await playing(log, watch, 9)

    async def it_is_erased() -> None:
        kept = log._tables[SLUG].facts
        kept[:] = [fact.replace(b'"name":"b"', b'"name":"-"') for fact in kept]
        await room.reload()

    for viewer in (Viewer(), Viewer("a")):  # one before it is cached, one after
        log.after = it_is_erased
        await viewer.join(room)
        await viewer.check(room)
        names = [event["fact"].get("name") for event in viewer.messages[-1]["events"]]
        assert "-" in names
        assert "b" not in names
        assert [seat["name"] for seat in viewer.view["seats"]] == ["a", "-"]
    room.close()


async def test_no_snapshot_is_kept_without_connections(watch: Watch) -> None:
    room = await playing(MemoryLog(), watch, 1)
    viewer = Viewer("a")
    await viewer.join(room)
    await move(room, watch)
    assert room._snapshot is not None
    assert room._snapshot.table is room.table
    room.leave(viewer.connection)
    await move(room, watch)
    assert room._snapshot is None
    room.close()


async def test_concurrent_joins_share_one_log_read(watch: Watch) -> None:
    room, log = await playing_with_counting_log(watch)
    viewers = [Viewer() for _ in range(6)]
    await asyncio.gather(*(viewer.join(room) for viewer in viewers))
    assert log.readings == 1
    for viewer in viewers:
        await viewer.check(room)
    room.close()


async def test_a_long_log_is_not_read_for_a_snapshot(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "RESUME_EVENTS", 4)
    room, log = await playing_with_counting_log(watch)
    for last in (0, 2):
        viewer = Viewer("a")
        viewer.number = last
        await viewer.join(room)
        assert viewer.kinds == ["welcome"]
        assert viewer.number == room.actor.number
        assert len(viewer.events) == RECENT_TRANSITIONS
    assert log.readings == 0
    room.close()


async def test_the_view_of_another_log_is_not_resumed(watch: Watch) -> None:
    """As after a restored backup: the numbers fit, the times do not."""
    room = await playing(MemoryLog(), watch, 3)
    viewer = Viewer("a")
    await viewer.join(room)
    await move(room, watch, 1)
    room.leave(viewer.connection)
    viewer.view["at"] += 1
    await viewer.join(room)
    assert viewer.kinds[-1] == "welcome"
    await viewer.check(room)
    room.close()


async def test_a_token_revoked_while_joining_is_refused(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = MemoryLog()
    room = await playing(log, watch, 12)

    async def meanwhile(*words: object) -> object:
        room.disconnect({"a"})
        return await MemoryLog.read(log, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(log, "read", meanwhile)
    viewer = Viewer("a")
    await viewer.join(room)
    assert viewer.connection.closed
    assert viewer.connection not in room.connections
    room.close()


async def test_who_left_while_the_bus_was_down_leaves_when_it_is_back(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows meanwhile who is connected to other nodes."""
    monkeypatch.setattr(rooms, "LEAVE_SECONDS", 0.001)
    is_sure, looks = False, 0

    def sure(_presence: PresenceTracker) -> bool:
        nonlocal looks
        looks += 1
        return is_sure

    monkeypatch.setattr(PresenceTracker, "is_sure", property(sure))
    room = await playing(MemoryLog(), watch, 3)
    room.expect_all()
    async with asyncio.timeout(60):
        while looks < 6:
            await asyncio.sleep(0.001)
        assert [seat.away for seat in room.table.seats] == [None, None]
        is_sure = True
        while not all(seat.away for seat in room.table.seats):
            await asyncio.sleep(0.001)
    room.close()
