"""The process that replays records: reads questions and answers each, until the stream is closed.

`python -m tuilerie.server.records.worker`, with length-prefixed MessagePack on stdin and stdout. A
long game takes a tenth of a second of CPU: in a thread it would hold up every move meanwhile.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import time
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from tuilerie import record
from tuilerie.bots.thinker import framed, read_frame
from tuilerie.codec import to_builtins
from tuilerie.games.game import Code, Refused
from tuilerie.match import facts
from tuilerie.match.import_record import import_record
from tuilerie.match.replay import replayed
from tuilerie.match.summary import summary_of

PREFIX = "device-"
"""How the id of a game that was handed over begins."""


class Replay(msgspec.Struct, tag=True):
    """Replay a record step by step, as JSON."""

    record: str
    viewer: int | None
    after: int
    most: int  # steps
    compress: bool
    seconds: float  # of CPU time


class Import(msgspec.Struct, tag=True):
    """Make the log of a table from the record of a finished game, for an account."""

    record: str
    account: str
    seat: int
    bots: dict[int, str]
    resigned: int | None
    now: int
    seconds: float


class Imported(msgspec.Struct):
    """A table with its log."""

    slug: str
    player: str  # of the account
    name: str
    game: str
    rules: int
    options: dict[str, Any]
    summary: dict[str, Any]
    log: list[bytes]


class Done(msgspec.Struct, tag=True):
    """What was asked for."""

    body: bytes


class Refusal(msgspec.Struct, tag=True):
    """The record, or the question, is wrong."""

    code: str
    rule: str
    params: dict[str, Any]


class Fault(msgspec.Struct, tag=True):
    """An error of this program."""

    text: str


Answer = Done | Refusal | Fault

to_json = msgspec.json.Encoder(order="deterministic").encode
pack = msgspec.msgpack.Encoder().encode
_read_question = msgspec.msgpack.Decoder(Replay | Import).decode


def player_by_key(slug: str, key: str) -> str:
    """The id of a player whose client may retry the request: the same for the same key."""
    return hashlib.sha256(f"player/{slug}/{key}".encode()).hexdigest()[:24]


def stop_after(seconds: float) -> Callable[[], None]:
    """Raises `Refused` when it is called after so much CPU time."""
    end = time.process_time() + seconds

    def check() -> None:
        if time.process_time() > end:
            raise Refused(Code.MALFORMED, "too-long")

    return check


def replay(asked: Replay) -> bytes:
    """The steps of a record as JSON, gzipped if the client accepts that."""
    check = stop_after(asked.seconds)
    body = to_json(replayed(asked.record, asked.viewer, asked.after, asked.most, check))
    return gzip.compress(body, 6) if asked.compress else body


def imported(asked: Import) -> Imported:
    """Replay a record by its rules, and make the log of its table."""
    try:
        played = record.replay(asked.record, check=stop_after(asked.seconds))
    except record.RecordError as error:
        fault = error.fault
        raise Refused(fault.code, fault.rule, **fault.params) from None
    many = len(played.header.seats)
    wrong = [seat for seat in (asked.seat, *asked.bots) if seat >= many]
    if wrong or asked.seat in asked.bots:
        seat = (*wrong, asked.seat)[0]
        raise Refused(Code.MALFORMED, "no-such-seat", seat=seat, expected=many)
    digest = hashlib.sha256(f"{asked.account}\n{record.write(played)}".encode()).hexdigest()
    slug = PREFIX + digest[:32]
    # Those who shared the device have no account here.
    others = [seat for seat in range(many) if seat not in asked.bots]
    players = {seat: player_by_key(slug, f"{seat}") for seat in others}
    players[asked.seat] = player_by_key(slug, asked.account)
    log, table = import_record(played, players, asked.bots, asked.resigned, asked.now)
    if table.result is None:
        raise Refused(Code.ILLEGAL, "unfinished-record")
    return Imported(
        slug=slug,
        player=players[asked.seat],
        name=table.names[asked.seat],
        game=table.game,
        rules=table.rules_version,
        options=dict(table.config.options),
        summary=summary_of(table),
        log=[msgspec.json.encode(facts.to_json(fact)) for fact in log],
    )


def answer(question: bytes) -> bytes:
    """Answer a question. An exception must not end the process."""
    try:
        asked = _read_question(question)
        done = replay(asked) if isinstance(asked, Replay) else pack(imported(asked))
        return pack(Done(done))
    except Refused as wrong:
        return _refusal(wrong)
    except (RecursionError, UnicodeError):  # JSON that is too deep, lone surrogates
        return pack(Refusal(Code.MALFORMED.value, "bad-request", {}))
    except Exception as error:
        return pack(Fault(f"{type(error).__name__}: {error}"))


def _refusal(wrong: Refused) -> bytes:
    try:
        return pack(Refusal(wrong.code.value, wrong.rule, to_builtins(wrong.params)))
    except (OverflowError, RecursionError, UnicodeError):
        # What was found cannot be sent back: a huge number, deep JSON, a lone surrogate.
        return pack(Refusal(wrong.code.value, wrong.rule, {}))


def main(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions until the stream ends."""
    while True:
        try:
            question = read_frame(questions)
        except EOFError:
            return
        answers.write(framed(answer(question)))
        answers.flush()


if __name__ == "__main__":
    try:
        main(sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
