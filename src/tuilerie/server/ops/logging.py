"""Structured logging, as console lines or JSON, without secrets."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, MutableMapping
from typing import Any

import structlog

from tuilerie.server.ops.limits import LOG_LINES, Limiter, TooOften

SECRET_FIELDS = frozenset(
    {"token", "password", "recovery", "cookie", "authorization", "secret", "key"}
)
"""Fields of a log line that are never written out."""


def without_secrets(fields: Iterable[tuple[str, object]]) -> dict[str, object]:
    """The fields of a log line, with secrets masked."""
    return {name: "…" if name in SECRET_FIELDS else value for name, value in fields}


def _leave_out_secrets(
    _logger: Any, _method: str, fields: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    return without_secrets(fields.items())


class _Repetitions(logging.Filter):
    """Drops lines of one kind beyond a rate: visitors can cause some of them, and must not fill the
    disk. It is a processor for our own lines, and a filter for those of libraries."""

    def __init__(self) -> None:
        super().__init__()
        self._limiter = Limiter()

    def _is_one_too_many(self, kind: str) -> bool:
        try:
            self._limiter.take(LOG_LINES, kind[:80])
        except TooOften:
            return True
        return False

    def __call__(self, _logger: Any, _method: str, fields: MutableMapping[str, Any]) -> Any:
        """The fields of a line, unless it is dropped."""
        if self._is_one_too_many(str(fields.get("event"))):
            raise structlog.DropEvent
        return fields

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line of a library is written."""
        return not self._is_one_too_many(str(record.msg))


def configure_logging(form: str, level: str) -> None:
    """Write logs to the standard error stream, in this form ('console' or 'json')."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _leave_out_secrets,
    ]
    repetitions = _Repetitions()
    if form == "json":
        writer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
        shared.append(structlog.processors.format_exc_info)
    else:
        writer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # the rich one shows local variables
        )
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[repetitions, *shared, writer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # uvicorn's messages (start, stop, errors) get the same format. Requests are not logged: their
    # URLs hold the secret ids of tables.
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, writer],
        )
    )
    handler.addFilter(repetitions)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))
    # uvicorn's messages of level info hold visitors' addresses.
    logging.getLogger("uvicorn.error").setLevel(max(number, logging.WARNING))
