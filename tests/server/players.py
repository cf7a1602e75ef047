"""Clients that play over the network: they reconnect by themselves and keep all messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import websockets
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.changes import apply_changes
from tuilerie.games.game import Json
from tuilerie.server.ws.messages import PROTOCOL

GONE = (OSError, WebSocketException, TimeoutError, httpx.HTTPError, EOFError)
"""Errors of a client whose server is down."""


class Player:
    """A client on one seat. Its server may vanish at any moment."""

    def __init__(self, ports: Sequence[int], slug: str, cookie: str, random: Random) -> None:
        self.ports = ports
        self.slug = slug
        self._cookie = cookie
        self._random = random
        self.events: dict[int, Json] = {}  # all events, by number
        self.last = 0
        self.view: Json = None  # a snapshot and the changes since
        self.you: int | None = None
        self.acknowledged: dict[str, int] = {}
        self.moved: set[str] = set()  # those of them that must be in the log
        self.comebacks = 0
        self._asked: tuple[str, Json] | None = None  # commands without an answer yet
        self.pause = 0.0

    @property
    def is_over(self) -> bool:
        return self.view is not None and self.view["result"] is not None

    async def play(self, stop: asyncio.Event) -> None:
        """Play until the game is over and all commands are answered, or `stop` is set."""
        while not (self.is_over and self._asked is None):
            try:
                await self._sit_down(stop)
            except GONE:
                self.comebacks += 1
                await asyncio.sleep(self._random.uniform(0.01, 0.15))
            if stop.is_set() and self._asked is None:
                return

    def connected(self) -> connect:
        """A socket to any of the servers."""
        return connect(
            f"ws://127.0.0.1:{self._random.choice(self.ports)}/ws",
            subprotocols=[websockets.Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": self._cookie},
            open_timeout=5,
            compression=None,
        )

    async def _sit_down(self, stop: asyncio.Event) -> None:
        async with self.connected() as socket:
            hello = {"t": "hello", "table": self.slug, "last": self.last, "you": self.you}
            await self._say(socket, hello)
            if self._asked is not None:
                await self._ask(socket, *self._asked)  # with the same id: it is done at most once
            while not (self._asked is None and (self.is_over or stop.is_set())):
                try:
                    text = await asyncio.wait_for(socket.recv(), 1 if stop.is_set() else 15)
                except TimeoutError:
                    if self._asked is None and stop.is_set():
                        return
                    raise
                self.receive(json.loads(text))
                await self._act(socket)

    def receive(self, received: Json) -> None:
        kind = received["t"]
        if kind == "welcome":
            assert self.view is None, "a client that was there is never sent back to a snapshot"
            self.you, self.view = received["you"], received["view"]
            self.last = 1
            self._note(received)
        elif kind == "update":
            self.view = apply_changes(self.view, received["changes"])
            self._note(received)
        elif kind == "done":
            self.acknowledged[received["id"]] = received["number"]
            if self._asked is not None and self._asked[1]["kind"] in ("make", "begin"):
                self.moved.add(self._asked[0])
            self._answered(received["id"])
        elif kind == "refused":
            assert received["code"] in ("not-your-turn", "illegal", "too-late", "over", "busy"), (
                received
            )
            if received["code"] != "busy":
                self._answered(received["id"])

    def _note(self, received: Json) -> None:
        for event in received["events"]:
            assert event["number"] == self.last + 1, f"event {event['number']} after {self.last}"
            self.last = event["number"]
            self.events[self.last] = event
        assert received["number"] == self.last == self.view["number"]

    def _answered(self, command_id: str) -> None:
        if self._asked is not None and self._asked[0] == command_id:
            self._asked = None

    async def _act(self, socket: Any) -> None:
        if self._asked is not None or self.view is None or self.is_over:
            return
        command = self._wish()
        if command is not None:
            await asyncio.sleep(self.pause)
            await self._ask(socket, uuid4().hex, command)

    def _wish(self) -> Json:
        play = self.view["play"]
        if play is None:
            mine = self.view["seats"][self.you]
            if self.view["host"] == self.you:
                others = [seat for seat in self.view["seats"] if seat is not mine]
                return {"kind": "begin"} if all(seat["ready"] for seat in others) else None
            return None if mine["ready"] else {"kind": "ready", "ready": True}
        if not play["legal"]:
            return None
        return {"kind": "make", "move": self._random.choice(play["legal"])}

    async def _ask(self, socket: Any, command_id: str, command: Json) -> None:
        self._asked = (command_id, command)
        await self._say(socket, {"t": "do", "id": command_id, "command": command})

    async def _say(self, socket: Any, message: Json) -> None:
        await socket.send(json.dumps(message))


class Room:
    """Tables of two people and a bot, one after the other."""

    def __init__(self, ports: Sequence[int], seed: int, game: str = "blockers") -> None:
        self.ports = ports
        self._random = Random(seed)
        self._game = game
        self.pause = 0.0
        self.players: list[Player] = []
        self.finished = 0

    async def play(self, stop: asyncio.Event, *, to_the_end: bool = False) -> None:
        """Play game after game until `stop` is set: then stop at once, or after this game."""
        never = asyncio.Event()
        while not stop.is_set():
            pair = await self.set_up()
            self.players += pair
            await asyncio.gather(*(player.play(never if to_the_end else stop) for player in pair))
            self.finished += all(player.is_over for player in pair)

    async def set_up(self) -> list[Player]:
        body = {
            "game": self._game,
            "players": 3,
            "name": "Ada",
            "bots": [{"seat": 1, "level": "random"}],
        }
        slug, first = await self._sit("/api/tables", body)
        _, second = await self._sit(f"/api/tables/{slug}/seat", {"name": "Bob", "key": uuid4().hex})
        pair = [Player(self.ports, slug, cookie, self._random) for cookie in (first, second)]
        for player in pair:
            player.pause = self.pause
        return pair

    async def _sit(self, path: str, body: Json) -> tuple[str, str]:
        """Repeat a request until it succeeds; returns the table and the cookie."""
        while True:
            port = self._random.choice(self.ports)
            try:
                async with httpx.AsyncClient(
                    base_url=f"http://127.0.0.1:{port}", headers={"X-Tuilerie": "1"}
                ) as http:
                    answer = await http.post(path, json=body)
                    if answer.status_code == 201:
                        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
                        return answer.json().get("table", ""), cookie
                    assert answer.status_code in (429, 503), answer.text
            except GONE:
                pass
            await asyncio.sleep(0.05)
