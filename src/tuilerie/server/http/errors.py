"""Map exceptions to HTTP error responses with a code. Tracebacks are logged, never sent."""

from __future__ import annotations

from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from tuilerie.codec import to_builtins
from tuilerie.games.game import Code, Refused
from tuilerie.server.http import schemas
from tuilerie.server.ops import metrics
from tuilerie.server.ops.limits import TooOften
from tuilerie.server.tables.actor import Busy
from tuilerie.server.tables.log_codec import UnknownRules
from tuilerie.store.errors import NoSuchAccount, StoreError

log: Any = structlog.get_logger("tuilerie.http")

_STATUS = {
    Code.MALFORMED: 400,
    Code.ILLEGAL: 409,
    Code.NOT_YOUR_TURN: 409,
    Code.TOO_LATE: 409,
    Code.OVER: 409,
}

_CODES = {400: "malformed", 403: "forbidden", 404: "not-found", 405: "malformed", 413: "malformed"}
_RULES = {404: "no-such-page", 405: "no-such-method", 413: "too-long"}


class ClientGone(Exception):
    """The client has left before it sent its whole request."""


class ApiError(Exception):
    """A request refused by a handler."""

    def __init__(self, status: int, code: str, rule: str, **params: Any) -> None:
        super().__init__(rule)
        self.status = status
        self.body = schemas.Problem(code, rule, params)


def handle_exception(
    _request: Request[Any, Any, Any], error: Exception
) -> Response[schemas.Problem]:
    """The response to a request that raised an error."""
    status, body = status_and_body(error)
    headers = {} if body.wait is None else {"Retry-After": str(body.wait)}
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def status_and_body(error: Exception) -> tuple[int, schemas.Problem]:
    """The status and body for an error."""
    if isinstance(error, ApiError):
        return error.status, error.body
    if isinstance(error, Refused):
        body = schemas.Problem(error.code.value, error.rule, to_builtins(error.params))
        return _STATUS[error.code], body
    if isinstance(error, TooOften):
        metrics.LIMITED.labels(error.rule).inc()
        return 429, schemas.Problem("too-often", error.rule, {}, error.wait)
    if isinstance(error, NoSuchAccount):  # deleted during the request
        return 403, schemas.Problem("forbidden", "not-logged-in", {})
    if isinstance(error, UnknownRules):
        return status_and_body(error.refused)
    if isinstance(error, (Busy, StoreError)):
        log.warning("store-error", why=str(error))
        return 503, schemas.Problem("busy", "store-unavailable", {}, 2)
    if isinstance(error, ClientGone):  # nobody reads it
        return 400, schemas.Problem("malformed", "bad-request", {})
    if isinstance(error, (RecursionError, UnicodeError)):  # JSON that is too deep, lone surrogates
        return 400, schemas.Problem("malformed", "bad-request", {})
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _framework_error(error)
    log.error("fault", exc_info=error)
    return 500, schemas.Problem("fault", "our-fault", {})


def _framework_error(error: HTTPException) -> tuple[int, schemas.Problem]:
    params: dict[str, Any] = {}
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        named = [each for each in error.extra if isinstance(each, dict)]
        params["faults"] = [str(each.get("message", "")) for each in named]
    code = _CODES.get(error.status_code, "malformed")
    return error.status_code, schemas.Problem(
        code, _RULES.get(error.status_code, "bad-request"), params
    )
