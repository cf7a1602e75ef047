"""Buckets fill steadily, empty by use, and say how long to wait."""

from __future__ import annotations

import pytest

from tuilerie.server.ops.limits import Bucket, Limiter, Most, Rate, TooOften


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate("rule", 3, 0.5), now=100.0)
    assert [bucket.take(100.0) for _ in range(3)] == [0, 0, 0]
    assert bucket.take(100.0) == 2.0
    assert bucket.take(101.0) == 1.0
    assert bucket.take(102.0) == 0
    assert bucket.take(102.0) == 2.0


def test_a_clock_that_goes_back_does_not_refill_a_bucket() -> None:
    bucket = Bucket(Rate("rule", 1, 1), now=100.0)
    assert bucket.take(100.0) == 0
    assert bucket.take(50.0) > 0


def test_each_key_has_its_own_bucket_and_the_oldest_are_forgotten() -> None:
    now = [0.0]
    limiter = Limiter(clock=lambda: now[0], keep=2)
    rate, other = Rate("rule", 1, 0.1), Rate("other", 1, 0.1)
    limiter.take(rate, "ada")
    limiter.take(rate, "bob")
    with pytest.raises(TooOften) as refused:
        limiter.take(rate, "ada")
    assert (refused.value.rule, refused.value.wait) == ("rule", 10)
    limiter.take(other, "cy")  # bob, unused for longest, is forgotten
    limiter.take(rate, "bob")
    now[0] = 10.0
    limiter.take(rate, "ada")


def test_a_host_can_multiply_all_rates() -> None:
    limiter = Limiter(clock=lambda: 0.0, factor=2)
    for _ in range(4):
        limiter.take(Rate("rule", 2, 1), "ada")
    with pytest.raises(TooOften):
        limiter.take(Rate("rule", 2, 1), "ada")


def test_an_unused_bucket_holds_no_more_than_its_burst() -> None:
    bucket = Bucket(Rate("rule", 2, 1), now=0.0)
    assert bucket.take(1_000.0) == bucket.take(1_000.0) == 0
    assert bucket.take(1_000.0) == 1.0


def test_a_host_can_multiply_one_limit() -> None:
    limiter = Limiter(clock=lambda: 0.0, factors={"rule": 2, "most": 3})
    for key, burst in (("rule", 4), ("other", 2)):
        for _ in range(burst):
            limiter.take(Rate(key, 2, 1), "ada")
        with pytest.raises(TooOften):
            limiter.take(Rate(key, 2, 1), "ada")
    limiter.check(Most("most", 2), 5)
    for most, here in ((Most("most", 2), 6), (Most("other", 2), 2)):
        with pytest.raises(TooOften):
            limiter.check(most, here)
