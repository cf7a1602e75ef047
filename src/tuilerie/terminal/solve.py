"""`tuilerie solve`: the best galaxy that tiles can make, drawn, with a proof where there is one."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from tuilerie import native
from tuilerie.games.kaosmos.board import READING
from tuilerie.games.kaosmos.box import BOX
from tuilerie.games.kaosmos.card import COLOURS, ROUNDS
from tuilerie.games.kaosmos.notation import write_galaxy
from tuilerie.games.kaosmos.score import GalaxyCount, count, kaos_gains
from tuilerie.language import LANGUAGES, Language, language, users_language
from tuilerie.terminal.count import draw_count
from tuilerie.terminal.style import wants_colour

BETS: dict[str, int] = {"green": 9, "blue": 5, "orange": 4}
"""A rule of thumb: from so many planets in its largest zone on, the bonus tile of a colour is worth
a bet. It is the last or the middle step of the table; what others hold is not known here."""

FEWEST = 9

SECONDS = 120.0
"""How long it may take. In a shape that is given it is done in a second or two, in any shape mostly
as well, but a few deals need a minute."""


@click.command("solve")
@click.argument("game", type=click.Choice(["kaosmos"]))
@click.argument("tiles", nargs=-1, required=True)
@click.option("--card", help="By this Kaos card.")
@click.option("--totals", default="0,0,0,0", show_default=True, help="Markers: g,b,o,star.")
@click.option("--round", "round_number", type=click.IntRange(1, ROUNDS), help="For the match.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=SECONDS, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.option("--lang", type=click.Choice(LANGUAGES), default=None)
def solve(  # noqa: PLR0913, PLR0917 - one for each option
    game: str,
    tiles: tuple[str, ...],
    card: str | None,
    totals: str,
    round_number: int | None,
    seconds: float,
    as_json: bool,
    lang: str | None,
) -> None:
    """Find the best galaxy of nine tiles: T03 T12 …

    What is made as large as possible are the points of all markers, which stay within 0–30. With
    --round it is what the match still needs: the star, and the weakest colour above all.
    """
    words = language(lang or users_language())
    if not native.is_compiled():
        _stop(words.say("cli.no-core", why=native.why_not_compiled()))
    _check_tiles(words, tiles)
    if card is not None and card not in BOX.cards:
        _stop(words.say("cli.unknown-card", found=card, expected=list(BOX.cards)))
    from tuilerie.native import kaosmos as fast  # noqa: PLC0415 - only where it was built

    heat = 0.0 if round_number is None else fast.temperature_of(round_number)
    goal = fast.Goal(_read_totals(words, totals), heat)
    with _stoppable():
        found = fast.solve(tiles, card=card, goal=goal, seconds=seconds)
    rules = BOX.rules(card)
    counted = count(found.galaxy, rules, BOX.tiles)
    bets = bets_of(counted)
    if as_json:
        slots = sorted(found.galaxy, key=READING.__getitem__)
        told = {
            "galaxy": write_galaxy(found.galaxy),
            "tiles": [[slot, *found.galaxy[slot]] for slot in slots],
            "value": found.value,
            "proven": found.proven,
            "bound": found.bound,
            "points": dict(counted.points),
            "kaos": [[gain.marker, gain.points] for gain in kaos_gains(counted, rules)],
            "bets": bets,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 4),
        }
        click.echo(json.dumps(told))
        return
    click.echo(draw_count(counted, found.galaxy, words.code, wants_colour(sys.stdout), rules=rules))
    facts = {
        "value": f"{found.value:g}" if not heat else f"{found.value:.2f}",
        "bound": f"{found.bound:g}" if not heat else f"{found.bound:.2f}",
        "nodes": f"{found.nodes:,}".replace(",", "\u202f"),
        "seconds": f"{found.seconds:.2f}",
    }
    click.echo(words.say("cli.solve-proven" if found.proven else "cli.solve-unproven", **facts))
    if bets:
        named = [words.say(f"colour.{colour}") for colour in bets]
        click.echo(words.say("cli.solve-bets", colours=named))


def bets_of(counted: GalaxyCount) -> list[str]:
    """The bonus tiles that a galaxy would carry: where its largest zone is large enough."""
    return [colour for colour in COLOURS if counted.largest[colour] >= BETS[colour]]


@contextmanager
def _stoppable() -> Iterator[None]:
    """Ctrl-C ends it at once: the core does not look at what Python is told."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_tiles(words: Language, tiles: tuple[str, ...]) -> None:
    for tile in tiles:
        if tile not in BOX.tiles.by_id:
            ids = BOX.tiles.ids
            _stop(words.say("cli.unknown-tile", found=tile, first=ids[0], last=ids[-1]))
    if len(tiles) != FEWEST or len(set(tiles)) != FEWEST:
        _stop(words.say("cli.solve-tiles", found=len(set(tiles)), expected=FEWEST))


def _read_totals(words: Language, text: str) -> tuple[int, int, int, int]:
    parts = text.split(",")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts):
        _stop(words.say("cli.solve-totals", found=text))
    green, blue, orange, star = (int(part) for part in parts)
    if max(green, blue, orange, star) > 30:
        _stop(words.say("cli.solve-totals", found=text))
    return green, blue, orange, star


def _stop(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(1)


COMMANDS = (solve,)
