"""Text UI of Blockers!: input, events, moves and points."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tuilerie.games.blockers.board import Cell
from tuilerie.games.blockers.events import (
    Captured,
    Discarded,
    Drawn,
    GroupChange,
    Laid,
    Scored,
)
from tuilerie.games.blockers.notation import Capture, Discard, Lay, parse_move
from tuilerie.games.blockers.view import View
from tuilerie.games.game import Event
from tuilerie.terminal.blockers import capture_counts, draw, tile
from tuilerie.terminal.blockers import colour as colour_of
from tuilerie.terminal.layout import wrap
from tuilerie.terminal.phrasing import in_notation, plural
from tuilerie.terminal.text_ui.interface import Display

_FACE = r"(#?\s?[1-9]|[a-i]|\*)"
_PLACEMENT = re.compile(rf"([bygrk]?)\s?{_FACE}\s?([-x]?)\s?([a-i])\s?([1-9])")
_DISCARD = re.compile(rf"discard ([bygrk]?)\s?{_FACE}")


class BlockersTextUI:
    """The text UI of Blockers!."""

    def draw(self, view: View, display: Display) -> str:
        """Draw the whole table."""
        code, colour = display.say.code, display.style.colour
        return draw(view, display.names, code, colour, compact=display.compact)

    def prompt(self, view: View, display: Display) -> str:
        """Return the prompt, with an example move."""
        example = view.legal[0]
        key = "play.blockers-discard" if example.startswith("discard") else "play.blockers-move"
        return display.say.say(key, example=example)

    def parse(self, text: str, view: View) -> str:
        """Parse 'b7 c7' as a placement or a capture; with a single colour, '7 c7' works too."""
        typed = " ".join(in_notation(text)).lower()
        own = "" if view.viewer is None else view.options.colours[view.viewer]
        if match := _DISCARD.fullmatch(typed):
            return f"discard {_tile(match[1], match[2], own)}"
        match = _PLACEMENT.fullmatch(typed)
        if match is None:
            return typed
        cell = Cell(match[4].upper() + match[5])
        sign = match[3] or ("x" if cell in view.board else "-")
        return f"{_tile(match[1], match[2], own)}{sign}{cell}"

    # --- events -----------------------------------------------------------------------------------

    def describe(self, event: Event, view: View, display: Display) -> list[str]:
        """Describe an event in words."""
        say, style = display.say, display.style
        if isinstance(event, Laid):
            return [
                say.say(
                    "play.laid-at",
                    name=display.name(event.seat),
                    tile=tile(event.tile, style),
                    cell=event.cell,
                    groups=_groups(event.groups, display),
                )
            ]
        if isinstance(event, Captured):
            return [
                say.say(
                    "play.captured",
                    name=display.name(event.seat),
                    tile=tile(event.tile, style),
                    cell=event.cell,
                    taken=tile(event.taken, style),
                    groups=_groups(event.groups, display),
                )
            ]
        if isinstance(event, Discarded):
            rack = " ".join(tile(each, style) for each in event.rack)
            name, gone = display.name(event.seat), tile(event.tile, style)
            return [say.say("play.discarded", name=name, rack=rack, tile=gone)]
        if isinstance(event, Drawn) and event.tile is not None:
            return [say.say("play.you-draw", tiles=tile(event.tile, style))]
        if isinstance(event, Scored):
            return [_score_line(event, display)]
        return []

    # --- moves and points -------------------------------------------------------------------------

    def moves(self, view: View, about: str, display: Display) -> list[str]:
        """List the empty cells and the captures of each tile."""
        moves = [parse_move(text) for text in view.legal]
        lines: list[str] = []
        for name in dict.fromkeys(move.tile for move in moves):
            own = [move for move in moves if move.tile == name]
            free = [move.cell for move in own if isinstance(move, Lay)]
            takes = [f"{m.cell} ({view.board[m.cell]})" for m in own if isinstance(m, Capture)]
            if any(isinstance(move, Discard) for move in own):
                lines.append(f"discard {name}")
                continue
            parts = [" ".join(free) or "–"]
            if takes:
                parts.append(display.say.say("play.captures", cells=" ".join(takes)))
            lines += wrap("   ".join(parts), indent=" " * 6, first=f"{name:<5} ")
        return lines

    def points(
        self, before: View, after: View, events: Sequence[Event], display: Display
    ) -> list[str]:
        """Explain how a move changes the groups and the score."""
        lines = []
        for event in events:
            if isinstance(event, (Laid, Captured)):
                groups = _groups(event.groups, display)
                lines.append(display.say.say("play.groups-change", groups=groups))
            if isinstance(event, Captured):
                taken = tile(event.taken, display.style)
                lines.append(display.say.say("play.would-capture", tile=taken))
        if before.viewer is None or not lines:
            return [display.say.say("play.no-points")]
        was, now = _score(before, before.viewer), _score(after, before.viewer)
        return [*lines, display.say.say("play.score-change", before=was, after=now)]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], display: Display) -> str:
        """Format groups and captures."""
        taken = " ".join(f"{letter}{count}" for letter, count in score["captures"].items() if count)
        return plural(
            display.say,
            "play.blockers-result",
            score["groups"],
            taken=taken or "–",
            score=score["score"],
        )


def _tile(letter: str, face: str, own: str) -> str:
    """Return the tile from the input; a player with a single colour may omit its letter."""
    shown = face.replace(" ", "").upper()
    return (letter or (own if len(own) == 1 else "")) + shown


def _groups(changes: Sequence[GroupChange], display: Display) -> str:
    return " · ".join(
        f"{colour_of(c.colour, display.style)} {c.before} → {c.after}" for c in changes
    )


def _score(view: View, seat: int) -> int:
    most = max(capture_counts(view, seat).values(), default=0)
    return view.groups[seat] + (most if view.options.scoring == "blockers" else 0)


def _score_line(event: Scored, display: Display) -> str:
    groups = sum(map(len, event.groups.values()))
    counted = 0 if event.counted is None else event.captures[event.counted]
    return plural(
        display.say,
        "play.blockers-score",
        groups,
        name=display.name(event.seat),
        captured=counted,
        colour="–" if event.counted is None else colour_of(event.counted, display.style),
        score=event.score,
    )
