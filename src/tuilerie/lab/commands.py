"""`tuilerie arena`, registered by `tuilerie.cli`."""

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

RESUME = "Run the same command again to resume."


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--bots", required=True, help="The bots: clay,porcelain@10ms,greedy,…")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--players", type=int, help="Players per game.  [default: 2]")
@click.option("--neighbours", is_flag=True, help="Only neighbours in --bots play each other.")
@click.option(
    "--option", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game."
)
@click.option("--budget", help="Time per move: 50ms, 0.5s.  [default: each level's own]")
@click.option("--nodes", type=click.IntRange(1), help="Nodes per move: reproducible games.")
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes.  [default: all processors]"
)
@click.option("--ray", "address", help="A Ray cluster: its address, 'auto', or 'local'.")
@click.option("--seed", default="1", show_default=True, help="The same seed deals the same tiles.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when one hypothesis is accepted: 0,50.")
@click.option("--adjust", type=click.Choice(["luck"]), help="Also report results without luck.")
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
    adjust: str | None,
    records: bool,
    out: Path,
) -> None:
    """Let bots play against each other and rate them.

    Every deal is played once for each rotation of the seats. With as many bots as seats, they all
    play together. With fewer, the last one fills the seats. With more, every combination plays, or
    only neighbours.
    """
    with _error_messages(out):
        entrants = read_entrants(game, bots, _budget(budget, nodes))
        plan = make_plan(
            game,
            entrants,
            players,
            _options(given),
            seed,
            neighbours=neighbours,
            adjust=adjust is not None,
        )
        test = _read_test(sprt, len(plan.entrants))
        if address is not None:
            check_installed()
        with ResultsStore(out, plan, engine(), records=records) as store:
            arena_run = Arena(plan, store, engine(), test)
            deals = plan.deals(games)
            pool = _worker_pool(address, workers)
            _print_header(arena_run, pool, deals)
            try:
                _run(arena_run, pool, deals)
            except BaseException:
                pool.close()
                with suppress(OSError):  # the first error is the one to report
                    _report(arena_run)
                raise
            pool.close()
            _report(arena_run)


def _worker_pool(address: str | None, workers: int | None) -> WorkerPool:
    if address is None:
        return LocalWorkers(workers or os.cpu_count() or 1)
    return RayCluster(address, workers)


def _print_header(arena_run: Arena, pool: WorkerPool, deals: int) -> None:
    plan = arena_run.plan
    names = " · ".join(each.name for each in plan.entrants)
    whole = f"{deals * plan.turns} games ({deals} deals × {plan.turns} seatings)"
    click.echo(f"{GAMES[plan.game].card.title} {plan.players} players: {names}")
    click.echo(f"{whole}, seed {plan.seed}, {engine()} engine, {pool.where}")
    if arena_run.tally.games:
        click.echo(f"{arena_run.tally.games} games are already played.")


# --- while it runs --------------------------------------------------------------------------------


def _run(arena_run: Arena, pool: WorkerPool, deals: int) -> None:
    total, before = deals * arena_run.plan.turns, arena_run.tally.games
    if sys.stderr.isatty():
        bar: Any = click.progressbar(
            length=total,
            label="games",
            file=sys.stderr,
            item_show_func=lambda _: estimate(arena_run),
        )
        with bar:
            bar.update(min(before, total))
            arena_run.run(pool, deals, lambda: bar.update(1, arena_run))
        return
    last_line_at = [time.monotonic()]

    def watch() -> None:
        if time.monotonic() - last_line_at[0] > 30:
            last_line_at[0] = time.monotonic()
            line = f"{arena_run.tally.games} of {total} games, {estimate(arena_run)}"
            click.echo(line, err=True)

    arena_run.run(pool, deals, watch)


def estimate(arena_run: Arena) -> str:
    """Return the running estimate in a few words: who leads, and by how much."""
    deals = arena_run.tally.deals
    if not deals:
        return ""
    totals: dict[int, list[float]] = {}
    for deal in deals:
        for who, share in deal.shares.items():
            totals.setdefault(who, []).append(share)
    best = max(totals, key=lambda who: sum(totals[who]) / len(totals[who]))
    found = share_range(totals[best])
    half = 50 * (found.high - found.low)
    text = f"{arena_run.plan.entrants[best].name} {100 * found.value:.1f} ±{half:.1f} %"
    if arena_run.plan.players == 2 and len(totals) == 2:
        text += f", Elo {elo(found.value):+.0f}"
    if arena_run.test is not None:
        text += f", LLR {arena_run.test.llr:+.2f}"
    return text


def _report(arena_run: Arena) -> None:
    if not arena_run.tally.games:
        return
    found = report.results(arena_run, engine())
    click.echo("\n" + report.table(found))
    arena_run.store.write("results.json", json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    arena_run.store.write("ladder.svg", plot.draw(found))


# --- parsing --------------------------------------------------------------------------------------


def _budget(text: str | None, nodes: int | None) -> Budget | None:
    if text is not None and nodes is not None:
        raise BadPlan("--budget and --nodes exclude each other.")
    if nodes is not None:
        return Budget(nodes=nodes)
    return None if text is None else read_budget(text)


def _options(given: tuple[str, ...]) -> dict[str, Json]:
    """Parse 'adjacent=true' as a name and a value, which is JSON if it parses, else text."""
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
        raise BadPlan("--sprt compares exactly two bots: --bots new,old --sprt 0,50")
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        elo0 = elo1 = 0.0
    if not -1000 <= elo0 < elo1 <= 1000:
        raise BadPlan(
            f"--sprt takes two Elo differences, the smaller one first, not ‘{text}’: 0,50"
        )
    return Sprt(elo0, elo1)


@contextmanager
def _error_messages(out: Path) -> Iterator[None]:
    """Turn errors into messages that say how to resume."""
    try:
        yield
    except BadPlan as bad:
        raise click.ClickException(str(bad)) from None
    except Refused as refused:
        raise click.ClickException(f"Invalid options: {refused}") from None
    except (GameFailed, WorkersLost) as failed:
        raise click.ClickException(f"{failed} Finished games are in {out}. {RESUME}") from None
    except OSError as error:
        why = f"{error.filename or out}: {error.strerror or error}."
        if error.errno in (ENOSPC, EDQUOT, EFBIG):
            why += " Free some space first."
        raise click.ClickException(f"{why} Finished games are in {out}. {RESUME}") from None
    except KeyboardInterrupt:
        click.echo(f"Stopped. Finished games are in {out}. {RESUME}", err=True)
        raise SystemExit(130) from None


COMMANDS = (arena,)
