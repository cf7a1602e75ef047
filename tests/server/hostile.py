"""Hostile clients against a server on this machine: `python -m tests.server.hostile PORT SECONDS`.

Every attack goes on until the time is over, from its own address (the whole of 127.0.0.0/8 is
this machine). Bounded in count and time, loopback only.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import Any

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.server.ws.messages import PROTOCOL
from tuilerie.simulate import play_game

PAUSE = 0.02
"""Between two tries of one attack: the attackers share the machine with the server."""

UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Protocol: {PROTOCOL}",
)

count: Counter[str] = Counter()


class Attacker:
    """Raw connections from one address."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**20
        )

    async def send(self, data: bytes, wait: float = 2.0) -> bytes:
        """What the server answers to these bytes, at first."""
        reader, writer = await self.connect()
        try:
            writer.write(data)
            async with asyncio.timeout(wait):
                return await reader.read(4096)
        finally:
            writer.close()

    def request(self, method: str, path: str, body: bytes = b"", *headers: str) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "X-Tuilerie: 1"]
        lines += [*headers, "Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body

    async def socket(self, *headers: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.connect()
        writer.write(self.request("GET", "/ws", b"", *UPGRADE, *headers))
        async with asyncio.timeout(5):
            await reader.readuntil(b"\r\n\r\n")
        return reader, writer


def frame(text: bytes, opcode: int = 0x81) -> bytes:
    """A masked frame, with a mask that changes nothing."""
    size = len(text)
    head = (
        bytes((opcode, 0x80 | size))
        if size < 126
        else bytes((opcode, 0xFE)) + size.to_bytes(2, "big")
    )
    return head + bytes(4) + text


async def hostile_cookie(attacker: Attacker) -> None:
    cookie = 'Cookie: a="' + "\\" * 15_000 + '"'
    await attacker.send(attacker.request("GET", "/api/session", b"", cookie))


async def endless_head(attacker: Attacker) -> None:
    reader, writer = await attacker.connect()
    try:
        writer.write(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(40):
            writer.write(b"a" * 100_000)
            await writer.drain()
    finally:
        writer.close()
    assert reader


async def endless_trailer(attacker: Attacker) -> None:
    chunked = attacker.request("POST", "/api/session", b"", "Transfer-Encoding: chunked")
    chunked = chunked.replace(b"Content-Length: 0\r\n", b"")
    _, writer = await attacker.connect()
    try:
        writer.write(chunked + b"0\r\nX: ")
        for _ in range(40):
            writer.write(b"a" * 100_000)
            await writer.drain()
    finally:
        writer.close()


async def long_host(attacker: Attacker) -> None:
    slug, _ = await new_table(attacker)
    host = b"Host: localhost:" + b"0" * 2_000 + b"80"
    await attacker.send(b"GET /api/tables/%b/qr.svg HTTP/1.1\r\n%b\r\n\r\n" % (slug.encode(), host))


async def half_sent(attacker: Attacker) -> None:
    writers = []
    try:
        for number in range(1_100):
            crowd = Attacker(attacker.port, f"127.0.66.{number % 20 + 1}")
            with suppress(OSError):
                _, writer = await crowd.connect()
                writer.write(b"GET / HTTP/1.1\r\nHost: ")
                writers.append(writer)
        await asyncio.sleep(3)
    finally:
        for writer in writers:
            writer.close()


async def many_keys(attacker: Attacker) -> None:
    keys = ",".join(f'"k{number}":1' for number in range(20_000)) + ',"k19999":2'
    body = json.dumps({"record": "{" + keys + "}"}).encode()
    await attacker.send(attacker.request("POST", "/api/replay", body), 5)


async def invalid_origin(attacker: Attacker) -> None:
    await attacker.send(attacker.request("POST", "/api/session", b"{}", "Origin: http://["))
    await attacker.send(attacker.request("GET", "/ws", b"", *UPGRADE, "Origin: http://["))


async def foreign_host(attacker: Attacker) -> None:
    await attacker.send(b"GET /api/session HTTP/1.1\r\nHost: evil.example\r\n\r\n")


async def deep_json(attacker: Attacker) -> None:
    deep = "[" * 6_000 + "]" * 6_000
    body = '{"game":"genial","players":2,"name":"A","options":{"x":' + deep + "}}"
    await attacker.send(attacker.request("POST", "/api/tables", body.encode()))
    surrogate = json.dumps({"record": '{"format":"\\ud800"}'}).encode()
    await attacker.send(attacker.request("POST", "/api/replay", surrogate))


async def guesses(attacker: Attacker) -> None:
    body = b'{"login":"ada","password":"a wrong guess"}'
    await attacker.send(attacker.request("POST", "/api/session", body))


async def health_flood(attacker: Attacker) -> None:
    await attacker.send(attacker.request("GET", "/healthz"))


async def not_http(attacker: Attacker) -> None:
    await attacker.send(random.randbytes(2_000))


async def small_frames(attacker: Attacker) -> None:
    _, writer = await attacker.socket()
    try:
        for opcode in (0x89, 0x8A):
            writer.write(frame(b"", opcode) * 5_000)
        writer.write(frame(b"", 0x01) + frame(b"", 0x00) * 5_000)
        await writer.drain()
        await asyncio.sleep(0.5)
    finally:
        writer.close()


async def malformed_messages(attacker: Attacker) -> None:
    _, writer = await attacker.socket()
    try:
        for _ in range(200):
            writer.write(frame(random.randbytes(40).hex().encode()))
        await writer.drain()
        await asyncio.sleep(0.5)
    finally:
        writer.close()


async def pipelined(attacker: Attacker) -> None:
    await attacker.send(b"GET /api/version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 5_000)


async def forged_addresses(attacker: Attacker) -> None:
    """Another address in every request, as if a proxy had named it."""
    forged = f"X-Forwarded-For: 198.51.100.{random.randrange(256)}, 10.0.0.1"
    await attacker.send(attacker.request("GET", "/api/my/tables", b"", forged))


@cache
def kaosmos_record() -> str:
    """A whole game of four: the longest record of all games."""
    options = {"seconds": None}
    return record.write(play_game(GAMES["kaosmos"], 4, options, ["random"] * 4, "hostile"))


async def costly_replays(attacker: Attacker) -> None:
    body = json.dumps({"record": kaosmos_record()}).encode()
    await asyncio.gather(
        *(attacker.send(attacker.request("POST", "/api/replay", body), 10) for _ in range(4))
    )


async def huge_numbers(attacker: Attacker) -> None:
    """Records whose errors the process that replays can hardly send."""
    for value in (str(10**30), "[" * 900 + "]" * 900):
        wrong = kaosmos_record().replace('"version": 1', f'"version": {value}')
        body = json.dumps({"record": wrong}).encode()
        await attacker.send(attacker.request("POST", "/api/replay", body), 10)


async def unread_answers(attacker: Attacker) -> None:
    """Long answers that nobody reads."""
    body = json.dumps({"record": kaosmos_record()}).encode()
    asked = attacker.request("POST", "/api/replay", body)
    writers = []
    try:
        for _ in range(8):
            reader, writer = await attacker.connect()
            transport: Any = writer.transport
            transport.pause_reading()
            writers.append(writer)
            writer.write(asked)
            await asyncio.sleep(1)
        assert reader
    finally:
        for writer in writers:
            writer.transport.abort()


async def many_networks(attacker: Attacker) -> None:
    """Together they ask for more than the server lets in at once."""
    asked = attacker.request("GET", "/api/my/tables")
    crowd = [Attacker(attacker.port, f"127.0.77.{number + 1}") for number in range(60)]
    await asyncio.gather(
        *(each.send(asked, 10) for each in crowd for _ in range(10)), return_exceptions=True
    )


async def new_table(attacker: Attacker, **more: object) -> tuple[str, str]:
    """A table, and the cookie of its host."""
    body = json.dumps({"game": "genial", "players": 2, "name": "Eve", **more}).encode()
    answer = (await attacker.send(attacker.request("POST", "/api/tables", body), 10)).decode()
    slug = answer.partition('"table":"')[2].partition('"')[0]
    cookie = answer.partition("set-cookie: ")[2].partition(";")[0]
    return slug, cookie


async def many_tables(attacker: Attacker) -> None:
    """Create tables, and look at each, so that it is in memory."""
    slug, _ = await new_table(attacker)
    await attacker.send(attacker.request("GET", f"/api/tables/{slug}"))


async def many_tokens(attacker: Attacker) -> None:
    """Take the same seat again, as a browser that forgets its cookie."""
    slug, cookie = await new_table(attacker)
    for _ in range(600):
        again = attacker.request(
            "POST", f"/api/tables/{slug}/seat", b'{"name":"Eve"}', f"Cookie: {cookie}"
        )
        await attacker.send(again)


async def say(writer: asyncio.StreamWriter, *said: object) -> None:
    for message in said:
        writer.write(frame(json.dumps(message).encode()))
    await writer.drain()


async def busy_bots(attacker: Attacker) -> None:
    """Tables of bots of the strongest level: they play on when their only person has resigned."""
    bots = [{"seat": seat, "level": "porcelain"} for seat in (1, 2, 3)]
    slug, cookie = await new_table(attacker, players=4, bots=bots)
    _, writer = await attacker.socket(f"Cookie: {cookie}")
    try:
        await say(writer, {"t": "hello", "table": slug})
        for number, kind in enumerate(("begin", "resign")):
            await say(writer, {"t": "do", "id": f"bots-{number:06}", "command": {"kind": kind}})
        await asyncio.sleep(1)
    finally:
        writer.close()


async def old_numbers(attacker: Attacker) -> None:
    """Sixteen spectators who say over and over that they have missed everything."""
    slug, _ = await new_table(attacker)
    crowd = []
    try:
        for _ in range(16):
            crowd.append((await attacker.socket())[1])
        for _ in range(12):
            for writer in crowd:
                await say(writer, {"t": "hello", "table": slug, "last": 1})
            await asyncio.sleep(0.05)
    finally:
        for writer in crowd:
            writer.close()


async def toggle_ready(attacker: Attacker) -> None:
    """Be ready, and not, and say hello with an old number, over and over."""
    slug, cookie = await new_table(attacker)
    _, writer = await attacker.socket(f"Cookie: {cookie}")
    try:
        for number in range(150):
            hello = {"t": "hello", "table": slug, "last": 2, "you": 0}
            command = {"kind": "ready", "ready": number % 2 == 0}
            await say(writer, hello, {"t": "do", "id": f"toggle-{number:06}", "command": command})
            await asyncio.sleep(0.02)
    finally:
        writer.close()


ATTACKS: tuple[Callable[[Attacker], Awaitable[None]], ...] = (
    hostile_cookie,
    endless_head,
    endless_trailer,
    long_host,
    half_sent,
    many_keys,
    invalid_origin,
    foreign_host,
    deep_json,
    guesses,
    health_flood,
    not_http,
    small_frames,
    malformed_messages,
    pipelined,
    forged_addresses,
    costly_replays,
    huge_numbers,
    unread_answers,
    many_networks,
    many_tables,
    many_tokens,
    busy_bots,
    old_numbers,
    toggle_ready,
)


async def repeat(
    attack: Callable[[Attacker], Awaitable[None]], attacker: Attacker, end: float
) -> None:
    while time.monotonic() < end:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            await attack(attacker)
        count[attack.__name__] += 1
        await asyncio.sleep(PAUSE)


async def main(port: int, seconds: float) -> None:
    """All attacks at once. They run when nobody else wants to: attackers do not compute on the
    machine that they attack."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    print("begun", flush=True)
    end = time.monotonic() + seconds
    await asyncio.gather(
        *(
            repeat(attack, Attacker(port, f"127.0.99.{number + 1}"), end)
            for number, attack in enumerate(ATTACKS)
        )
    )
    print(json.dumps(count))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
