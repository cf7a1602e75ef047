"""`verify` reports exactly the tables whose replay disagrees with their log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tuilerie.bots import BOTS
from tuilerie.games import GAMES
from tuilerie.games.game import Pick
from tuilerie.match import commands as c
from tuilerie.match import facts as f
from tuilerie.match.config import Config
from tuilerie.match.decide import decide, open_table
from tuilerie.match.evolve import fold
from tuilerie.match.table import Table
from tuilerie.store import Store, open_store
from tuilerie.store.log import TableMeta
from tuilerie.store.maintenance.verify import PAGE, Report, verify


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A SQLite store; the databases' differences are tested elsewhere."""
    async with await open_store(tmp_path) as opened:
        yield opened


GAME = "blockers"
RULES = GAMES[GAME].card.rules


def decided(table: Table, command: c.Command, now: int, pick: Pick) -> tuple[f.Fact, ...]:
    """Return the facts of a command."""
    return tuple(each.fact for each in decide(table, command, now, pick))


@cache
def played() -> tuple[f.Fact, ...]:
    """A whole two-player game, from the first seat to the result."""
    pick = Random("verify").randrange
    facts = list(open_table(GAME, Config(players=2), 1000))
    people = ("pa", "pb")

    def do(command: c.Command) -> None:
        facts.extend(decided(fold(facts), command, facts[-1].at + 10, pick))

    for player in people:
        do(c.Sit(player, None, player.upper()))
    for player in people:
        do(c.SetReady(player, True))
    rules = GAMES[GAME]
    while (table := fold(facts)).result is None:
        seat = table.actors[0]
        move = BOTS[GAME]["random"](rules.view(table.game_state, seat), pick)
        do(c.Make(people[seat], move))
    return tuple(facts)


async def keep(store: Store, name: str, facts: tuple[f.Fact, ...], rules: int = RULES) -> None:
    bodies = [json.dumps(f.to_json(fact)).encode() for fact in facts]
    await store.log.create(name, bodies, TableMeta(GAME, rules))


async def reports(store: Store) -> dict[str, Report]:
    return {report.table: report async for report in verify(store)}


@pytest.mark.slow
async def test_unchanged_games_agree(store: Store) -> None:
    facts = played()
    await keep(store, "whole", facts)
    await keep(store, "opened", facts[:1])
    await keep(store, "begun", facts[: len(facts) // 2])
    resigned = decided(fold(facts[:-20]), c.Resign("pa"), facts[-1].at, Random(1).randrange)
    await keep(store, "resigned", (*facts[:-20], *resigned))
    found = await reports(store)
    verdicts = {name: (report.verdict, report.error) for name, report in found.items()}
    assert verdicts == {
        "whole": ("agrees", None),
        "opened": ("unfinished", None),
        "begun": ("unfinished", None),
        "resigned": ("agrees", None),
    }
    whole = found["whole"]
    assert (whole.game, whole.rules, whole.facts) == (GAME, RULES, len(facts))


Change = Callable[[tuple[f.Fact, ...]], tuple[f.Fact, ...]]


def other_places(facts: tuple[f.Fact, ...]) -> tuple[f.Fact, ...]:
    *rest, last = facts
    assert isinstance(last, f.Finished)
    return (*rest, replace(last, places=last.places[::-1]))


def other_scores(facts: tuple[f.Fact, ...]) -> tuple[f.Fact, ...]:
    *rest, last = facts
    assert isinstance(last, f.Finished)
    return (*rest, replace(last, scores=last.scores[::-1]))


def wrong_winner_by_resignation(facts: tuple[f.Fact, ...]) -> tuple[f.Fact, ...]:
    before, pick = facts[:-20], Random(1).randrange
    resigned, finished = decided(fold(before), c.Resign("pa"), facts[-1].at, pick)
    assert isinstance(finished, f.Finished)
    return (*before, resigned, replace(finished, places=finished.places[::-1]))


def one_move_less(facts: tuple[f.Fact, ...]) -> tuple[f.Fact, ...]:
    moves = [number for number, fact in enumerate(facts) if isinstance(fact, f.Entered)]
    return (*facts[: moves[-4]], *facts[moves[-4] + 1 :])


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (other_places, "places: stored"),
        (other_scores, "scores: stored"),
        (wrong_winner_by_resignation, "places are"),
        (one_move_less, ""),
        (lambda facts: facts[:-1], "no result is stored"),
        (lambda facts: (*facts[:-3], facts[-1]), "not over|chance outcome"),
        (lambda facts: facts[1:], "begins with 'opened'"),
        (lambda facts: (facts[0], replace(facts[1], at=0), *facts[2:]), "time goes back"),
        (lambda facts: (), "there is no fact"),
    ],
)
async def test_changed_outcome_is_reported(store: Store, change: Change, trouble: str) -> None:
    await keep(store, "good", played())
    await keep(store, "bad", change(played()))
    found = await reports(store)
    assert found["good"].verdict == "agrees"
    bad = found["bad"]
    assert bad.verdict == "differs"
    assert bad.number is not None
    assert bad.error is not None
    assert any(each in bad.error for each in trouble.split("|"))


async def test_mismatch_of_log_and_table_row_is_reported(store: Store) -> None:
    await keep(store, "t", played(), rules=RULES + 1)
    report = (await reports(store))["t"]
    assert (report.verdict, report.number) == ("differs", 1)
    assert report.error is not None
    assert f"rules {RULES + 1}" in report.error


@pytest.mark.parametrize("body", [b"no json", b"[]", b'{"v":1,"kind":"odd","at":1}'])
async def test_malformed_fact_is_reported_with_its_number(store: Store, body: bytes) -> None:
    opened = json.dumps(f.to_json(played()[0])).encode()
    await store.log.create("t", [opened, body], TableMeta(GAME, RULES))
    report = (await reports(store))["t"]
    assert (report.verdict, report.number) == ("differs", 2)


async def test_every_table_is_verified_once(store: Store) -> None:
    names = {f"t{number}" for number in range(PAGE + 5)}
    for name in names:
        await keep(store, name, played()[:1])
    found = [report.table async for report in verify(store)]
    assert len(found) == len(names)
    assert set(found) == names
