"""The OpenAPI of the server is its own, and whatever it allows to send gets an answer in order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.server.process import ServerProcess


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The schema of a server that runs."""
    server = ServerProcess(Path(tmp_path_factory.mktemp("data")))
    asyncio.run(server.start())
    try:
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/api/openapi.json")
    finally:
        server.close()


def test_whatever_is_sent_is_answered_in_order(api: Any) -> None:
    for result in api.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )
        @given(operation.as_strategy())
        def send(case: Any) -> None:
            check(case.call(headers={"X-Tuilerie": "1"}, timeout=60))

        send()


def check(answer: Any) -> None:
    """No fault of ours, and a coded body for what was refused."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        problem = answer.json()
        assert problem["code"]
        assert problem["rule"]
        assert "Traceback" not in answer.text


def test_the_schema_names_every_request(api: Any) -> None:
    paths = set(api.raw_schema["paths"])
    for path in ("/api/tables", "/api/tables/{slug}/seat", "/api/account", "/api/replay"):
        assert path in paths
    assert not [path for path in paths if not path.startswith("/api/")]
