"""The table: one person plays a game against bots, from the first question to the last word."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from tuilerie.bots import BOTS, usual
from tuilerie.dealer import Dealer
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, Json, Refused, Result, Seat
from tuilerie.language import Language, language, users_language
from tuilerie.record import Header, RecordError, Replay
from tuilerie.terminal import menu
from tuilerie.terminal.console import Console, Gone, Terminal
from tuilerie.terminal.saves import Log, data_folder, free_path, load
from tuilerie.terminal.sitting import Sitting
from tuilerie.terminal.speech import bot_level, bot_name, shown_names
from tuilerie.terminal.style import Style
from tuilerie.terminal.talk import TALKS, Ears

ROOMY = 36
"""So many lines hold the largest table and what is said below it."""


def play(  # noqa: PLR0913 - all that can be said before a game
    game: str | None = None,
    *,
    players: int | None = None,
    seed: str | None = None,
    lang: str | None = None,
    options: Mapping[str, Json] | None = None,
    bots: str | None = None,
    resume: Path | None = None,
    games: Mapping[str, AnyGame] = GAMES,
    console: Console | None = None,
    folder: Path | None = None,
) -> None:
    """Play at the terminal. What is not said is asked for, or is as usual.

    `bots` is the level of the bots, `resume` a saved game to go on with, `folder` where games are
    saved. Raises `Refused` for options that do not fit.
    """
    console = console or Terminal()
    folder = folder or data_folder()
    options = dict(options or {})
    try:
        if game is None and resume is None:
            chosen = menu.ask_all(console, games, lang, folder)
            game, lang, resume = chosen.game, chosen.lang, chosen.resume
            players, bots = players or chosen.players, bots or chosen.level
            options = {**(chosen.options or {}), **options}
        say = language(lang or users_language())
        if resume is not None:
            _go_on(console, say, resume, games)
        else:
            assert game is not None
            _new_game(console, say, games[game], players, seed, options, bots, folder)
    except Gone:
        console.write()


def _new_game(  # noqa: PLR0913, PLR0917 - all that can be said before a game
    console: Console,
    say: Language,
    game: AnyGame,
    players: int | None,
    seed: str | None,
    options: Mapping[str, Json],
    bots: str | None,
    folder: Path,
) -> None:
    name = game.card.name
    if name == "kaosmos" and "seconds" not in options:
        options = {**options, "seconds": None}  # no glass unless somebody asks for it
    level = bots or usual(name)
    if level not in BOTS[name]:
        _stop(console, say.say("play.unknown-level", found=level, expected=list(BOTS[name])))
    count = players or _usual_players(game, options)
    seed = seed or secrets.token_hex(8)
    whole = Dealer(seed).options(game, count, options)
    others = tuple(bot_name(say.say("play.bot", number=at), level) for at in range(1, count))
    started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    seats = (say.say("play.you"), *others)
    header = Header(name, game.version, seats, whole, seed, started, game.edition)
    replay = Replay(header, game, game.start(count, whole))
    log = Log(replay, free_path(folder, name, started))
    sitting = _sit_down(console, say, log, 0, dict.fromkeys(range(1, count), level), seed)
    if others:
        names = ", ".join(shown_names(others))
        called = say.level_name(level)
        console.write(say.say("play.against", title=game.card.title, names=names, level=called))
    console.write(say.say("play.hello"))
    _finish(console, say, sitting)


def _usual_players(game: AnyGame, options: Mapping[str, Json]) -> int:
    """How many play where nobody says it: as the options want it."""
    usual = menu.USUAL_PLAYERS[game.card.name]
    counts: tuple[int, ...] = (*usual, *game.card.players)
    for count in counts:
        try:
            game.options(count, options)
        except Refused:
            continue
        return count
    return usual[0]  # and the refusal says what is wrong


def _go_on(console: Console, say: Language, path: Path, games: Mapping[str, AnyGame]) -> None:
    """Go on with a saved game. What is wrong with it is told in a sentence."""
    try:
        replay = load(path, games)
    except RecordError as error:
        _stop(console, say.say("play.cannot-resume", file=path, why=say.fault(error.fault)))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        _stop(console, say.say("play.cannot-read", file=path, why=why))
    name, seats = replay.game.card.name, replay.header.seats
    levels = {seat: bot_level(each) for seat, each in enumerate(seats)}
    me = next((seat for seat, level in levels.items() if level not in BOTS[name]), 0)
    bots = {
        seat: level if level in BOTS[name] else usual(name)
        for seat, level in levels.items()
        if seat != me
    }
    seed = replay.header.seed or path.name
    if replay.result is not None:
        sitting = _sit_down(console, say, Log(replay), me, bots, seed)
        console.write(say.say("play.already-over"))
        _tell_end(console, say, sitting)
        return
    entries = len(replay.played)
    sitting = _sit_down(console, say, Log(replay, path), me, bots, seed)
    console.write(say.say("play.resumed", title=replay.game.card.title, entries=entries))
    _finish(console, say, sitting)


def _sit_down(  # noqa: PLR0913, PLR0917 - who sits where, and how
    console: Console,
    say: Language,
    log: Log,
    me: Seat,
    levels: Mapping[Seat, str | None],
    seed: str,
) -> Sitting:
    compact = console.height is not None and console.height < ROOMY
    names = shown_names(log.replay.header.seats)
    ears = Ears(me, names, say, Style(console.colour), compact)
    usually = usual(log.replay.game.card.name)
    known = {seat: level or usually for seat, level in levels.items()}
    return Sitting(console, log, ears, known, seed)


def _finish(console: Console, say: Language, sitting: Sitting) -> None:
    """Play to the end, or until the person leaves; either way say where the game is."""
    try:
        sitting.play()
    except (Gone, KeyboardInterrupt):
        console.write()
        if sitting.log.path is None:
            console.write(say.say("play.left-unsaved"))
        else:
            console.write(say.say("play.left"))
            console.write(f"  {_this_command()} play --resume {shlex.quote(str(sitting.log.path))}")
            if sitting.game.edition is not None:
                console.write(say.say("play.same-set"))
        return
    _tell_end(console, say, sitting)


def _this_command() -> str:
    """How the program was called, to be called again."""
    called = sys.argv[0]
    return shlex.quote(called) if Path(called).stem == "tuilerie" else "tuilerie"


def _tell_end(console: Console, say: Language, sitting: Sitting) -> None:
    """The table at the end, who came where and why, and where the record is."""
    log, ears = sitting.log, sitting.ears
    result = log.game.result(log.state)
    assert result is not None
    talk = TALKS[log.game.card.name]
    sitting.tell_news()
    sitting.draw()
    console.write()
    console.write(ears.style(say.say(f"reason.{result.reason}"), "title"))
    rows = sorted(zip(result.places, range(len(ears.names)), strict=True))
    for place, seat in rows:
        score = talk.score(result.scores[seat], log.replay.header.options, ears)
        name = ears.name(seat)
        shown = ears.style(name, "strong") if seat == ears.me else name
        console.write(f"  {place}. {shown}  {score}")
    if is_tie_broken(result):
        console.write("  " + say.say(f"play.tie-{log.game.card.name}"))
    mine = result.places[ears.me]
    if len(ears.names) > 1:
        shared = result.places.count(mine) > 1
        key = (
            "play.won-shared" if mine == 1 and shared else "play.won" if mine == 1 else "play.lost"
        )
        console.write(say.say(key, place=mine))
    if log.path is not None:
        console.write(say.say("play.record-at", path=log.path))


def is_tie_broken(result: Result) -> bool:
    """Whether equal scores came to different places. In Génial! the markers themselves show why."""
    ranked = list(zip(result.scores, result.places, strict=True))
    known = {(score["score"], place) for score, place in ranked if "score" in score}
    return len({score for score, _ in known}) < len(known)


def _stop(console: Console, sentence: str) -> NoReturn:
    console.write(sentence)
    raise SystemExit(1)
