"""Drawing of a galaxy's count: zones labelled by letters, the path numbered, and the reason of
each point."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

from tuilerie.games.kaosmos.board import Field
from tuilerie.games.kaosmos.card import MARKERS, STAR
from tuilerie.games.kaosmos.cards import BASIC, PATH, RoundRules, Steps
from tuilerie.games.kaosmos.score import Gain, Galaxy, GalaxyCount, SeatCount
from tuilerie.games.kaosmos.tiles import TILES, TileSet
from tuilerie.language import Language, language
from tuilerie.terminal.galaxy_drawing import NARROW, PLANET, WIDE, draw_galaxy, field_text
from tuilerie.terminal.kaosmos import marker, points_line
from tuilerie.terminal.layout import WIDTH, beside, table, width
from tuilerie.terminal.phrasing import plural
from tuilerie.terminal.style import Style


def draw_count(  # noqa: PLR0913 - options of the drawing
    counted: GalaxyCount,
    galaxy: Galaxy,
    lang: str,
    colour: bool,
    *,
    rules: RoundRules = BASIC,
    tiles: TileSet = TILES,
) -> str:
    """Draw a galaxy with its zones and path marked, and the reasons of its points."""
    say, style = language(lang), Style(colour)
    picture = _picture(counted, galaxy, style, rules, tiles)
    reasons = [*_zones(counted, say, style, rules), *_path(counted, say, style, rules)]
    lines = beside(picture, reasons, gap=3)
    if max(map(width, lines)) > WIDTH:
        lines = [*picture, "", *reasons]
    return "\n".join([*lines, say.say("draw.in-all", points=points_line(counted, say, style))])


def draw_seat_count(
    counted: SeatCount, lang: str, colour: bool, rules: RoundRules, tiles: TileSet
) -> str:
    """Draw a seat's whole count of a round: galaxy, bonus, Kaos card, markers."""
    own = draw_count(counted.count, counted.galaxy, lang, colour, rules=rules, tiles=tiles)
    return "\n".join(
        [own, *extra_lines(counted, lang, colour), *change_lines(counted, lang, colour)]
    )


def _picture(
    counted: GalaxyCount, galaxy: Galaxy, style: Style, rules: RoundRules, tiles: TileSet
) -> list[str]:
    letters = zone_letters(counted)
    # A row of nine has room for the letter of a zone, but not of its colour.
    columns = {slot[0] for slot in galaxy}
    wide = WIDE if len(columns) <= 7 else NARROW

    def label(where: Field, printed: str) -> str:
        if where not in letters:
            return field_text(where, printed)
        planets = PLANET * int(printed[1])
        return (printed[0] if wide == WIDE else "") + letters[where] + planets

    whole = rules.shape.is_complete(galaxy) and set(galaxy) <= set(rules.shape.slots)
    slots = rules.shape.slots if whole and not rules.shape.joined else ()
    order = {slot: f"({at})" for at, slot in enumerate(counted.path.slots, 1)}
    tags = order if counted.path.length > 1 else {}
    return draw_galaxy(galaxy, slots, tiles, style, wide=wide, label=label, tags=tags)


def zone_letters(counted: GalaxyCount) -> dict[Field, str]:
    """Map each field to the letter of its zone."""
    return {
        where: letter
        for letter, zone in zip(ascii_letters, counted.zones, strict=False)
        for where in zone.fields
    }


def _zones(counted: GalaxyCount, say: Language, style: Style, rules: RoundRules) -> list[str]:
    rows = []
    empty = []  # zones without planets score nothing and share one line
    for letter, zone in zip(ascii_letters, counted.zones, strict=False):
        if not zone.planets:
            empty.append(letter)
            continue
        reason = step_words(rules.tables[zone.colour], zone.planets)
        points = f"{zone.points}" if zone.points else "–"
        rows.append(
            [
                style(letter, "strong"),
                marker(zone.colour, say, style),
                plural(say, "draw.planets", zone.planets),
                style(reason, "faint"),
                points,
            ]
        )
    lines = table(rows, right=(4,))
    if empty:
        lines.append(style(say.say("draw.no-planets", zones=" ".join(empty)), "faint"))
    return lines


def step_words(steps: Steps, amount: int) -> str:
    """Return the row of a scoring table that an amount falls into: '3–5', '9+'."""
    reached = [at for at, (least, _) in enumerate(steps) if amount >= least]
    if not reached:
        return f"< {steps[0][0]}"
    at = reached[-1]
    if at == len(steps) - 1:
        return f"{steps[at][0]}+"
    first, last = steps[at][0], steps[at + 1][0] - 1
    return f"{first}–{last}" if last > first else f"{first}"


def _path(counted: GalaxyCount, say: Language, style: Style, rules: RoundRules) -> list[str]:
    path = counted.path
    reason = step_words(PATH, path.length)
    if rules.path_factor != 1:
        reason += f" ×{rules.path_factor}"
    words = plural(say, "draw.path", path.length)
    line = f"{marker(STAR, say, style)}  {words}  {style(reason, 'faint')}  {path.points or '–'}"
    way = "→".join(path.slots)
    return [line] + ([style(f"  {way}", "faint")] if path.length > 1 else [])


def extra_lines(counted: SeatCount, lang: str, colour: bool) -> list[str]:
    """List the points of bonus tiles and of the Kaos card."""
    say, style = language(lang), Style(colour)
    lines = []
    for bonus in counted.bonuses:
        key = "draw.bonus-won" if bonus.won else "draw.bonus-lost"
        lines.append(
            say.say(
                key,
                colour=marker(bonus.colour, say, style),
                own=bonus.own,
                others=bonus.best_of_others,
                points=f"{bonus.points:+}",
            )
        )
    return lines + _kaos_lines(counted, say, style)


def _kaos_lines(counted: SeatCount, say: Language, style: Style) -> list[str]:
    """List the points of the Kaos card, one line per colour."""
    letters = zone_letters(counted.count)
    together: dict[tuple[str, str, int], list[Gain]] = {}
    for gain in counted.kaos:
        size = 0 if gain.fields and gain.fields[0] in letters else len(gain.fields)
        together.setdefault((gain.reason, gain.marker, size), []).append(gain)
    lines = []
    for (reason, name, size), gains in together.items():
        zones = dict.fromkeys(letters.get(each, "") for gain in gains for each in gain.fields)
        points = "".join(f"{gain.points:+}" for gain in gains)
        lines.append(
            plural(
                say,
                f"draw.kaos-{reason}",
                size,
                marker=marker(name, say, style),
                where=" ".join(zones),
                points=points if size else f"{sum(gain.points for gain in gains):+}",
            )
        )
    return lines


def change_lines(counted: SeatCount, lang: str, colour: bool) -> list[str]:
    """List how the markers moved."""
    say, style = language(lang), Style(colour)
    rows = []
    for name in MARKERS:
        steps = [change for change in counted.changes if change.marker == name]
        reasons = [
            say.say(f"draw.step-{change.step}", points=f"{change.points:+}") for change in steps
        ]
        stopped = say.say("draw.clamped") if any(change.clamped for change in steps) else ""
        went = f"{counted.before[name]} → {counted.after[name]}"
        rows.append([marker(name, say, style), went, (", ".join(reasons) or "–") + stopped])
    return table(rows)


def zone_summary(counted: GalaxyCount, say: Language, style: Style) -> Sequence[str]:
    """Summarise the zones of a galaxy by colour: 'G 9+2 → 5'."""
    parts = []
    for name in MARKERS[:3]:
        planets = [
            str(zone.planets) for zone in counted.zones if zone.colour == name and zone.planets
        ]
        what = "+".join(planets) or "0"
        parts.append(f"{marker(name, say, style)} {what} → {counted.points[name]}")
    parts.append(f"{marker(STAR, say, style)} {counted.path.length} → {counted.points[STAR]}")
    return parts
