"""Plays games between levels through a browser's home; run by games.mjs in Pyodide."""

import json
from random import Random

import tuilerie_out

from tuilerie.bots import BOTS, offered
from tuilerie.games import GAMES
from tuilerie.local.home import Home
from tuilerie.local.rehearsal import answer

random, now = Random(game), 1_700_000_000_000  # noqa: F821 - set by games.mjs


def ask(home, **asked):
    global now
    now += 1_000
    reply = json.loads(home.ask(json.dumps({"now": now, **asked})))
    return json.loads(home.kept()) if "keep" in reply else reply


def moved(room, seat):
    """The move of a bot of the browser; people's seats are played by one, too."""
    asked = {each["seat"]: each["question"] for each in room.due()["bots"]}
    if seat not in asked:
        table = room.table
        seen = table.rules.view(table.shown_state, seat)
        return BOTS[game]["random"](seen, random.randrange)  # noqa: F821
    return answer(asked[seat])


def play(level):
    home, rules = Home(), GAMES[game]  # noqa: F821
    players = random.choice([each for each in rules.card.players if each > 1])
    bots = [{"seat": seat, "level": level} for seat in range(1, players)]
    options = {"seconds": None} if game == "kaosmos" else {}  # noqa: F821
    body = {"game": game, "players": players, "name": "A", "bots": bots, "options": options}  # noqa: F821
    slug = ask(home, op="request", method="POST", path="/tables", body=body)["answer"]["body"][
        "table"
    ]
    ask(home, op="message", connection=1, message={"t": "hello", "table": slug})
    ready = {"t": "do", "id": "get-ready", "command": {"kind": "ready", "ready": True}}
    ask(home, op="message", connection=1, message=ready)
    room = home._rooms[slug]
    while (table := room.table).result is None:
        seat = random.choice(table.actors)
        move = moved(room, seat)
        if table.bot_level(seat) is None:
            command = {"kind": "make", "move": move}
            message = {"t": "do", "id": f"move-{table.number}", "command": command}
            ask(home, op="message", connection=1, message=message)
        else:
            ask(home, op="do", kind="bot", slug=slug, seat=seat, move=move, number=table.number)
        assert room.table.number > table.number, move
    record = ask(home, op="request", method="GET", path=f"/tables/{slug}/record", body=None)
    places = list(room.table.result.places)
    tuilerie_out.say(json.dumps({"record": record["answer"]["body"], "places": places}))


for at in range(number):  # noqa: F821
    play(offered(game)[at % 3])  # noqa: F821 - the quick ones
