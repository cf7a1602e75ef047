"""The log of a game that was played elsewhere, made from its record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from tuilerie import names
from tuilerie.codec import to_builtins
from tuilerie.games.game import Code, Refused, Seat, Step
from tuilerie.match import facts as f
from tuilerie.match.batch import Batch
from tuilerie.match.config import Config, PlayerId, check_level
from tuilerie.match.evolve import entered, fold
from tuilerie.match.table import Table
from tuilerie.match.talk import RESIGNED
from tuilerie.record import Replay, write_entry


def import_record(
    replay: Replay,
    players: Mapping[Seat, PlayerId],
    bots: Mapping[Seat, str],
    resigned: Seat | None,
    now: int,
) -> tuple[list[f.Fact], Table]:
    """The facts of a game, and the table that they make; its result is `None` if the record ends
    before the game does.

    `players` and `bots` (levels) hold all seats. `resigned`: the seat that gave up, of which a
    record says nothing. Raises `Refused` as the lobby does.
    """
    header, start = replay.header, _started(replay, now)
    options = to_builtins(header.options)
    config = Config(players=len(header.seats), options=options, spectators=None)
    log: list[f.Fact] = [f.Opened(start, header.game, header.rules, config)]
    for seat, name in enumerate(header.seats):
        if not names.is_good(name):
            raise Refused(Code.MALFORMED, "bad-name", expected=names.LONGEST)
        if seat in bots:
            check_level(header.game, bots[seat])
            log.append(f.BotSeated(start, seat, bots[seat], name))
        else:
            log.append(f.Seated(start, seat, players[seat], name))
    log.append(f.Started(start, options, header.seats))
    table = fold(log)
    for played in replay.played:
        at = table.at if played.ms is None else min(now, start + played.ms)
        fact = f.Entered(at, write_entry(replay.game, played.entry, at - start))
        log.append(fact)
        table = entered(table, fact, Step(played.state, played.events))
    end = Batch(table, table.at, lambda _: 0)
    if resigned is not None:
        _resign(end, resigned)
    if replay.result is not None:
        end.conclude()
    return [*log, *(each.fact for each in end.applied)], end.table


def _resign(end: Batch, seat: Seat) -> None:
    """With more than two seats the others have gone on to the end."""
    players = end.table.config.players
    if seat >= players:
        raise Refused(Code.MALFORMED, "no-such-seat", seat=seat, expected=players)
    end.add(f.Resigned(end.at, seat))
    if players <= 2 and end.table.rules.result(end.table.game_state) is None:
        places = tuple(players if each == seat else 1 for each in range(players))
        end.add(f.Finished(end.at, RESIGNED, places, ()))


def _started(replay: Replay, now: int) -> int:
    """When the game began, in ms: as its record says, but so that it ended before now."""
    took = next((played.ms for played in reversed(replay.played) if played.ms is not None), 0)
    latest = max(0, now - took)
    try:
        said = datetime.strptime(replay.header.started or "", "%Y-%m-%dT%H:%M:%SZ")
        return min(latest, max(0, int(said.replace(tzinfo=UTC).timestamp()) * 1000))
    except ValueError:
        return latest
