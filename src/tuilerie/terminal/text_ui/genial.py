"""Text UI of Génial!: input, events, moves and points."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tuilerie.games.game import Event
from tuilerie.games.genial.card import DUEL
from tuilerie.games.genial.events import Drawn, Genial, Kept, Scored, Swapped
from tuilerie.games.genial.notation import Placement, parse_move
from tuilerie.games.genial.score import Half, MarkerMove
from tuilerie.games.genial.state import SWAP
from tuilerie.games.genial.tiles import COLOURS, tile_named
from tuilerie.games.genial.view import View
from tuilerie.terminal.genial import draw, symbol, tile
from tuilerie.terminal.layout import words
from tuilerie.terminal.phrasing import in_notation, plural, word_for
from tuilerie.terminal.text_ui.interface import Display, numbered_tile

_PLACEMENT = re.compile(r"([rybgpo]{2}|[0-9])[\s-]*([a-o]1?[0-9])[\s-]*([a-o]1?[0-9])")
BEST = 3  # how many of a tile's best placements the summary shows


class GenialTextUI:
    """The text UI of Génial!."""

    def draw(self, view: View, display: Display) -> str:
        """Draw the whole table."""
        code, colour = display.say.code, display.style.colour
        return draw(view, display.names, code, colour, cells=display.cells, compact=display.compact)

    def prompt(self, view: View, display: Display) -> str:
        """Return the prompt, with an example move."""
        if view.phase == SWAP:
            return display.say.say("play.genial-swap")
        return display.say.say("play.genial-move", example=view.legal[0])

    def parse(self, text: str, view: View) -> str:
        """Parse 'rb h8 h9', 'RBh8h9' and '1 h8 h9' (the first tile of the hand)."""
        typed = " ".join(in_notation(text))
        match = _PLACEMENT.fullmatch(typed.lower())
        if match is None:
            return typed.lower() if typed.lower() in ("swap", "keep") else typed
        letters, first, second = match[1].upper(), match[2], match[3]
        if letters.isdecimal():
            letters = numbered_tile(letters, view.hand or ())
        return f"{letters} {first} {second}"

    # --- events -----------------------------------------------------------------------------------

    def describe(self, event: Event, view: View, display: Display) -> list[str]:
        """Describe an event in words."""
        say, style = display.say, display.style
        if isinstance(event, Scored):
            first, second = event.halves
            laid = tile(first.colour + second.colour, style)
            where = f"{first.cell} {second.cell}"
            gains = " · ".join(_gain(marker, display) for marker in event.markers)
            return [
                say.say(
                    "play.laid", name=display.name(event.seat), tile=laid, where=where, gains=gains
                )
            ]
        if isinstance(event, Genial):
            colours = " ".join(symbol(colour, style) for colour in event.colours)
            return [
                style(
                    say.say("play.genial", name=display.name(event.seat), colours=colours), "good"
                )
            ]
        if isinstance(event, Swapped):
            shown = " ".join(tile(each, style) for each in event.shown)
            return [say.say("play.swapped", name=display.name(event.seat), tiles=shown)]
        if isinstance(event, Kept):
            return [say.say("play.kept-hand", name=display.name(event.seat))]
        if isinstance(event, Drawn) and event.tiles is not None:
            drawn = " ".join(tile(each, style) for each in event.tiles)
            return [say.say("play.you-draw", tiles=drawn)]
        return []

    # --- moves and points -------------------------------------------------------------------------

    def moves(self, view: View, about: str, display: Display) -> list[str]:
        """List each tile's number of placements and the best of them; for one tile, list all."""
        if view.phase == SWAP or view.points is None:
            return list(view.legal)
        placements = [move for move in map(parse_move, view.legal) if isinstance(move, Placement)]
        chosen = _tile_about(about, view)
        if chosen is not None:
            own = sorted(
                (move for move in placements if move.tile == chosen),
                key=lambda move: -_worth(view, move),
            )
            return words([_with_points(view, move) for move in own], between="   ")
        lines = []
        for name in dict.fromkeys(move.tile for move in placements):
            own = [move for move in placements if move.tile == name]
            own.sort(key=lambda move: -_worth(view, move))
            places = plural(display.say, "play.places", len(own))
            best = "   ".join(_with_points(view, move) for move in own[:BEST])
            lines.append(f"{tile(name, display.style)}  {places:>11}   {best}")
        more = display.say.say(
            "play.moves-of", word=word_for("moves", display.say), tile=placements[0].tile
        )
        return [*lines, more]

    def points(
        self, before: View, after: View, events: Sequence[Event], display: Display
    ) -> list[str]:
        """Explain each half with its scoring lines, and how the markers move."""
        lines = []
        for event in events:
            if isinstance(event, Scored):
                lines += [_half_line(half, display) for half in event.halves]
                lines += ["  " + _gain(marker, display) for marker in event.markers]
            elif isinstance(event, Genial):
                lines += self.describe(event, after, display)
        return lines or [display.say.say("play.no-points")]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], display: Display) -> str:
        """Format the six markers, lowest first: the lowest decides the rank."""
        order = sorted(COLOURS, key=lambda colour: score[colour])
        markers = "  ".join(f"{symbol(colour, display.style)} {score[colour]}" for colour in order)
        if options["variant"] != DUEL:
            return markers
        won = sum(score[colour] > 0 for colour in COLOURS)
        return f"{plural(display.say, 'play.colours-won', won)}   {markers}"


def _gain(marker: MarkerMove, display: Display) -> str:
    went = (
        f"{marker.before} → {marker.after}" if marker.after != marker.before else f"{marker.after}"
    )
    return f"{symbol(marker.colour, display.style)} +{marker.points} ({went})"


def _half_line(half: Half, display: Display) -> str:
    lines = " + ".join(f"{len(line.cells)} ({' '.join(line.cells)})" for line in half.lines)
    return display.say.say(
        "play.half",
        symbol=symbol(half.colour, display.style),
        cell=half.cell,
        lines=lines or "0",
        points=half.points,
    )


def _tile_about(about: str, view: View) -> str | None:
    word = about.strip().upper()
    if word.isdigit() and view.hand and 0 < int(word) <= len(view.hand):
        return view.hand[int(word) - 1]
    return tile_named(word) if len(word) == 2 else None


def _worth(view: View, move: Placement) -> int:
    assert view.points is not None
    first, second = move.tile[0], move.tile[1]
    return view.points[first].get(move.first, 0) + view.points[second].get(move.second, 0)


def _with_points(view: View, move: Placement) -> str:
    return f"{move} +{_worth(view, move)}"
