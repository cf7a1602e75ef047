"""What the workers of a browser call (`web/src/local/`).

`prepare` runs once on each device, after the core is installed (`core.install`). An image of
Python's memory is kept then, from which both workers start later.
"""

from __future__ import annotations

import gc
import json
import random
from typing import Any

from tuilerie.bots import BOTS
from tuilerie.bots.thinker import Answer, Question, decode, think
from tuilerie.local.home import Home

WARM_MOVES = 12
"""How many moves of each game make what its later moves need."""


def prepare() -> None:
    """Import and make what is needed later, and leave it out of garbage collections."""
    for game in BOTS:
        play(game, WARM_MOVES)
    gc.collect()
    gc.freeze()


def tables() -> Home:
    """For the tables' worker."""
    return Home()


def answer(text: str) -> str:
    """A bot's answer to a question, for the bots' worker. Raises `ValueError`."""
    found = _thought(text)
    if not found.good:
        raise ValueError(found.text)
    return found.text


def play(game: str, most: int) -> None:
    """Play a game with a bot in a new home, to its end or until so many moves are made; then look
    back. Without the core, the bot's moves are simple ones."""
    home, now = Home(), 1_700_000_000_000

    def ask(**asked: object) -> dict[str, Any]:
        reply = json.loads(home.ask(json.dumps({"now": now, **asked})))
        return json.loads(home.kept()) if "keep" in reply else reply

    def send(**message: object) -> None:
        ask(op="message", connection=1, message=message)

    options = {"seconds": None} if game == "kaosmos" else {}
    bots = [{"seat": 0, "level": "terracotta"}]
    body = {"game": game, "players": 2, "name": "A", "options": options, "bots": bots}
    made = ask(op="request", method="POST", path="/tables", body=body)["answer"]["body"]
    slug = made["table"]
    send(t="hello", table=slug)
    send(t="do", id="get-ready", command={"kind": "ready", "ready": True})
    for _ in range(most):
        table = home.table(slug)
        if table.result is not None:
            break
        seat = table.actors[0]
        if table.bot_level(seat) is None:
            seen = table.rules.view(table.shown_state, seat)
            move = BOTS[game]["random"](seen, random.randrange)
            send(t="do", id=f"move-{table.number}", command={"kind": "make", "move": move})
        else:
            due = ask(op="due", slug=slug)["due"]["bots"]
            found = _thought(next(each["question"] for each in due if each["seat"] == seat))
            move = found.text if found.good else ""
            ask(op="do", kind="bot", slug=slug, seat=seat, move=move, number=table.number)
    ask(op="request", method="GET", path=f"/tables/{slug}/replay", body=None)
    ask(op="request", method="POST", path="/replay", body={"record": "no record"})
    send(t="ping", n=1)
    ask(op="close", connection=1)


def _thought(question: str) -> Answer:
    return think(decode(Question, question.encode()))
