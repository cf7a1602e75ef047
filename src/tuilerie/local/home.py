"""The tables of this browser, behind the HTTP API and the socket messages of the server.

Every request is JSON in and JSON out. If its answer holds `keep`, the worker stores those facts and
then calls `kept`, or `not_kept` if it could not: nothing is announced before it is stored, and
nothing has happened if it was not.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tuilerie.codec import Malformed, from_builtins, to_builtins
from tuilerie.games.game import Refused
from tuilerie.local import messages
from tuilerie.local.messages import Problem, problem, problem_of
from tuilerie.local.room import PREFIX, Room, apply_facts, next_slug, opened, pick
from tuilerie.match import commands as c
from tuilerie.match import facts
from tuilerie.match.batch import Applied
from tuilerie.match.bodies import (
    NewTable,
    Recover,
    Recovered,
    ReplayRequest,
    SeatTaken,
    TableMade,
    TakeSeat,
    clock_of,
    first_commands,
)
from tuilerie.match.config import Config
from tuilerie.match.decide import decide
from tuilerie.match.rematch import rematch
from tuilerie.match.replay import replayed
from tuilerie.match.table import Table
from tuilerie.match.table_record import record_of

Reply = dict[str, Any]

MOST_STEPS = 5_000
"""The longest replay, in steps."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Facts that wait to be stored, and what follows."""

    room: Room
    applied: Sequence[Applied]
    key: str | None
    done: Callable[[], Reply]
    failed: Callable[[Problem], Reply]


class Declined(Exception):
    """A request that a browser cannot answer."""

    def __init__(self, code: str, rule: str) -> None:
        super().__init__(rule)
        self.why = problem(code, rule)


class Home:
    """The tables of this browser. One request at a time."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._plan: Plan | None = None

    # --- from the worker --------------------------------------------------------------------------

    def ask(self, text: str) -> str:
        """Carry out a request, as far as it goes before its facts are stored."""
        asked = json.loads(text)
        try:
            reply = getattr(self, f"_on_{asked['op']}")(asked)
        except Declined as error:
            reply = self._refuse(asked, error.why)
        except (Refused, Malformed) as error:
            reply = self._refuse(asked, problem_of(error))
        return messages.write(reply)

    def kept(self) -> str:
        """The facts of the last answer are stored."""
        assert self._plan is not None
        plan, self._plan = self._plan, None
        room = plan.room
        known = self._rooms.setdefault(room.slug, room)
        sent = known.happened(plan.applied) if known.past else _begin(known, plan.applied)
        if plan.key is not None:
            known.answers[plan.key] = known.table.number
        reply = plan.done()
        reply["send"] = [*sent, *reply.get("send", [])]
        followed = self._followed(known)
        followed["next"] += reply.get("next", [])
        return messages.write({**reply, **followed})

    def not_kept(self, text: str) -> str:
        """They could not be stored, for this reason: nothing has happened."""
        assert self._plan is not None
        plan, self._plan = self._plan, None
        return messages.write(plan.failed(json.loads(text)))

    def _followed(self, room: Room) -> Reply:
        """What is due at a table after something has happened there."""
        again = {"op": "rematch", "slug": room.slug}
        return {"due": room.due(), "next": [again] if room.table.rematch_agreed else []}

    def _keep(self, plan: Plan) -> Reply:
        """Have facts stored."""
        assert self._plan is None, "one request at a time"
        self._plan = plan
        table = plan.room.table if plan.room.past else None
        after = Room(plan.room.slug, [*plan.applied], current=plan.room.current)
        return {
            "keep": {
                "slug": plan.room.slug,
                "after": 0 if table is None else table.number,
                "number": after.table.number,
                "facts": [facts.to_json(each.fact) for each in plan.applied],
                "key": plan.key,
                "row": to_builtins(after.facts()),
            }
        }

    def _refuse(self, asked: Mapping[str, Any], why: Problem) -> Reply:
        """Send the answer to the sender."""
        if "connection" in asked:
            named = asked.get("message")
            name = named.get("id") if isinstance(named, dict) else None
            return {"send": [(asked["connection"], messages.refused(why, name))]}
        return {"answer": {"status": 404 if why["code"] == "not-found" else 400, "body": why}}

    def table(self, slug: str) -> Table:
        """The table as it stands."""
        return self._room(slug).table

    def _room(self, slug: str) -> Room:
        room = self._rooms.get(slug)
        if room is None:
            raise Declined("not-found", "no-such-table")
        return room

    # --- tables -----------------------------------------------------------------------------------

    def _on_load(self, asked: Mapping[str, Any]) -> Reply:
        """Read a table's log. The time since its last fact is given back to its clocks."""
        slug = asked["slug"]
        try:
            room = self._rooms[slug] = Room.read(slug, asked["rows"])
        except Malformed as error:
            return self._refuse(asked, problem("fault", "local-damaged", why=str(error)))
        away = c.GiveBack(((room.table.at, asked["now"]),))
        return self._do(room, away, asked, None, lambda: {"answer": {"status": 200, "body": None}})

    def _on_do(self, asked: Mapping[str, Any]) -> Reply:
        """A command of a bot, or of time."""
        room = self._room(asked["slug"])
        if asked["kind"] == "tick":
            return self._do(room, c.Tick(), asked, None, dict)
        move = asked["move"] or room.simple_move(asked["seat"])
        command = c.BotMoved(asked["seat"], move, asked["number"])
        try:
            return self._do(room, command, asked, None, dict)
        except Refused as refused:
            return {**self._followed(room), "refused": refused.rule}

    def _on_due(self, asked: Mapping[str, Any]) -> Reply:
        """What is due at a table now."""
        return self._followed(self._room(asked["slug"]))

    def _on_rematch(self, asked: Mapping[str, Any]) -> Reply:
        """Make the next table, then name it at this one."""
        room = self._room(asked["slug"])
        slug = next_slug(room.slug)
        if slug in self._rooms:
            return self._do(room, c.Rematch(slug), asked, None, dict)
        again = {"next": [{"op": "rematch", "slug": room.slug}]}
        made = Room(slug, [], current=room.current)
        log = apply_facts(rematch(room.table, asked["now"], pick))
        return self._keep(Plan(made, log, None, lambda: dict(again), lambda _: {}))

    def _do(
        self,
        room: Room,
        command: c.Command,
        asked: Mapping[str, Any],
        key: str | None,
        done: Callable[[], Reply],
    ) -> Reply:
        """Decide on a command. Raises `Refused`."""
        decided = decide(room.table, command, asked["now"], pick)
        if not decided:
            return {**done(), **self._followed(room)}
        return self._keep(
            Plan(room, decided, key, done, lambda why: self._refuse(asked, why)),
        )

    # --- sockets ----------------------------------------------------------------------------------

    def _on_close(self, asked: Mapping[str, Any]) -> Reply:
        for room in self._rooms.values():
            room.viewers.pop(asked["connection"], None)
        return {}

    def _on_message(self, asked: Mapping[str, Any]) -> Reply:
        """A message of a socket."""
        message, connection, now = asked["message"], asked["connection"], asked["now"]
        kind = message.get("t") if isinstance(message, dict) else None
        if kind == "ping" and type(message.get("n")) is int:
            return {"send": [(connection, messages.pong(message["n"], now))]}
        if kind == "hello":
            room = self._room(str(message.get("table")))
            return {"send": room.join(connection, now), "due": room.due()}
        if kind != "do" or not isinstance(message.get("id"), str):
            raise Malformed("expected hello, do or ping")
        found = [each for each in self._rooms.values() if connection in each.viewers]
        if not found:
            return self._refuse(asked, problem("malformed", "say-hello-first"))
        return self._command(found[0], asked)

    def _command(self, room: Room, asked: Mapping[str, Any]) -> Reply:
        message, connection = asked["message"], asked["connection"]
        player = room.viewers[connection].player
        if player is None:
            return self._refuse(asked, problem("forbidden", "no-seat"))
        key = f"{player}/{message['id']}"
        if key in room.answers:
            return {"send": [(connection, messages.done(message["id"], room.answers[key]))]}
        command = messages.read_command(message.get("command"), player)

        def done() -> Reply:
            return {"send": [(connection, messages.done(message["id"], room.table.number))]}

        return self._do(room, command, asked, key, done)

    # --- the HTTP API -----------------------------------------------------------------------------

    def _on_request(self, asked: Mapping[str, Any]) -> Reply:
        """A request of the HTTP API."""
        called = f"{asked['method']} {asked['path']}"
        for pattern, handler in _ROUTES:
            if match := re.fullmatch(pattern, called):
                reply: Reply = handler(self, asked, *match.groups())
                return reply
        raise Declined("not-found", "needs-server")

    def _create(self, asked: Mapping[str, Any]) -> Reply:
        table = from_builtins(NewTable, asked["body"], "table")
        host = secrets.token_hex(12)
        config = Config(
            players=table.players,
            options=table.options,
            clock=clock_of(table.clock),
            takeover_after=None,  # everybody is on this device
            spectators=None,
            host=host,
        )
        log = opened(table.game, config, asked["now"], first_commands(table, host))
        room = Room(PREFIX + secrets.token_urlsafe(12), [], current=host)
        seat = log[-1].table.seat_of(host)
        assert seat is not None
        made = TableMade(room.slug, seat, "", f"{room.slug}.{host}")
        return self._keep(
            Plan(
                room,
                log,
                None,
                lambda: _answer(201, made),
                lambda why: self._refuse(asked, why),
            )
        )

    def _table(self, _asked: Mapping[str, Any], slug: str) -> Reply:
        return _answer(200, self._room(slug).facts())

    def _sit(self, asked: Mapping[str, Any], slug: str) -> Reply:
        """Take a seat. A repeated request with the same key gets the same seat."""
        room, wanted = self._room(slug), from_builtins(TakeSeat, asked["body"], "seat")
        player = f"{slug}.{wanted.key or secrets.token_hex(12)}"[-40:]

        def done() -> Reply:
            taken = room.table.seat_of(player)
            assert taken is not None
            return _answer(201, SeatTaken(taken, f"{slug}.{player}"))

        if room.table.seat_of(player) is not None:
            return done()
        return self._do(room, c.Sit(player, wanted.seat, wanted.name), asked, None, done)

    def _recover(self, asked: Mapping[str, Any]) -> Reply:
        """Hand the device to the player of another seat."""
        slug, _, player = from_builtins(Recover, asked["body"], "seat").token.partition(".")
        room = self._room(slug)
        if room.table.seat_of(player) is None:
            raise Declined("not-found", "no-such-token")
        room.current = player
        return _answer(200, Recovered(slug))

    def _hint(self, asked: Mapping[str, Any], slug: str) -> Reply:
        """The question to a bot for a hint; the worker has it answered."""
        room = self._room(slug)
        seat = room.seat()
        player = None if seat is None else room.table.seats[seat].player
        if seat is None or player is None:
            raise Declined("forbidden", "not-seated")

        def done() -> Reply:
            return {"answer": {"status": 202, "body": room.hint(seat)}}

        return self._do(room, c.Hint(player), asked, None, done)

    def _record(self, _asked: Mapping[str, Any], slug: str) -> Reply:
        table = self._room(slug).table
        if table.result is None:
            raise Declined("not-found", "game-not-over")
        return {"answer": {"status": 200, "body": record_of(table)}}

    def _replay_table(self, asked: Mapping[str, Any], slug: str, viewer: str | None) -> Reply:
        record = self._record(asked, slug)["answer"]["body"]
        return _replay(ReplayRequest(record, None if viewer is None else int(viewer)))

    def _replay_record(self, asked: Mapping[str, Any]) -> Reply:
        return _replay(from_builtins(ReplayRequest, asked["body"], "replay"))


def _begin(room: Room, log: Sequence[Applied]) -> list[tuple[int, str]]:
    room.past += log
    return []


def _answer(status: int, body: object) -> Reply:
    return {"answer": {"status": status, "body": to_builtins(body)}}


def _replay(asked: ReplayRequest) -> Reply:
    return _answer(200, replayed(asked.record, asked.viewer, asked.after, MOST_STEPS))


_SLUG = r"([A-Za-z0-9_-]+)"
_ROUTES: tuple[tuple[str, Callable[..., Reply]], ...] = (
    (r"POST /tables", Home._create),
    (rf"GET /tables/{_SLUG}", Home._table),
    (rf"POST /tables/{_SLUG}/seat", Home._sit),
    (rf"POST /tables/{_SLUG}/hint", Home._hint),
    (r"POST /recover", Home._recover),
    (rf"GET /tables/{_SLUG}/record", Home._record),
    (rf"GET /tables/{_SLUG}/replay(?:\?viewer=(\d+))?", Home._replay_table),
    (r"POST /replay", Home._replay_record),
)
