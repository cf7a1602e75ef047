"""Refusals as players meet them: wrong moves in random games and in the lessons, wrong options.

`python -m tests.refusals` writes them to web/fixtures/refusals.json with their sentences, for the
tests of the client.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tuilerie.games import GAMES
from tuilerie.games.game import Action, AnyGame, AnyState, Json, Refused
from tuilerie.language import LANGUAGES, language
from tuilerie.match.config import Config, checked
from tuilerie.record import replay
from tuilerie.simulate import play_game

WEB = Path(__file__).parent.parent / "web"
FILE = WEB / "fixtures" / "refusals.json"

WRONG = {
    "genial": ["swap", "keep", "RB h8 h9", "RB a1 a2", "YY h8 k9", "grab blue", "x"],
    "blockers": ["b7-C7", "b7xC7", "y1xA1", "discard b7", "b*xE5", "b1-E5", "swap", "x"]
    + [f"{colour}#2xB5" for colour in "bygrk"],
    "kaosmos": [
        "keep T01 T05 T33",
        "put T01 b2 3",
        "put T01 i9 0",
        "lift T01",
        "leave T07",
        "grab blue",
        "grab green blue",
        "done",
        "turn b2",
        "move green green 1",
        "move green blue 3",
        "swap",
        "x",
    ],
}

OPTIONS: list[tuple[str, int, dict[str, Json]]] = [
    ("genial", 9, {}),
    ("genial", 2, {"variant": "teams"}),
    ("genial", 2, {"variant": "x"}),
    ("genial", 2, {"first": 7}),
    ("blockers", 2, {"scoring": "x"}),
    ("blockers", 3, {"colour": "b"}),
    ("kaosmos", 2, {"seconds": 7}),
    ("kaosmos", 2, {"timer": 7}),
]


def _refusal(action: Callable[[], Any]) -> Iterator[Refused]:
    try:
        action()
    except Refused as refused:
        yield refused


def _in_position(game: AnyGame, state: AnyState, moves: list[str]) -> Iterator[Refused]:
    def make(seat: int, text: str) -> None:
        game.apply(state, Action(seat, game.parse_move(text)))

    for seat in (0, 1):
        for text in moves:
            yield from _refusal(partial(make, seat, text))


def _met() -> Iterator[Refused]:
    chooser = random.Random(1)
    for name, game in GAMES.items():
        for seed in ("a", "b"):
            played = play_game(game, 2, {}, ["random", "random"], seed).played
            made = [str(each.entry.move) for each in played if isinstance(each.entry, Action)]
            positions = chooser.sample([each.state for each in played], 25)
            for state in (*positions, played[-1].state):
                yield from _in_position(game, state, WRONG[name] + chooser.sample(made, 12))
        lessons = json.loads((WEB / "src" / "games" / name / "lessons.json").read_text("utf-8"))
        for text in lessons.values():
            yield from _in_position(game, replay(text).state, WRONG[name])
    for name, players, options in OPTIONS:
        yield from _refusal(partial(GAMES[name].options, players, options))
    yield from _refusal(lambda: checked("chess", Config(players=2)))
    yield from _refusal(lambda: checked("genial", Config(players=2, level="x")))
    yield from _refusal(lambda: checked("genial", Config(players=2, takeover_after=0)))


def collect() -> list[Refused]:
    """Return up to three refusals by each rule, always the same."""
    found: dict[str, dict[str, Refused]] = {}
    for refused in _met():
        several = found.setdefault(refused.rule, {})
        if len(several) < 3:
            several.setdefault(str(refused), refused)
    return [refused for rule in sorted(found) for refused in found[rule].values()]


def as_json() -> str:
    """Return the refusals with their sentences in all languages."""
    entries = [
        {
            "code": refused.code.value,
            "rule": refused.rule,
            "params": refused.params,
            "said": {code: language(code).refusal(refused) for code in LANGUAGES},
        }
        for refused in collect()
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(as_json(), "utf-8")
