"""Deliberate faults, each with the tests that must fail by it.

A test that cannot fail proves nothing. For every test that docs/threats.md names there is a fault
here: a text in one source file, and what stands there instead. `test_breakages.py` runs the tests
that are named with the faulty copy of the source.
"""

from __future__ import annotations

from tests.breakages.breakage import Breakage
from tests.breakages.data import DATA
from tests.breakages.limits import LIMITS
from tests.breakages.people import PEOPLE
from tests.breakages.requests import REQUESTS
from tests.breakages.tables import AT_TABLES

BREAKAGES: tuple[Breakage, ...] = (*LIMITS, *REQUESTS, *PEOPLE, *AT_TABLES, *DATA)
