"""How much a test does: a little in `make test`, a lot in `make proof`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few_or_many(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Run a test with few of what this argument counts, and as a proof with many."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.proof)])


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """Run a test with one in so many of these cases, and as a proof with the others."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[pytest.mark.proof] if at % number else [],
        )
        for at, case in enumerate(cases)
    ]
