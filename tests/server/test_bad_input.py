"""Whatever a client sends gets a coded answer, changes no game, and never breaks the server.

`make proof` sends a hundred thousand such messages; `make test` a few thousand of the same kinds.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server.house import House, Line, house, table_of_two
from tuilerie.games.game import Json
from tuilerie.match.facts import to_json
from tuilerie.server import limits
from tuilerie.server.sockets import POLICY

MOVES = [
    "a1",
    "C7 b7",
    "RB h8 h9",
    "pass",
    "swap",
    "",
    " ",
    "x" * 200,
    "RB h8 h9 h10",
    "💥",
    "\x00",
]
IDS = ["", "short", "good-id-number-1", "x" * 65, "spaces are bad", "ünïcode-id", None, 7, ["a"]]
NUMBERS = [-1, 0, 1, 2**31, 2**53, 2**63, 2**70, 1.5, "1", None, True, [], {}]


def malformed(random: Random, _slug: str) -> str:
    """Not JSON, or not a message."""
    return random.choice(
        [
            "",
            "{",
            "null",
            "[]",
            "0",
            '"hello"',
            "{}",
            '{"t":"nope"}',
            '{"t":7}',
            '{"t":"do"}',
            '{"t":"hello"}',
            '{"t":"hello","table":"a/../b"}',
            '{"t":"ping","n":"1"}',
            '{"t":"hello","table":"x","last":0,"more":1}',
            "[" * 2000,
            '{"t":' * 600,
            "\ud800",
            "\x00" * 10,
            "".join(chr(random.randrange(1, 0x2FFF)) for _ in range(random.randrange(60))),
        ]
    )


def oversized(random: Random, _slug: str) -> str:
    return json.dumps({"t": "ping", "n": 1, "x": "y" * random.randrange(4096, 20000)})


def stale_hello(random: Random, slug: str) -> str:
    other = random.choice([slug, slug[:-1], "no-such-table", "A" * 22, slug + "x" * 50])
    return json.dumps({"t": "hello", "table": other, "last": random.choice(NUMBERS)})


def wrong_fields(random: Random, _slug: str) -> str:
    command: dict[str, Json] = {"c": random.choice(COMMANDS)}
    for name in random.sample(FIELDS, random.randrange(4)):
        command[name] = random.choice([*NUMBERS, *MOVES, *IDS])
    return json.dumps({"t": "do", "id": random.choice(IDS), "command": command})


COMMANDS = [
    "sit", "stand", "add-bot", "remove-bot", "ready", "begin", "make", "answer-takeback",
    "react", "tick", "leave", "return", "bot-moved", "rematch", "", "MAKE",
]  # fmt: skip
FIELDS = ["seat", "name", "level", "ready", "move", "pressed", "yes", "reaction", "player", "rtt"]


def not_mine(random: Random, _slug: str) -> str:
    """Well formed, but nothing that this person may do now."""
    command: Json = random.choice(
        [
            {"c": "make", "move": random.choice(MOVES[:5])},
            {"c": "make", "move": "C7 b7", "pressed": random.choice([0, 1, 2**53 - 1])},
            {"c": "sit", "name": "Eve", "seat": random.randrange(16)},
            {"c": "stand"},
            {"c": "begin"},
            {"c": "add-bot", "seat": random.randrange(16), "level": random.choice(["greedy", "x"])},
            {"c": "remove-bot", "seat": random.randrange(16)},
            {"c": "answer-takeback", "yes": True},
            {"c": "ask-rematch"},
            {"c": "ready", "ready": False},
            {"c": "react", "reaction": "<b>"},
        ]
    )
    return json.dumps(
        {"t": "do", "id": f"good-id-{random.random()}"[:40].replace(".", "-"), "command": command}
    )


KINDS: list[Callable[[Random, str], str]] = [
    malformed,
    oversized,
    stale_hello,
    wrong_fields,
    not_mine,
]


async def log_of(server: House, slug: str) -> list[bytes]:
    return [data for _number, data in await server.hub.store.read(slug)]


async def send_nonsense(server: House, count: int, seed: int) -> None:
    """Nonsense from a seat out of turn and from a stranger; after each an answer, after all the
    game as it was."""
    random = Random(seed)
    slug, browsers, lines = await table_of_two(server)
    turn = next(line for line in lines if line.view["play"]["legal"])
    waiting = browsers[1 - lines.index(turn)]
    before = await log_of(server, slug)
    people = [await waiting.join(slug), await server.browser().join(slug)]
    for line in people:
        await line.quiet()
    for _ in range(count):
        line = random.choice(people)
        text = random.choice(KINDS)(random, slug)
        if random.random() < 0.02:
            line.send_bytes(text.encode("utf-8", "surrogatepass"))
        else:
            line.send_text(text)
        answer = await _answer(line)
        assert answer["t"] in ("refused", "welcome", "pong", "done"), (text, answer)
        if answer["t"] == "refused":
            assert answer["code"], answer
            assert answer["rule"], answer
        if answer["t"] == "done":
            assert answer["number"] == len(before), text  # it was so already
    assert await log_of(server, slug) == before
    table = await server.hub.table(slug)
    assert table is not None
    good = await turn.do("make", move=turn.view["play"]["legal"][0])
    assert good["t"] == "done", "the game goes on"


async def _answer(line: Line) -> Json:
    """The next message that is not presence."""
    while True:
        heard = await line.recv()
        if heard["t"] != "presence":
            return heard


async def test_nonsense_gets_a_coded_answer_and_changes_nothing(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1e9) as server:
        await send_nonsense(server, 4_000, seed=1)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(10))
async def test_much_nonsense_gets_a_coded_answer_and_changes_nothing(
    tmp_path: Path, seed: int
) -> None:
    async with house(tmp_path, limit_factor=1e9) as server:
        await send_nonsense(server, 10_000, seed)


async def test_a_replayed_message_of_another_person_is_not_theirs(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        turn = next(line for line in lines if line.view["play"]["legal"])
        other = lines[1 - lines.index(turn)]
        move = turn.view["play"]["legal"][0]
        await turn.do("make", command_id="overheard-by-eve", move=move)
        await other.until_number(turn.number)
        before = await log_of(server, slug)
        eve = await server.browser().join(slug)
        for line in (eve, other):
            answer = await line.do("make", command_id="overheard-by-eve", move=move)
            assert answer["t"] == "refused"
        assert await log_of(server, slug) == before
        assert browsers


async def test_too_many_messages_are_refused_with_the_seconds_to_wait(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1) as server:
        _, _, lines = await table_of_two(server)
        for number in range(int(limits.SOCKET_MESSAGES.burst) + 40):
            lines[0].send({"t": "ping", "n": number})
        refused = await lines[0].until("refused")
        assert (refused["code"], refused["rule"]) == ("too-often", "socket-messages")
        assert refused["wait"] >= 1


async def test_a_socket_that_sends_nothing_but_faults_is_closed(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1) as server:
        line = server.browser().line()
        await line.open()
        for _ in range(limits.REFUSALS_PER_SOCKET + 5):
            line.send_text("{")
        assert await line.end() == POLICY


async def test_facts_never_hold_what_was_refused(tmp_path: Path) -> None:
    """A name with signs that cannot be shown never gets into a log."""
    async with house(tmp_path) as server:
        ada, bob = server.browser(), server.browser()
        slug = await ada.create("blockers", 2)
        for name in ("\u202eevil", "a\nb", "\x00", " ", "x" * 25):
            answer = await bob.post(f"/tables/{slug}/seat", {"name": name})
            assert answer.status_code == 400, answer.text
        live = await server.hub.table(slug)
        assert live is not None
        assert live.session.number == 2
        kinds = [to_json(change.fact)["kind"] for change in live.session.recent]
        assert kinds == ["seated"]


async def test_many_sockets_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        crowd: list[Any] = await asyncio.gather(*(browsers[0].join(slug) for _ in range(30)))
        answer = await lines[0].do("react", reaction="hello")
        for line in crowd:
            await line.until_number(answer["number"])
