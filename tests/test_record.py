"""Records: strict about content, lenient about form, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuilerie import record
from tuilerie.games import GAMES
from tuilerie.games.game import Code, Json, Timeout
from tuilerie.record import RecordError
from tuilerie.simulate import play_game

Lines = list[dict[str, Json]]


def a_record(game: str = "genial", players: int = 2, seed: str = "1", **options: Json) -> str:
    bots = ["random"] * players
    return record.write(play_game(GAMES[game], players, options, bots, seed))


GENIAL = a_record()
BLOCKERS = a_record("blockers", 3)


def changed(text: str, change: Callable[[Lines], None]) -> str:
    lines = [json.loads(line) for line in text.splitlines()]
    change(lines)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def fault_of(text: str) -> record.Fault:
    with pytest.raises(RecordError) as caught:
        record.replay(text)
    return caught.value.fault


# --- lenient form ---


@pytest.mark.parametrize(
    "reformed",
    [
        "\ufeff" + GENIAL,
        GENIAL.replace("\n", "\r\n"),
        GENIAL.replace("\n", "\n\n   \n"),
        "\n" + GENIAL.rstrip("\n"),
        GENIAL.replace(": ", ":").replace(", ", " ,\t"),
    ],
)
def test_blank_lines_crlf_bom_and_white_space_are_accepted(reformed: str) -> None:
    replay = record.replay(record.decode(reformed.encode()))
    assert replay.confirmed
    assert record.write(replay) == GENIAL


def test_record_round_trips() -> None:
    for text in (GENIAL, BLOCKERS):
        assert record.write(record.replay(text)) == text


def test_header_follows_the_format() -> None:
    header = json.loads(GENIAL.splitlines()[0])
    assert header == {
        "format": "tuilerie",
        "version": 1,
        "game": "genial",
        "rules": 1,
        "seats": ["random 1", "random 2"],
        "options": {"variant": "standard", "adjacent": False},
        "seed": "1",
        "started": "1970-01-01T00:00:00Z",
    }


def test_started_and_seed_are_preserved() -> None:
    text = changed(GENIAL, lambda lines: lines[0].update(started="2026-11-15T12:00:00Z"))
    assert record.write(record.replay(text)) == text

    def forget(lines: Lines) -> None:
        del lines[0]["seed"], lines[0]["started"]

    without = changed(GENIAL, forget)
    assert record.replay(without).header.seed is None
    assert record.write(record.replay(without)) == without


def test_line_kinds_follow_the_format() -> None:
    lines = [json.loads(line) for line in GENIAL.splitlines()]
    assert lines[1] | {"tiles": []} == {
        "kind": "chance", "what": "deal", "seat": 0, "tiles": [], "ms": 0
    }  # fmt: skip
    assert [line["kind"] for line in lines[1:4]] == ["chance", "chance", "action"]
    assert set(lines[3]) == {"kind", "seat", "move", "ms"}
    assert set(lines[-1]) == {"kind", "reason", "places", "scores"}
    assert lines[-2]["kind"] == "action"  # no draw after the last placement


# --- truncated files ---


def test_truncated_line_replays_up_to_there_and_is_reported() -> None:
    lines = GENIAL.splitlines(keepends=True)
    cut = "".join(lines[:10]) + lines[10][:17]
    replay = record.replay(cut)
    assert replay.cut_line == 11
    assert len(replay.played) == 9
    assert replay.result is None
    assert not replay.confirmed


def test_file_truncated_between_lines_replays_up_to_there() -> None:
    replay = record.replay("".join(GENIAL.splitlines(keepends=True)[:10]))
    assert (replay.cut_line, len(replay.played), replay.result) == (None, 9, None)


def test_missing_result_is_accepted() -> None:
    replay = record.replay("".join(GENIAL.splitlines(keepends=True)[:-1]))
    assert replay.result is not None
    assert not replay.confirmed


@settings(deadline=None)
@given(st.integers(0, len(GENIAL.encode())))
def test_file_can_be_truncated_anywhere(at: int) -> None:
    data = GENIAL.encode()[:at]
    if at < GENIAL.encode().index(b"\n"):  # within the header
        assert fault_of(record.decode(data)).line == 1
        return
    replay = record.replay(record.decode(data))
    whole_lines = data.count(b"\n")
    assert len(replay.played) in (whole_lines - 1, whole_lines - 2, whole_lines)
    assert replay.confirmed == (at >= len(GENIAL.encode()) - 1)


def test_truncation_within_a_character_is_a_truncation() -> None:
    text = changed(GENIAL, lambda lines: lines[0].update(seats=["Zoé", "Bo"]))
    data = text.encode()
    assert record.decode(data[: data.index("é".encode()) + 1]).endswith("Zo")


# --- invalid files ---


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("", 1, "no-header"),
        ("\n\n", 1, "no-header"),
        ("hello\n", 1, "not-json"),
        ("[1]\n", 1, "not-an-object"),
        ('{"a": 1, "a": 2}\n', 1, "key-twice"),
        ('{"a": NaN}\n', 1, "not-a-number"),
        ("[" * 100_000 + "\n", 1, "not-json"),
        (GENIAL.replace('{"kind": "action"', '{"kind": action', 1), 4, "not-json"),
        (
            GENIAL.replace('"kind": "action"', '"kind": "action", "kind": "action"', 1),
            4,
            "key-twice",
        ),
        (GENIAL.splitlines(keepends=True)[0] + "7\n", 2, "not-an-object"),
    ],
)
def test_invalid_json_lines_are_reported(text: str, line: int, rule: str) -> None:
    fault = fault_of(text)
    assert (fault.line, fault.rule, fault.code) == (line, rule, Code.MALFORMED)


def test_invalid_utf8_is_reported_with_its_line() -> None:
    with pytest.raises(RecordError) as caught:
        record.decode(b"{}\n{}\n\xff\xfe{}\n")
    assert (caught.value.fault.line, caught.value.fault.rule) == (3, "not-utf8")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"format": "pgn"}, "format"),
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"game": "chess"}, "game"),
        ({"game": ["genial"]}, "game"),
        ({"rules": "1"}, "rules"),
        ({"rules": True}, "rules"),
        ({"seats": 2}, "seats"),
        ({"seats": ["a", 2]}, "seats"),
        ({"options": []}, "options"),
        ({"seed": 5}, "seed"),
        ({"started": 5}, "started"),
    ],
)
def test_bad_header_names_the_field(change: dict[str, Json], name: str) -> None:
    fault = fault_of(changed(GENIAL, lambda lines: lines[0].update(change)))
    assert (fault.line, fault.rule, fault.params["name"]) == (1, "bad-header", name)
    assert fault.params["expected"]


def test_bad_options_and_players_are_reported_by_the_game() -> None:
    one = fault_of(changed(GENIAL, lambda lines: lines[0]["options"].update(adjacent="yes")))
    assert (one.line, one.rule) == (1, "bad-option")
    five = fault_of(changed(GENIAL, lambda lines: lines[0].update(seats=list("abcde"))))
    assert (five.line, five.rule) == (1, "bad-players")


# --- single faults ---


def first(lines: Lines, **fields: Json) -> int:
    """Return the index of the first line with these fields."""
    return next(at for at, line in enumerate(lines) if fields.items() <= line.items())


def tile_not_in_hand(lines: Lines) -> None:
    at = first(lines, kind="action")
    held = {tile for line in lines[:at] if line.get("seat") == 0 for tile in line["tiles"]}
    other = next(tile for tile in ("RY", "RB", "RG", "RP", "RO", "YB", "YG") if tile not in held)
    lines[at]["move"] = other + lines[at]["move"][2:]


def occupied_cell(lines: Lines) -> None:
    actions = [line for line in lines if line.get("kind") == "action"]
    _, cell_a, cell_b = actions[0]["move"].split()
    actions[4]["move"] = f"{actions[4]['move'][:2]} {cell_a} {cell_b}"


def first_tile_away(lines: Lines) -> None:
    at = first(lines, kind="action")
    lines[at]["move"] = lines[at]["move"][:2] + " h8 h9"


def swap_not_allowed(lines: Lines) -> None:
    at = first(lines, kind="action")
    lines[at]["move"] = "swap"


def swap_after_scoring_not_allowed(lines: Lines) -> None:
    at = first(lines, kind="chance", what="draw")
    lines.insert(at, {"kind": "action", "seat": 0, "move": "swap"})


def draw_the_bag_does_not_hold(lines: Lines) -> None:
    lines[2]["tiles"] = ["RR"] * 6


def wrong_total(lines: Lines) -> None:
    lines[-1]["scores"][1]["G"] += 1


def wrong_place(lines: Lines) -> None:
    lines[-1]["places"] = lines[-1]["places"][::-1]


def move_after_the_end(lines: Lines) -> None:
    lines.insert(-1, {"kind": "action", "seat": 0, "move": "RB h8 h9"})


def move_after_the_result(lines: Lines) -> None:
    lines.append({"kind": "action", "seat": 0, "move": "RB h8 h9"})


def result_too_early(lines: Lines) -> None:
    del lines[20:-1]


def not_their_turn(lines: Lines) -> None:
    lines[first(lines, kind="action")]["seat"] = 1


def seat_that_is_not_there(lines: Lines) -> None:
    lines[first(lines, kind="action")]["seat"] = 7


def no_seat(lines: Lines) -> None:
    del lines[first(lines, kind="action")]["seat"]


def no_move(lines: Lines) -> None:
    del lines[first(lines, kind="action")]["move"]


def no_such_move(lines: Lines) -> None:
    lines[first(lines, kind="action")]["move"] = "castle"


def no_such_kind(lines: Lines) -> None:
    lines[5]["kind"] = "remark"


def no_such_clock(lines: Lines) -> None:
    lines.insert(4, {"kind": "clock", "what": "noon"})


def time_where_nothing_is_timed(lines: Lines) -> None:
    lines.insert(3, {"kind": "clock", "what": "time"})


def time_that_goes_back(lines: Lines) -> None:
    lines[-2]["ms"] = 1


def time_that_is_no_number(lines: Lines) -> None:
    lines[6]["ms"] = "soon"


def draw_left_out(lines: Lines) -> None:
    del lines[first(lines, what="draw")]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (tile_not_in_hand, "tile-not-in-hand"),
        (occupied_cell, "cell-occupied"),
        (first_tile_away, "first-turn"),
        (swap_not_allowed, "swap-not-allowed"),
        (swap_after_scoring_not_allowed, "swap-not-allowed"),
        (draw_the_bag_does_not_hold, "not-in-bag"),
        (wrong_total, "wrong-result"),
        (wrong_place, "wrong-result"),
        (move_after_the_end, "game-over"),
        (move_after_the_result, "after-result"),
        (result_too_early, "not-over"),
        (not_their_turn, "not-your-turn"),
        (seat_that_is_not_there, "not-your-turn"),
        (no_seat, "bad-seat"),
        (no_move, "bad-move"),
        (no_such_move, "bad-move"),
        (no_such_kind, "bad-kind"),
        (no_such_clock, "bad-clock"),
        (time_where_nothing_is_timed, "not-timed"),
        (time_that_goes_back, "bad-ms"),
        (time_that_is_no_number, "bad-ms"),
        (draw_left_out, "not-your-turn"),
    ],
)
def test_single_fault_is_reported_with_line_and_rule(
    change: Callable[[Lines], None], rule: str
) -> None:
    text = changed(GENIAL, change)
    with pytest.raises(RecordError) as caught:
        record.replay(text)
    assert caught.value.fault.rule == rule
    replay = caught.value.replay
    assert replay is not None
    # The entries before the fault were replayed.
    assert caught.value.fault.line == len(replay.played) + 2 + replay.confirmed


def test_splitting_capture_is_refused() -> None:
    header = {
        "format": "tuilerie", "version": 1, "game": "blockers", "rules": 1,
        "seats": ["A", "B", "C"], "options": {"colours": ["b", "y", "g"]},
    }  # fmt: skip
    lines: Lines = [header]

    def add(seat: int, what: str, *tiles: str) -> None:
        lines.append({"kind": "chance", "what": what, "seat": seat, "tiles": list(tiles)})

    def act(seat: int, move: str, drawn: str) -> None:
        lines.append({"kind": "action", "seat": seat, "move": move})
        add(seat, "draw", drawn)

    add(0, "deal", "b1", "b2", "b3", "b4", "b5")
    add(1, "deal", "y2", "y9", "y8", "y7", "y6")
    add(2, "deal", "g1", "g9", "g8", "g7", "g6")
    act(0, "b1-A1", "bA")
    act(1, "y9-I9", "yI")
    act(2, "g9-E9", "gE")
    act(0, "b2-A2", "bB")
    act(1, "y8-H8", "yH")
    act(2, "g8-E8", "gF")
    act(0, "b3-A3", "bC")
    lines.append({"kind": "action", "seat": 1, "move": "y2xA2"})
    fault = fault_of("".join(json.dumps(line) + "\n" for line in lines))
    assert (fault.line, fault.rule) == (len(lines), "splits-group")
    assert fault.params["cell"] == "A2"


# --- fuzzing ---


@pytest.mark.slow
@settings(deadline=None)
@given(st.data())
def test_mutated_record_raises_only_record_errors(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from((GENIAL, BLOCKERS)))
    lines = [json.loads(line) for line in text.splitlines()]
    at = data.draw(st.integers(0, len(lines) - 1))
    key = data.draw(st.sampled_from(sorted(lines[at])))
    junk = st.recursive(
        st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=4,
    )
    lines[at][key] = data.draw(junk)
    damaged = "".join(json.dumps(line) + "\n" for line in lines)
    found = None
    try:
        assert record.replay(damaged).confirmed  # the mutation had no effect
    except RecordError as error:
        found = error.fault
    assert found is None or found.line >= at


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_only_record_errors(data: bytes) -> None:
    with pytest.raises(RecordError):
        record.replay(record.decode(data))


def test_huge_number_is_a_fault() -> None:
    text = GENIAL.replace('"seat": 0', '"seat": ' + "1" * 5000, 1)
    assert fault_of(text).rule == "not-json"


def test_wrong_score_names_seat_and_field() -> None:
    fault = fault_of(changed(GENIAL, wrong_total))
    assert fault.params["name"] == "scores, seat 1, G"
    assert fault.params["found"] == fault.params["expected"] + 1


# --- simulated games ---


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"draft": False}, {"draft": False, "kaos": False}, {}])
def test_each_building_phase_has_its_own_timer(options: dict[str, Json]) -> None:
    """Time is up no earlier than the timer, also in consecutive building phases."""
    seen = 0
    for seed in range(12):
        bots = ["random"] * 3
        game = play_game(GAMES["kaosmos"], 3, options | {"seconds": 30}, bots, str(seed))
        before, begun = game.start, 0
        for played in game.played:
            assert played.ms is not None
            if before.phase != "building" and played.state.phase == "building":
                begun = played.ms
            if isinstance(played.entry, Timeout):
                assert before.timer is not None
                assert played.ms == begun + 1000 * before.timer
                seen += 1
            before = played.state
    assert seen > 3
