"""Facts in JSON: strict decoding, and round trips."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tuilerie.match import facts as f
from tuilerie.match.config import Config, PerGame, PerMove

ONE_OF_EACH: tuple[f.Fact, ...] = (
    f.Opened(1, "genial", 1, Config(players=2)),
    f.Opened(1, "genial", 1, Config(players=2, clock=PerMove(30), options={"adjacent": True})),
    f.Opened(
        1,
        "blockers",
        1,
        Config(
            players=3,
            options={"colours": ["b", "y", "g"]},
            clock=PerGame(600, 5),
            public=True,
            spectators=None,
            takeover_after=None,
            level="random",
            host="ana-id",
        ),
    ),
    f.Seated(2, 0, "ana-id", "Ana"),
    f.BotSeated(3, 1, "greedy", "greedy 2"),
    f.Vacated(4, 1),
    f.Readied(5, 0, True),
    f.Closed(5),
    f.Left(6, 0),
    f.Returned(7, 0),
    f.TakenOver(8, 0, "greedy", False),
    f.HandedBack(9, 0),
    f.Started(10, {"variant": "duel", "adjacent": False}, ("Ana", "Bo")),
    f.Entered(11, {"kind": "chance", "what": "deal", "seat": 0, "tiles": ["RB"], "ms": 0}),
    f.Entered(11, {"kind": "action", "seat": 0, "move": "RB h8 h9", "ms": 7}),
    f.Entered(11, {"kind": "clock", "what": "time", "ms": 9}),
    f.TurnHeld(11, 0, 3011),
    f.TurnEnded(3011, 0),
    f.CountBegan(11, 120_011),
    f.CountSeen(11, 1),
    f.CountEnded(11),
    f.Hinted(11, 0),
    f.TimerAnnounced(12, 2012, 62012),
    f.TimerStarted(2012),
    f.Claimed(13, 1, "grab green", 12, 13, 40),
    f.Claimed(13, 1, "grab green", None, 13, None),
    f.ClaimSettled(14, 1, True, None, {}),
    f.ClaimSettled(14, 1, False, "bonus-taken", {"colours": ["green"], "by": [0]}),
    f.Flagged(15, 0),
    f.Interrupted(15, 3_600_000),
    f.TakebackAsked(16, 0),
    f.TakebackAnswered(17, 1, False),
    f.TakenBack(18, 4),
    f.Resigned(19, 0),
    f.Finished(20, "resigned", (2, 1), ()),
    f.Finished(20, "board-full", (1, 2), ({"R": 3}, {"R": 2})),
    f.Reacted(21, 0, "wow"),
    f.RematchAsked(22, 0),
    f.Rematched(23, "next"),
)


def test_examples_cover_every_kind_of_fact() -> None:
    assert {type(fact) for fact in ONE_OF_EACH} == set(f.KINDS.values())
    assert len(f.KINDS) == 32


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.kind)
def test_facts_survive_a_json_round_trip(fact: f.Fact) -> None:
    text = json.dumps(f.to_json(fact))
    again = f.from_json(json.loads(text))
    assert again == fact
    assert type(again) is type(fact)
    assert json.dumps(f.to_json(again)) == text


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.kind)
def test_missing_and_unknown_fields_are_refused(fact: f.Fact) -> None:
    good = f.to_json(fact)
    for name in good:
        with pytest.raises(f.BadFact):
            f.from_json({key: value for key, value in good.items() if key != name})
        with pytest.raises(f.BadFact):
            f.from_json(good | {name: object()})
    with pytest.raises(f.BadFact):
        f.from_json(good | {"more": 1})


def test_facts_of_version_1_are_read_under_their_new_names() -> None:
    old = {"v": 1, "kind": "glass-turned", "at": 1, "starts_at": 2, "ends_at": 3}
    assert f.from_json(old) == f.TimerAnnounced(1, 2, 3)
    assert f.from_json({"v": 1, "kind": "glass-started", "at": 1}) == f.TimerStarted(1)


OPENED = f.to_json(ONE_OF_EACH[1])


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"v": 3, "kind": "left", "at": 1, "seat": 0}, "v is 3"),
        ({"v": 2, "kind": "glass-turned", "at": 1, "starts_at": 1, "ends_at": 2}, "kind is"),
        ({"v": True, "kind": "left", "at": 1, "seat": 0}, "v is True"),
        ({"v": 1, "kind": "gone", "at": 1, "seat": 0}, "kind is 'gone'"),
        ({"v": 1, "kind": ["left"], "at": 1, "seat": 0}, "kind is"),
        ({"v": 1, "kind": "left", "at": 1, "seat": True}, "seat is True, expected int"),
        ({"v": 1, "kind": "left", "at": 1.0, "seat": 0}, "at is 1.0, expected int"),
        ({"v": 1, "kind": "readied", "at": 1, "seat": 0, "ready": 1}, "ready is 1, expected bool"),
        ({"v": 1, "kind": "entered", "at": 1, "entry": []}, "entry is [], expected an object"),
        ({"v": 1, "kind": "entered", "at": 1, "entry": {1: 2}}, "expected an object"),
        ({"v": 1, "kind": "started", "at": 1, "options": {}, "names": "Ana"}, "expected a list"),
        ({"v": 1, "kind": "started", "at": 1, "options": {}, "names": [1]}, "expected str"),
        (OPENED | {"config": 7}, "config is 7, expected an object"),
        (OPENED | {"config": OPENED["config"] | {"clock": {"kind": "sun"}}}, "of kind 'sun'"),
        (
            OPENED | {"config": OPENED["config"] | {"clock": {"kind": "move"}}},
            "clock: missing seconds",
        ),
        (OPENED | {"config": OPENED["config"] | {"clock": 5}}, "clock is 5"),
        (OPENED | {"config": OPENED["config"] | {"host": {}}}, "host is {}, expected str"),
    ],
)
def test_errors_name_the_invalid_field(value: dict[str, Any], why: str) -> None:
    with pytest.raises(f.BadFact) as caught:
        f.from_json(value)
    assert why in str(caught.value)


def test_reading_does_not_modify_its_input() -> None:
    value = f.to_json(f.Left(1, 0))
    f.from_json(value)
    assert value == {"v": 2, "kind": "left", "at": 1, "seat": 0}
