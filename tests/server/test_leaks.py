"""Nobody's socket tells what only others may know: byte by byte, over whole games.

Every frame that every socket got is recorded. Then, for each event and each viewer, a second world
is made that differs from the first only in what this viewer may not know (`tests.hidden`), the same
thing happens there, and the server's own words for it must be the frame that was sent.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.hidden import PERMUTE
from tests.match.driver import reveals
from tests.server.house import House, Line, house
from tuilerie.bots import BOTS
from tuilerie.games.game import Json, Refused, Seat, TilesDrawn, plain
from tuilerie.match import commands
from tuilerie.match.decide import stages
from tuilerie.match.entries import read_entry, write_entry
from tuilerie.match.evolve import evolve
from tuilerie.match.facts import Entered, Fact
from tuilerie.match.table import Table
from tuilerie.match.view import view
from tuilerie.server.tables import delivery
from tuilerie.server.tables.actor import Change, read_fact
from tuilerie.server.tables.room import Room

GAMES = [
    ("genial", 2, {}),
    ("genial", 3, {"adjacent": True}),
    ("blockers", 2, {}),
    ("blockers", 3, {}),
    ("kaosmos", 2, {"seconds": None}),
    ("kaosmos", 3, {"seconds": None}),
]
TRIES = 25


async def play(server: House, game: str, players: int, options: Json, seed: int) -> Any:
    """A whole game by people who move at random; the live table, and each viewer's socket."""
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
        free = [seat for seat in table.actors if not table.has_claim(seat)]
        if not free:
            await asyncio.sleep(0.01)  # a claim is being settled
            continue
        seat = random.choice(free)
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


async def changes_of(server: House, room: Room) -> list[Change]:
    table: Table | None = None
    found = []
    for _number, data in await server.registry.store.log.read(room.slug):
        fact = read_fact(data)
        before, table = table, evolve(table, fact)
        if before is not None:
            found.append(Change(table.number, fact, before, table))
    return found


def elsewhere(change: Change, viewer: Seat | None, random: Random) -> Change | None:
    """The same event in a world that this viewer cannot tell from ours, if one is found."""
    game = change.before.game
    for _ in range(TRIES):
        state = PERMUTE[game](change.before.game_state, viewer, random)
        before = replace(change.before, game_state=state)
        fact = _there(change.fact, before, viewer, random)
        try:
            after = evolve(before, fact)
        except Refused:
            continue  # somebody does not hold there what was played
        if after.game_state.phase == change.after.game_state.phase:
            return Change(change.number, fact, before, after)
        # In Génial! the offer to swap tells a little of a hand, to everybody: another world then.
    return None


def tells_openly(change: Change, viewer: Seat | None) -> bool:
    """Whether the rules themselves lay open here what others held (`tests.match.driver`)."""
    if change.after.rules.result(change.after.game_state) is not None:
        return True  # at the end all is laid open
    fact, game = change.fact, change.before.game
    if game == "genial" and isinstance(fact, Entered) and fact.entry["kind"] == "action":
        rules = change.before.rules
        return rules.reveals(rules.parse_move(fact.entry["move"]))
    return reveals(change.before, fact, viewer)


def _there(fact: Fact, before: Table, viewer: Seat | None, random: Random) -> Fact:
    """Tiles that others draw unseen may be any others."""
    if not isinstance(fact, Entered) or fact.entry["kind"] != "chance":
        return fact
    entry = read_entry(before.rules, fact.entry)
    if not isinstance(entry, TilesDrawn) or entry.seat == viewer:
        return fact
    other = before.rules.chance(before.game_state, random.randrange)
    return replace(fact, entry=write_entry(before.rules, other, fact.entry["ms"]))


def texts_of(line: Line) -> dict[int, str]:
    """Every event that a socket heard, as it was sent, by number."""
    found = {}
    for text in line.heard:
        heard = json.loads(text)
        if heard["t"] == "event":
            found[heard["number"]] = text
    return found


def check_game(
    changes: Sequence[Change], everyone: dict[Seat | None, Line], random: Random
) -> Counter[str]:
    """Compare everything that was sent; how much could be compared."""
    count: Counter[str] = Counter()
    for viewer, line in everyone.items():
        sent = texts_of(line)
        for change in changes:
            if change.before.game_state is None or change.number not in sent:
                continue
            if tells_openly(change, viewer):
                continue
            other = elsewhere(change, viewer, random)
            if other is None:
                count["not found"] += 1
                continue
            text = sent[change.number]
            with_view = "view" in json.loads(text)
            assert delivery.event_text(other, viewer, with_view=with_view).decode() == text
            count["compared"] += 1
            count["different worlds"] += other.before.game_state != change.before.game_state
    return count


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
async def test_events_are_the_same_whatever_others_hold(
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
        for viewer in everyone:
            check_snapshots(changes, viewer, random)
            check_refusals(changes, viewer, random)


def check_snapshots(changes: Sequence[Change], viewer: Seat | None, random: Random) -> None:
    """The welcome is the same in every world that the viewer cannot tell from ours."""
    for change in changes[:: max(1, len(changes) // 12)]:
        table = change.after
        if table.game_state is None or table.rules.result(table.game_state) is not None:
            continue
        state = PERMUTE[table.game](table.game_state, viewer, random)
        there = replace(table, game_state=state)
        assert delivery.welcome(there, viewer, 5) == delivery.welcome(table, viewer, 5)
        recent = [change]
        assert len(delivery.catch_up(recent, there, viewer, 5)) == len(
            delivery.catch_up(recent, table, viewer, 5)
        )


def check_refusals(changes: Sequence[Change], viewer: Seat | None, random: Random) -> None:
    """What is refused is refused alike: also moves with tiles that only others can hold."""
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
    """The refusal as it would be sent; `None` where the move is taken."""
    player = table.seats[seat].player
    assert player is not None
    try:
        stages(table, commands.Make(player, move), table.at, lambda count: 0)
    except Refused as refused:
        return delivery.refusal(refused, "id-of-the-command")
    return None


async def test_nothing_but_what_the_protocol_names_is_ever_sent(tmp_path: Path) -> None:
    """Player ids, tokens and other people's tiles stand in no frame, and presence tells no more."""
    async with house(tmp_path) as server:
        room, everyone = await play(server, "genial", 3, {}, seed=5)
        for line in everyone.values():  # a game may be over before it is told who is there
            if not any(json.loads(text)["t"] == "presence" for text in line.heard):
                await line.until("presence")
        secrets = [place.player for place in room.table.seats]
        kinds: Counter[str] = Counter()
        for line in everyone.values():
            for text in line.heard:
                assert not any(secret in text for secret in secrets)
                kinds[json.loads(text)["t"]] += 1
        assert set(kinds) <= {"welcome", "event", "done", "refused", "presence", "pong"}
        shapes = {
            tuple(json.loads(text))
            for line in everyone.values()
            for text in line.heard
            if json.loads(text)["t"] == "presence"
        }
        assert shapes == {("t", "seats", "spectators")}


async def test_the_record_is_nobodys_before_the_end(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        ada = server.browser()
        slug = await ada.create("genial", 2, bots=[{"seat": 1, "level": "random"}])
        line = await ada.join(slug)
        await line.do("begin")
        refused = await ada.get(f"/tables/{slug}/record")
        assert (refused.status_code, refused.json()["rule"]) == (404, "game-not-over")


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
async def test_fast_writing_is_the_same_as_plain_writing(
    tmp_path: Path, game: str, players: int, options: Json
) -> None:
    """Views are written without `plain`, for speed; every one must come out the same."""
    async with house(tmp_path) as server:
        room, everyone = await play(server, game, players, options, seed=9)
        for change in await changes_of(server, room):
            for viewer in everyone:
                table = change.after
                fast = json.loads(delivery.welcome(table, viewer, 5))["view"]
                assert fast == json.loads(json.dumps(plain(view(table, viewer))))
