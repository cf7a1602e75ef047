"""Structured logs: lines for people, or JSON. Secrets never stand in them."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from tuilerie.server.security import without_secrets


def _leave_out_secrets(
    _logger: Any, _method: str, fields: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    return without_secrets(fields.items())


def set_up(form: str, level: str) -> None:
    """Write logs to the standard error stream, in this form ('console' or 'json')."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _leave_out_secrets,
    ]
    if form == "json":
        writer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
        shared.append(structlog.processors.format_exc_info)
    else:
        writer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # the fine one shows all values
        )
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, writer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # The server's own words (start, stop, faults) go the same way; requests are not written:
    # their addresses hold the names of tables.
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, writer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))
    logging.getLogger("uvicorn.error").setLevel(max(number, logging.INFO))
