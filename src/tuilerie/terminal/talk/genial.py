"""Talking about Génial!."""

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
from tuilerie.games.genial.tiles import COLOURS, Colour, tile_named
from tuilerie.games.genial.view import View
from tuilerie.terminal.genial import draw, symbol, tile
from tuilerie.terminal.layout import words
from tuilerie.terminal.speech import in_notation, plural, word_for
from tuilerie.terminal.talk.ears import Ears, numbered_tile

_PLACEMENT = re.compile(r"([rybgpo]{2}|[0-9])[\s-]*([a-o]1?[0-9])[\s-]*([a-o]1?[0-9])")
BEST = 3  # how many of the best placements of a tile are named at first


class GenialTalk:
    """Génial! at the table."""

    def draw(self, view: View, ears: Ears) -> str:
        """The whole table."""
        code, colour = ears.say.code, ears.style.colour
        return draw(view, ears.names, code, colour, cells=ears.cells, compact=ears.compact)

    def prompt(self, view: View, ears: Ears) -> str:
        """What the person is asked for."""
        if view.phase == SWAP:
            return ears.say.say("play.genial-swap")
        return ears.say.say("play.genial-move", example=view.legal[0])

    def read(self, text: str, view: View) -> str:
        """'rb h8 h9', 'RBh8h9' and '1 h8 h9' (the first tile of the hand) will do."""
        typed = " ".join(in_notation(text))
        match = _PLACEMENT.fullmatch(typed.lower())
        if match is None:
            return typed.lower() if typed.lower() in ("swap", "keep") else typed
        letters, first, second = match[1].upper(), match[2], match[3]
        if letters.isdecimal():
            letters = numbered_tile(letters, view.hand or ())
        return f"{letters} {first} {second}"

    # --- what has happened ------------------------------------------------------------------------

    def tell(self, event: Event, view: View, ears: Ears) -> list[str]:
        """What has happened, in words."""
        say, style = ears.say, ears.style
        if isinstance(event, Scored):
            first, second = event.halves
            laid = tile(first.colour + second.colour, style)
            where = f"{first.cell} {second.cell}"
            gains = " · ".join(_gain(marker, ears) for marker in event.markers)
            return [
                say.say(
                    "play.laid", name=ears.name(event.seat), tile=laid, where=where, gains=gains
                )
            ]
        if isinstance(event, Genial):
            colours = " ".join(symbol(colour, style) for colour in event.colours)
            return [
                style(say.say("play.genial", name=ears.name(event.seat), colours=colours), "good")
            ]
        if isinstance(event, Swapped):
            shown = " ".join(tile(each, style) for each in event.shown)
            return [say.say("play.swapped", name=ears.name(event.seat), tiles=shown)]
        if isinstance(event, Kept):
            return [say.say("play.kept-hand", name=ears.name(event.seat))]
        if isinstance(event, Drawn) and event.tiles is not None:
            drawn = " ".join(tile(each, style) for each in event.tiles)
            return [say.say("play.you-draw", tiles=drawn)]
        return []

    # --- what may be done, and what it brings -----------------------------------------------------

    def moves(self, view: View, about: str, ears: Ears) -> list[str]:
        """For each tile how many places it has and the best of them; for one tile all of them."""
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
            places = plural(ears.say, "play.places", len(own))
            best = "   ".join(_with_points(view, move) for move in own[:BEST])
            lines.append(f"{tile(name, ears.style)}  {places:>11}   {best}")
        more = ears.say.say(
            "play.moves-of", word=word_for("moves", ears.say), tile=placements[0].tile
        )
        return [*lines, more]

    def points(self, before: View, after: View, events: Sequence[Event], ears: Ears) -> list[str]:
        """Each half with the lines that give it points, and where the markers go."""
        lines = []
        for event in events:
            if isinstance(event, Scored):
                lines += [_half_line(half, ears) for half in event.halves]
                lines += ["  " + _gain(marker, ears) for marker in event.markers]
            elif isinstance(event, Genial):
                lines += self.tell(event, after, ears)
        return lines or [ears.say.say("play.no-points")]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], ears: Ears) -> str:
        """The six markers, lowest first: that is how places are decided."""
        order = sorted(COLOURS, key=lambda colour: score[colour])
        markers = "  ".join(f"{symbol(colour, ears.style)} {score[colour]}" for colour in order)
        if options["variant"] != DUEL:
            return markers
        won = sum(score[colour] > 0 for colour in COLOURS)
        return f"{plural(ears.say, 'play.colours-won', won)}   {markers}"


def _gain(marker: MarkerMove, ears: Ears) -> str:
    went = (
        f"{marker.before} → {marker.after}" if marker.after != marker.before else f"{marker.after}"
    )
    return f"{symbol(marker.colour, ears.style)} +{marker.points} ({went})"


def _half_line(half: Half, ears: Ears) -> str:
    lines = " + ".join(f"{len(line.cells)} ({' '.join(line.cells)})" for line in half.lines)
    return ears.say.say(
        "play.half",
        symbol=symbol(half.colour, ears.style),
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
    first, second = Colour(move.tile[0]), Colour(move.tile[1])
    return view.points[first][move.first] + view.points[second][move.second]


def _with_points(view: View, move: Placement) -> str:
    return f"{move} +{_worth(view, move)}"
