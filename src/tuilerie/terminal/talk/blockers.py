"""Talking about Blockers!."""

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
from tuilerie.terminal.speech import in_notation, plural
from tuilerie.terminal.talk.ears import Ears

_FACE = r"(#?\s?[1-9]|[a-i]|\*)"
_PLACEMENT = re.compile(rf"([bygrk]?)\s?{_FACE}\s?([-x]?)\s?([a-i])\s?([1-9])")
_DISCARD = re.compile(rf"discard ([bygrk]?)\s?{_FACE}")


class BlockersTalk:
    """Blockers! at the table."""

    def draw(self, view: View, ears: Ears) -> str:
        """The whole table."""
        code, colour = ears.say.code, ears.style.colour
        return draw(view, ears.names, code, colour, compact=ears.compact)

    def prompt(self, view: View, ears: Ears) -> str:
        """What the person is asked for."""
        example = view.legal[0]
        key = "play.blockers-discard" if example.startswith("discard") else "play.blockers-move"
        return ears.say.say(key, example=example)

    def read(self, text: str, view: View) -> str:
        """'b7 c7' lays or captures, whichever it is; with one colour '7 c7' will do too."""
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

    # --- what has happened ------------------------------------------------------------------------

    def tell(self, event: Event, view: View, ears: Ears) -> list[str]:
        """What has happened, in words."""
        say, style = ears.say, ears.style
        if isinstance(event, Laid):
            return [
                say.say(
                    "play.laid-at",
                    name=ears.name(event.seat),
                    tile=tile(event.tile, style),
                    cell=event.cell,
                    groups=_groups(event.groups, ears),
                )
            ]
        if isinstance(event, Captured):
            return [
                say.say(
                    "play.captured",
                    name=ears.name(event.seat),
                    tile=tile(event.tile, style),
                    cell=event.cell,
                    taken=tile(event.taken, style),
                    groups=_groups(event.groups, ears),
                )
            ]
        if isinstance(event, Discarded):
            rack = " ".join(tile(each, style) for each in event.rack)
            name, gone = ears.name(event.seat), tile(event.tile, style)
            return [say.say("play.discarded", name=name, rack=rack, tile=gone)]
        if isinstance(event, Drawn) and event.tile is not None:
            return [say.say("play.you-draw", tiles=tile(event.tile, style))]
        if isinstance(event, Scored):
            return [_score_line(event, ears)]
        return []

    # --- what may be done, and what it brings -----------------------------------------------------

    def moves(self, view: View, about: str, ears: Ears) -> list[str]:
        """For each tile the empty cells and the captures."""
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
                parts.append(ears.say.say("play.captures", cells=" ".join(takes)))
            lines += wrap("   ".join(parts), indent=" " * 6, first=f"{name:<5} ")
        return lines

    def points(self, before: View, after: View, events: Sequence[Event], ears: Ears) -> list[str]:
        """How the groups and the score change."""
        lines = []
        for event in events:
            if isinstance(event, (Laid, Captured)):
                groups = _groups(event.groups, ears)
                lines.append(ears.say.say("play.groups-change", groups=groups))
            if isinstance(event, Captured):
                taken = tile(event.taken, ears.style)
                lines.append(ears.say.say("play.would-capture", tile=taken))
        if before.viewer is None or not lines:
            return [ears.say.say("play.no-points")]
        was, now = _score(before, before.viewer), _score(after, before.viewer)
        return [*lines, ears.say.say("play.score-change", before=was, after=now)]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], ears: Ears) -> str:
        """Groups and captures."""
        taken = " ".join(f"{letter}{count}" for letter, count in score["captures"].items() if count)
        return plural(
            ears.say,
            "play.blockers-result",
            score["groups"],
            taken=taken or "–",
            score=score["score"],
        )


def _tile(letter: str, face: str, own: str) -> str:
    """A tile from what was typed; a single colour of one's own goes without saying."""
    shown = face.replace(" ", "").upper()
    return (letter or (own if len(own) == 1 else "")) + shown


def _groups(changes: Sequence[GroupChange], ears: Ears) -> str:
    return " · ".join(f"{colour_of(c.colour, ears.style)} {c.before} → {c.after}" for c in changes)


def _score(view: View, seat: int) -> int:
    most = max(capture_counts(view, seat).values(), default=0)
    return view.groups[seat] + (most if view.options.scoring == "blockers" else 0)


def _score_line(event: Scored, ears: Ears) -> str:
    groups = sum(map(len, event.groups.values()))
    counted = 0 if event.counted is None else event.captures[event.counted]
    return plural(
        ears.say,
        "play.blockers-score",
        groups,
        name=ears.name(event.seat),
        captured=counted,
        colour="–" if event.counted is None else colour_of(event.counted, ears.style),
        score=event.score,
    )
