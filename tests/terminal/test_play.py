"""Whole games on a fake console: playing, quitting, resuming, undoing."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import pytest

from tests.amounts import one_in
from tests.terminal.fake_console import Answer, FakeConsole, Player, is_pause, run_game
from tuilerie import record
from tuilerie.games.game import Action, Refused, Result
from tuilerie.games.kaosmos.events import Counted
from tuilerie.language import language
from tuilerie.record import Replay
from tuilerie.terminal.console import InputClosed
from tuilerie.terminal.count import draw_seat_count
from tuilerie.terminal.layout import width
from tuilerie.terminal.play import is_tie_broken, play


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def only_game(folder: Path) -> Replay:
    return record.replay(only_file(folder).read_text("utf-8"))


GAMES = [
    ("genial", {"players": 2}),
    ("genial", {"players": 1}),
    ("genial", {"players": 4, "options": {"variant": "teams"}}),
    ("genial", {"players": 2, "options": {"variant": "duel"}}),
    ("blockers", {"players": 2}),
    ("blockers", {"players": 5}),
    ("kaosmos", {"players": 2}),
    ("kaosmos", {"players": 3, "options": {"kaos": False, "draft": False}}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "how", "lang"),
    one_in(3, [(*each, lang) for each, lang in zip(GAMES, cycle(("en", "fr")), strict=False)]),
)
def test_whole_game_is_played_shown_and_recorded(
    tmp_path: Path, game: str, how: dict[str, object], lang: str
) -> None:
    console = run_game(Player(), tmp_path, game=game, lang=lang, **how)
    replay = only_game(tmp_path)
    assert replay.confirmed
    assert "\x1b" not in console.text
    wide = [line for line in console.out if width(line) > 80 and str(tmp_path) not in line]
    assert not wide, "\n".join(wide)
    assert str(only_file(tmp_path)) in console.out[-1]
    assert replay.result is not None
    assert language(lang).say(f"reason.{replay.result.reason}") in console.out
    for name in (name.split(" (")[0] for name in replay.header.seats):
        assert any(line.startswith("  ") and name in line for line in console.out[-12:])


def test_kaosmos_count_is_drawn_by_the_rules_of_its_own_round(tmp_path: Path) -> None:
    """The entry that ends a round also begins the next one, which has other rules."""
    console = run_game(Player(), tmp_path, game="kaosmos", players=2, options={"draft": False})
    replay = only_game(tmp_path)
    states = [replay.start, *(played.state for played in replay.played)]
    counts = [
        draw_seat_count(event.count, "en", False, before.rules, before.box.tiles)
        for before, played in zip(states, replay.played, strict=False)
        for event in played.events
        if isinstance(event, Counted) and event.seat == 0
    ]
    assert len(counts) == 5
    for drawn in counts:
        assert drawn in console.text


def test_kaosmos_has_no_timer_by_default(tmp_path: Path) -> None:
    run_game(["quit"], tmp_path, game="kaosmos")
    assert only_game(tmp_path).header.options["seconds"] is None


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [
        ("genial", {}, 2),
        ("genial", {"variant": "teams"}, 4),
        ("genial", {"variant": "solo"}, 1),
        ("blockers", {}, 3),
        ("blockers", {"colours": ["by", "gr"]}, 2),
        ("kaosmos", {}, 3),
    ],
)
def test_default_number_of_players_fits_the_options(
    tmp_path: Path, game: str, options: dict[str, object], players: int
) -> None:
    run_game(["quit"], tmp_path, game=game, options=options)
    assert len(only_game(tmp_path).header.seats) == players


def test_invalid_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="unknown-option"):
        run_game([], tmp_path, game="genial", options={"speed": 3})
    with pytest.raises(Refused, match="bad-players"):
        run_game([], tmp_path, game="genial", players=9)
    assert list(tmp_path.iterdir()) == []


def test_unknown_bot_level_prints_an_error(tmp_path: Path) -> None:
    console = FakeConsole()
    with pytest.raises(SystemExit):
        play("genial", bots="genius", lang="en", console=console, folder=tmp_path)
    assert "‘genius’" in console.text
    assert "random, greedy" in console.text


@pytest.mark.parametrize(
    ("scores", "places", "broken"),
    [
        ([5, 5, 2], (2, 3, 1), True),
        ([5, 5, 2], (2, 2, 1), False),
        ([5, 4, 2], (3, 2, 1), False),
    ],
)
def test_is_tie_broken(scores: list[int], places: tuple[int, ...], broken: bool) -> None:
    result = Result("all-laid", places, tuple({"score": score} for score in scores))
    assert is_tie_broken(result) is broken
    assert not is_tie_broken(Result("board-full", (1, 2), ({"R": 3}, {"R": 3})))


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 a1 a2", "not on the board"),
        ("7 h8 h9", "no tile with the number 7"),
        ("swap", "choice at the end of a turn"),
        ("nonsense", "is not a move"),
        ("\x1b[31mRB", "is not a move"),
        ("points", "Name a move"),
        ("points nonsense", "is not a move"),
        ("points 9 h8 h9", "no tile with the number 9"),
    ],
)
def test_bad_input_prints_an_error_and_changes_nothing(
    tmp_path: Path, typed: str, said: str
) -> None:
    console = run_game([typed, "quit"], tmp_path, game="genial")
    assert said in console.text
    assert len(only_game(tmp_path).played) == 2
    assert not any("\x1b" in line for line in console.out if line.startswith("✗"))


def test_no_moves_are_offered_before_the_turn_is_confirmed(tmp_path: Path) -> None:
    player = Player(leave_after=1)
    run_game(player, tmp_path / "first", game="genial")
    (move,) = player.moves
    console = run_game([move, f"points {move}", "hint", "quit"], tmp_path / "again", game="genial")
    assert "It is not your turn now" in console.text
    assert "There is nothing for you to do now" in console.text


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_every_command_works_in_every_language(tmp_path: Path, game: str, lang: str) -> None:
    say = language(lang)
    words = [say.say(f"play.word.{name}").split(", ")[0] for name in ("help", "moves", "hint")]
    words += [say.say(f"play.word.{name}").split(", ")[0] for name in ("history", "rules", "table")]
    words += ["", say.say("play.word.undo").split(", ")[0], say.say("play.word.save")]
    console = run_game(
        [*words, say.say("play.word.quit").split(", ")[0]], tmp_path, game=game, lang=lang
    )
    assert say.say(f"help.game-{game}").splitlines()[0] in console.out
    assert say.say("play.cannot-undo") in console.out
    heads = [
        line for line in console.out if line.startswith(("Génial! ·", "Blockers! ·", "Kaosmos ·"))
    ]
    assert len(heads) == 3
    wide = [line for line in console.out if width(line) > 80 and str(tmp_path) not in line]
    assert not wide, "\n".join(wide)


def test_points_command_explains_a_move_without_making_it(tmp_path: Path) -> None:
    console = run_game(["points 1 l8 m9", "quit"], tmp_path, game="genial", seed="5")
    hand = json.loads(only_file(tmp_path).read_text("utf-8").splitlines()[1])["tiles"]
    first = sorted(hand, key=str)[0]
    assert f"{first[0]}" in console.text
    assert any("on l8:" in line for line in console.out)
    assert len(only_game(tmp_path).played) == 2


def test_moves_command_lists_summary_or_one_tile(tmp_path: Path) -> None:
    console = run_game(["moves", "moves 1", "quit"], tmp_path, game="genial")
    summary = [line for line in console.out if " places   " in line]
    assert summary
    tile = next(line for line in console.out if line.startswith("All places")).split()[-1][:2]
    count = int(summary[0].split()[1])
    lines = console.out[
        console.out.index(next(x for x in console.out if x.endswith(": moves 1"))) + 1 :
    ]
    listed = [part for line in lines for part in line.split("   ") if part.startswith(f"{tile} ")]
    assert len(listed) == count


def test_cells_command_toggles_cell_names(tmp_path: Path) -> None:
    console = run_game(["cells", "cells", "quit"], tmp_path, game="genial")
    rows = [line for line in console.out if "h8" in line or "h3 P○" in line]
    assert [("h8" in row) for row in rows if row.startswith((" ", "h"))][:3] == [True, False, True]


def test_save_command_writes_a_copy_and_prints_the_path(tmp_path: Path) -> None:
    folder, copy = tmp_path / "games", tmp_path / "copy.jsonl"
    answers = ["save", f"save {copy}", f"save {copy}", "save /", "save \0", "quit"]
    console = run_game(answers, folder, game="blockers")
    assert copy.read_text("utf-8") == only_file(folder).read_text("utf-8")
    assert str(only_file(folder)) in console.text
    assert f"{copy} is there already" in console.text
    assert (
        console.text.count("cannot be written") == 2 or console.text.count("is there already") == 2
    )


# --- undo -----------------------------------------------------------------------------------------


def own_actions(replay: Replay) -> list[str]:
    entries = [played.entry for played in replay.played]
    return [str(e.move) for e in entries if isinstance(e, Action) and e.seat == 0]


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_move_can_be_undone_until_the_turn_is_confirmed(tmp_path: Path, game: str) -> None:
    player = Player(leave_after=1)
    run_game(
        player, tmp_path / "first", game=game, options={"first": 0} if game == "blockers" else {}
    )
    (move,) = player.moves or ["?"]
    how = {"game": game, "options": {"first": 0} if game == "blockers" else {}}
    run_game([move, "undo"], tmp_path / "taken", **how)
    assert own_actions(only_game(tmp_path / "taken")) == []
    run_game([move, "what", "undo", move, ""], tmp_path / "again", **how)
    assert own_actions(only_game(tmp_path / "again")) == [move]
    console = run_game([move, "", "undo", "quit"], tmp_path / "late", **how)
    assert own_actions(only_game(tmp_path / "late")) == [move]
    assert "cannot be taken back" in console.text


def test_undo_never_removes_a_bots_move(tmp_path: Path) -> None:
    """In the last turns of Blockers! nobody draws: a bot's move directly precedes the player's."""
    player = Player()
    tried: set[int] = set()

    def answer(prompt: str) -> str:
        if not is_pause(prompt) and len(player.moves) not in tried:
            tried.add(len(player.moves))
            return "undo"
        return player(prompt)

    player.console = console = FakeConsole(answer)
    play("blockers", players=3, lang="en", seed="7", console=console, folder=tmp_path)
    assert len(tried) == 24
    assert console.text.count("cannot be taken back") == 24
    assert own_actions(only_game(tmp_path)) == player.moves


def test_two_actions_of_one_turn_can_be_undone(tmp_path: Path) -> None:
    """Two actions of one turn are undone one by one."""
    for seed in range(40):
        folder = tmp_path / str(seed)
        player = Player()
        run_game(player, folder, game="genial", seed=str(seed), players=1)
        entries = [played.entry for played in only_game(folder).played]
        pair = next(
            (
                at
                for at in range(len(entries) - 1)
                if isinstance(entries[at], Action) and isinstance(entries[at + 1], Action)
            ),
            None,
        )
        if pair is not None:
            break
    assert pair is not None
    before = [e for e in entries[:pair] if isinstance(e, Action)]
    script: list[str] = []
    for entry in before:
        script += [str(entry.move), ""]
    first, second = entries[pair], entries[pair + 1]
    assert isinstance(first, Action)
    assert isinstance(second, Action)
    script += [str(first.move), str(second.move), "undo", "undo", "quit"]
    again = tmp_path / "again"
    run_game(script, again, game="genial", seed=str(seed), players=1)
    assert own_actions(only_game(again)) == [str(entry.move) for entry in before]


def test_undo_while_building_appends_reversing_moves(tmp_path: Path) -> None:
    options = {"kaos": False, "draft": False}
    script = ["1 b2", "turn b2", "1 b2", "b2 c3", "lift c3", "undo", "undo", "undo", "undo", "undo"]
    run_game([*script, "undo", "quit"], tmp_path, game="kaosmos", players=2, options=options)
    replay = only_game(tmp_path)
    galaxies = [played.state.galaxies[0] for played in replay.played]
    own = [
        galaxies[at] if at >= 0 else {}
        for at, played in enumerate(replay.played)
        if isinstance(played.entry, Action) and played.entry.seat == 0
    ]
    laid = own[:5]
    assert own[-1] == {}
    for layout in laid:
        assert layout in own[4:] or layout == laid[-1]
    others = [p for p in replay.played if isinstance(p.entry, Action) and p.entry.seat == 1]
    assert len(others) == 5  # one per move of the player, none for undo


# --- quit and resume ------------------------------------------------------------------------------


def raise_input_closed(prompt: str) -> str:
    raise InputClosed


def test_quitting_prints_the_resume_command(tmp_path: Path) -> None:
    ways: list[list[str] | Answer] = [["quit"], ["exit"], [], raise_input_closed]
    for number, answers in enumerate(ways):
        console = run_game(answers, tmp_path / str(number), game="genial")
        path = only_file(tmp_path / str(number))
        assert f"play --resume {path}" in console.text


@pytest.mark.slow
@pytest.mark.parametrize(("game", "how"), one_in(3, [GAMES[at] for at in (5, 0, 6)]))
def test_resumed_game_equals_an_uninterrupted_game(
    tmp_path: Path, game: str, how: dict[str, object]
) -> None:
    whole = tmp_path / "whole"
    run_game(Player(), whole, game=game, **how)
    parts = tmp_path / "parts"
    run_game(Player(leave_after=3), parts, game=game, **how)
    path = only_file(parts)
    run_game(Player(leave_after=4), parts, resume=path)
    path.write_bytes(path.read_bytes() + b'{"kind": "acti')  # killed during a write
    console = run_game(Player(), parts, resume=path)
    assert "resumed after" in console.text
    assert without_time(only_file(parts)) == without_time(only_file(whole))


def without_time(path: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{k: v for k, v in line.items() if k not in ("ms", "started")} for line in lines]


def test_history_is_restored_after_resume(tmp_path: Path) -> None:
    player = Player(before=[], leave_after=3)
    first = run_game(player, tmp_path, game="genial")
    lines = [line for line in first.out if line.startswith(("You: ", "Bot 1: "))]
    console = run_game(["history", "quit"], tmp_path, resume=only_file(tmp_path))
    assert [line for line in console.out if line.startswith(("You: ", "Bot 1: "))] == lines


def test_resuming_a_finished_game_shows_its_result(tmp_path: Path) -> None:
    run_game(Player(), tmp_path, game="genial", players=1)
    before = only_file(tmp_path).read_bytes()
    console = run_game([], tmp_path, resume=only_file(tmp_path))
    assert "over already" in console.text
    assert only_file(tmp_path).read_bytes() == before


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a record"),
        (b"hello", "Line 1"),
        (b"\xff\xfe\x00", "Line 1"),
        (b'{"format": "tuilerie", "version": 9}\n', "Line 1"),
        (
            b'{"format": "tuilerie", "version": 1, "game": "genial", "rules": 1, '
            b'"seats": ["a", "b"], "options": {}}\n'
            b'{"kind": "action", "seat": 0, "move": "RB h8 h9"}\n',
            "Line 2",
        ),
    ],
)
def test_invalid_record_prints_an_error_and_stays_unchanged(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    console = FakeConsole()
    with pytest.raises(SystemExit) as stop:
        play_on(console, resume=path, folder=tmp_path)
    assert stop.value.code == 1
    assert said in console.text
    assert "Traceback" not in console.text
    assert path.read_bytes() == data


def play_on(console: FakeConsole, **how: object) -> None:
    play(lang="en", console=console, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "a\0b"])
def test_unreadable_file_prints_an_error(tmp_path: Path, name: str) -> None:
    console = FakeConsole()
    with pytest.raises(SystemExit):
        play_on(console, resume=tmp_path / name, folder=tmp_path)
    assert "cannot be read" in console.text


def test_foreign_record_resumes_at_the_first_seat(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    run_game(Player(leave_after=2), tmp_path, game="genial")
    (only_file(tmp_path)).rename(path)
    text = path.read_text("utf-8").replace('"You", "Bot 1 (terracotta)"', '"Zoé", "Bo"')
    path.write_text(text, "utf-8")
    console = run_game(["quit"], tmp_path, resume=path)
    assert "your turn" in console.text
    assert "▸Zoé" in console.text


def test_game_is_played_when_saving_fails(tmp_path: Path) -> None:
    blocking_file = tmp_path / "file"
    blocking_file.write_text("")
    console = run_game(Player(leave_after=2), blocking_file / "games", game="genial")
    assert "cannot be saved" in " ".join(console.text.split())
    assert console.out[-1] == "The game was not saved."
