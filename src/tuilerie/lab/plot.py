"""Plot of the ladder as SVG: every entrant at its Elo, with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from tuilerie.games import GAMES

ROW, TOP, LEFT, PLOT, RIGHT = 34, 70, 170, 480, 150
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #26221d }
.title { font-size: 17px; font-weight: 600 } .small { font-size: 12px; fill: #6b6257 }
.grid { stroke: #ded6c9 } .bar { stroke: #b4542d; stroke-width: 3; stroke-linecap: round }
.dot { fill: #b4542d } .paper { fill: #fbf8f2 }
@media (prefers-color-scheme: dark) {
  text { fill: #ece5da } .small { fill: #a89d8e } .grid { stroke: #453f37 }
  .bar { stroke: #e08a5f } .dot { fill: #e08a5f } .paper { fill: #1f1c18 }
}
"""


def draw(found: dict[str, Any]) -> str:
    """Draw the output of `report.results` as SVG."""
    rows = found["entrants"]
    low = min(each["elo"]["low"] for each in rows)
    high = max(each["elo"]["high"] for each in rows)
    step = _step(high - low)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    last = max(last, first + step)

    def x(elo: float) -> float:
        share: float = (elo - first) / (last - first)
        return LEFT + round(PLOT * share, 1)

    width, height = LEFT + PLOT + RIGHT, TOP + ROW * len(rows) + 40
    title = f"{GAMES[found['game']].card.title} {found['players']} players, {found['games']} games"
    note = f"Elo relative to the mean, 95 % intervals over {found['deals']} deals"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text class="title" x="20" y="28">{escape(title)}</text>',
        f'<text class="small" x="20" y="48">{escape(note)} · {found["engine"]} engine</text>',
    ]
    bottom = TOP + ROW * len(rows)
    for mark in range(first, last + 1, step):
        at = x(mark)
        parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP}" y2="{bottom}"/>')
        middle = f'text-anchor="middle" x="{at}" y="{bottom + 20}"'
        parts.append(f'<text class="small" {middle}>{mark:+d}</text>')
    for row, each in enumerate(rows):
        parts += _row(each, x, TOP + ROW * row + ROW // 2)
    return "\n".join([*parts, "</svg>", ""])


def _row(each: dict[str, Any], x: Callable[[float], float], y: int) -> list[str]:
    elo, share = each["elo"], 100 * each["share"]["value"]
    label = f"{elo['value']:+.0f} ({elo['low']:+.0f} to {elo['high']:+.0f})"
    return [
        f'<text text-anchor="end" x="{LEFT - 16}" y="{y + 5}">{escape(each["name"])}</text>',
        f'<line class="bar" x1="{x(elo["low"])}" x2="{x(elo["high"])}" y1="{y}" y2="{y}"/>',
        f'<circle class="dot" cx="{x(elo["value"])}" cy="{y}" r="6"/>',
        f'<text x="{LEFT + PLOT + 14}" y="{y}">{label}</text>',
        f'<text class="small" x="{LEFT + PLOT + 14}" y="{y + 14}">{share:.1f} % of wins</text>',
    ]


def _step(width: float) -> int:
    return next((step for step in (10, 25, 50, 100, 200, 400) if width / step <= 8), 800)
