"""Talking about Kaosmos."""

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
from tuilerie.terminal.speech import in_notation
from tuilerie.terminal.talk.ears import Ears, Unclear, numbered_tile

_SLOT = re.compile(r"[a-i][1-9]")
_TILE = re.compile(r"t0?([0-9]{1,2})")
ON_SLOTS = ("turn", "lift", "leave", "put")  # verbs that a slot may follow, for what lies there
_LETTERS = {colour[0]: colour for colour in COLOURS}


class KaosmosTalk:
    """Kaosmos at the table."""

    def draw(self, view: View, ears: Ears) -> str:
        """The whole table."""
        return draw(view, ears.names, ears.say.code, ears.style.colour, seconds=ears.seconds)

    def prompt(self, view: View, ears: Ears) -> str:
        """What the person is asked for."""
        if view.phase == BUILDING and view.viewer is not None and view.is_complete(view.viewer):
            free = [colour for colour in COLOURS if view.bonuses[colour] is None]
            if not free:
                return ears.say.say("play.kaosmos-complete-none")
            word = ears.say.say(f"play.move-word.{free[0]}").split(", ")[0]
            return ears.say.say("play.kaosmos-complete", colour=word)
        return ears.say.say(f"play.kaosmos-{view.phase}")

    # --- what is typed ----------------------------------------------------------------------------

    def read(self, text: str, view: View) -> str:
        """Tiles by name or by their number on the screen, colours by letter, turns left out."""
        typed = [word.lower() for word in in_notation(text)] or [text]
        if view.phase == DRAFT:
            given = typed[1:] if typed[0] == "keep" else typed
            return " ".join(["keep", *(_tile(word, view.packet or ()) for word in given)])
        if view.phase == TRANSFER:
            return _read_transfer(typed)
        if view.phase == BUILDING:
            return _read_building(typed, view)
        if view.phase == INTERFERENCE and len(typed) == 1 and _SLOT.fullmatch(typed[0]):
            return f"turn {typed[0]}"
        return " ".join(typed)

    # --- what has happened ------------------------------------------------------------------------

    def tell(self, event: Event, view: View, ears: Ears) -> list[str]:
        """What has happened, in words. What lies on the table is seen there."""
        say, style = ears.say, ears.style
        match event:
            case RoundBegan(number):
                return [style(say.say("play.round-began", number=number), "title")]
            case CardShown(card):
                name, text = card_words(card, say)
                if view.options.seconds is None:  # the table shows it, and there is time to read
                    return [say.say("play.card-turned", name=name)]
                return wrap(say.say("play.card", name=name, text=text), indent="  ", first="↯ ")
            case Passed(seat=seat, source=source, count=passed, unseen=unseen) if seat == ears.me:
                key = "play.passed-unseen" if unseen else "play.passed"
                return [say.say(key, name=ears.name(source), count=passed)]
            case Grabbed(seat, colours):
                taken = " ".join(marker(colour, say, style) for colour in colours)
                return [say.say("play.grabbed", name=ears.name(seat), colours=taken)]
            case Locked(seat):
                return [say.say("play.locked", name=ears.name(seat))]
            case TimeUp():
                return [style(say.say("play.time-up"), "bad")]
            case Filled(seat, _, puts):
                laid = [f"{tile} {slot}" for tile, slot, _ in puts]
                return wrap(
                    say.say("play.filled", name=ears.name(seat), tiles=laid), indent="  ", first=""
                )
            case Turned(tiles):
                return [
                    say.say(
                        "play.turned",
                        name=ears.name(each.by),
                        tile=each.tile,
                        slot=each.slot,
                        owner=ears.name(each.owner),
                    )
                    for each in tiles
                ]
            case Counted():
                return _tell_count(event, view, ears)
            case Transferred(seat, source, target, points) if points:
                return [
                    say.say(
                        "play.transferred",
                        name=ears.name(seat),
                        points=points,
                        source=marker(source, say, style),
                        target=marker(target, say, style),
                    )
                ]
        return []

    # --- what may be done, and what it brings -----------------------------------------------------

    def moves(self, view: View, about: str, ears: Ears) -> list[str]:
        """What may be done now; putting tiles in one line, as there are hundreds of ways."""
        say = ears.say
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

    def points(self, before: View, after: View, events: Sequence[Event], ears: Ears) -> list[str]:
        """What the galaxy brings before and after, and its count in full."""
        now = after.counted
        if now is None:
            return [ears.say.say("play.no-points")]
        was = dict.fromkeys(MARKERS, 0) if before.counted is None else before.counted.points
        changes = [
            f"{marker(name, ears.say, ears.style)} {was[name]} → {now.points[name]}"
            for name in MARKERS
        ]
        picture = draw_count(
            now,
            after.galaxies[ears.me],
            ears.say.code,
            ears.style.colour,
            rules=before.rules,
            tiles=before.box.tiles,
        )
        return [*picture.splitlines(), "   ".join(changes)]

    def score(self, score: Mapping[str, Any], options: Mapping[str, Any], ears: Ears) -> str:
        """The lowest colour and the star."""
        lowest = min(COLOURS, key=lambda colour: score[colour])
        return ears.say.say(
            "play.kaosmos-score",
            lowest=marker(lowest, ears.say, ears.style),
            low=score[lowest],
            star=score[STAR],
            score=score["score"],
        )


def _tile(word: str, numbered: Sequence[str]) -> str:
    """A tile that was named, or numbered as on the screen."""
    if match := _TILE.fullmatch(word):
        return f"T{int(match[1]):02}"
    return numbered_tile(word, numbered) if word.isdecimal() else word


def _read_transfer(typed: list[str]) -> str:
    """'g b 2' and 'move g b 2'; 'done', '0' and 'no' move nothing."""
    if typed in (["done"], ["0"], ["no"], ["non"]):
        return "move green blue 0"
    given = typed[1:] if typed[0] == "move" else typed
    return " ".join(["move", *(_LETTERS.get(word, word) for word in given)])


def _read_building(typed: list[str], view: View) -> str:
    """'1 b2 3' puts, 'b2 c3' moves what lies on b2, 'turn b2' turns it by a quarter."""
    assert view.viewer is not None
    own, supply = view.galaxies[view.viewer], view.supply or ()
    verb = typed[0]
    slots = [word for word in typed[:2] if _SLOT.fullmatch(word)]
    if slots and typed.index(slots[0]) < (2 if verb in ON_SLOTS else 1) and slots[0] not in own:
        raise Unclear("play.nothing-on", slot=slots[0])  # a slot that a tile is to come from
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


def _tell_count(event: Counted, view: View, ears: Ears) -> list[str]:
    """One's own count in full, the others' in short."""
    say, style, counted = ears.say, ears.style, event.count
    title = style(say.say("play.count-of", name=ears.name(event.seat), number=event.round), "title")
    if event.seat == ears.me:
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
