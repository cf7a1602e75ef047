"""Arena: schedules games on a worker pool until all are played or the sequential test stops."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator

from tuilerie import __version__
from tuilerie.lab.estimate import ArenaTally
from tuilerie.lab.local_workers import WorkerPool
from tuilerie.lab.plan import Job, Plan
from tuilerie.lab.referee import Failure, Outcome
from tuilerie.lab.results_store import ResultsStore
from tuilerie.lab.sprt import Sprt

TRIES = 3
"""How often a game is tried when its process dies."""


class GameFailed(Exception):
    """A game cannot be finished; the message says which one and why."""


class Arena:
    """Plays the games that are missing in the store."""

    def __init__(
        self, plan: Plan, store: ResultsStore, engine: str, test: Sprt | None = None
    ) -> None:
        self.plan = plan
        self.store = store
        self.test = test
        self.tally = ArenaTally(plan, store.games.values())
        self._engine = engine
        self._tries: Counter[int] = Counter()
        self._ask_test()

    def run(self, pool: WorkerPool, deals: int, watch: Callable[[], None]) -> None:
        """Play this many deals; `watch` is called after each game."""
        todo = (job for job in self.plan.jobs(deals) if job.number not in self.store.games)
        again: deque[Job] = deque()
        out: dict[int, Job] = {}
        while not self._is_known():
            for job in self._next(pool, again, todo):
                out[job.number] = job
                pool.give(job)
            if not out:
                return
            for answer in pool.wait():
                job = out.pop(answer.number)
                if isinstance(answer, Failure):
                    self._failed(answer)
                    again.append(job)
                else:
                    self._keep(answer)
                    watch()

    @staticmethod
    def _next(pool: WorkerPool, again: deque[Job], todo: Iterator[Job]) -> Iterator[Job]:
        while pool.free:
            job = again.popleft() if again else next(todo, None)
            if job is None:
                return
            yield job

    def _keep(self, outcome: Outcome) -> None:
        if (outcome.engine, outcome.version) != (self._engine, __version__):
            raise GameFailed(
                f"Game {outcome.number} was played by tuilerie {outcome.version} with the "
                f"{outcome.engine} engine, but this is {__version__} with {self._engine}: "
                "all machines of an arena need the same version and engine."
            )
        self.store.add(outcome)
        self.tally.add(self.store.games[outcome.number])
        self._ask_test()

    def _failed(self, failure: Failure) -> None:
        self._tries[failure.number] += 1
        if not failure.again:
            raise GameFailed(f"Game {failure.number} cannot be finished: {failure.why}.")
        if self._tries[failure.number] == TRIES:
            raise GameFailed(f"Game {failure.number} failed {TRIES} times: {failure.why}.")

    # --- sequential test --------------------------------------------------------------------------

    def _ask_test(self) -> None:
        """Feed the test with consecutive deals only: fast games must not bias it."""
        if self.test is not None:
            fresh = self.tally.leading[self.test.deals :]
            self.test.add(deal.scores[0, 1] for deal in fresh)

    def _is_known(self) -> bool:
        return self.test is not None and self.test.accepted is not None
