"""The compiled core in a browser: stand-ins for the extension modules of `tuilerie.native`.

They turn each call into a request to a WebAssembly module (`native/wasm.h`), so that the bots run
there as they are.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any

from tuilerie import native

Ask = Callable[[str, str], str]
"""Sends a request to the module of a game. Returns its answer; an error begins with '!'."""


def install(ask: Ask) -> None:
    """Make `tuilerie.native` use these modules. Call it before `tuilerie.bots` is imported."""
    for game, module in modules(ask).items():
        sys.modules[module.__name__] = module
        setattr(native, f"_{game}", module)
    native.why_not_compiled.cache_clear()
    genial: Any = import_module(f"{native.__name__}.genial")
    genial.WEIGHTS = files(native) / "genial.net"  # the package is in a zip file


def modules(ask: Ask) -> dict[str, Any]:
    """The stand-ins, by game."""
    found = {}
    for game, make in (("genial", _genial), ("blockers", _blockers), ("kaosmos", _kaosmos)):
        found[game] = module = ModuleType(f"{native.__name__}._{game}")
        module.__dict__.update(make(_Caller(game, ask)))
    return found


class _Caller:
    """Asks the module of one game."""

    def __init__(self, game: str, ask: Ask) -> None:
        self._game, self._ask = game, ask

    def __call__(self, *words: object) -> str:
        """The answer to a request. Raises `ValueError`, as the extension modules do."""
        answer = self._ask(self._game, "\n".join(_word(word) for word in words))
        if answer.startswith("!"):
            raise ValueError(answer[1:])
        return answer

    def rows(self, kinds: Sequence[Callable[[str], Any]], *words: object) -> list[tuple[Any, ...]]:
        """The answer as rows, with these types of fields."""
        return [
            tuple(kind(field) for kind, field in zip(kinds, line.split("\t"), strict=True))
            for line in self(*words).splitlines()
        ]


def _word(value: object) -> str:
    return struct.pack(">d", value).hex() if isinstance(value, float) else str(value)


def _real(text: str) -> float:
    found: float = struct.unpack(">d", bytes.fromhex(text))[0]
    return found


def _absent(*_: object) -> Any:
    raise NotImplementedError("not part of the WebAssembly core")


_CANDIDATE = (str, _real, _real, int)


def _genial(call: _Caller) -> dict[str, Any]:
    def think(  # noqa: PLR0913, PLR0917 - as in _genial.pyi
        position: str, seed: int, nodes: int, seconds: float, candidates: int, handful: int
    ) -> list[tuple[Any, ...]]:
        words = position, seed, nodes, float(seconds), candidates, handful
        return call.rows(_CANDIDATE, "think", *words)

    class Weights:
        def __init__(self, data: bytes) -> None:
            self._known = call("weights", data.hex())

        def has(self, players: int) -> bool:
            return self._known[players - 2 : players - 1] == "1"

    def think_with_net(  # noqa: PLR0913, PLR0917 - as in _genial.pyi
        weights: Weights,
        position: str,
        seed: int,
        nodes: int,
        seconds: float,
        candidates: int,
        handful: int,
        rounds: int,
    ) -> list[tuple[Any, ...]]:
        del weights  # the module has them
        words = position, seed, nodes, float(seconds), candidates, handful, rounds
        return call.rows(_CANDIDATE, "think_with_net", *words)

    names = "moves", "apply", "result", "random_game", "resample", "perft", "playouts", "luck"
    return {
        **dict.fromkeys(names, _absent),
        "HAS_V3": False,
        "think": think,
        "Weights": Weights,
        "think_with_net": think_with_net,
    }


def _blockers(call: _Caller) -> dict[str, Any]:
    def think(  # noqa: PLR0913, PLR0917 - as in _blockers.pyi
        position: str, seed: int, nodes: int, seconds: float, candidates: int, exact: float
    ) -> list[tuple[Any, ...]]:
        words = position, seed, nodes, float(seconds), candidates, float(exact)
        return call.rows(_CANDIDATE, "think", *words)

    return {"think": think}


def _kaosmos(call: _Caller) -> dict[str, Any]:
    class Box:
        def __init__(self, tiles: str, cards: str) -> None:
            self.number = int(call("box", tiles.replace("\n", ";"), cards.replace("\n", ";")))

    def solve(box: Box, *words: Any) -> tuple[Any, ...]:
        card, tiles, laid, totals, temperature, bonus, nodes, seconds, anneal, seed = words
        rows = call.rows(
            (str, _real, _real, lambda text: text == "1", int, _real),
            *("solve", box.number, card, tiles, laid, *totals, float(temperature)),
            *("".join(map(_word, map(float, bonus))), nodes, float(seconds), anneal, seed),
        )
        return rows[0]

    def weigh_keeps(box: Box, *words: Any) -> list[tuple[Any, ...]]:
        view, temperature, nodes, seconds, seed, candidates, build = words
        asked = view, float(temperature), nodes, float(seconds), seed, candidates, build
        return call.rows((str, _real, int), "weigh_keeps", box.number, *asked)

    def odds(box: Box, *words: Any) -> list[list[float]]:
        lines = call("odds", box.number, *words).splitlines()
        return [[_real(field) for field in line.split("\t")] for line in lines]

    return {"Box": Box, "solve": solve, "weigh_keeps": weigh_keeps, "odds": odds}
