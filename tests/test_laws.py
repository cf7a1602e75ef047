"""The laws that the rules promise, for every game, number of players and option.

They are checked along random games here (a few of each kind; `make proof` plays thousands), and
along games that Hypothesis steers in `test_machines.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from tests.hidden import PERMUTE
from tests.oracles import CONSERVED, RECOUNT
from tests.tables import TABLES, Moment, Table, random_game
from tuilerie import record
from tuilerie.games.game import Action, Chance, Json, Refused, Seat, plain
from tuilerie.games.genial import view as genial_view

Check = Callable[[Table, Moment, Random], None]


def viewers(table: Table) -> list[Seat | None]:
    return [*range(table.players), None]


def as_bytes(value: Json) -> bytes:
    return json.dumps(plain(value), ensure_ascii=False).encode()


# --- law 2: no leak ---


def no_leak(table: Table, moment: Moment, random: Random) -> None:
    """States that differ only in what a viewer may not know look the same to it, byte for byte."""
    game, state = table.rules, moment.after
    for viewer in viewers(table):
        other = PERMUTE[table.game](state, viewer, random)
        assert as_bytes(game.view(state, viewer)) == as_bytes(game.view(other, viewer))
        if viewer is not None and viewer in game.actors(state):
            moves = game.legal(state, viewer)
            assert [str(move) for move in moves] == [str(m) for m in game.legal(other, viewer)]
            guesses = [game.parse_move(_foreign_move(table))]
            if not _reveals(state, game.actors(state)):
                guesses.append(moves[random.randrange(len(moves))])
            for guess in guesses:
                assert _answer(table, state, viewer, guess) == _answer(table, other, viewer, guess)


def _reveals(state: Json, actors: tuple[Seat, ...]) -> bool:
    """Whether the move that is awaited makes known what others hold: the last one in a draft passes
    the packets on, the last secret choice of Kaosmos shows all of them."""
    return len(actors) == 1 and state.phase in ("draft", "ingerence", "transfert")


def _answer(table: Table, state: Json, viewer: Seat, move: Json) -> bytes:
    """What a viewer hears after a move of its own: its events, or why it was refused."""
    game = table.rules
    try:
        events = game.apply(state, Action(viewer, move)).events
    except Refused as refused:
        return as_bytes([refused.code, refused.rule, refused.params])
    return as_bytes([game.redact(event, viewer) for event in events])


def _foreign_move(table: Table) -> str:
    return {"genial": "RB h8 h9", "blockers": "bE-E5", "kaosmos": "put T01 a1 0"}[table.game]


# --- law 3: a view and the events after it make the later view ---


def view_and_events_make_the_later_view(table: Table, moment: Moment, random: Random) -> None:
    game = table.rules
    for viewer in viewers(table):
        view = game.view(moment.before, viewer)
        for event in moment.events:
            view = game.follow(view, game.redact(event, viewer))
        assert view == game.view(moment.after, viewer), (viewer, moment.entry)


def an_event_is_seen_whole_or_as_a_spectator_sees_it(
    table: Table, moment: Moment, random: Random
) -> None:
    """A server writes what a spectator hears once for all but the seat that an event is about."""
    redact = table.rules.redact
    for event in moment.events:
        openly = redact(event, None)
        assert openly is event or hasattr(event, "seat"), event
        owner: Json = None if openly is event else getattr(event, "seat")  # noqa: B009
        if getattr(event, "unseen", False):
            owner = None  # tiles that not even their owner has looked at
        for viewer in viewers(table):
            seen = redact(event, viewer)
            whole = openly is event or (owner is not None and viewer == owner)
            assert seen is event if whole else seen == openly


def events_are_numbered(table: Table, moment: Moment, random: Random) -> None:
    assert moment.after.number == moment.before.number + len(moment.events)


# --- law 5: nothing appears or vanishes, and points are what is on the table ---


def tiles_are_conserved(table: Table, moment: Moment, random: Random) -> None:
    assert CONSERVED[table.game](moment.after), moment.entry


def points_are_recounted(table: Table, moment: Moment, random: Random) -> None:
    RECOUNT[table.game](moment)


# --- law 8: text is a fixpoint ---


def text_is_a_fixpoint(table: Table, moment: Moment, random: Random) -> None:
    game = table.rules
    for seat in game.actors(moment.after):
        moves = list(game.legal(moment.after, seat))
        for move in random.sample(moves, min(100, len(moves))):
            assert game.parse_move(str(move)) == move
    if isinstance(moment.entry, Chance):
        assert game.read_chance(game.write_chance(moment.entry)) == moment.entry


# --- what an engine owes besides ---


def a_refusal_changes_nothing(table: Table, moment: Moment, random: Random) -> None:
    """Moves that were legal before, and moves of others, are tried on the state after."""
    game, state = table.rules, moment.after
    before = as_bytes(state)
    for seat in range(table.players):
        with suppress(Refused):
            game.apply(state, Action(seat, game.parse_move(_foreign_move(table))))
    assert as_bytes(state) == before


def someone_can_go_on_until_the_end(table: Table, moment: Moment, random: Random) -> None:
    game, state = table.rules, moment.after
    over = game.result(state) is not None
    waiting_for = [game.due(state), bool(game.actors(state)), over]
    assert sum(waiting_for) == 1
    for seat in range(table.players):
        moves = game.legal(state, seat)
        assert moves or seat not in game.actors(state)
        # Only bonus tiles may be taken by one whom nobody waits for.
        late = [str(move) for move in moves if seat not in game.actors(state)]
        assert all(text.startswith("grab ") for text in late)


def legal_moves_are_those_that_are_taken(table: Table, moment: Moment, random: Random) -> None:
    """Each legal move is listed once and taken; the next test shows that others are refused."""
    game, state = table.rules, moment.after
    for seat in range(table.players):
        moves = game.legal(state, seat)
        texts = [str(move) for move in moves]
        assert len(texts) == len(set(texts))
        assert tuple(texts) == game.view(state, seat).legal
        for move in random.sample(list(moves), min(3, len(moves))):
            assert game.apply(state, Action(seat, move)).state != state


CHEAP_CHECKS: tuple[Check, ...] = (
    events_are_numbered,
    an_event_is_seen_whole_or_as_a_spectator_sees_it,
    tiles_are_conserved,
    points_are_recounted,
)
CHECKS: tuple[Check, ...] = (
    *CHEAP_CHECKS,
    no_leak,
    view_and_events_make_the_later_view,
    text_is_a_fixpoint,
    a_refusal_changes_nothing,
    someone_can_go_on_until_the_end,
    legal_moves_are_those_that_are_taken,
)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_laws_hold_along_a_random_game(table: Table) -> None:
    """All laws at every step of a short game; of a long one, all of them at some hundred steps."""
    random = Random(7)
    moments = list(random_game(table, seed=1))
    every = 1 + len(moments) // 100
    for at, moment in enumerate(moments):
        for check in CHEAP_CHECKS if at % every else CHECKS:
            check(table, moment, random)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_record_replays_to_the_same_game(table: Table) -> None:
    """Law 1, and law 8 for whole records."""
    moments = list(random_game(table, seed=2))
    game, start = table.rules, moments[0].before
    header = record.Header(
        table.game, game.card.rules, ("A",) * table.players, start.options.plain(), "2"
    )
    played = [
        record.Played(at + 2, moment.entry, None, moment.after, moment.events)
        for at, moment in enumerate(moments)
    ]
    text = record.write(record.Replay(header, game, start, played))
    again = record.replay(text)
    assert again.confirmed
    assert [as_bytes(each.state) for each in again.played] == [
        as_bytes(moment.after) for moment in moments
    ]
    assert record.write(again) == text


@pytest.mark.proof
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_ten_thousand_random_games_end_and_keep_the_laws(table: Table) -> None:
    """Every game ends with its tiles all there; every twentieth is recounted step by step, and
    every thousandth is held to all laws at every step."""
    random = Random(11)
    for seed in range(10_000):
        checks: tuple[Check, ...] = ()
        if seed % 1000 == 0:
            checks = CHECKS
        elif seed % 20 == 0:
            checks = CHEAP_CHECKS
        moment = None
        for moment in random_game(table, seed):
            for check in checks:
                check(table, moment, random)
        assert moment is not None
        assert table.rules.result(moment.after) is not None
        tiles_are_conserved(table, moment, random)
        points_are_recounted(table, moment, random)


# --- the tests themselves can fail ---


def test_a_view_that_tells_too_much_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("genial", 2)
    honest = genial_view.view

    def leaky(state: Json, viewer: Seat | None) -> Json:
        return replace(honest(state, viewer), hand_counts=(state.hands[1], 6))

    monkeypatch.setattr(genial_view, "view", leaky)
    moments = list(random_game(table, seed=1))
    with pytest.raises(AssertionError):
        no_leak(table, moments[-10], Random(1))


def test_a_tile_that_vanishes_would_be_found() -> None:
    for table in (Table("genial", 2), Table("blockers", 3)):
        moments = list(random_game(table, seed=1))
        state = moments[-10].after
        hands = "hands" if table.game == "genial" else "racks"
        short = replace(
            state, **{hands: (getattr(state, hands)[0][1:], *getattr(state, hands)[1:])}
        )
        assert CONSERVED[table.game](state)
        assert not CONSERVED[table.game](short)


def test_a_wrong_count_would_be_found() -> None:
    for table in (Table("genial", 2), Table("kaosmos", 2), Table("blockers", 3)):
        last = list(random_game(table, seed=1))[-1]
        RECOUNT[table.game](last)
        result = table.rules.result(last.after)
        assert result is not None
        if table.game == "genial":
            wrong = replace(last.after, tracks=({**last.after.tracks[0], "R": 99}, {}))
        else:
            scores = ({**result.scores[0], "score": 99}, *result.scores[1:])
            wrong = replace(last.after, result=replace(result, scores=scores))
        with pytest.raises(AssertionError):
            RECOUNT[table.game](replace(last, after=wrong))
