"""Games at the table, with nobody at the keyboard: played, left, gone on with, taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.terminal.desk import Answer, Desk, Player, is_pause, sit
from tuilerie import record
from tuilerie.games.game import Action, Refused, Result
from tuilerie.language import language
from tuilerie.record import Replay
from tuilerie.terminal.console import Gone
from tuilerie.terminal.layout import width
from tuilerie.terminal.table import is_tie_broken, play


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


@pytest.mark.parametrize(
    ("game", "how", "lang"),
    [(*each, "en") for each in GAMES] + [(*GAMES[at], "fr") for at in (0, 4, 6)],
)
def test_a_whole_game_is_played_told_and_recorded(
    tmp_path: Path, game: str, how: dict[str, object], lang: str
) -> None:
    desk = sit(Player(), tmp_path, game=game, lang=lang, **how)
    replay = only_game(tmp_path)
    assert replay.confirmed
    assert "\x1b" not in desk.text
    wide = [line for line in desk.out if width(line) > 80 and str(tmp_path) not in line]
    assert not wide, "\n".join(wide)
    assert str(only_file(tmp_path)) in desk.out[-1]
    assert replay.result is not None
    assert language(lang).say(f"reason.{replay.result.reason}") in desk.out
    for name in (name.split(" (")[0] for name in replay.header.seats):
        assert any(line.startswith("  ") and name in line for line in desk.out[-12:])


def test_kaosmos_has_no_glass_unless_asked(tmp_path: Path) -> None:
    sit(["quit"], tmp_path, game="kaosmos")
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
def test_as_many_play_as_the_options_want(
    tmp_path: Path, game: str, options: dict[str, object], players: int
) -> None:
    sit(["quit"], tmp_path, game=game, options=options)
    assert len(only_game(tmp_path).header.seats) == players


def test_options_that_do_not_fit_are_refused_by_the_rules(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="unknown-option"):
        sit([], tmp_path, game="genial", options={"speed": 3})
    with pytest.raises(Refused, match="bad-players"):
        sit([], tmp_path, game="genial", players=9)
    assert list(tmp_path.iterdir()) == []


def test_a_level_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    desk = Desk()
    with pytest.raises(SystemExit):
        play("genial", bots="genius", lang="en", console=desk, folder=tmp_path)
    assert "‘genius’" in desk.text
    assert "random, greedy" in desk.text


@pytest.mark.parametrize(
    ("scores", "places", "broken"),
    [
        ([5, 5, 2], (2, 3, 1), True),
        ([5, 5, 2], (2, 2, 1), False),
        ([5, 4, 2], (3, 2, 1), False),
    ],
)
def test_it_is_said_where_a_tie_was_broken(
    scores: list[int], places: tuple[int, ...], broken: bool
) -> None:
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
def test_bad_input_is_answered_with_a_sentence_and_loses_nothing(
    tmp_path: Path, typed: str, said: str
) -> None:
    desk = sit([typed, "quit"], tmp_path, game="genial")
    assert said in desk.text
    assert len(only_game(tmp_path).played) == 2
    assert not any("\x1b" in line for line in desk.out if line.startswith("✗"))


def test_while_a_turn_is_to_be_ended_there_is_nothing_else_to_do(tmp_path: Path) -> None:
    player = Player(leave_after=1)
    sit(player, tmp_path / "first", game="genial")
    (move,) = player.moves
    desk = sit([move, f"points {move}", "hint", "quit"], tmp_path / "again", game="genial")
    assert "It is not your turn now" in desk.text
    assert "There is nothing for you to do now" in desk.text


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["genial", "blockers", "kaosmos"])
def test_every_command_says_something_in_every_language(
    tmp_path: Path, game: str, lang: str
) -> None:
    say = language(lang)
    words = [say.say(f"play.word.{name}").split(", ")[0] for name in ("help", "moves", "hint")]
    words += [say.say(f"play.word.{name}").split(", ")[0] for name in ("history", "rules", "table")]
    words += ["", say.say("play.word.undo").split(", ")[0], say.say("play.word.save")]
    desk = sit([*words, say.say("play.word.quit").split(", ")[0]], tmp_path, game=game, lang=lang)
    assert say.say(f"help.game-{game}").splitlines()[0] in desk.out
    assert say.say("play.cannot-undo") in desk.out
    heads = [
        line for line in desk.out if line.startswith(("Génial! ·", "Blockers! ·", "Kaosmos ·"))
    ]
    assert len(heads) == 3
    wide = [line for line in desk.out if width(line) > 80 and str(tmp_path) not in line]
    assert not wide, "\n".join(wide)


def test_points_tells_the_reasons_and_changes_nothing(tmp_path: Path) -> None:
    desk = sit(["points 1 l8 m9", "quit"], tmp_path, game="genial", seed="5")
    hand = json.loads(only_file(tmp_path).read_text("utf-8").splitlines()[1])["tiles"]
    first = sorted(hand, key=str)[0]
    assert f"{first[0]}" in desk.text
    assert any("on l8:" in line for line in desk.out)
    assert len(only_game(tmp_path).played) == 2


def test_moves_lists_what_may_be_done_and_all_about_a_tile(tmp_path: Path) -> None:
    desk = sit(["moves", "moves 1", "quit"], tmp_path, game="genial")
    summary = [line for line in desk.out if " places   " in line]
    assert summary
    tile = next(line for line in desk.out if line.startswith("All places")).split()[-1][:2]
    count = int(summary[0].split()[1])
    lines = desk.out[desk.out.index(next(x for x in desk.out if x.endswith(": moves 1"))) + 1 :]
    listed = [part for line in lines for part in line.split("   ") if part.startswith(f"{tile} ")]
    assert len(listed) == count


def test_cells_shows_names_or_points_in_free_cells(tmp_path: Path) -> None:
    desk = sit(["cells", "cells", "quit"], tmp_path, game="genial")
    rows = [line for line in desk.out if "h8" in line or "h3 P○" in line]
    assert [("h8" in row) for row in rows if row.startswith((" ", "h"))][:3] == [True, False, True]


def test_save_writes_a_copy_and_says_where_the_game_is(tmp_path: Path) -> None:
    folder, copy = tmp_path / "games", tmp_path / "copy.jsonl"
    answers = ["save", f"save {copy}", f"save {copy}", "save /", "save \0", "quit"]
    desk = sit(answers, folder, game="blockers")
    assert copy.read_text("utf-8") == only_file(folder).read_text("utf-8")
    assert str(only_file(folder)) in desk.text
    assert f"{copy} is there already" in desk.text
    assert desk.text.count("cannot be written") == 2 or desk.text.count("is there already") == 2


# --- taking back ----------------------------------------------------------------------------------


def own_actions(replay: Replay) -> list[str]:
    entries = [played.entry for played in replay.played]
    return [str(e.move) for e in entries if isinstance(e, Action) and e.seat == 0]


@pytest.mark.parametrize("game", ["genial", "blockers"])
def test_a_move_can_be_taken_back_until_the_turn_is_ended(tmp_path: Path, game: str) -> None:
    player = Player(leave_after=1)
    sit(player, tmp_path / "first", game=game, options={"first": 0} if game == "blockers" else {})
    (move,) = player.moves or ["?"]
    how = {"game": game, "options": {"first": 0} if game == "blockers" else {}}
    sit([move, "undo"], tmp_path / "taken", **how)
    assert own_actions(only_game(tmp_path / "taken")) == []
    sit([move, "what", "undo", move, ""], tmp_path / "again", **how)
    assert own_actions(only_game(tmp_path / "again")) == [move]
    desk = sit([move, "", "undo", "quit"], tmp_path / "late", **how)
    assert own_actions(only_game(tmp_path / "late")) == [move]
    assert "cannot be taken back" in desk.text


def test_nothing_but_ones_own_move_is_ever_taken_back(tmp_path: Path) -> None:
    """In the last turns of Blockers! nobody draws: another's move comes right before one's own."""
    player = Player()
    tried: set[int] = set()

    def answer(prompt: str) -> str:
        if not is_pause(prompt) and len(player.moves) not in tried:
            tried.add(len(player.moves))
            return "undo"
        return player(prompt)

    player.desk = desk = Desk(answer)
    play("blockers", players=3, lang="en", seed="7", console=desk, folder=tmp_path)
    assert len(tried) == 24
    assert desk.text.count("cannot be taken back") == 24
    assert own_actions(only_game(tmp_path)) == player.moves


def test_a_bonus_tile_and_a_swap_can_be_taken_back_too(tmp_path: Path) -> None:
    """Two actions of one turn, both taken back one by one."""
    for seed in range(40):
        folder = tmp_path / str(seed)
        player = Player()
        sit(player, folder, game="genial", seed=str(seed), players=1)
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
    sit(script, again, game="genial", seed=str(seed), players=1)
    assert own_actions(only_game(again)) == [str(entry.move) for entry in before]


def test_building_in_kaosmos_is_taken_back_by_moves_of_ones_own(tmp_path: Path) -> None:
    options = {"kaos": False, "draft": False}
    script = ["1 b2", "turn b2", "1 b2", "b2 c3", "lift c3", "undo", "undo", "undo", "undo", "undo"]
    sit([*script, "undo", "quit"], tmp_path, game="kaosmos", players=2, options=options)
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
    assert len(others) == 5  # one for each move of the person, none for taking back


# --- leaving and going on -------------------------------------------------------------------------


def raise_gone(prompt: str) -> str:
    raise Gone


def test_leaving_says_how_to_go_on(tmp_path: Path) -> None:
    ways: list[list[str] | Answer] = [["quit"], ["exit"], [], raise_gone]
    for number, answers in enumerate(ways):
        desk = sit(answers, tmp_path / str(number), game="genial")
        path = only_file(tmp_path / str(number))
        assert f"play --resume {path}" in desk.text


@pytest.mark.parametrize(("game", "how"), [GAMES[at] for at in (0, 5, 6)])
def test_a_game_that_was_left_and_gone_on_with_is_the_same_game(
    tmp_path: Path, game: str, how: dict[str, object]
) -> None:
    whole = tmp_path / "whole"
    sit(Player(), whole, game=game, **how)
    parts = tmp_path / "parts"
    sit(Player(leave_after=3), parts, game=game, **how)
    path = only_file(parts)
    sit(Player(leave_after=4), parts, resume=path)
    path.write_bytes(path.read_bytes() + b'{"kind": "acti')  # killed while writing
    desk = sit(Player(), parts, resume=path)
    assert "going on after" in desk.text
    assert without_time(only_file(parts)) == without_time(only_file(whole))


def without_time(path: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{k: v for k, v in line.items() if k not in ("ms", "started")} for line in lines]


def test_the_history_is_there_again_after_going_on(tmp_path: Path) -> None:
    player = Player(before=[], leave_after=3)
    first = sit(player, tmp_path, game="genial")
    told = [line for line in first.out if line.startswith(("You: ", "Bot 1: "))]
    desk = sit(["history", "quit"], tmp_path, resume=only_file(tmp_path))
    assert [line for line in desk.out if line.startswith(("You: ", "Bot 1: "))] == told


def test_a_game_that_is_over_is_shown_as_it_ended(tmp_path: Path) -> None:
    sit(Player(), tmp_path, game="genial", players=1)
    before = only_file(tmp_path).read_bytes()
    desk = sit([], tmp_path, resume=only_file(tmp_path))
    assert "over already" in desk.text
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
def test_a_bad_file_is_a_sentence_and_stays_as_it_is(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    desk = Desk()
    with pytest.raises(SystemExit) as stop:
        sit_with(desk, resume=path, folder=tmp_path)
    assert stop.value.code == 1
    assert said in desk.text
    assert "Traceback" not in desk.text
    assert path.read_bytes() == data


def sit_with(desk: Desk, **how: object) -> None:
    play(lang="en", console=desk, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, name: str) -> None:
    desk = Desk()
    with pytest.raises(SystemExit):
        sit_with(desk, resume=tmp_path / name, folder=tmp_path)
    assert "cannot be read" in desk.text


def test_a_record_of_others_is_gone_on_with_from_the_first_seat(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    sit(Player(leave_after=2), tmp_path, game="genial")
    (only_file(tmp_path)).rename(path)
    text = path.read_text("utf-8").replace('"You", "Bot 1 (glaze)"', '"Zoé", "Bo"')
    path.write_text(text, "utf-8")
    desk = sit(["quit"], tmp_path, resume=path)
    assert "your turn" in desk.text
    assert "▸Zoé" in desk.text


def test_where_nothing_can_be_saved_the_game_is_played_all_the_same(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    desk = sit(Player(leave_after=2), in_the_way / "games", game="genial")
    assert "cannot be saved" in " ".join(desk.text.split())
    assert desk.out[-1] == "The game was not saved."
