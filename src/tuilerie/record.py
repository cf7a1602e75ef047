"""Game records: JSON Lines, one entry per line, in chronological order.

A record holds every action and every chance outcome, and of what follows from them only the result.
It replays without a random generator or a clock. docs/formats.md describes the format.

The reader is strict about content and lenient about form: it accepts blank lines, CRLF and a byte
order mark. Every error is a `Fault` with the line, what was found and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import (
    Action,
    AnyGame,
    AnyMove,
    AnyState,
    Chance,
    Code,
    Entry,
    Event,
    Json,
    Refused,
    Result,
    Timeout,
)
from tuilerie.names import LONGEST_IN_RECORD, is_good

FORMAT = "tuilerie"
VERSION = 1

ACTION, CHANCE, CLOCK = "action", "chance", "clock"
"""The kinds of entries, beside the result at the end."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the game, its rules version, the seats and the options."""

    game: str
    rules: int
    seats: tuple[str, ...]
    options: Mapping[str, Json]
    seed: str | None = None
    started: str | None = None
    edition: str | None = None  # id of a custom set of tiles and cards


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a record and its line. `rule` and `params` as in `Refused`."""

    line: int
    code: Code
    rule: str
    params: Mapping[str, Json]


class RecordError(Exception):
    """A record that cannot be replayed to its end; `replay` holds the entries before the fault."""

    def __init__(self, fault: Fault, replay: Replay | None = None) -> None:
        super().__init__(f"line {fault.line}: {fault.rule} {dict(fault.params)}")
        self.fault = fault
        self.replay = replay


@dataclass(frozen=True, slots=True)
class Played:
    """One entry of a record, with the resulting state and events."""

    line: int
    entry: Entry[AnyMove]
    ms: int | None
    state: AnyState
    events: tuple[Event, ...]


@dataclass(slots=True)
class Replay:
    """A replayed record, up to its end or to where it is truncated."""

    header: Header
    game: AnyGame
    start: AnyState
    played: list[Played] = field(default_factory=list)
    confirmed: bool = False  # it ends with a result, which is the one of the rules
    cut_line: int | None = None  # the number of a truncated last line

    @property
    def state(self) -> AnyState:
        """The state after the last entry."""
        return self.played[-1].state if self.played else self.start

    @property
    def result(self) -> Result | None:
        """The result, or `None`."""
        return self.game.result(self.state)


# --- writing --------------------------------------------------------------------------------------


def header_line(header: Header) -> str:
    """Format the first line of a record."""
    fields: dict[str, Json] = {"format": FORMAT, "version": VERSION, "game": header.game}
    fields |= {"rules": header.rules, "seats": list(header.seats), "options": dict(header.options)}
    if header.seed is not None:
        fields["seed"] = header.seed
    if header.started is not None:
        fields["started"] = header.started
    if header.edition is not None:
        fields["edition"] = header.edition
    return _dump(fields)


def write_entry(game: AnyGame, entry: Entry[AnyMove], ms: int | None = None) -> dict[str, Json]:
    """The fields of an entry's line."""
    fields: dict[str, Json]
    if isinstance(entry, Action):
        fields = {"kind": ACTION, "seat": entry.seat, "move": str(entry.move)}
    elif isinstance(entry, Timeout):
        fields = {"kind": CLOCK, "what": entry.what}
    else:
        fields = {"kind": CHANCE, **game.write_chance(entry)}
    if ms is not None:
        fields["ms"] = ms
    return fields


def entry_line(game: AnyGame, entry: Entry[AnyMove], ms: int | None = None) -> str:
    """The line of one entry."""
    return _dump(write_entry(game, entry, ms))


def result_line(result: Result) -> str:
    """The last line of a record."""
    return _dump({"kind": "result", **to_builtins(result)})


def write(replay: Replay) -> str:
    """Write a whole record."""
    lines = [header_line(replay.header)]
    lines += [entry_line(replay.game, played.entry, played.ms) for played in replay.played]
    if replay.result is not None:
        lines.append(result_line(replay.result))
    return "".join(line + "\n" for line in lines)


def _dump(fields: Mapping[str, Json]) -> str:
    return json.dumps(fields, ensure_ascii=False)


# --- reading and replaying ------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """Decode the bytes of a record."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(data) and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8-sig")  # truncated within a character
        line = data.count(b"\n", 0, error.start) + 1
        found = f"0x{data[error.start]:02x}"
        raise _fault(line, "not-utf8", found=found, expected="UTF-8") from None


def replay(
    text: str, games: Mapping[str, AnyGame] = GAMES, check: Callable[[], None] = lambda: None
) -> Replay:
    """Replay a record, checking everything. Raises `RecordError` at the first fault. `check` is
    called before each entry; what it raises ends the replay.

    A truncated record is not a fault: `Replay.result` and `Replay.cut_line` say how far it goes.
    """
    lines = _lines(text.removeprefix("\ufeff"))
    first = next(lines, None)
    if first is None or first.fields is None:
        found = text.strip()[:40]
        raise _fault(1, "no-header", found=found, expected='{"format": "tuilerie", …}')
    header, game, start = _read_header(first, games)
    done = Replay(header, game, start)
    last_ms = 0
    for line in lines:
        if line.fields is None:
            done.cut_line = line.number
            break
        check()
        try:
            last_ms = _replay_line(done, line, last_ms)
        except Refused as refused:
            fault = Fault(line.number, refused.code, refused.rule, refused.params)
            raise RecordError(fault, done) from None
        except RecordError as error:
            raise RecordError(error.fault, done) from None
    return done


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    fields: dict[str, Json] | None  # None: the file stops in the middle of this line


def _lines(text: str) -> Iterator[_Line]:
    """Parse the non-blank lines, with their numbers."""
    lines = text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    for at, (number, line) in enumerate(filled):
        try:
            fields = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            if at > 0 and line is lines[-1]:  # no newline: the file is truncated here
                yield _Line(number, None)
                return
            found = line.strip()[:40]
            raise _fault(number, "not-json", found=found, column=error.colno) from None
        except Refused as refused:
            raise _fault(number, refused.rule, **refused.params) from None
        except (RecursionError, ValueError):  # nested too deep, or a number with too many digits
            raise _fault(number, "not-json", found=line.strip()[:40], column=1) from None
        if not isinstance(fields, dict):
            raise _fault(number, "not-an-object", found=line.strip()[:40], expected="{…}")
        yield _Line(number, fields)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Refused(Code.MALFORMED, "key-twice", found=name)
            seen.add(name)
    return fields


def _no_constant(name: str) -> Json:
    raise Refused(Code.MALFORMED, "not-a-number", found=name)


def _fault(line: int, rule: str, **params: Json) -> RecordError:
    return RecordError(Fault(line, Code.MALFORMED, rule, params))


def _read_header(line: _Line, games: Mapping[str, AnyGame]) -> tuple[Header, AnyGame, AnyState]:
    fields = line.fields or {}

    def expect(name: str, good: bool, expected: Json) -> None:
        if not good:
            found = fields.get(name)
            raise _fault(line.number, "bad-header", name=name, found=found, expected=expected)

    expect("format", fields.get("format") == FORMAT, FORMAT)
    expect("version", _is_int(fields.get("version")) and fields["version"] == VERSION, VERSION)
    known = isinstance(fields.get("game"), str) and fields["game"] in games
    expect("game", known, ", ".join(games))
    game = games[fields["game"]]
    expect("rules", _is_int(fields.get("rules")), game.card.rules)
    seats, options = fields.get("seats"), fields.get("options", {})
    expect("seats", _are_names(seats), '["Ana", "Bo"]')
    expect("options", isinstance(options, dict), "{…}")
    for name in ("seed", "started"):
        expect(name, isinstance(fields.get(name, ""), str), "text")
    expect("edition", fields.get("edition") == game.edition, game.edition or "–")
    seats = fields["seats"]
    try:
        game = game.by_version(fields["rules"])
        options = game.options(len(seats), options)
        start = game.start(len(seats), options)
    except Refused as refused:
        raise RecordError(Fault(line.number, refused.code, refused.rule, refused.params)) from None
    header = Header(
        fields["game"],
        game.version,
        tuple(seats),
        options,
        fields.get("seed"),
        fields.get("started"),
        game.edition,
    )
    return header, game, start


def _are_names(seats: Json) -> bool:
    """Whether these are names that can be shown; an erased name is empty."""
    return isinstance(seats, list) and all(
        isinstance(name, str) and (not name or is_good(name, LONGEST_IN_RECORD)) for name in seats
    )


def _replay_line(done: Replay, line: _Line, last_ms: int) -> int:
    """Add one line to a replay; return its time."""
    fields = line.fields or {}
    if done.confirmed:
        raise Refused(Code.OVER, "after-result", found=fields.get("kind"))
    if fields.get("kind") == "result":
        _check_result(done, line, fields)
        done.confirmed = True
        return last_ms
    ms = fields.get("ms")
    if ms is not None and (not _is_int(ms) or ms < last_ms):
        raise _fault(line.number, "bad-ms", found=ms, expected=f"≥ {last_ms}")
    entry = read_entry(done.game, fields)
    state, events = done.game.apply(done.state, entry)
    done.played.append(Played(line.number, entry, ms, state, events))
    return last_ms if ms is None else ms


def read_entry(game: AnyGame, fields: Mapping[str, Json]) -> Entry[AnyMove]:
    """The entry of a line's fields. Raises `Refused`."""
    kind = fields.get("kind")
    if kind == ACTION:
        seat, move = fields.get("seat"), fields.get("move")
        if type(seat) is not int:
            raise Refused(Code.MALFORMED, "bad-seat", found=seat, expected="0, 1, …")
        if not isinstance(move, str):
            raise Refused(Code.MALFORMED, "bad-move", found=move, expected="text")
        return Action(seat, game.parse_move(move))
    if kind == CLOCK:
        if fields.get("what") != "time":
            raise Refused(Code.MALFORMED, "bad-clock", found=fields.get("what"), expected="time")
        return Timeout()
    if kind == CHANCE:
        chance: Chance = game.read_chance(fields)
        return chance
    expected = ", ".join((ACTION, CHANCE, CLOCK, "result"))
    raise Refused(Code.MALFORMED, "bad-kind", found=kind, expected=expected)


def _check_result(done: Replay, line: _Line, fields: Mapping[str, Json]) -> None:
    """Check that the recorded result is the one that the entries lead to."""
    result = done.result
    if result is None:
        raise Refused(Code.ILLEGAL, "not-over", found=fields.get("reason"))
    ours = to_builtins(result)
    for name in ("reason", "places", "scores"):
        found = fields.get(name)
        if name == "scores" and isinstance(found, list) and len(found) == len(ours[name]):
            _check_scores(found, ours[name])
        if not _same(found, ours[name]):
            raise Refused(Code.ILLEGAL, "wrong-result", name=name, found=found, expected=ours[name])


def _check_scores(found: list[Json], ours: list[Json]) -> None:
    """Report the first wrong score."""
    for seat, (theirs, score) in enumerate(zip(found, ours, strict=True)):
        for name, value in score.items():
            recorded = theirs.get(name) if isinstance(theirs, dict) else theirs
            if not _same(recorded, value):
                where = f"scores, seat {seat}, {name}"
                raise Refused(
                    Code.ILLEGAL, "wrong-result", name=where, found=recorded, expected=value
                )


def _same(found: Json, ours: Json) -> bool:
    """Compare as JSON: true is not 1."""
    return json.dumps(found, sort_keys=True) == json.dumps(ours, sort_keys=True)


def _is_int(value: Json) -> bool:
    return type(value) is int
