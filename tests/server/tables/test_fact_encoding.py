"""Encoded facts agree with their JSON form."""

from __future__ import annotations

import json

import pytest

from tests.match.test_facts import ONE_OF_EACH
from tuilerie.match import facts as f
from tuilerie.server.tables.log_codec import read_fact, write_fact


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.kind)
def test_write_fact_agrees_with_to_json(fact: f.Fact) -> None:
    expected = json.dumps(f.to_json(fact), separators=(",", ":"), ensure_ascii=False)
    assert write_fact(fact) == expected.encode()
    assert read_fact(write_fact(fact)) == fact
