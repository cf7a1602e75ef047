"""Requests of all networks pass at a pace, and who has asked for least goes first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from tuilerie.server.http import pacer as pacer_module
from tuilerie.server.http.pacer import RequestPacer
from tuilerie.server.ops import limits
from tuilerie.server.ops.limits import Limiter, Rate, TooOften


class Gate:
    """A pacer whose time passes on request, at two tokens and then one a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(limits, "ALL_REQUESTS", Rate("all-requests", 2, 1))
        monkeypatch.setattr(pacer_module, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.limiter = Limiter(clock=lambda: self.now)
        self.pacer = RequestPacer(self.limiter)
        self.entered: list[str] = []
        self.waiting: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str, cost: float = 1) -> None:
        """One request after the other, each of its own network."""
        for name in names:
            self.waiting[name] = asyncio.create_task(self._come(name, cost))
        await asyncio.sleep(0)

    async def _come(self, name: str, cost: float) -> None:
        await self.pacer.enter(name, cost)
        self.entered.append(name)

    def why_refused(self, name: str) -> str:
        """The limit that the last request of this network met."""
        error = self.waiting[name].exception()
        assert isinstance(error, TooOften)
        return error.rule

    async def after(self, seconds: float) -> list[str]:
        """Who has entered after this time."""
        self.now += seconds
        self.pacer._let_in()
        for _ in range(3):
            await asyncio.sleep(0)
        return self.entered


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(monkeypatch)


async def test_requests_of_all_networks_pass_at_a_pace(gate: Gate) -> None:
    await gate.come("ada", "bob", "cy", "dan")
    assert gate.entered == ["ada", "bob"]
    assert await gate.after(0.5) == ["ada", "bob"]
    assert await gate.after(0.5) == ["ada", "bob", "cy"]
    await gate.come("eve", cost=2)
    assert (await gate.after(1))[3:] == ["dan"]
    assert (await gate.after(1))[4:] == []
    assert (await gate.after(1))[4:] == ["eve"]


async def test_who_has_asked_for_least_goes_first(gate: Gate) -> None:
    gate.limiter.take(limits.REQUESTS, "crowd", 100)
    gate.limiter.take(limits.REQUESTS, "ada", 3)
    await gate.come("crowd", "crowd", "crowd", "ada", "bob")
    assert gate.entered == ["crowd", "crowd"], "nobody else was there"
    assert await gate.after(1) == ["crowd", "crowd", "bob"]
    assert await gate.after(1) == ["crowd", "crowd", "bob", "ada"]
    assert await gate.after(1) == ["crowd", "crowd", "bob", "ada", "crowd"]


async def test_who_has_left_takes_no_turn(gate: Gate) -> None:
    await gate.come("ada", "bob", "cy", "dan")
    gate.waiting["cy"].cancel()
    await asyncio.sleep(0)
    assert await gate.after(1) == ["ada", "bob", "dan"]


async def test_few_requests_wait_and_fewer_of_one_network(gate: Gate) -> None:
    each = limits.REQUESTS_WAITING_EACH
    await gate.come("ada", "bob", *["crowd"] * each)
    await gate.come("crowd")
    assert gate.why_refused("crowd") == "all-requests"
    await gate.come(*(f"visitor {number}" for number in range(limits.REQUESTS_WAITING - each)))
    await gate.come("dan")
    assert gate.why_refused("dan") == "all-requests"
    await gate.after(1)
    await gate.come("dan")
    assert not gate.waiting["dan"].done()


async def test_a_full_queue_refuses_who_has_asked_for_most(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not who comes: else a few networks that fill it would keep all others out."""
    monkeypatch.setattr(limits, "REQUESTS_WAITING", 3)
    gate.pacer = RequestPacer(gate.limiter)
    for name in ("crowd", "others"):
        gate.limiter.take(limits.REQUESTS, name, 100)
    await gate.come("first", "second", "crowd", "bob", "others")
    gate.limiter.take(limits.REQUESTS, "ada", 3)
    await gate.come("ada")
    await asyncio.sleep(0)
    assert gate.why_refused("others") == "all-requests"
    await gate.come("others")
    assert gate.why_refused("others") == "all-requests"
    assert (await gate.after(3))[2:] == ["bob", "ada"], "two tokens at once"
    assert (await gate.after(1))[4:] == ["crowd"]


async def test_who_waits_is_not_overtaken_for_ever(gate: Gate) -> None:
    """However many come that have asked for less."""
    gate.limiter.take(limits.REQUESTS, "ada", 50)
    await gate.come("first", "second", "ada")
    for second in range(9):
        gate.limiter.take(limits.REQUESTS, f"new {second}", 1)
        await gate.come(f"new {second}", f"newer {second}")
        await gate.after(1)
    assert "ada" in gate.entered
