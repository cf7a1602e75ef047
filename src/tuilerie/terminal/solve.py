"""`tuilerie solve`: draw the best galaxy of nine tiles, and say whether it is proven optimal."""

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
from tuilerie.language import LANGUAGES, Language, card_named, language, users_language
from tuilerie.terminal.count import draw_count
from tuilerie.terminal.style import wants_colour

BETS: dict[str, int] = {"green": 9, "blue": 5, "orange": 4}
"""A rule of thumb: the size of the largest zone from which a colour's bonus tile is worth a bet. It
is the last or the middle row of the scoring table; the other players' tiles are unknown here."""

TILES_NEEDED = 9

SECONDS = 120.0
"""Default time limit. A fixed shape takes a second or two; so do most deals of a free shape, but a
few need a minute."""


@click.command("solve")
@click.argument("game", type=click.Choice(["kaosmos"]))
@click.argument("tiles", nargs=-1, required=True)
@click.option("--card", help="By this Kaos card: its id, or its name in any language.")
@click.option("--totals", default="0,0,0,0", show_default=True, help="Markers: g,b,o,star.")
@click.option("--round", "round_number", type=click.IntRange(1, ROUNDS), help="For the match.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=SECONDS, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.option("--lang", type=click.Choice(LANGUAGES), default=None)
def solve(  # noqa: PLR0913, PLR0917 - one per option
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

    Maximises the points of all markers, which stay within 0–30. With --round it maximises the
    value for the rest of the match: the star, and above all the weakest colour.
    """
    words = language(lang or users_language())
    if not native.is_compiled():
        _stop(words.say("cli.no-core", why=native.why_not_compiled()))
    _check_tiles(words, tiles)
    if card is not None:
        card = _read_card(words, card)
    from tuilerie.native import kaosmos as fast  # noqa: PLC0415 - optional compiled module

    heat = 0.0 if round_number is None else fast.temperature_of(round_number)
    goal = fast.Goal(_read_totals(words, totals), heat)
    with _stoppable():
        found = fast.solve(tiles, card=card, goal=goal, seconds=seconds)
    rules = BOX.rules(card)
    counted = count(found.galaxy, rules, BOX.tiles)
    bets = bets_of(counted)
    if as_json:
        slots = sorted(found.galaxy, key=READING.__getitem__)
        answer = {
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
        click.echo(json.dumps(answer))
        return
    click.echo(draw_count(counted, found.galaxy, words.code, wants_colour(sys.stdout), rules=rules))
    facts = {
        "value": f"{found.value:g}" if not heat else f"{found.value:.2f}",
        "bound": f"{found.bound:g}" if not heat else f"{found.bound:.2f}",
        "nodes": f"{found.nodes:,}".replace(",", {"fr": "\u202f"}.get(words.code, ",")),
        "seconds": f"{found.seconds:.2f}",
    }
    click.echo(words.say("cli.solve-proven" if found.proven else "cli.solve-unproven", **facts))
    if bets:
        named = [words.say(f"colour.{colour}") for colour in bets]
        click.echo(words.say("cli.solve-bets", colours=named))


def _read_card(words: Language, text: str) -> str:
    card = card_named(text, BOX.cards)
    if card is None:
        _stop(words.say("cli.unknown-card", found=text, expected=words.word("card", BOX.cards)))
    return card


def bets_of(counted: GalaxyCount) -> list[str]:
    """Return the colours whose largest zone is large enough for a bonus bet."""
    return [colour for colour in COLOURS if counted.largest[colour] >= BETS[colour]]


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C end the process: the core does not check Python signals."""
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
    if len(tiles) != TILES_NEEDED or len(set(tiles)) != TILES_NEEDED:
        _stop(words.say("cli.solve-tiles", found=len(set(tiles)), expected=TILES_NEEDED))


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
