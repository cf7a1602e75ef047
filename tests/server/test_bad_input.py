"""Whatever a client sends gets a coded answer, changes no game, and never breaks the server.

`make proof` sends a hundred thousand such messages; `make test` a few thousand of the same kinds.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from tests.server.house import WAIT, House, Line, house, table_of_two, whose_turn
from tests.server.process import ServerProcess
from tuilerie.games.game import Json
from tuilerie.match.facts import to_json
from tuilerie.server.ops import limits
from tuilerie.server.ws.connection import POLICY
from tuilerie.server.ws.messages import PROTOCOL

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


def malformed(random: Random, _game: Game) -> str:
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


def oversized(random: Random, _game: Game) -> str:
    return json.dumps({"t": "ping", "n": 1, "x": "y" * random.randrange(4096, 20000)})


def stale_hello(random: Random, game: Game) -> str:
    slug = game.slug
    other = random.choice([slug, slug[:-1], "no-such-table", "A" * 22, slug + "x" * 50])
    return json.dumps({"t": "hello", "table": other, "last": random.choice(NUMBERS)})


def wrong_fields(random: Random, _game: Game) -> str:
    command: dict[str, Json] = {"c": random.choice(COMMANDS)}
    for name in random.sample(FIELDS, random.randrange(4)):
        command[name] = random.choice([*NUMBERS, *MOVES, *IDS])
    return json.dumps({"t": "do", "id": random.choice(IDS), "command": command})


COMMANDS = [
    "sit", "stand", "add-bot", "remove-bot", "ready", "begin", "make", "answer-takeback",
    "react", "tick", "leave", "return", "bot-moved", "rematch", "", "MAKE",
]  # fmt: skip
FIELDS = ["seat", "name", "level", "ready", "move", "pressed", "yes", "reaction", "player", "rtt"]


def not_mine(random: Random, _game: Game) -> str:
    """Well formed, but nothing that this person may do now."""
    return _do(
        random,
        random.choice(
            [
                {"c": "make", "move": random.choice(MOVES[:5])},
                {"c": "make", "move": "C7 b7", "pressed": random.choice([0, 1, 2**53 - 1])},
                {"c": "sit", "name": "Eve", "seat": random.randrange(16)},
                {"c": "stand"},
                {"c": "begin"},
                {"c": "add-bot", "seat": random.randrange(16), "level": "greedy"},
                {"c": "add-bot", "seat": random.randrange(16), "level": "x"},
                {"c": "remove-bot", "seat": random.randrange(16)},
                {"c": "ask-takeback"},
                {"c": "answer-takeback", "yes": True},
                {"c": "ask-rematch"},
                {"c": "ready", "ready": False},
                {"c": "react", "reaction": "<b>"},
            ]
        ),
    )


def out_of_turn(random: Random, game: Game) -> str:
    """A move that the rules would take now, from the person whose turn it is."""
    return _do(random, {"c": "make", "move": random.choice(game.legal)})


def stale(random: Random, game: Game) -> str:
    """A move that was made, and acknowledged, before: as if it were a new one."""
    return _do(random, random.choice(game.said)["command"])


def replayed(random: Random, game: Game) -> str:
    """A message that somebody has sent before, word by word."""
    return json.dumps(random.choice(game.said))


def _do(random: Random, command: Json) -> str:
    asked = f"good-id-{random.getrandbits(64):x}"
    return json.dumps({"t": "do", "id": asked, "command": command})


@dataclass(frozen=True)
class Game:
    """A game in which people have moved: what was said in it, and what may be done next."""

    slug: str
    said: list[Json]
    done: dict[str, Json]  # by id: the answer to each
    legal: list[str]


KINDS: list[Callable[[Random, Game], str]] = [
    malformed,
    oversized,
    stale_hello,
    wrong_fields,
    not_mine,
    out_of_turn,
    stale,
    replayed,
]


async def log_of(server: House, slug: str) -> list[bytes]:
    return [data for _number, data in await server.registry.store.log.read(slug)]


async def play_a_little(slug: str, lines: tuple[Line, ...]) -> Game:
    """Six moves, with all that was said and answered."""
    said, done = [], {}
    for number in range(6):
        line = whose_turn(lines)
        command = {"c": "make", "move": line.view["play"]["legal"][0]}
        asked = f"id-of-move-{number}"
        answer = await line.do(command["c"], asked, move=command["move"])
        assert answer["t"] == "done"
        said.append({"t": "do", "id": asked, "command": command})
        done[asked] = answer
        for each in lines:
            await each.until_number(answer["number"])
    return Game(slug, said, done, whose_turn(lines).view["play"]["legal"])


async def send_nonsense(server: House, count: int, seed: int) -> None:
    """Nonsense from a seat out of turn, from one that holds no tile it names, and from a stranger;
    after each an answer, after all the game as it was."""
    random = Random(seed)
    slug, browsers, lines = await table_of_two(server)
    game = await play_a_little(slug, lines)
    turn = whose_turn(lines)
    waiting = browsers[1 - lines.index(turn)]
    before = await log_of(server, slug)
    people = [await waiting.join(slug), await server.browser().join(slug)]
    for line in people:
        await line.quiet()
    answers: Counter[tuple[str, str]] = Counter()
    for _ in range(count):
        line, kind = random.choice(people), random.choice(KINDS)
        text = kind(random, game)
        if random.random() < 0.02:
            line.send_bytes(text.encode("utf-8", "surrogatepass"))
        else:
            line.send_text(text)
        answer = await _answer(line)
        check_answer(text, answer, game, len(before))
        answers[kind.__name__, answer["t"]] += 1
    assert await log_of(server, slug) == before
    for made in KINDS:
        assert answers[made.__name__, "refused"] > count / 50, answers
    assert answers["replayed", "done"] > 0, "one's own words get the first answer again"
    good = await turn.do("make", move=game.legal[0])
    assert good["t"] == "done", "the game goes on"


def check_answer(text: str, answer: Json, game: Game, head: int) -> None:
    """A coded refusal, or the answer of what was so before."""
    assert answer["t"] in ("refused", "welcome", "pong", "done"), (text, answer)
    if answer["t"] == "refused":
        assert answer["code"] not in ("fault", "busy"), (text, answer)
        assert answer["code"], answer
        assert answer["rule"], answer
    if answer["t"] == "done" and answer["id"] in game.done:
        assert answer == game.done[answer["id"]]
    elif answer["t"] == "done":
        assert answer["number"] == head, text  # it was so already


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
        room = await server.registry.table(slug)
        assert room is not None
        assert room.actor.number == 2
        kinds = [to_json(change.fact)["kind"] for change in room.actor.recent]
        assert kinds == ["seated"]


async def test_a_real_socket_is_closed_over_a_frame_that_is_too_long(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    try:
        await server.start()
        address = f"ws://127.0.0.1:{server.port}/ws"
        protocols = [websockets.Subprotocol(PROTOCOL)]
        async with connect(address, subprotocols=protocols) as socket:
            await socket.send("x" * limits.FRAME_BYTES)
            assert json.loads(await socket.recv())["rule"] == "bad-message"
            await socket.send("x" * (limits.FRAME_BYTES + 1))
            with pytest.raises(ConnectionClosedError) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == TOO_LONG
        async with connect(address, subprotocols=protocols) as socket:
            await socket.send('{"t":"ping","n":1}')
            assert json.loads(await socket.recv())["t"] == "pong"
    finally:
        server.close()


TOO_LONG = 1009


NOT_TEXT = b"\x81\x82" + bytes(4) + b"\xc3("
"""A text that is no UTF-8, with a mask that changes nothing."""

GOODBYE = b"\x88\x82" + bytes(4) + (1001).to_bytes(2, "big")


@pytest.mark.parametrize(
    ("sent", "code"),
    [(NOT_TEXT, 1007), (NOT_TEXT + GOODBYE, 1001), (GOODBYE + NOT_TEXT, 1001)],
    ids=["by itself", "before a close", "after a close"],
)
async def test_what_is_no_text_closes_its_socket_without_a_word_in_the_log(
    tmp_path: Path, sent: bytes, code: int
) -> None:
    """Else anybody could fill the log with tracebacks."""
    server = ServerProcess(tmp_path)
    try:
        await server.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        head = f"Host: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        protocol = f"Sec-WebSocket-Protocol: {PROTOCOL}\r\n"
        writer.write(f"GET /ws HTTP/1.1\r\n{head}{key}{protocol}\r\n".encode())
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        async with asyncio.timeout(WAIT):
            answer = await reader.read()
        assert answer[:1] == GOODBYE[:1]
        assert int.from_bytes(answer[2:4], "big") == code
        writer.close()
        assert server.stop() == 0
        assert "Error" not in server.said()
    finally:
        server.close()


async def test_many_sockets_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        crowd: list[Any] = await asyncio.gather(*(browsers[0].join(slug) for _ in range(30)))
        answer = await lines[0].do("react", reaction="hello")
        for line in crowd:
            await line.until_number(answer["number"])
