"""Text UI of Kaosmos: input, events, moves and points."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tuilerie.games.game import Event
from tuilerie.games.kaosmos.board import free_beside
from tuilerie.games.kaosmos.card import COLOURS, MARKERS, STAR
from tuilerie.games.kaosmos.events import (
    CardShown,
    Counted,
    Filled,
    Grabbed,
    Locked,
    Passed,
    RoundBegan,
    TimeUp,
    Transferred,
    Turned,
)
from tuilerie.games.kaosmos.state import BUILDING, DRAFT, INTERFERENCE, TRANSFER
from tuilerie.games.kaosmos.view import View
from tuilerie.terminal.count import draw_count, draw_seat_count, extra_lines, zone_summary
from tuilerie.terminal.kaosmos import card_words, draw, marker
from tuilerie.terminal.layout import words, wrap
from tuilerie.terminal.phrasing import in_notation
from tuilerie.terminal.text_ui.interface import Display, UnclearInput, numbered_tile

_SLOT = re.compile(r"[a-i][1-9]")
_TILE = re.compile(r"t0?([0-9]{1,2})")
ON_SLOTS = ("turn", "lift", "leave", "put")  # verbs that accept a slot for the tile on it
_LETTERS = {colour[0]: colour for colour in COLOURS}


class KaosmosTextUI:
    """The text UI of Kaosmos."""

    def draw(self, view: View, display: Display) -> str:
        """Draw the whole table."""
        return draw(
            view, display.names, display.say.code, display.style.colour, seconds=display.seconds
        )

    def prompt(self, view: View, display: Display) -> str:
        """Return the prompt of the phase."""
        if view.phase == BUILDING and view.viewer is not None and view.is_complete(view.viewer):
            free = [colour for colour in COLOURS if view.bonuses[colour] is None]
            if not free:
                return display.say.say("play.kaosmos-complete-none")
            word = display.say.say(f"play.move-word.{free[0]}").split(", ")[0]
            return display.say.say("play.kaosmos-complete", colour=word)
        return display.say.say(f"play.kaosmos-{view.phase}")

    # --- input ------------------------------------------------------------------------------------

    def parse(self, text: str, view: View) -> str:
        """Parse tiles by name or screen number, colours by letter, and optional turns."""
        typed = [word.lower() for word in in_notation(text)] or [text]
        if view.phase == DRAFT:
            given = typed[1:] if typed[0] == "keep" else typed
            return " ".join(["keep", *(_tile(word, view.packet or ()) for word in given)])
        if view.phase == TRANSFER:
            return _parse_transfer(typed)
        if view.phase == BUILDING:
            return _parse_building(typed, view)
        if view.phase == INTERFERENCE and len(typed) == 1 and _SLOT.fullmatch(typed[0]):
            return f"turn {typed[0]}"
        return " ".join(typed)

    # --- events -----------------------------------------------------------------------------------

    def describe(self, event: Event, view: View, display: Display) -> list[str]:
        """Describe an event in words; what the drawn table shows is left out."""
        say, style = display.say, display.style
        match event:
            case RoundBegan(number):
                return [style(say.say("play.round-began", number=number), "title")]
            case CardShown(card):
                name, text = card_words(card, say)
                if view.options.seconds is None:  # no hurry: the table shows the card's text
                    return [say.say("play.card-turned", name=name)]
                return wrap(say.say("play.card", name=name, text=text), indent="  ", first="↯ ")
            case Passed(seat=seat, source=source, count=passed, unseen=unseen) if (
                seat == display.me
            ):
                key = "play.passed-unseen" if unseen else "play.passed"
                return [say.say(key, name=display.name(source), count=passed)]
            case Grabbed(seat, colours):
                taken = " ".join(marker(colour, say, style) for colour in colours)
                return [say.say("play.grabbed", name=display.name(seat), colours=taken)]
            case Locked(seat):
                return [say.say("play.locked", name=display.name(seat))]
            case TimeUp():
                return [style(say.say("play.time-up"), "bad")]
            case Filled(seat, _, puts):
                laid = [f"{tile} {slot}" for tile, slot, _ in puts]
                return wrap(
                    say.say("play.filled", name=display.name(seat), tiles=laid),
                    indent="  ",
                    first="",
                )
            case Turned(tiles):
                return [
                    say.say(
                        "play.turned",
                        name=display.name(each.by),
                        tile=each.tile,
                        slot=each.slot,
                        owner=display.name(each.owner),
                    )
                    for each in tiles
                ]
            case Counted():
                return _describe_count(event, view, display)
            case Transferred(seat, source, target, points) if points:
                return [
                    say.say(
                        "play.transferred",
                        name=display.name(seat),
                        points=points,
                        source=marker(source, say, style),
                        target=marker(target, say, style),
                    )
                ]
        return []

    # --- moves and points -------------------------------------------------------------------------

    def moves(self, view: View, about: str, display: Display) -> list[str]:
        """List the legal moves; the hundreds of placements are summed up in one line."""
        say = display.say
        if view.phase != BUILDING or view.viewer not in view.actors:
            return words(list(view.legal), between="   ")
        own = view.galaxies[view.viewer]
        shape = view.rules.shape
        slots = free_beside(own) if shape.joined and own else shape.slots
        free = [slot for slot in slots if slot not in own]
        lines = wrap(
            say.say("play.may-put", tiles=view.supply or (), slots=free), indent="  ", first=""
        )
        if own:
            laid = [f"{slot} ({tile})" for slot, (tile, _) in own.items()]
            lines += wrap(say.say("play.may-move", slots=laid), indent="  ", first="")
        others = [move for move in view.legal if move.split()[0] in ("leave", "grab", "done")]
        return [*lines, *words(others, between="   ")]

    def points(
        self, before: View, after: View, events: Sequence[Event], display: Display
    ) -> list[str]:
        """Explain the points of the galaxy before and after, with its full count."""
        now = after.counted
        if now is None:
            return [display.say.say("play.no-points")]
        was = dict.fromkeys(MARKERS, 0) if before.counted is None else before.counted.points
        changes = [
            f"{marker(name, display.say, display.style)} {was[name]} → {now.points[name]}"
            for name in MARKERS
        ]
        picture = draw_count(
            now,
            after.galaxies[display.me],
            display.say.code,
            display.style.colour,
            rules=before.rules,
            tiles=before.box.tiles,
        )
        return [*picture.splitlines(), "   ".join(changes)]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], display: Display) -> str:
        """Format the lowest colour and the star."""
        lowest = min(COLOURS, key=lambda colour: score[colour])
        return display.say.say(
            "play.kaosmos-score",
            lowest=marker(lowest, display.say, display.style),
            low=score[lowest],
            star=score[STAR],
            score=score["score"],
        )


def _tile(word: str, numbered: Sequence[str]) -> str:
    """Return a tile given by name or screen number."""
    if match := _TILE.fullmatch(word):
        return f"T{int(match[1]):02}"
    return numbered_tile(word, numbered) if word.isdecimal() else word


def _parse_transfer(typed: list[str]) -> str:
    """Parse 'g b 2' and 'move g b 2'; 'done', '0' and 'no' move nothing."""
    if typed in (["done"], ["0"], ["no"], ["non"]):
        return "move green blue 0"
    given = typed[1:] if typed[0] == "move" else typed
    return " ".join(["move", *(_LETTERS.get(word, word) for word in given)])


def _parse_building(typed: list[str], view: View) -> str:
    """Parse '1 b2 3' (put), 'b2 c3' (move the tile on b2) and 'turn b2' (by a quarter)."""
    assert view.viewer is not None
    own, supply = view.galaxies[view.viewer], view.supply or ()
    verb = typed[0]
    slots = [word for word in typed[:2] if _SLOT.fullmatch(word)]
    if slots and typed.index(slots[0]) < (2 if verb in ON_SLOTS else 1) and slots[0] not in own:
        raise UnclearInput("play.nothing-on", slot=slots[0])  # no tile on the source slot
    if verb == "turn" and len(typed) in (2, 3) and typed[1] in own:
        quarters = int(typed[2]) if len(typed) == 3 and typed[2].isdecimal() else 1
        tile, turns = own[typed[1]]
        return f"put {tile} {typed[1]} {(turns + quarters) % 4}"
    if verb in ("lift", "leave") and len(typed) == 2:
        laid = own.get(typed[1])
        return f"{verb} {laid[0] if laid else _tile(typed[1], supply)}"
    if verb == "grab":
        return " ".join([verb, *(_LETTERS.get(word, word) for word in typed[1:])])
    given = typed[1:] if verb == "put" else typed
    if len(given) in (2, 3) and _SLOT.fullmatch(given[1]):
        laid = own.get(given[0])
        tile = laid[0] if laid else _tile(given[0], supply)
        quarter = given[2] if len(given) == 3 else str(laid[1] if laid else 0)
        return f"put {tile} {given[1]} {quarter}"
    return " ".join(typed)


def _describe_count(event: Counted, view: View, display: Display) -> list[str]:
    """Describe a count: the player's own in full, the others' in short."""
    say, style, counted = display.say, display.style, event.count
    title = style(
        say.say("play.count-of", name=display.name(event.seat), number=event.round), "title"
    )
    if event.seat == display.me:
        whole = draw_seat_count(counted, say.code, style.colour, view.rules, view.box.tiles)
        return ["", title, *whole.splitlines()]
    after = "  ".join(f"{marker(name, say, style)} {counted.after[name]}" for name in MARKERS)
    return [
        "",
        title,
        *words(zone_summary(counted.count, say, style), indent="  ", between="   "),
        *("  " + line for line in extra_lines(counted, say.code, style.colour)),
        "  " + say.say("play.markers-now", markers=after),
    ]
