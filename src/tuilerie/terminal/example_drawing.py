"""Drawings of the worked examples in the rules texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tuilerie.games.blockers.board import Cell as BlockersCell
from tuilerie.games.blockers.board import groups_of, parts_around
from tuilerie.games.blockers.notation import Capture
from tuilerie.games.blockers.notation import parse_move as parse_blockers
from tuilerie.games.blockers.tiles import Tile as BlockersTile
from tuilerie.games.game import Code, Refused
from tuilerie.games.genial.board import Cell, board_for
from tuilerie.games.genial.notation import Placement
from tuilerie.games.genial.notation import parse_move as parse_genial
from tuilerie.games.genial.score import score_tile
from tuilerie.games.genial.tiles import Colour
from tuilerie.games.kaosmos.board import Field
from tuilerie.games.kaosmos.card import MARKERS
from tuilerie.games.kaosmos.score import Galaxy, count
from tuilerie.games.kaosmos.tiles import TILES
from tuilerie.language import Language, language
from tuilerie.terminal import blockers, genial
from tuilerie.terminal.count import draw_count
from tuilerie.terminal.galaxy_drawing import PLANET, WIDE, draw_galaxy, draw_tile, field_text
from tuilerie.terminal.kaosmos import marker
from tuilerie.terminal.layout import beside, table, words, wrap
from tuilerie.terminal.style import Style
from tuilerie.texts.examples import (
    EXAMPLES,
    BlockersBoard,
    BlockersCapture,
    BlockersScore,
    GenialBoard,
    GenialRanking,
    GenialTile,
    KaosmosBonus,
    KaosmosFinal,
    KaosmosGalaxy,
    KaosmosTile,
)

SEATS = "ABCDEF"
ROOM = 76  # width of an example, which is indented in its text


def draw_example(name: str, colour: bool, lang: str) -> str:
    """Draw the named example: its position, move and points."""
    example = EXAMPLES[name]
    return "\n".join(_DRAW[type(example)](example, language(lang), Style(colour)))


# --- Génial! --------------------------------------------------------------------------------------


def _genial_board(example: GenialBoard, say: Language, style: Style) -> list[str]:
    board = board_for(example.players)
    return genial.draw_board(board, board.printed, style, {}, cells=True)


def _genial_tile(example: GenialTile, say: Language, style: Style) -> list[str]:
    """Draw the tile in braces, the symbols that score in parentheses, and the sum."""
    board = board_for(example.players)
    symbols = dict(board.printed)
    for text in example.laid:
        _lay(symbols, text)
    move = parse_genial(example.move)
    assert isinstance(move, Placement)
    halves = score_tile(board, symbols, move.tile, move.first, move.second)
    around: dict[str, str] = {}
    for half in halves:
        around |= {cell: genial.COUNTED for line in half.lines for cell in line.cells}
    around |= {move.first: genial.ASKED, move.second: genial.ASKED}
    _lay(symbols, example.move)
    lines = genial.draw_board(board, symbols, style, around)
    lines.append(say.say("draw.genial-legend"))
    lines.append(f"{example.move}")
    for half in halves:
        runs = " + ".join(f"{len(line.cells)} ({' '.join(line.cells)})" for line in half.lines)
        lines.append(
            say.say(
                "play.half",
                symbol=genial.symbol(half.colour, style),
                cell=half.cell,
                lines=runs or "0",
                points=half.points,
            )
        )
    return lines


def _lay(symbols: dict[Cell, Colour], text: str) -> None:
    move = parse_genial(text)
    assert isinstance(move, Placement)
    symbols[move.first], symbols[move.second] = move.tile[0], move.tile[1]


def _genial_ranking(example: GenialRanking, say: Language, style: Style) -> list[str]:
    rows = []
    for seat, track in enumerate(example.tracks):
        order = sorted(track, key=lambda colour: track[colour])
        markers = [f"{genial.symbol(colour, style)} {track[colour]:>2}" for colour in order]
        rows.append([style(SEATS[seat], "strong"), *markers, f"→ {example.places[seat]}."])
    return table(rows)


# --- Blockers! ------------------------------------------------------------------------------------


def _blockers_board(example: BlockersBoard, say: Language, style: Style) -> list[str]:
    return blockers.draw_board({}, say, style, {})


def _tiles_on(board: Mapping[str, str]) -> dict[BlockersCell, BlockersTile]:
    return {BlockersCell(cell): BlockersTile(tile) for cell, tile in board.items()}


def _blockers_capture(example: BlockersCapture, say: Language, style: Style) -> list[str]:
    board = _tiles_on(example.board)
    marked = dict.fromkeys((text.split("x")[1] for text in example.captures), blockers.ASKED)
    lines = blockers.draw_board(board, say, style, marked)
    rack = [blockers.tile(tile, style) for tile in example.rack]
    lines += words([say.say("draw.rack"), *rack], ROOM)
    lines += words([say.say("draw.allowed"), *example.captures], ROOM)
    for text, rule in example.refused.items():
        why = say.refusal(Refused(Code.ILLEGAL, rule, **_facts(text, board)))
        lines += wrap(say.say("draw.refused", move=text, why=why), ROOM, indent="  ", first="✗ ")
    return lines


def _facts(text: str, board: Mapping[BlockersCell, BlockersTile]) -> dict[str, Any]:
    """Return the parameters of this capture's refusal."""
    move = parse_blockers(text)
    assert isinstance(move, Capture)
    there = board[move.cell]
    own = frozenset(cell for cell, tile in board.items() if tile[0] == there[0])
    return {
        "cell": move.cell,
        "tile": move.tile if there[0] != move.tile[0] else there,
        "colour": there[0],
        "parts": parts_around(own, move.cell),
    }


def _blockers_score(example: BlockersScore, say: Language, style: Style) -> list[str]:
    board = _tiles_on(example.board)
    lines = blockers.draw_board(board, say, style, {})
    heads = ("player", "colour", "groups", "captured", "score", "place")
    rows = [[style(say.say(f"draw.{head}"), "faint") for head in heads]]
    for seat, own in enumerate(example.colours):
        cells = frozenset(cell for cell, tile in board.items() if tile[0] in own)
        assert len(groups_of(cells)) == example.groups[seat]
        rows.append(
            [
                style(SEATS[seat], "strong"),
                blockers.colour(own, style),
                str(example.groups[seat]),
                " ".join(example.captured[seat]) or "–",
                str(example.scores[seat]),
                f"{example.places[seat]}.",
            ]
        )
    return [*lines, *table(rows, right=(2, 4, 5))]


# --- Kaosmos --------------------------------------------------------------------------------------


def _galaxy(puts: Sequence[str]) -> Galaxy:
    laid = (put.split() for put in puts)
    return {slot: (tile, int(turns)) for tile, slot, turns in laid}


def _kaosmos_tile(example: KaosmosTile, say: Language, style: Style) -> list[str]:
    blocks = []
    for turns in example.turns:
        picture = draw_tile(TILES.by_id[example.tile].turned(turns), style)
        blocks.append([f"{example.tile}/{90 * turns}", *picture])
    return beside(*blocks, gap=4)


def _kaosmos_galaxy(example: KaosmosGalaxy, say: Language, style: Style) -> list[str]:
    galaxy = _galaxy(example.galaxy)
    return draw_count(count(galaxy), galaxy, say.code, style.colour).splitlines()


def _kaosmos_bonus(example: KaosmosBonus, say: Language, style: Style) -> list[str]:
    """Draw the galaxies side by side, with the largest zone of the colour starred."""
    blocks = []
    for seat, puts in enumerate(example.galaxies):
        galaxy = _galaxy(puts)
        zones = [zone for zone in count(galaxy).zones if zone.colour == example.colour]
        best: tuple[Field, ...] = max(zones, key=lambda zone: zone.planets).fields
        title = say.say("draw.best-zone", name=SEATS[seat], count=example.planets[seat])
        picture = draw_galaxy(
            galaxy, tuple(galaxy), TILES, style, wide=WIDE, label=_starred(best), tags={}
        )
        blocks.append([style(title, "strong"), *picture])
    key = "draw.bonus-won" if example.points > 0 else "draw.bonus-lost"
    result = say.say(
        key,
        colour=marker(example.colour, say, style),
        own=example.planets[0],
        others=max(example.planets[1:]),
        points=f"{example.points:+}",
    )
    return [*beside(*blocks, gap=4), result]


def _starred(zone: Sequence[Field]) -> Callable[[Field, str], str]:
    def label(where: Field, printed: str) -> str:
        if where not in zone:
            return field_text(where, printed)
        return printed[0] + "*" + PLANET * int(printed[1])

    return label


def _kaosmos_final(example: KaosmosFinal, say: Language, style: Style) -> list[str]:
    head = [*(marker(name, say, style) for name in MARKERS), say.say("draw.total"), ""]
    rows = [["", *head]]
    for seat, own in enumerate(example.markers):
        lowest = min(own[name] for name in MARKERS[:3])
        cells = [
            f"{own[name]}{'◂' if own[name] == lowest and name in MARKERS[:3] else ' '}"
            for name in MARKERS
        ]
        rows.append(
            [
                style(SEATS[seat], "strong"),
                *cells,
                str(example.scores[seat]),
                f"→ {example.places[seat]}.",
            ]
        )
    return table(rows, right=(1, 2, 3, 4, 5))


_DRAW: Mapping[type[Any], Callable[[Any, Language, Style], list[str]]] = {
    GenialBoard: _genial_board,
    GenialTile: _genial_tile,
    GenialRanking: _genial_ranking,
    BlockersBoard: _blockers_board,
    BlockersCapture: _blockers_capture,
    BlockersScore: _blockers_score,
    KaosmosTile: _kaosmos_tile,
    KaosmosGalaxy: _kaosmos_galaxy,
    KaosmosBonus: _kaosmos_bonus,
    KaosmosFinal: _kaosmos_final,
}
"""The drawing function of each kind of example."""
