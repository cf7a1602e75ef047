"""Invalid input gets an error code, changes no game, and never breaks the server.

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
            '{"t":"hello","table":"x","last":0,"you":16}',
            '{"t":"hello","table":"x","last":0,"you":"0"}',
            '{"t":"do","id":"good-id-number-1","command":{"c":"begin"}}',  # of protocol v1
            '{"t":"update","number":1,"events":[],"changes":{}}',
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
    message = {"t": "hello", "table": other, "last": random.choice(NUMBERS)}
    if random.random() < 0.5:
        message["you"] = random.choice(NUMBERS)
    return json.dumps(message)


def wrong_fields(random: Random, _game: Game) -> str:
    command: dict[str, Json] = {"kind": random.choice(COMMANDS)}
    for name in random.sample(FIELDS, random.randrange(4)):
        command[name] = random.choice([*NUMBERS, *MOVES, *IDS])
    return json.dumps({"t": "do", "id": random.choice(IDS), "command": command})


COMMANDS = [
    "sit", "stand", "add-bot", "remove-bot", "ready", "begin", "make", "answer-takeback",
    "react", "tick", "leave", "return", "bot-moved", "rematch", "", "MAKE",
]  # fmt: skip
FIELDS = ["seat", "name", "level", "ready", "move", "pressed", "yes", "reaction", "player", "rtt"]


def not_mine(random: Random, _game: Game) -> str:
    """Well formed, but not allowed for this player now."""
    return _do(
        random,
        random.choice(
            [
                {"kind": "make", "move": random.choice(MOVES[:5])},
                {"kind": "make", "move": "C7 b7", "pressed": random.choice([0, 1, 2**53 - 1])},
                {"kind": "sit", "name": "Eve", "seat": random.randrange(16)},
                {"kind": "stand"},
                {"kind": "begin"},
                {"kind": "add-bot", "seat": random.randrange(16), "level": "greedy"},
                {"kind": "add-bot", "seat": random.randrange(16), "level": "x"},
                {"kind": "remove-bot", "seat": random.randrange(16)},
                {"kind": "ask-takeback"},
                {"kind": "answer-takeback", "yes": True},
                {"kind": "ask-rematch"},
                {"kind": "ready", "ready": False},
                {"kind": "react", "reaction": "<b>"},
            ]
        ),
    )


def out_of_turn(random: Random, game: Game) -> str:
    """A move that is legal now, but for the player on turn."""
    return _do(random, {"kind": "make", "move": random.choice(game.legal)})


def stale(random: Random, game: Game) -> str:
    """A move that was acknowledged before, sent again as a new command."""
    return _do(random, random.choice(game.said)["command"])


def replayed(random: Random, game: Game) -> str:
    """An exact copy of an earlier message."""
    return json.dumps(random.choice(game.said))


def _do(random: Random, command: Json) -> str:
    asked = f"good-id-{random.getrandbits(64):x}"
    return json.dumps({"t": "do", "id": asked, "command": command})


@dataclass(frozen=True)
class Game:
    """A game after a few moves: its messages, and the legal moves."""

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
    """Play six moves and keep all messages and answers."""
    said, done = [], {}
    for number in range(6):
        line = whose_turn(lines)
        command = {"kind": "make", "move": line.view["play"]["legal"][0]}
        asked = f"id-of-move-{number}"
        answer = await line.do(command["kind"], asked, move=command["move"])
        assert answer["t"] == "done"
        said.append({"t": "do", "id": asked, "command": command})
        done[asked] = answer
        for each in lines:
            await each.until_number(answer["number"])
    return Game(slug, said, done, whose_turn(lines).view["play"]["legal"])


async def send_nonsense(server: House, count: int, seed: int) -> None:
    """Send invalid messages from a seat out of turn, from the seat on turn, and from a spectator;
    each gets an answer, and the game is unchanged."""
    random = Random(seed)
    slug, browsers, lines = await table_of_two(server)
    game = await play_a_little(slug, lines)
    turn = whose_turn(lines)
    waiting = browsers[1 - lines.index(turn)]
    before = await log_of(server, slug)
    people = [await waiting.join(slug), await server.browser().join(slug)]
    for line in people:
        await line.quiet()
        line.keeps_view = False
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
    """Check for an error code, or the first answer of a repeated command."""
    assert answer["t"] in ("refused", "welcome", "update", "pong", "done"), (text, answer)
    if answer["t"] == "update":  # a client that says that it holds a view of this very seat
        numbers = [event["number"] for event in answer["events"]]
        assert numbers == list(range(json.loads(text)["last"] + 1, head + 1))
        assert answer["number"] == head
    if answer["t"] == "refused":
        assert answer["code"] not in ("fault", "busy"), (text, answer)
        assert answer["code"], answer
        assert answer["rule"], answer
    if answer["t"] == "done" and answer["id"] in game.done:
        assert answer == game.done[answer["id"]]
    elif answer["t"] == "done":
        assert answer["number"] == head, text  # nothing to change


async def _answer(line: Line) -> Json:
    """The next message that is not presence."""
    while True:
        received = await line.recv()
        if received["t"] != "presence":
            return received


@pytest.mark.slow
async def test_invalid_messages_get_an_error_code_and_change_nothing(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1e9) as server:
        await send_nonsense(server, 4_000, seed=1)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(10))
async def test_many_invalid_messages_get_an_error_code_and_change_nothing(
    tmp_path: Path, seed: int
) -> None:
    async with house(tmp_path, limit_factor=1e9) as server:
        await send_nonsense(server, 10_000, seed)


async def test_replaying_another_players_message_does_not_act_for_them(tmp_path: Path) -> None:
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


async def test_too_many_messages_get_a_wait_time(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        _, _, lines = await table_of_two(server)
        for number in range(int(limits.SOCKET_MESSAGES.burst) + 40):
            lines[0].send({"t": "ping", "n": number})
        refused = await lines[0].until("refused")
        assert (refused["code"], refused["rule"]) == ("too-often", "socket-messages")
        assert refused["wait"] >= 1
        lines[0].send_text('{"t":"nonsense","id":"the last"}')
        refused = await lines[0].until("refused", id="the last")
        assert refused["rule"] == "socket-messages", "they are counted before they are decoded"


async def test_a_long_text_is_not_decoded(tmp_path: Path) -> None:
    """Whatever the protocol below has let through."""
    async with house(tmp_path) as server:
        line = server.browser().line()
        await line.open()
        ping = '{"t":"ping","n":1}'
        line.send_text(ping + " " * (limits.FRAME_BYTES - len(ping)))
        assert (await line.until("pong"))["n"] == 1
        line.send_text(ping + " " * (limits.FRAME_BYTES - len(ping) + 1))
        assert (await line.until("refused"))["rule"] == "bad-message"


async def test_a_socket_is_closed_after_too_many_invalid_messages(tmp_path: Path) -> None:
    async with house(tmp_path, limit_factor=1, refill=False) as server:
        line = server.browser().line()
        await line.open()
        for _ in range(limits.REFUSALS_PER_SOCKET + 5):
            line.send_text("{")
        assert (await line.until("bye"))["code"] == "too-many-faults"
        assert await line.end() == POLICY


async def test_refused_names_are_never_logged(tmp_path: Path) -> None:
    """A name with unprintable characters is never stored."""
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


@pytest.mark.slow
async def test_a_frame_that_is_too_long_closes_the_socket(tmp_path: Path) -> None:
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
"""An invalid UTF-8 text, with a zero mask."""

GOODBYE = b"\x88\x82" + bytes(4) + (1001).to_bytes(2, "big")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "code"),
    [(NOT_TEXT, 1007), (NOT_TEXT + GOODBYE, 1001), (GOODBYE + NOT_TEXT, 1001)],
    ids=["by itself", "before a close", "after a close"],
)
async def test_invalid_utf8_closes_the_socket_without_a_log_line(
    tmp_path: Path, sent: bytes, code: int
) -> None:
    """Else anybody could flood the log with tracebacks."""
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


async def test_concurrent_sockets_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with house(tmp_path) as server:
        slug, browsers, lines = await table_of_two(server)
        crowd: list[Any] = await asyncio.gather(*(browsers[n % 2].join(slug) for n in range(28)))
        answer = await lines[0].do("react", reaction="hello")
        for line in crowd:
            await line.until_number(answer["number"])
