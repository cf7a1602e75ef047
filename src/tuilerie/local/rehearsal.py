"""Plays games in a browser's home as its page and its workers do, and answers questions to bots."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import SystemRandom
from typing import Any

from tuilerie.bots import BOTS
from tuilerie.bots.thinker import Question, decode, think
from tuilerie.games import GAMES
from tuilerie.local.home import Home

pick = SystemRandom().randrange


def answer(text: str) -> str:
    """A bot's answer to a question. Raises `ValueError`."""
    found = think(decode(Question, text.encode()))
    if not found.good:
        raise ValueError(found.text)
    return found.text


def read(text: str) -> str:
    """Read a question as `answer` does. No answer: a simple bot moves."""
    asked = decode(Question, text.encode())
    GAMES[asked.game].by_version(asked.rules).read_view(asked.view)
    return ""


def play(game: str, most: int, bot: Callable[[str], str]) -> None:
    """Play a game with a bot in a new home, to its end or until so many moves are made; then look
    back."""
    home, now = Home(), 1_700_000_000_000

    def ask(**asked: object) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(home.ask(json.dumps({"now": now, **asked})))
        if "keep" in reply:
            reply = json.loads(home.kept())
        return reply

    def send(**message: object) -> None:
        ask(op="message", connection=1, message=message)

    options = {"seconds": None} if game == "kaosmos" else {}
    bots = [{"seat": 0, "level": "terracotta"}]
    body = {"game": game, "players": 2, "name": "A", "options": options, "bots": bots}
    slug = ask(op="request", method="POST", path="/tables", body=body)["answer"]["body"]["table"]
    send(t="hello", table=slug)
    send(t="ping", n=1)
    send(t="do", id="get-ready", command={"kind": "ready", "ready": True})
    for _ in range(most):
        table = home.table(slug)
        if table.result is not None:
            break
        seat = table.actors[0]
        if table.bot_level(seat) is None:
            move = BOTS[game]["random"](table.rules.view(table.shown_state, seat), pick)
            send(t="do", id=f"move-{table.number}", command={"kind": "make", "move": move})
        else:
            due = ask(op="due", slug=slug)["due"]["bots"]
            move = bot(next(each["question"] for each in due if each["seat"] == seat))
            ask(op="do", kind="bot", slug=slug, seat=seat, move=move, number=table.number)
    ask(op="request", method="GET", path=f"/tables/{slug}/replay", body=None)
    ask(op="request", method="POST", path="/replay", body={"record": "no record"})
    ask(op="close", connection=1)
