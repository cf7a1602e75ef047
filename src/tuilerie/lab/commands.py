"""The command of the lab: `tuilerie arena`. `tuilerie.cli` adds it."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Any

import click

from tuilerie.bots.bot import Budget
from tuilerie.games import GAMES
from tuilerie.games.game import Json, Refused
from tuilerie.lab import plot, report
from tuilerie.lab.arena import Arena, GameFailed
from tuilerie.lab.cluster import RayCluster, check_installed
from tuilerie.lab.estimate import elo, share_range
from tuilerie.lab.local_workers import LocalWorkers, WorkerPool, WorkersLost
from tuilerie.lab.plan import BadPlan, make_plan, read_budget, read_entrants
from tuilerie.lab.results_store import ResultsStore
from tuilerie.lab.sprt import Sprt
from tuilerie.native import engine

GO_ON = "The same command goes on from here."


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--bots", required=True, help="Who plays: clay,porcelain@10ms,greedy,…")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--players", type=int, help="How many sit at a table.  [default: 2]")
@click.option("--neighbours", is_flag=True, help="Each meets only those named beside it.")
@click.option(
    "--option", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game."
)
@click.option("--budget", help="Time for a move: 50ms, 0.5s.  [default: each level's own]")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for a move: the same games each time.")
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes.  [default: all processors]"
)
@click.option("--ray", "address", help="A Ray cluster: its address, 'auto', or 'local'.")
@click.option("--seed", default="1", show_default=True, help="The same seed deals the same tiles.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when one of the two is known: 0,50.")
@click.option("--records/--no-records", default=True, help="Keep the record of every game.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True)
def arena(  # noqa: PLR0913, PLR0917
    game: str,
    bots: str,
    games: int,
    players: int | None,
    neighbours: bool,
    given: tuple[str, ...],
    budget: str | None,
    nodes: int | None,
    workers: int | None,
    address: str | None,
    seed: str,
    sprt: str | None,
    records: bool,
    out: Path,
) -> None:
    """Let bots play against each other, and tell how strong they are.

    Every deal is played once for each rotation of the seats. As many bots as players sit together;
    if fewer are named, the last one fills the seats; if more, they meet in turn, each the others or
    only its neighbours.
    """
    with _plain_words(out):
        entrants = read_entrants(game, bots, _budget(budget, nodes))
        plan = make_plan(game, entrants, players, _options(given), seed, neighbours=neighbours)
        test = _read_test(sprt, len(plan.entrants))
        if address is not None:
            check_installed()
        with ResultsStore(out, plan, engine(), records=records) as store:
            at_work = Arena(plan, store, engine(), test)
            deals = plan.deals(games)
            pool = _worker_pool(address, workers)
            _say_header(at_work, pool, deals)
            try:
                _run(at_work, pool, deals)
            except BaseException:
                pool.close()
                with suppress(OSError):  # what stopped it is told already
                    _tell(at_work)
                raise
            pool.close()
            _tell(at_work)


def _worker_pool(address: str | None, workers: int | None) -> WorkerPool:
    if address is None:
        return LocalWorkers(workers or os.cpu_count() or 1)
    return RayCluster(address, workers)


def _say_header(at_work: Arena, pool: WorkerPool, deals: int) -> None:
    plan = at_work.plan
    names = " · ".join(each.name for each in plan.entrants)
    whole = f"{deals * plan.turns} games ({deals} deals × {plan.turns} seatings)"
    click.echo(f"{GAMES[plan.game].card.title} {plan.players} players: {names}")
    click.echo(f"{whole}, seed {plan.seed}, {engine()} engine, {pool.where}")
    if at_work.tally.games:
        click.echo(f"{at_work.tally.games} games are there already.")


# --- while it runs --------------------------------------------------------------------------------


def _run(at_work: Arena, pool: WorkerPool, deals: int) -> None:
    total, before = deals * at_work.plan.turns, at_work.tally.games
    if sys.stderr.isatty():
        bar: Any = click.progressbar(
            length=total, label="games", file=sys.stderr, item_show_func=lambda _: estimate(at_work)
        )
        with bar:
            bar.update(min(before, total))
            at_work.run(pool, deals, lambda: bar.update(1, at_work))
        return
    told = [time.monotonic()]

    def watch() -> None:
        if time.monotonic() - told[0] > 30:
            told[0] = time.monotonic()
            line = f"{at_work.tally.games} of {total} games, {estimate(at_work)}"
            click.echo(line, err=True)

    at_work.run(pool, deals, watch)


def estimate(at_work: Arena) -> str:
    """The running estimate, in a few words: who leads, and by how much."""
    deals = at_work.tally.deals
    if not deals:
        return ""
    totals: dict[int, list[float]] = {}
    for deal in deals:
        for who, share in deal.shares.items():
            totals.setdefault(who, []).append(share)
    best = max(totals, key=lambda who: sum(totals[who]) / len(totals[who]))
    found = share_range(totals[best])
    half = 50 * (found.high - found.low)
    text = f"{at_work.plan.entrants[best].name} {100 * found.value:.1f} ±{half:.1f} %"
    if at_work.plan.players == 2 and len(totals) == 2:
        text += f", Elo {elo(found.value):+.0f}"
    if at_work.test is not None:
        text += f", LLR {at_work.test.llr:+.2f}"
    return text


def _tell(at_work: Arena) -> None:
    if not at_work.tally.games:
        return
    found = report.results(at_work, engine())
    click.echo("\n" + report.table(found))
    at_work.store.write("results.json", json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    at_work.store.write("ladder.svg", plot.draw(found))


# --- words ----------------------------------------------------------------------------------------


def _budget(text: str | None, nodes: int | None) -> Budget | None:
    if text is not None and nodes is not None:
        raise BadPlan(
            "--budget and --nodes are two ways to say how long a bot may think: name one."
        )
    if nodes is not None:
        return Budget(nodes=nodes)
    return None if text is None else read_budget(text)


def _options(given: tuple[str, ...]) -> dict[str, Json]:
    """'adjacent=true' as a name and a value: JSON where it is JSON, else text."""
    options: dict[str, Json] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadPlan(f"‘{text}’ is not NAME=VALUE, as in --option variant=duel")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def _read_test(text: str | None, entrants: int) -> Sprt | None:
    if text is None:
        return None
    if entrants != 2:
        raise BadPlan("--sprt tells two bots apart, no more: --bots new,old --sprt 0,50")
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        elo0 = elo1 = 0.0
    if not -1000 <= elo0 < elo1 <= 1000:
        raise BadPlan(f"--sprt takes two numbers of Elo, the smaller one first, not ‘{text}’: 0,50")
    return Sprt(elo0, elo1)


@contextmanager
def _plain_words(out: Path) -> Iterator[None]:
    """What goes wrong is told in a sentence, and how to go on."""
    try:
        yield
    except BadPlan as bad:
        raise click.ClickException(str(bad)) from None
    except Refused as refused:
        raise click.ClickException(f"These options cannot be played: {refused}") from None
    except (GameFailed, WorkersLost) as failed:
        raise click.ClickException(f"{failed} What was played is in {out}. {GO_ON}") from None
    except OSError as error:
        why = f"{error.filename or out}: {error.strerror or error}."
        if error.errno in (ENOSPC, EDQUOT, EFBIG):
            why += " Make room first."
        raise click.ClickException(f"{why} What was played is in {out}. {GO_ON}") from None
    except KeyboardInterrupt:
        click.echo(f"Stopped. What was played is in {out}. {GO_ON}", err=True)
        raise SystemExit(130) from None


COMMANDS = (arena,)
