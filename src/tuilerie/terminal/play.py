"""`tuilerie play`: start or resume a game against bots, and show the result."""

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
from tuilerie.terminal.console import Console, InputClosed, Terminal
from tuilerie.terminal.game_loop import GameLoop
from tuilerie.terminal.layout import wrap
from tuilerie.terminal.phrasing import bot_level, bot_name, level_title, shown_names
from tuilerie.terminal.saved_games import GameLog, data_folder, free_path, load
from tuilerie.terminal.style import Style
from tuilerie.terminal.text_ui import TEXT_UIS, Display

ROOMY = 36
"""Screen height, in lines, from which the full layout fits."""


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
    """Play in the terminal. Without `game` and `resume`, a menu asks for the settings.

    `bots` is the bots' level, `resume` a saved game, `folder` where games are saved. Raises
    `Refused` for invalid options.
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
            _resume(console, say, resume, games)
        else:
            assert game is not None
            _new_game(console, say, games[game], players, seed, options, bots, folder)
    except InputClosed:
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
        options = {**options, "seconds": None}  # no timer by default
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
    log = GameLog(replay, free_path(folder, name, started))
    loop = _make_loop(console, say, log, 0, dict.fromkeys(range(1, count), level), seed)
    if others:
        names = ", ".join(shown_names(others))
        called = level_title(name, level, say)
        line = say.say("play.against", title=game.card.title, names=names, level=called)
        console.write("\n".join(wrap(line)))
    console.write(say.say("play.hello"))
    _finish(console, say, loop)


def _usual_players(game: AnyGame, options: Mapping[str, Json]) -> int:
    """Return the default number of players: the first one that the options allow."""
    usual = menu.USUAL_PLAYERS[game.card.name]
    counts: tuple[int, ...] = (*usual, *game.card.players)
    for count in counts:
        try:
            game.options(count, options)
        except Refused:
            continue
        return count
    return usual[0]  # the rules will refuse it with a reason


def _resume(console: Console, say: Language, path: Path, games: Mapping[str, AnyGame]) -> None:
    """Resume a saved game, or exit with an error message."""
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
        loop = _make_loop(console, say, GameLog(replay), me, bots, seed)
        console.write(say.say("play.already-over"))
        _print_end(console, say, loop)
        return
    entries = len(replay.played)
    loop = _make_loop(console, say, GameLog(replay, path), me, bots, seed)
    console.write(say.say("play.resumed", title=replay.game.card.title, entries=entries))
    _finish(console, say, loop)


def _make_loop(  # noqa: PLR0913, PLR0917 - the whole setup
    console: Console,
    say: Language,
    log: GameLog,
    me: Seat,
    levels: Mapping[Seat, str | None],
    seed: str,
) -> GameLoop:
    compact = console.height is not None and console.height < ROOMY
    names = shown_names(log.replay.header.seats)
    display = Display(me, names, say, Style(console.colour), compact)
    usually = usual(log.replay.game.card.name)
    known = {seat: level or usually for seat, level in levels.items()}
    return GameLoop(console, log, display, known, seed)


def _finish(console: Console, say: Language, loop: GameLoop) -> None:
    """Play until the game ends or the player quits; print the result or how to resume."""
    try:
        loop.play()
    except (InputClosed, KeyboardInterrupt):
        console.write()
        if loop.log.path is None:
            console.write(say.say("play.left-unsaved"))
        else:
            console.write(say.say("play.left"))
            console.write(f"  {_this_command()} play --resume {shlex.quote(str(loop.log.path))}")
            if loop.game.edition is not None:
                console.write(say.say("play.same-set"))
        return
    _print_end(console, say, loop)


def _this_command() -> str:
    """Return the program name as the user called it."""
    called = sys.argv[0]
    return shlex.quote(called) if Path(called).stem == "tuilerie" else "tuilerie"


def _print_end(console: Console, say: Language, loop: GameLoop) -> None:
    """Print the final table, the ranking with scores, and the path of the record."""
    log, display = loop.log, loop.display
    result = log.game.result(log.state)
    assert result is not None
    text_ui = TEXT_UIS[log.game.card.name]
    loop.print_news()
    loop.draw()
    console.write()
    console.write(display.style(say.say(f"reason.{result.reason}"), "title"))
    rows = sorted(zip(result.places, range(len(display.names)), strict=True))
    for place, seat in rows:
        score = text_ui.score(result.scores[seat], log.replay.header.options, display)
        name = display.name(seat)
        shown = display.style(name, "strong") if seat == display.me else name
        console.write(f"  {place}. {shown}  {score}")
    if is_tie_broken(result):
        console.write("  " + say.say(f"play.tie-{log.game.card.name}"))
    mine = result.places[display.me]
    if len(display.names) > 1:
        shared = result.places.count(mine) > 1
        key = (
            "play.won-shared" if mine == 1 and shared else "play.won" if mine == 1 else "play.lost"
        )
        console.write(say.say(key, place=say.say(f"ordinal.{mine}")))
    if log.path is not None:
        console.write(say.say("play.record-at", path=log.path))


def is_tie_broken(result: Result) -> bool:
    """Return whether equal scores got different ranks. In Génial! the markers show why."""
    ranked = list(zip(result.scores, result.places, strict=True))
    known = {(score["score"], place) for score, place in ranked if "score" in score}
    return len({score for score, _ in known}) < len(known)


def _stop(console: Console, sentence: str) -> NoReturn:
    console.write(sentence)
    raise SystemExit(1)
