"""Structured logging, as console lines or JSON, without secrets."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, MutableMapping
from typing import Any

import structlog

SECRET_FIELDS = frozenset(
    {"token", "password", "recovery", "cookie", "authorization", "secret", "key"}
)
"""Fields of a log line that are never written out."""


def without_secrets(fields: Iterable[tuple[str, object]]) -> dict[str, object]:
    """The fields of a log line, with whatever is secret left out."""
    return {name: "…" if name in SECRET_FIELDS else value for name, value in fields}


def _leave_out_secrets(
    _logger: Any, _method: str, fields: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    return without_secrets(fields.items())


def configure_logging(form: str, level: str) -> None:
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
