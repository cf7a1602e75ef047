"""Drawing of Kaosmos: the Kaos card, the galaxies, the tiles to build with, the markers."""

from __future__ import annotations

from collections.abc import Sequence

from tuilerie.games.game import Seat
from tuilerie.games.kaosmos.board import Slot
from tuilerie.games.kaosmos.card import COLOURS, MARKERS, ROUNDS, STAR
from tuilerie.games.kaosmos.score import Gain, GalaxyCount, kaos_gains
from tuilerie.games.kaosmos.state import BUILDING, DRAFT, INTERFERENCE, OVER, TRANSFER
from tuilerie.games.kaosmos.tiles import TileId
from tuilerie.games.kaosmos.view import View
from tuilerie.language import Language, language
from tuilerie.terminal.galaxy_drawing import draw_galaxy, draw_small, draw_tile, shown_slots
from tuilerie.terminal.layout import WIDTH, beside, clip, flow, pad, table, width, words, wrap
from tuilerie.terminal.style import Style

NAME = 13  # columns for a player's name
LETTERS = {"green": "G", "blue": "B", "orange": "O", STAR: "★"}
"""The letter of each marker, as in the fields."""


def draw(
    view: View,
    names: Sequence[str],
    lang: str,
    colour: bool,
    *,
    seconds: int | None = None,
) -> str:
    """Draw the whole table of a view. `seconds`: left on the timer."""
    say, style = language(lang), Style(colour)
    lines = [*_head(view, names, say, style, seconds), *_card(view, say, style), ""]
    if view.phase == BUILDING or any(view.galaxies):
        lines += [*_galaxies(view, names, say, style), ""]
    if tiles := _tiles(view, say, style):
        lines += [*tiles, ""]
    return "\n".join([*lines, *_markers(view, names, say, style)])


def marker(name: str, say: Language, style: Style) -> str:
    """Draw a marker: its letter and its name."""
    return style(f"{LETTERS[name]} {say.say(f'colour.{name}')}", f"kaosmos.{name}")


# --- above the board ------------------------------------------------------------------------------


def _head(
    view: View, names: Sequence[str], say: Language, style: Style, seconds: int | None
) -> list[str]:
    parts = [style("Kaosmos", "title"), say.say("draw.round", number=view.round, of=ROUNDS)]
    if view.phase == OVER:
        parts.append(style(say.say("draw.over"), "strong"))
    elif view.phase in (DRAFT, BUILDING, INTERFERENCE, TRANSFER):
        parts.append(style(say.say(f"draw.phase-{view.phase}"), "strong"))
        others = [clip(names[seat], NAME) for seat in view.actors]
        if view.viewer not in view.actors:
            parts.append(say.say("draw.waiting", names=clip(", ".join(others), 50)))
    if seconds is not None:
        parts.append(
            style(say.say("draw.timer", seconds=seconds), "good" if seconds > 10 else "bad")
        )
    return words(parts, between=" · ")


def _card(view: View, say: Language, style: Style) -> list[str]:
    if view.card is None:
        return []
    name, text = card_words(view.card, say)
    first, *rest = wrap(say.say("play.card", name=name, text=text), indent="  ", first="↯ ")
    return [first.replace(name, style(name, "strong"), 1), *rest]


def card_words(card: str, say: Language) -> tuple[str, str]:
    """Return the name and text of a Kaos card; a custom card keeps its id as its name."""
    if not say.has(f"card.{card}.name"):
        return card, say.say("draw.card-unknown")
    return say.say(f"card.{card}.name"), say.say(f"card.{card}.text")


# --- galaxies -------------------------------------------------------------------------------------


def _slots(view: View, seat: Seat) -> list[Slot]:
    shape = view.rules.shape
    return shown_slots(view.galaxies[seat], shape.slots, free=shape.joined)


def _galaxies(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    """Draw the galaxy in focus large, the others small beside or below it."""
    large = view.next_to(view.viewer) if _picks(view) and view.viewer is not None else view.viewer
    blocks = []
    for seat in range(view.players):
        title = clip(names[seat], NAME)
        if seat in view.locked:
            title += " ✓"
        if seat == large:
            continue
        shape = view.rules.shape
        slots = () if shape.joined and view.galaxies[seat] else _slots(view, seat)
        small = draw_small(view.galaxies[seat], slots, view.box.tiles, style)
        blocks.append([style(title, "strong"), *small])
    if large is None:
        return flow(blocks)
    own = draw_galaxy(view.galaxies[large], _slots(view, large), view.box.tiles, style)
    if large != view.viewer:
        own = [style(say.say("draw.galaxy-of", name=clip(names[large], NAME)), "strong"), *own]
    room = WIDTH - max(map(width, own)) - 3
    if room >= max((width(line) for block in blocks for line in block), default=0):
        both = beside(own, flow(blocks, room), gap=3)
    else:
        both = [*own, "", *flow(blocks)]
    return [*both, *_now(view, say, style)]


def _picks(view: View) -> bool:
    """Return whether the viewer must pick a tile of the next player (interference)."""
    return view.phase == INTERFERENCE and view.viewer in view.actors


def _now(view: View, say: Language, style: Style) -> list[str]:
    """Show what the viewer's galaxy would score now."""
    if view.counted is None:
        return []
    gains = kaos_gains(view.counted, view.rules)
    return [say.say("draw.now", points=points_line(view.counted, say, style, gains))]


def points_line(
    counted: GalaxyCount, say: Language, style: Style, gains: Sequence[Gain] = ()
) -> str:
    """Return the points of a galaxy in one line, with those of the Kaos card."""
    parts = []
    for name in MARKERS:
        more = sum(gain.points for gain in gains if gain.marker == name)
        kaos = f"{more:+}" if more else ""
        parts.append(f"{marker(name, say, style)} {counted.points[name]}{kaos}")
    return "  ".join(parts)


# --- tiles in hand --------------------------------------------------------------------------------


def _tiles(view: View, say: Language, style: Style) -> list[str]:
    """Draw the packet to choose from, or the tiles to build with, numbered."""
    lines = []
    if view.packet and view.phase == DRAFT:
        lines += [say.say("draw.packet"), *_row(view, view.packet, style)]
    if view.phase == DRAFT and view.viewer is not None and view.kept[view.viewer]:
        lines.append(style(say.say("draw.kept", count=view.kept[view.viewer]), "faint"))
    if view.supply:
        lines += [say.say("draw.supply"), *_row(view, view.supply, style)]
    aside = None if view.viewer is None else view.aside[view.viewer]
    if aside is not None:
        lines.append(say.say("draw.aside", tile=aside))
    return lines


def _row(view: View, tiles: Sequence[TileId], style: Style) -> list[str]:
    blocks = [
        [
            f"{style(str(at), 'strong')} {pad(tile, 5)}",
            *draw_tile(view.box.tiles.by_id[tile], style),
        ]
        for at, tile in enumerate(tiles, 1)
    ]
    return beside(*blocks, gap=2)


# --- markers --------------------------------------------------------------------------------------


def _markers(view: View, names: Sequence[str], say: Language, style: Style) -> list[str]:
    head = [*(marker(name, say, style) for name in MARKERS), style(say.say("draw.total"), "faint")]
    rows = [
        [
            "",
            style(say.say("draw.player"), "faint"),
            *head,
            style(say.say("draw.bonus-tiles"), "faint"),
        ]
    ]
    for seat, own in enumerate(view.markers):
        lowest = min(own[colour] for colour in COLOURS)
        cells = [
            f"{own[name]}{'◂' if name != STAR and own[name] == lowest else ' '}" for name in MARKERS
        ]
        taken = [LETTERS[colour] for colour in COLOURS if view.bonuses[colour] == seat]
        name = clip(names[seat], NAME)
        rows.append(
            [
                "▸" if seat in view.actors else " ",
                style(name, "strong") if seat == view.viewer else name,
                *cells,
                f"{lowest + own[STAR]} ",
                " ".join(taken) or "–",
            ]
        )
    free = [LETTERS[colour] for colour in COLOURS if view.bonuses[colour] is None]
    notes = [say.say("draw.lowest-plus-star")]
    if view.phase == BUILDING:
        notes.append(say.say("draw.bonus-free", colours=free))
    return [*table(rows, right=(2, 3, 4, 5, 6)), style(" · ".join(notes), "faint")]
