"""The command line: parses arguments, calls the packages that do the work, and prints."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from tuilerie import __version__, record
from tuilerie.bots import BOTS
from tuilerie.bots.bot import LEVEL_NAMES
from tuilerie.codec import to_builtins
from tuilerie.games import GAMES
from tuilerie.games.game import AnyGame, Json, Refused
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.box import check_set
from tuilerie.games.kaosmos.cards import SOURCES, read_cards, read_sources
from tuilerie.games.kaosmos.files import BadSet, SetFault
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.score import count as count_galaxy
from tuilerie.games.kaosmos.tiles import read_tiles
from tuilerie.language import LANGUAGES, Language, card_named, language, users_language
from tuilerie.simulate import play_game
from tuilerie.terminal import report
from tuilerie.terminal.count import draw_count
from tuilerie.terminal.play import play as play_in_terminal
from tuilerie.terminal.rules_text import draw_rules
from tuilerie.terminal.style import wants_colour

GAME = click.argument("game", type=click.Choice(list(GAMES)))
LANG = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=None,
    help="Language.  [default: the system's]",
)
OPTION = click.option(
    "--option", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game."
)
TILES = click.option(
    "--tiles", type=click.Path(path_type=Path), help="Kaosmos with the tiles of this file."
)
CARDS = click.option(
    "--cards", type=click.Path(path_type=Path), help="Kaosmos with the Kaos cards of this file."
)


HOST = "tuilerie.server.ops.commands"
ELSEWHERE = {
    "arena": ("tuilerie.lab.commands", "Let bots play against each other and rate them."),
    "solve": ("tuilerie.terminal.solve", "Find the best galaxy of nine tiles: T03 T12 …"),
    "serve": (HOST, "Serve games to browsers."),
    "worker": (HOST, "Compute bot moves for servers on other machines."),
    "verify": (HOST, "Replay all stored games and list those whose results differ."),
    "backup": (HOST, "Back up everything to one file, while the server runs."),
    "restore": (HOST, "Restore a backup."),
    "purge": (HOST, "Delete tables past their retention period."),
    "site": (
        "tuilerie.server.ops.site",
        "Write a static site: play in a browser, without a server.",
    ),
    "doctor": (
        HOST,
        "Check the installation: versions, bot engine, data folder, database and Redis.",
    ),
    "admin": (
        "tuilerie.server.ops.admin",
        "List and close tables, ban, revoke sessions, and handle people's data.",
    ),
}
"""Commands of other packages: their module, imported on demand, and their line in the help. (A test
compares the lines with the commands.)"""

SECTIONS = {
    "Play": ("play", "rules", "score", "check-tiles"),
    "Records and bots": ("replay", "simulate", "solve", "arena"),
    "Host a server": (
        "serve",
        "site",
        "worker",
        "doctor",
        "admin",
        "backup",
        "restore",
        "verify",
        "purge",
    ),
}


class Commands(click.Group):
    """All commands. Those of other packages are imported on demand, because their imports take
    longer than most commands run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [*super().list_commands(ctx), *ELSEWHERE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module = import_module(ELSEWHERE[cmd_name][0])
        found: click.Command = next(each for each in module.COMMANDS if each.name == cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by sections, without importing them."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self._line(ctx, name)) for name in names])

    def _line(self, ctx: click.Context, name: str) -> str:
        if name in ELSEWHERE:
            return ELSEWHERE[name][1]
        command = super().get_command(ctx, name)
        assert command is not None, name
        return command.get_short_help_str(LINE)


LINE = 80
"""The longest line about a command."""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="tuilerie %(version)s")
def commands() -> None:
    """Tile-laying games: Génial!, Kaosmos and Blockers!, played by their rules."""


# --- play -----------------------------------------------------------------------------------------


@commands.command()
@click.argument("game", type=click.Choice(list(GAMES)), required=False)
@click.option("--players", type=int, help="Number of players, including you.")
@click.option("--seed", help="Deal the same tiles again.")
@click.option("--level", "bots", help=f"The bots' level: {', '.join(LEVEL_NAMES)}.")
@click.option("--timer", type=int, help="Kaosmos: play with a timer of this many seconds.")
@click.option("--resume", type=click.Path(path_type=Path), help="Resume a saved game.")
@OPTION
@TILES
@CARDS
@LANG
def play(  # noqa: PLR0913, PLR0917
    game: str | None,
    players: int | None,
    seed: str | None,
    bots: str | None,
    timer: int | None,
    resume: Path | None,
    given: tuple[str, ...],
    tiles: Path | None,
    cards: Path | None,
    lang: str | None,
) -> None:
    """Play against bots in the terminal. Without arguments, a menu asks for the game."""
    words = language(lang or users_language())
    with _error_messages(words):
        options = _read_options(given)
        if timer is not None:
            options["seconds"] = timer
        play_in_terminal(
            game,
            players=players,
            seed=seed,
            lang=words.code if lang or game else None,
            options=options,
            bots=bots,
            resume=resume,
            games=_games(words, tiles, cards),
        )


# --- simulate and replay --------------------------------------------------------------------------


@commands.command()
@GAME
@click.option("--players", type=int, required=True, help="Number of players.")
@click.option("--games", "count", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help="One bot for all seats, or one per seat: a,b,…",
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True)
@click.option("--overwrite", is_flag=True, help="Overwrite existing records.")
@OPTION
@TILES
@CARDS
@LANG
def simulate(  # noqa: PLR0913, PLR0917
    game: str,
    players: int,
    count: int,
    seed: str,
    bots: str,
    out: Path,
    overwrite: bool,
    given: tuple[str, ...],
    tiles: Path | None,
    cards: Path | None,
    lang: str | None,
) -> None:
    """Let bots play whole games and write their records to a folder: 000001.jsonl, …"""
    words = language(lang or users_language())
    with _error_messages(words):
        rules = _games(words, tiles, cards)[game]
        names = _read_bots(words, game, bots, players)
        options = rules.options(players, _read_options(given))
        kept = {name: options[name] for name in _read_options(given)}
        if not overwrite and (out / _file_name(1)).exists():
            _stop(words.say("cli.folder-taken", folder=out))
        out.mkdir(parents=True, exist_ok=True)
        for old in out.glob("[0-9]" * 6 + ".jsonl"):
            old.unlink()  # a folder holds the records of one run
        summary = report.Summary(words, rules, players)
        progress = click.progressbar(
            range(1, count + 1),
            label=rules.card.title,
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
        )
        with progress as numbers:
            for number in numbers:
                replay = play_game(rules, players, kept, names, f"{seed}/{number}")
                text = record.write(replay)
                (out / _file_name(number)).write_text(text, encoding="utf-8", newline="\n")
                summary.add(replay)
        click.echo(summary.text(out))


def _file_name(number: int) -> str:
    return f"{number:06}.jsonl"


def _read_bots(words: Language, game: str, text: str, players: int) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS[game]:
            _stop(words.say("cli.unknown-bot", found=name, expected=list(BOTS[game])))
    if len(names) == 1:
        return names * players
    if len(names) != players:
        _stop(words.say("cli.bots-and-players", found=len(names), players=players))
    return names


@commands.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--json", "as_json", is_flag=True, help="Print a line per entry, with state and events."
)
@TILES
@CARDS
@LANG
def replay(
    file: Path, as_json: bool, tiles: Path | None, cards: Path | None, lang: str | None
) -> None:
    """Replay a record, check every entry against the rules, and print the result."""
    words = language(lang or users_language())
    with _error_messages(words):
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        games = _games(words, tiles, cards)
        fault = None
        try:
            done: record.Replay | None = record.replay(record.decode(data), games)
        except record.RecordError as error:
            done, fault = error.replay, error.fault
        if done is not None and as_json:
            for line in _json_lines(done):
                click.echo(line)
        if fault is not None:
            _stop(words.fault(fault))
        assert done is not None
        if not as_json:
            click.echo(report.ending(words, done))
        if not done.confirmed:
            click.echo(report.why_unconfirmed(words, done), err=True)


def _json_lines(done: record.Replay) -> Iterator[str]:
    """Write each entry as JSON: its line in the file, the rules version, the entry, the state after
    it, and its events."""
    for played in done.played:
        entry = json.loads(record.entry_line(done.game, played.entry, played.ms))
        fields = {"line": played.line, "rules": done.header.rules, "entry": entry}
        fields |= {"state": to_builtins(played.state), "events": to_builtins(played.events)}
        yield json.dumps(fields, ensure_ascii=False)


# --- rules, score, check-tiles --------------------------------------------------------------------


@commands.command()
@GAME
@LANG
def rules(game: str, lang: str | None) -> None:
    """Print the rules of a game, with drawn examples."""
    width = min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 80
    text = draw_rules(game, lang or users_language(), width, _colour())
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text)


@commands.command()
@click.argument("game", type=click.Choice(["kaosmos"]))
@click.argument("galaxy")
@click.option("--card", "card", help="Count by this Kaos card.")
@TILES
@CARDS
@LANG
def score(  # noqa: PLR0913, PLR0917
    game: str,
    galaxy: str,
    card: str | None,
    tiles: Path | None,
    cards: Path | None,
    lang: str | None,
) -> None:
    """Count a galaxy: nine tiles row by row, such as 'T03/270 T12/180 …'.

    The number after a tile is its turn, in degrees clockwise.

    A tile that does not follow in reading order names its slot: 'b2:T03/270'.
    """
    words = language(lang or users_language())
    with _error_messages(words):
        rules = _games(words, tiles, cards)[game]
        assert isinstance(rules, Kaosmos)
        box = rules.box
        known = None if card is None else card_named(card, box.cards)
        if card is not None and known is None:
            expected = words.word("card", box.cards)
            _stop(words.say("cli.unknown-card", found=card, expected=expected))
        round_rules = box.rules(known)
        laid = parse_galaxy(galaxy, round_rules.shape)
        for tile, _ in laid.values():
            if tile not in box.tiles.by_id:
                _stop(
                    words.say(
                        "cli.unknown-tile",
                        found=tile,
                        first=box.tiles.ids[0],
                        last=box.tiles.ids[-1],
                    )
                )
        counted = count_galaxy(laid, round_rules, box.tiles)
        drawn = draw_count(counted, laid, words.code, _colour(), rules=round_rules, tiles=box.tiles)
        click.echo(drawn)
        if not round_rules.shape.is_complete(laid):
            size = round_rules.shape.size
            click.echo(words.say("cli.galaxy-incomplete", found=len(laid), expected=size), err=True)


@commands.command("check-tiles")
@click.argument("file", type=click.Path(path_type=Path))
@LANG
def check_tiles(file: Path, lang: str | None) -> None:
    """Check a file of Kaosmos tiles or Kaos cards: all errors by line."""
    words = language(lang or users_language())
    with _error_messages(words):
        text = _read_text(words, file)
        faults = check_set(text, file.name)
        for fault in faults:
            click.echo(_fault_line(words, fault), err=not fault.warning)
        bad = sum(not fault.warning for fault in faults)
        if bad:
            _stop(words.say("cli.set-bad", file=file.name, count=bad))
        click.echo(words.say("cli.set-good", file=file.name))
        if sources := Counter(read_sources(text).values()):
            counts = {
                words.say(f"source.{name}"): sources[name] for name in SOURCES if sources[name]
            }
            click.echo(words.say("cli.set-sources", sources=counts))


# --- helpers --------------------------------------------------------------------------------------


def _games(words: Language, tiles: Path | None, cards: Path | None) -> Mapping[str, AnyGame]:
    """Return all games; Kaosmos with the tiles and cards of these files, if given."""
    if tiles is None and cards is None:
        return GAMES
    chosen: dict[str, Any] = {}
    try:
        if tiles is not None:
            chosen["tiles"] = read_tiles(_read_text(words, tiles), tiles.name)
        if cards is not None:
            chosen["cards"] = read_cards(_read_text(words, cards), cards.name)
    except BadSet as bad:
        for fault in bad.faults:
            click.echo(_fault_line(words, fault), err=True)
        _stop(words.say("cli.set-bad", file=bad.faults[0].name, count=len(bad.faults)))
    return {**GAMES, "kaosmos": Kaosmos(**chosen)}


def _fault_line(words: Language, fault: SetFault) -> str:
    why = words.say(f"set.code.{fault.code}", **fault.params)
    where = {"name": fault.name, "line": fault.line, "column": fault.column}
    key = "set.warning" if fault.warning else "set.fault"
    return words.say(key, **where, why=why, code=fault.code)


def _read_text(words: Language, file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _stop(words.say("cli.not-utf8", file=file, at=error.start))


def _read_options(given: tuple[str, ...]) -> dict[str, Json]:
    """Parse 'adjacent=true' as a name and a value, which is JSON if it parses, else text."""
    options: dict[str, Json] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"‘{text}’ is not NAME=VALUE.", param_hint="--option")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def _colour() -> bool:
    return wants_colour(sys.stdout)


@contextmanager
def _error_messages(words: Language) -> Iterator[None]:
    """Turn errors into messages: users never see a traceback."""
    try:
        yield
    except Refused as refused:
        _stop(words.refusal(refused))
    except BrokenPipeError:
        raise  # `main` exits quietly
    except OSError as error:
        _stop(words.say("cli.file-trouble", file=error.filename, why=error.strerror or error))


def _stop(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(1)


def main() -> None:
    """Entry point of the `tuilerie` command."""
    try:
        commands()
    except BrokenPipeError:
        # Broken pipe, as in `tuilerie rules genial | head`: not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:
        if os.environ.get("TUILERIE_DEBUG"):
            raise
        words = language(users_language())
        _stop(words.say("cli.stumbled", what=f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
