"""No socket reveals hidden information of others: compared byte by byte, over whole games.

Every frame that every socket got is recorded. Then, for each update and each viewer, a second world
is made that differs from the first only in what this viewer may not know (`tests.hidden`), the same
things happen there, and the update that the server would send there must be the frame that was
sent: the same bytes, and so the same size. The same holds for a snapshot with its events, and for
the update of a client that resumes after missed events.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.amounts import one_in
from tests.changes import apply_changes
from tests.hidden import PERMUTE
from tests.match.driver import reveals
from tests.server.house import House, Line, house
from tuilerie.bots import BOTS
from tuilerie.codec import to_builtins
from tuilerie.games.game import Json, Refused, Seat, TilesDrawn
from tuilerie.match import commands
from tuilerie.match.decide import decide
from tuilerie.match.evolve import evolve
from tuilerie.match.facts import Entered, Fact
from tuilerie.match.table import Table
from tuilerie.match.view import view
from tuilerie.record import read_entry, write_entry
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Transition
from tuilerie.server.tables.delivery import Snapshot, UpdateEncoder
from tuilerie.server.tables.log_codec import read_fact
from tuilerie.server.tables.room import Room

GAMES = one_in(
    2,
    [
        ("genial", 3, {"adjacent": True}),
        ("genial", 2, {}),
        ("blockers", 3, {}),
        ("blockers", 2, {}),
        ("kaosmos", 2, {"seconds": None}),
        ("kaosmos", 3, {"seconds": None}),
    ],
)
TRIES = 25


async def play(server: House, game: str, players: int, options: Json, seed: int) -> Any:
    """A whole game with random moves; returns the room and each viewer's socket."""
    random = Random(seed)
    browsers = [server.browser() for _ in range(players)]
    slug = await browsers[0].create(game, players, options=options)
    for browser in browsers[1:]:
        await browser.sit(slug)
    lines = [await browser.join(slug) for browser in browsers]
    eve = await server.browser().join(slug)
    for line in lines[1:]:
        await line.do("ready", ready=True)
    await lines[0].do("begin")
    room = await server.registry.table(slug)
    assert room is not None
    while room.table.result is None:
        table = room.table
        seat = random.choice(table.actors)
        seen = table.rules.view(table.game_state, seat)
        move = BOTS[game]["random"](seen, random.randrange)
        answer = await lines[seat].do("make", move=move)
        assert answer["t"] == "done" or answer["rule"] == "bonus-taken", answer
        if random.random() < 0.1:
            await lines[random.randrange(players)].do("make", move=move)  # mostly refused
    everyone: dict[Seat | None, Line] = {None: eve, **dict(enumerate(lines))}
    for line in everyone.values():
        await line.until_number(room.table.number)
        await line.quiet()
    return room, everyone


async def changes_of(server: House, room: Room) -> list[Transition]:
    table: Table | None = None
    found = []
    for _number, data in await server.registry.store.log.read(room.slug):
        fact = read_fact(data)
        before, table = table, evolve(table, fact)
        if before is not None:
            found.append(Transition(table.number, fact, before, table))
    return found


def elsewhere(
    happened: Sequence[Transition], viewer: Seat | None, random: Random
) -> list[Transition] | None:
    """The same facts in a world that this viewer cannot tell from ours, if one is found."""
    first = happened[0].before
    for _ in range(TRIES):
        state = PERMUTE[first.game](first.game_state, viewer, random)
        found = _happens(replace(first, game_state=state), happened, viewer, random)
        if found is not None:
            return found
    return None


def _happens(
    table: Table, happened: Sequence[Transition], viewer: Seat | None, random: Random
) -> list[Transition] | None:
    found = []
    for change in happened:
        fact = _there(change.fact, table, viewer, random)
        try:
            after = evolve(table, fact)
        except Refused:
            return None  # there, a seat does not hold the tile that was played
        if after.game_state.phase != change.after.game_state.phase:
            # In Génial! the offer to swap tells a little of a hand, to everybody: another world.
            return None
        found.append(Transition(change.number, fact, table, after))
        table = after
    return found


def tells_openly(change: Transition, viewer: Seat | None) -> bool:
    """Whether the rules themselves reveal hidden tiles here (`tests.match.driver`)."""
    if change.after.rules.result(change.after.game_state) is not None:
        return True  # at the end everything is revealed
    fact, game = change.fact, change.before.game
    if game == "genial" and isinstance(fact, Entered) and fact.entry["kind"] == "action":
        rules = change.before.rules
        return rules.reveals(rules.parse_move(fact.entry["move"]))
    return reveals(change.before, fact, viewer)


def _there(fact: Fact, before: Table, viewer: Seat | None, random: Random) -> Fact:
    """The fact with other tiles for hidden draws of others."""
    if not isinstance(fact, Entered) or fact.entry["kind"] != "chance":
        return fact
    entry = read_entry(before.rules, fact.entry)
    if not isinstance(entry, TilesDrawn) or entry.seat == viewer:
        return fact
    other = before.rules.chance(before.game_state, random.randrange)
    return replace(fact, entry=write_entry(before.rules, other, fact.entry["ms"]))


def update_text(happened: Sequence[Transition], viewer: Seat | None) -> str:
    """The update for a viewer who holds the view before the first of these."""
    before, after = Snapshot(happened[0].before), Snapshot(happened[-1].after)
    return UpdateEncoder(happened, before, after).text(viewer, viewer).decode()


def welcome_text(happened: Sequence[Transition], viewer: Seat | None) -> str:
    return delivery.welcome(happened[-1].after, happened, viewer, 5).decode()


def updates_of(line: Line) -> dict[tuple[int, int], str]:
    """Every update that a socket received, as sent, by the numbers of its first and last event."""
    found = {}
    for text in line.received:
        received = json.loads(text)
        if received["t"] == "update":
            found[received["events"][0]["number"], received["number"]] = text
    return found


def check_game(
    changes: Sequence[Transition], everyone: dict[Seat | None, Line], random: Random
) -> Counter[str]:
    """Compare everything that was sent; returns how much could be compared."""
    count: Counter[str] = Counter()
    at = {change.number: index for index, change in enumerate(changes)}
    for viewer, line in everyone.items():
        for (first, last), text in updates_of(line).items():
            happened = changes[at[first] : at[last] + 1]
            assert update_text(happened, viewer) == text
            if not can_be_compared(happened, viewer):
                continue
            other = elsewhere(happened, viewer, random)
            if other is None:
                count["not found"] += 1
                continue
            assert update_text(other, viewer) == text
            assert welcome_text(other, viewer) == welcome_text(happened, viewer)
            count["compared"] += 1
            count["different worlds"] += other[0].before.game_state != happened[0].before.game_state
    return count


def can_be_compared(happened: Sequence[Transition], viewer: Seat | None) -> bool:
    playing = all(change.before.game_state is not None for change in happened)
    return playing and not any(tells_openly(change, viewer) for change in happened)


def check_resuming(
    changes: Sequence[Transition], viewer: Seat | None, random: Random
) -> Counter[str]:
    """A client that resumes gets the same update in every world it cannot tell from ours."""
    count: Counter[str] = Counter()
    for start in range(0, len(changes), max(1, len(changes) // 40)):
        happened = changes[start : start + random.randint(2, 5)]
        if not can_be_compared(happened, viewer):
            continue
        other = elsewhere(happened, viewer, random)
        if other is None:
            continue
        assert update_text(other, viewer) == update_text(happened, viewer)
        assert welcome_text(other, viewer) == welcome_text(happened, viewer)
        count["resumed"] += 1
        count["in different worlds"] += happened[0].before.game_state != other[0].before.game_state
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "options"), GAMES)
async def test_updates_do_not_depend_on_hidden_tiles_of_others(
    tmp_path: Path, game: str, players: int, options: Json
) -> None:
    random = Random(7)
    async with house(tmp_path) as server:
        room, everyone = await play(server, game, players, options, seed=3)
        changes = await changes_of(server, room)
        count = check_game(changes, everyone, random)
        assert count["compared"] > 30, count
        assert count["different worlds"] > count["compared"] / 2, count
        assert count["not found"] < count["compared"], count
        resumed: Counter[str] = Counter()
        for viewer in everyone:
            check_snapshots(changes, viewer, random)
            check_refusals(changes, viewer, random)
            resumed += check_resuming(changes, viewer, random)
        assert resumed["resumed"] > 5, resumed
        assert resumed["in different worlds"] > resumed["resumed"] / 2, resumed


def check_snapshots(changes: Sequence[Transition], viewer: Seat | None, random: Random) -> None:
    """The welcome is the same in every world that the viewer cannot tell from ours."""
    for change in changes[:: max(1, len(changes) // 12)]:
        table = change.after
        if table.game_state is None or table.rules.result(table.game_state) is not None:
            continue
        state = PERMUTE[table.game](table.game_state, viewer, random)
        there = replace(table, game_state=state)
        for recent in ((), (change,)):
            mine, theirs = (delivery.welcome(each, recent, viewer, 5) for each in (table, there))
            assert mine == theirs


def check_refusals(changes: Sequence[Transition], viewer: Seat | None, random: Random) -> None:
    """Refusals are the same, also for moves with tiles that only others can hold."""
    if viewer is None:
        return
    for change in changes[:: max(1, len(changes) // 12)]:
        table = change.after
        if not table.is_playing or table.rules.result(table.game_state) is not None:
            continue
        state = PERMUTE[table.game](table.game_state, viewer, random)
        there = replace(table, game_state=state)
        for move in _moves_to_try(table, random):
            assert _judged(table, viewer, move) == _judged(there, viewer, move), move


def _moves_to_try(table: Table, random: Random) -> list[str]:
    moves = ["nonsense", "pass", "swap"]
    for seat in table.actors:
        legal = [str(move) for move in table.rules.legal(table.game_state, seat)]
        moves += random.sample(legal, min(6, len(legal)))
    return moves


def _judged(table: Table, seat: Seat, move: str) -> bytes | None:
    """The refusal as it would be sent; `None` for a legal move."""
    player = table.seats[seat].player
    assert player is not None
    try:
        decide(table, commands.Make(player, move), table.at, lambda count: 0)
    except Refused as refused:
        return delivery.refusal(refused, "id-of-the-command")
    return None


@pytest.mark.slow
async def test_only_documented_messages_are_sent(tmp_path: Path) -> None:
    """No frame holds player ids, tokens or other people's tiles."""
    async with house(tmp_path) as server:
        room, everyone = await play(server, "genial", 3, {}, seed=5)
        for line in everyone.values():  # a game may end before presence is sent
            if not any(json.loads(text)["t"] == "presence" for text in line.received):
                await line.until("presence")
        secrets = [place.player for place in room.table.seats]
        kinds: Counter[str] = Counter()
        for line in everyone.values():
            for text in line.received:
                assert not any(secret in text for secret in secrets)
                kinds[json.loads(text)["t"]] += 1
        assert set(kinds) <= {"welcome", "update", "done", "refused", "presence", "pong"}
        shapes = {
            tuple(json.loads(text))
            for line in everyone.values()
            for text in line.received
            if json.loads(text)["t"] == "presence"
        }
        assert shapes == {("t", "seats", "spectators", "hurried")}


@pytest.mark.slow
async def test_the_record_is_not_available_before_the_end(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("genial", 2, bots=[{"seat": 1, "level": "random"}])
        line = await ada.join(slug)
        await line.do("begin")
        refused = await ada.get(f"/tables/{slug}/record")
        assert (refused.status_code, refused.json()["rule"]) == (404, "game-not-over")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "options"), GAMES)
async def test_the_view_kept_by_a_client_equals_the_encoded_view(
    tmp_path: Path, game: str, players: int, options: Json
) -> None:
    """Changes are encoded directly from the rules' values, for speed: the view they make must equal
    the one that the codec encodes."""
    async with house(tmp_path) as server:
        room, everyone = await play(server, game, players, options, seed=9)
        tables = {change.number: change.after for change in await changes_of(server, room)}
        for viewer, line in everyone.items():
            kept: Json = None
            for received in map(json.loads, line.received):
                if received["t"] == "welcome":
                    kept = received["view"]
                elif received["t"] == "update":
                    kept = apply_changes(kept, received["changes"])
                else:
                    continue
                expected = to_builtins(view(tables[received["number"]], viewer))
                assert kept == json.loads(json.dumps(expected))
            assert kept == line.view
            assert kept["result"] is not None
