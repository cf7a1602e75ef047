"""Results of an arena as JSON (`results.json`) and as a text table."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from statistics import fmean
from typing import Any

from tuilerie import __version__
from tuilerie.games import GAMES
from tuilerie.lab.arena import Arena
from tuilerie.lab.estimate import (
    MOST_ELO,
    Deal,
    Range,
    elo_range,
    ladder,
    mean_range,
    share_range,
    spent,
)
from tuilerie.lab.skill import skills

Json = Any


def results(arena: Arena, engine: str) -> dict[str, Json]:
    """Return all results as JSON. `elo` is relative to the mean of all entrants."""
    plan, tally = arena.plan, arena.tally
    lines = list(arena.store.games.values())
    deals = tally.deals
    count = len(plan.entrants)
    skill, times = skills(lines, count), spent(lines, count)
    entrants = []
    for rung in ladder(deals, count):
        who = rung.entrant
        mine = [deal for deal in deals if who in deal.shares]
        entrants.append(
            {
                "name": plan.entrants[who].name,
                "games": sum(who in line.seats for line in lines),
                "share": _rounded(share_range([deal.shares[who] for deal in mine])),
                "fair": round(fmean(deal.fair[who] for deal in mine), 4) if mine else None,
                "elo": _rounded(rung.elo, 1),
                "above": _rounded(rung.above, 1) if rung.above else None,
                "openskill": {
                    "mu": round(skill[who].mu, 2),
                    "sigma": round(skill[who].sigma, 2),
                    "ordinal": round(skill[who].ordinal, 2),
                },
                "ms_a_move": round(times[who], 2),
                **_adjusted(mine, who),
            }
        )
    return {
        "format": "tuilerie-arena-results",
        "version": 1,
        "tuilerie": __version__,
        "engine": engine,
        **plan.to_json(),
        "games": tally.games,
        "deals": len(deals),
        "entrants": entrants,
        "pairs": _pairs(arena, deals),
        "sprt": _test(arena),
    }


def _adjusted(deals: list[Deal], who: int) -> dict[str, Json]:
    """Return the share without luck, and how many games fewer its interval takes."""
    luckless = [deal.adjusted[who] for deal in deals if who in deal.adjusted]
    if not luckless:
        return {}
    raw = mean_range([deal.shares[who] for deal in deals])
    found = mean_range(luckless)
    needed = ((found.high - found.low) / (raw.high - raw.low)) ** 2 if raw.high > raw.low else 1.0
    return {"adjusted": {**_rounded(found), "games_needed": round(needed, 3)}}


def _rounded(found: Range, digits: int = 4) -> dict[str, float]:
    return {name: round(value, digits) for name, value in asdict(found).items()}


def _pairs(arena: Arena, deals: list[Deal]) -> list[dict[str, Json]]:
    """Return the results of each pair: how often the first ranked above the second."""
    names = [each.name for each in arena.plan.entrants]
    found = []
    for first, second in sorted({pair for deal in deals for pair in deal.scores}):
        scores = [deal.scores[first, second] for deal in deals if (first, second) in deal.scores]
        score = share_range(scores)
        kinds = Counter(round(each, 4) for each in scores)
        found.append(
            {
                "first": names[first],
                "second": names[second],
                "deals": len(scores),
                "score": _rounded(score),
                "elo": _rounded(elo_range(score), 1),
                "deal_scores": {f"{each:g}": kinds[each] for each in sorted(kinds)},
            }
        )
    return found


def _test(arena: Arena) -> dict[str, Json] | None:
    test = arena.test
    if test is None:
        return None
    fields = {"elo0": test.elo0, "elo1": test.elo1, "llr": round(test.llr, 3), "deals": test.deals}
    return {**fields, "accepted": test.accepted}


# --- text -----------------------------------------------------------------------------------------


def table(found: dict[str, Json]) -> str:
    """Format the results as a text table."""
    title = GAMES[found["game"]].card.title
    lines = [
        f"{title} {found['games']} games, {found['deals']} whole deals, {found['engine']} engine"
    ]
    width = max(len(each["name"]) for each in found["entrants"])
    lines.append(
        f"{'':{width}}  {'share of wins':27}  {'Elo':21}  {'above the next':21}  "
        f"{'openskill':11}  ms a move"
    )
    for each in found["entrants"]:
        share = f"{_percent(each['share'])} of {100 * (each['fair'] or 0):.0f}"
        above = _elo(each["above"]) if each["above"] else ""
        skill = f"{each['openskill']['mu']:5.1f} ±{2 * each['openskill']['sigma']:.1f}"
        lines.append(
            f"{each['name']:{width}}  {share:27}  {_elo(each['elo']):21}  {above:21}  "
            f"{skill:11}  {each['ms_a_move']:9.1f}"
        )
        if adjusted := each.get("adjusted"):
            needed = f"the same interval takes {100 * adjusted['games_needed']:.0f} % of the games"
            lines.append(f"{'':{width}}  {_percent(adjusted)} without luck; {needed}")
    if found["pairs"]:
        lines.append("")
    for pair in found["pairs"]:
        lines.append(
            f"{pair['first']} above {pair['second']}: {_percent(pair['score'])}, "
            f"Elo {_elo(pair['elo'])}, {pair['deals']} deals"
        )
    if found["sprt"]:
        lines += ["", _format_test(found["sprt"])]
    return "\n".join(line.rstrip() for line in lines)


def _percent(share: dict[str, float]) -> str:
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{100 * share['value']:.1f} % ({low:.1f}–{high:.1f})"


def _elo(found: dict[str, float]) -> str:
    low, high = _one_elo(found["low"]), _one_elo(found["high"])
    return f"{_one_elo(found['value'])} ({low} to {high})"


def _one_elo(value: float) -> str:
    return "−∞" if value <= -MOST_ELO else "∞" if value >= MOST_ELO else f"{value:+.0f}"


def _format_test(test: dict[str, Json]) -> str:
    what = f"SPRT of {test['elo0']:+g} against {test['elo1']:+g} Elo"
    known = f"LLR {test['llr']:+.2f} after {test['deals']} deals"
    if test["accepted"] is None:
        return f"{what}: undecided, {known}"
    return f"{what}: {test[test['accepted']]:+g} is accepted, {known}"
