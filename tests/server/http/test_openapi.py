"""The OpenAPI schema describes the server, and every request it allows gets a valid response."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import booleans
from schemathesis import GenerationMode

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


def send_all(api: Any, examples: int, mode: GenerationMode) -> Counter[int]:
    """Send valid or invalid requests to every path of the schema; returns the responses."""
    count: Counter[int] = Counter()
    base = api.location.removesuffix("/api/openapi.json")
    with httpx.Client(base_url=base, headers={"X-Tuilerie": "1"}) as browser:
        good = {"game": "blockers", "players": 2, "name": "Ada"}
        slug = browser.post("/api/tables", json=good).json()["table"]
        cookies = dict(browser.cookies)
    for result in api.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=examples,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )
        @given(operation.as_strategy(generation_mode=mode), booleans())
        def send(case: Any, at_a_table: bool) -> None:
            if at_a_table and "slug" in (case.path_parameters or {}):
                case.path_parameters["slug"] = slug  # so that it gets further than "no such table"
            answer = case.call(headers={"X-Tuilerie": "1"}, cookies=cookies, timeout=60)
            check(answer)
            count[answer.status_code] += 1

        with suppress(Unsatisfiable):  # where everything is allowed nothing is forbidden
            send()
    return count


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_request_gets_a_valid_response(api: Any, mode: GenerationMode) -> None:
    count = send_all(api, 4, mode)
    assert count.total() > 40
    assert count[400] > 0, "what is wrong is called so"


@pytest.mark.proof
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_many_requests_get_valid_responses(api: Any, mode: GenerationMode) -> None:
    count = send_all(api, 300, mode)
    print(mode, dict(count))
    assert count.total() > 1000


def check(answer: Any) -> None:
    """No internal error, and an error code for every refusal."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        problem = answer.json()
        assert problem["code"]
        assert problem["rule"]
        assert "Traceback" not in answer.text


@pytest.mark.slow
def test_the_schema_names_every_request(api: Any) -> None:
    paths = set(api.raw_schema["paths"])
    for path in ("/api/tables", "/api/tables/{slug}/seat", "/api/account", "/api/replay"):
        assert path in paths
    assert not [path for path in paths if not path.startswith("/api/")]
