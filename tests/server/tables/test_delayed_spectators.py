"""Delayed spectators miss nothing and learn nothing early."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.tables.rooms import (
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
from tuilerie.match import commands as c
from tuilerie.server.tables.room import Room

BEHIND = 30  # seconds


async def see_all(viewer: Viewer, room: Room, watch: Watch) -> None:
    """Let the time pass until everything may be known."""
    watch.now += 1000 * BEHIND
    room._deliver_delayed()
    await viewer.check(room)
    room.close()


@pytest.mark.parametrize("moves", [4, 8, 14])
async def test_an_event_due_during_a_log_read_is_delivered(watch: Watch, moves: int) -> None:
    """A move comes due for the others while the log is read for a newcomer."""
    log = SlowLog()
    room = await playing(log, watch, moves, spectators=BEHIND)
    watch.now += 1000 * (BEHIND - moves // 2) - 5
    room._deliver_delayed()

    async def a_move_comes_due() -> None:
        watch.now += 10
        room._deliver_delayed()

    log.after = a_move_comes_due
    viewer = Viewer()
    await viewer.join(room)
    assert 0 < viewer.number < room.actor.number
    await see_all(viewer, room, watch)
    assert viewer.kinds == ["welcome", "update"]


@pytest.mark.parametrize("moves", [1, 9])
async def test_moves_made_during_a_log_read_are_delivered(watch: Watch, moves: int) -> None:
    log = SlowLog()
    room = await playing(log, watch, 10, spectators=BEHIND)
    watch.now += 1000 * (BEHIND - 5)

    async def moves_are_made() -> None:
        await move(room, watch, moves)

    log.after = moves_are_made
    viewer = Viewer()
    await viewer.join(room)
    assert 0 < viewer.number < room.actor.number
    await see_all(viewer, room, watch)


async def test_events_not_due_at_a_restart_are_delivered_later(watch: Watch) -> None:
    """A loaded table knows all its facts at once; some are not due yet."""
    log = SlowLog()
    (await playing(log, watch, 14, spectators=BEHIND)).close()
    room = await loaded(log)
    watch.now += 1000 * (BEHIND - 7)
    room._deliver_delayed()
    viewer = Viewer()
    await viewer.join(room)
    seen = viewer.number
    assert seen < room.actor.number
    for _ in range(3):
        watch.now += 1000
        room._deliver_delayed()
        await asyncio.sleep(0)
        assert viewer.number > seen, "each move when it is due"
        seen = viewer.number
    assert seen < room.actor.number
    await see_all(viewer, room, watch)


async def test_facts_of_another_node_are_delivered_when_due(watch: Watch) -> None:
    """Facts read together from another node are each delivered when due."""
    log = SlowLog()
    other = await playing(log, watch, 2, spectators=BEHIND)
    room = await loaded(log)
    watch.now += 1000 * BEHIND
    viewer = Viewer()
    await viewer.join(room)
    await viewer.check(room)
    seen = viewer.number
    await move(other, watch, 6)
    await room.actor.catch_up()
    watch.now += 1000 * (BEHIND - 3)
    room._deliver_delayed()
    late = Viewer()
    await late.join(room)
    assert seen < viewer.number == late.number < room.actor.number
    watch.now += 1000 * BEHIND
    room._deliver_delayed()
    await late.check(room)
    await viewer.check(room)
    room.close()
    other.close()


async def test_a_spectator_who_joins_during_the_start_is_delayed(
    watch: Watch,
) -> None:
    """Before the start spectators see everything; one who joins during the start is delayed."""
    log = SlowLog()
    room = await opened(log, watch, spectators=BEHIND)
    await seat_two(room)
    waiting = room.actor.number
    room.actor.recent.clear()  # so that the log is read

    async def it_begins() -> None:
        await begin(room)
        await move(room, watch, 2)

    log.before = it_begins
    viewer = Viewer()
    await viewer.join(room)
    assert waiting <= viewer.number < room.actor.number - 2
    assert viewer.view["play"] is None
    assert all(message["view"]["started_at"] is None for message in viewer.messages)
    await see_all(viewer, room, watch)


async def test_a_player_who_loses_the_seat_at_the_start_is_delayed(watch: Watch) -> None:
    """All of it happens on another node, and is read here at once."""
    log = SlowLog()
    other = await opened(log, watch, spectators=BEHIND)
    await seat_two(other)
    room = await loaded(log)
    viewer = Viewer("b")
    await viewer.join(room)
    assert viewer.view["you"] == 1
    await other.actor.do(c.Stand("b"))
    await other.actor.do(c.Sit("x", 1, "x"))
    for person in "ax":
        await other.actor.do(c.SetReady(person, True))
    await move(other, watch, 2)
    await room.actor.catch_up()
    room._deliver_delayed()
    await asyncio.sleep(0)
    assert viewer.view["play"] is None
    assert viewer.view["you"] is None
    other.close()
    await see_all(viewer, room, watch)


async def test_delayed_spectators_never_resume(watch: Watch) -> None:
    """Their view may be newer than what they may see: after an erased name, or if they lie."""
    log = SlowLog()
    room = await playing(log, watch, 4, spectators=BEHIND)
    watch.now += 1000 * (BEHIND - 2)
    viewer = Viewer()
    viewer.view, viewer.number = {"you": None, "number": room.actor.number}, room.actor.number
    await viewer.join(room)
    assert viewer.kinds == ["welcome"]
    assert viewer.number < room.actor.number
    await see_all(viewer, room, watch)


async def test_delayed_spectators_stay_delayed_after_a_reload(watch: Watch) -> None:
    log = SlowLog()
    room = await playing(log, watch, 6, spectators=BEHIND)
    watch.now += 1000 * (BEHIND - 3)
    viewer, player = Viewer(), Viewer("a")
    await viewer.join(room)
    await player.join(room)
    seen = viewer.number
    await room.reload()
    await asyncio.sleep(0)
    assert viewer.kinds == player.kinds == ["welcome", "welcome"]
    assert viewer.number == seen < player.number
    await player.check(room)
    await see_all(viewer, room, watch)
