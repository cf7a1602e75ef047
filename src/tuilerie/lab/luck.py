"""How lucky each seat was in a game, to remove luck from the results of an arena.

The chance part of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018). For each draw, the
luck of a seat is what a fixed evaluation expects of its next turn with the drawn tile, less the
mean over all tiles that it might have drawn. This mean is zero whatever the evaluation says and
whatever the players do, so that results without luck have the same expectation as before; only
their variance is smaller.
"""

from __future__ import annotations

from collections.abc import Mapping

from tuilerie import native
from tuilerie.games.game import Json, TilesDrawn
from tuilerie.record import Replay

if native.is_compiled():
    from tuilerie.native import genial as core

WEIGHT = 0.75
"""How much of the measured luck is removed. Any fixed number is unbiased; this one has the smallest
variance over 400 games of faience against itself."""


def why_not_adjustable(game: str, players: int, options: Mapping[str, Json]) -> str | None:
    """Return why luck cannot be measured at such a table; `None` if it can."""
    if game != "genial" or options.get("variant", "standard") != "standard":
        return "only Génial! by the standard rules has an evaluation of draws"
    if not native.is_compiled():
        return f"it needs the compiled core ({native.why_not_compiled()})"
    weights = core.weights()
    if weights is None:
        return str(core.why_no_weights())
    return None if weights.has(players) else f"there is no network for {players} players"


def luck_by_seat(replay: Replay) -> tuple[float, ...]:
    """Return the luck of each seat, as a share of the win. The sum of all seats is zero."""
    weights = core.weights()
    assert weights is not None
    players = len(replay.header.seats)
    own = [0.0] * players
    before = replay.start
    for played in replay.played:
        drawn = played.entry
        if isinstance(drawn, TilesDrawn):
            own[drawn.seat] += core.luck(weights, core.write_state(before), "".join(drawn.tiles))
        before = played.state
    total = sum(own)
    return tuple(round(WEIGHT * (mine - (total - mine) / (players - 1)), 5) for mine in own)
