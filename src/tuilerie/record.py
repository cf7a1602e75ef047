"""A game as a file: JSON Lines, one entry a line, in the order in which things happened.

A record holds every input and every outcome of chance, and nothing that follows from them but the
result. It replays with no random generator and no clock. docs/formats.md describes the format.

Reading is strict about meaning and kind about form: blank lines, CRLF and a byte order mark do not
matter; anything wrong is a `Fault` that names the line, what was found and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tuilerie.games import GAMES
from tuilerie.games.game import (
    Action,
    AnyGame,
    Chance,
    Clock,
    Code,
    Entry,
    Event,
    Json,
    Refused,
    Result,
    plain,
)

FORMAT = "tuilerie"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: which game, by which rules, who played, and how."""

    game: str
    rules: int
    seats: tuple[str, ...]
    options: Mapping[str, Json]
    seed: str | None = None
    started: str | None = None
    edition: str | None = None  # of tiles and cards that are not our own


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record, and where. `rule` and `params` as in `Refused`."""

    line: int
    code: Code
    rule: str
    params: Mapping[str, Json]


class RecordError(Exception):
    """A record that cannot be replayed to its end; `replay` holds what was replayed before."""

    def __init__(self, fault: Fault, replay: Replay | None = None) -> None:
        super().__init__(f"line {fault.line}: {fault.rule} {dict(fault.params)}")
        self.fault = fault
        self.replay = replay


@dataclass(frozen=True, slots=True)
class Played:
    """One entry of a record, with what followed from it."""

    line: int
    entry: Entry[Json]
    ms: int | None
    state: Json
    events: tuple[Event, ...]


@dataclass(slots=True)
class Replay:
    """A record that was replayed, to its end or to where it was cut off."""

    header: Header
    game: AnyGame
    start: Json
    played: list[Played] = field(default_factory=list)
    confirmed: bool = False  # the record's result stands at its end, and is ours
    cut_line: int | None = None  # the line in the middle of which the file stops

    @property
    def state(self) -> Json:
        """The state after the last entry."""
        return self.played[-1].state if self.played else self.start

    @property
    def result(self) -> Result | None:
        """How the game ended, if it did."""
        return self.game.result(self.state)


# --- writing --------------------------------------------------------------------------------------


def header_line(header: Header) -> str:
    """The first line of a record."""
    fields: dict[str, Json] = {"format": FORMAT, "version": VERSION, "game": header.game}
    fields |= {"rules": header.rules, "seats": list(header.seats), "options": dict(header.options)}
    if header.seed is not None:
        fields["seed"] = header.seed
    if header.started is not None:
        fields["started"] = header.started
    if header.edition is not None:
        fields["edition"] = header.edition
    return _dump(fields)


def entry_line(game: AnyGame, entry: Entry[Json], ms: int | None = None) -> str:
    """The line of one entry."""
    fields: dict[str, Json]
    if isinstance(entry, Action):
        fields = {"kind": "action", "seat": entry.seat, "move": str(entry.move)}
    elif isinstance(entry, Clock):
        fields = {"kind": "clock", "what": entry.what}
    else:
        fields = {"kind": "chance", **game.write_chance(entry)}
    if ms is not None:
        fields["ms"] = ms
    return _dump(fields)


def result_line(result: Result) -> str:
    """The last line of a record."""
    return _dump({"kind": "result", **plain(result)})


def write(replay: Replay) -> str:
    """The whole record of a game."""
    lines = [header_line(replay.header)]
    lines += [entry_line(replay.game, played.entry, played.ms) for played in replay.played]
    if replay.result is not None:
        lines.append(result_line(replay.result))
    return "".join(line + "\n" for line in lines)


def _dump(fields: Mapping[str, Json]) -> str:
    return json.dumps(fields, ensure_ascii=False)


# --- reading and replaying ------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """The text of a record's bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(data) and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8-sig")  # cut off in the middle of a letter
        line = data.count(b"\n", 0, error.start) + 1
        found = f"0x{data[error.start]:02x}"
        raise _fault(line, "not-utf8", found=found, expected="UTF-8") from None


def replay(text: str, games: Mapping[str, AnyGame] = GAMES) -> Replay:
    """Replay a record, checking everything. Raises `RecordError` at the first fault.

    A record that stops in the middle is no fault: what is there is replayed, and `Replay.result`
    and `Replay.cut_line` tell how far it goes.
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
    """The lines that say something, with their numbers."""
    lines = text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    for at, (number, line) in enumerate(filled):
        try:
            fields = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            if at > 0 and line is lines[-1]:  # no line end after it: the file was cut off here
                yield _Line(number, None)
                return
            found = line.strip()[:40]
            raise _fault(number, "not-json", found=found, column=error.colno) from None
        except Refused as refused:
            raise _fault(number, refused.rule, **refused.params) from None
        except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
            raise _fault(number, "not-json", found=line.strip()[:40], column=1) from None
        if not isinstance(fields, dict):
            raise _fault(number, "not-an-object", found=line.strip()[:40], expected="{…}")
        yield _Line(number, fields)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused(Code.MALFORMED, "key-twice", found=twice)
    return fields


def _no_constant(name: str) -> Json:
    raise Refused(Code.MALFORMED, "not-a-number", found=name)


def _fault(line: int, rule: str, **params: Json) -> RecordError:
    return RecordError(Fault(line, Code.MALFORMED, rule, params))


def _read_header(line: _Line, games: Mapping[str, AnyGame]) -> tuple[Header, AnyGame, Json]:
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
    good_seats = isinstance(seats, list) and all(isinstance(name, str) for name in seats)
    expect("seats", good_seats, '["Ana", "Bo"]')
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


def _replay_line(done: Replay, line: _Line, last_ms: int) -> int:
    """Add one line to a replay; the answer is the time that it tells."""
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
    entry = _read_entry(done.game, line, fields)
    state, events = done.game.apply(done.state, entry)
    done.played.append(Played(line.number, entry, ms, state, events))
    return last_ms if ms is None else ms


def _read_entry(game: AnyGame, line: _Line, fields: Mapping[str, Json]) -> Entry[Json]:
    kind = fields.get("kind")
    if kind == "action":
        seat, move = fields.get("seat"), fields.get("move")
        if type(seat) is not int:
            raise _fault(line.number, "bad-seat", found=seat, expected="0, 1, …")
        if not isinstance(move, str):
            raise _fault(line.number, "bad-move", found=move, expected="text")
        return Action(seat, game.parse_move(move))
    if kind == "clock":
        if fields.get("what") != "time":
            raise _fault(line.number, "bad-clock", found=fields.get("what"), expected="time")
        return Clock()
    if kind == "chance":
        chance: Chance = game.read_chance(fields)
        return chance
    expected = "action, chance, clock, result"
    raise _fault(line.number, "bad-kind", found=kind, expected=expected)


def _check_result(done: Replay, line: _Line, fields: Mapping[str, Json]) -> None:
    """The result that a record tells must be the one that its entries lead to."""
    result = done.result
    if result is None:
        raise Refused(Code.ILLEGAL, "not-over", found=fields.get("reason"))
    ours = plain(result)
    for name in ("reason", "places", "scores"):
        found = fields.get(name)
        if name == "scores" and isinstance(found, list) and len(found) == len(ours[name]):
            _check_scores(found, ours[name])
        if not _same(found, ours[name]):
            raise Refused(Code.ILLEGAL, "wrong-result", name=name, found=found, expected=ours[name])


def _check_scores(found: list[Json], ours: list[Json]) -> None:
    """Name the one score that is wrong, where there is one for each seat."""
    for seat, (theirs, score) in enumerate(zip(found, ours, strict=True)):
        for name, value in score.items():
            told = theirs.get(name) if isinstance(theirs, dict) else theirs
            if not _same(told, value):
                where = f"scores, seat {seat}, {name}"
                raise Refused(Code.ILLEGAL, "wrong-result", name=where, found=told, expected=value)


def _same(found: Json, ours: Json) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(found, sort_keys=True) == json.dumps(ours, sort_keys=True)


def _is_int(value: Json) -> bool:
    return type(value) is int
