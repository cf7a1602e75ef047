"""Logs can be shared: they hold no secrets, no table ids and no local variables."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tuilerie.server.ops.limits import LOG_LINES

SCRIPT = """
import logging, sys
import structlog
from tuilerie.server.ops.logging import configure_logging
configure_logging(sys.argv[1], "info")
log = structlog.get_logger("test")
names = "token password recovery cookie authorization secret key".split()
log.info("somebody", **dict.fromkeys(names, "s3cret-word"), table_count=3)
hidden = "s3cret-value"
try:
    raise ValueError("it went wrong")
except ValueError as error:
    log.error("fault", exc_info=error)
logging.getLogger("uvicorn.access").info("GET /t/s3cret-slug")
logging.getLogger("uvicorn.error").info("s3cret-address - WebSocket /ws [accepted]")
logging.getLogger("uvicorn.error").warning("started")
for _ in range(1000):
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    log.warning("store-trouble")
"""


@pytest.mark.parametrize("form", ["console", "json"])
def test_logs_hold_no_secrets(form: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, form], capture_output=True, text=True, check=True
    )
    logged = done.stderr
    assert "s3cret" not in logged
    for word in ("somebody", "table_count", "it went wrong", "started"):
        assert word in logged
    for repeated in ("Invalid HTTP request", "store-trouble"):
        assert logged.count(repeated) == LOG_LINES.burst, "nobody fills the disk with one line"
    if form == "json":
        first = json.loads(logged.splitlines()[0])
        assert (first["event"], first["token"], first["level"]) == ("somebody", "…", "info")
