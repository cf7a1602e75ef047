"""Hostile clients against a server on this machine: `python -m tests.server.hostile PORT SECONDS`.

Every attack goes on until the time is over, from an address of its own (the whole of 127.0.0.0/8 is
this machine). Bounded in count and time, loopback only.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tuilerie.server.ws.messages import PROTOCOL

PAUSE = 0.02
"""Between two tries of one attack: the attackers share the machine with the server."""

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

    async def socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.connect()
        writer.write(
            self.request(
                "GET",
                "/ws",
                b"",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                "Sec-WebSocket-Version: 13",
                f"Sec-WebSocket-Protocol: {PROTOCOL}",
            )
        )
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


async def half_sent(attacker: Attacker) -> None:
    writers = []
    try:
        for number in range(200):
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
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Origin: http://[",
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
               f"Sec-WebSocket-Protocol: {PROTOCOL}")  # fmt: skip
    await attacker.send(attacker.request("GET", "/ws", b"", *upgrade))


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


async def new_table(attacker: Attacker) -> tuple[str, str]:
    """A table, and the cookie of its host."""
    body = b'{"game":"genial","players":2,"name":"Eve"}'
    answer = (await attacker.send(attacker.request("POST", "/api/tables", body), 10)).decode()
    slug = answer.partition('"table":"')[2].partition('"')[0]
    cookie = answer.partition("set-cookie: ")[2].partition(";")[0]
    return slug, cookie


async def toggle_ready(attacker: Attacker) -> None:
    """Be ready, and not, and say hello with an old number, over and over."""
    slug, cookie = await new_table(attacker)
    reader, writer = await attacker.connect()
    writer.write(
        attacker.request("GET", "/ws", b"", "Upgrade: websocket", "Connection: Upgrade",
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Cookie: {cookie}",
                         "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {PROTOCOL}")
    )  # fmt: skip
    try:
        for number in range(150):
            hello = {"t": "hello", "table": slug, "last": 2, "you": 0}
            command = {"kind": "ready", "ready": number % 2 == 0}
            do = {"t": "do", "id": f"toggle-{number:06}", "command": command}
            for message in (hello, do):
                writer.write(frame(json.dumps(message).encode()))
            await writer.drain()
            await asyncio.sleep(0.02)
        assert reader
    finally:
        writer.close()


ATTACKS: tuple[Callable[[Attacker], Awaitable[None]], ...] = (
    hostile_cookie,
    endless_head,
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
    """All attacks at once."""
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
