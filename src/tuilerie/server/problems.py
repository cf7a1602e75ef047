"""Whatever goes wrong with a request becomes a small coded body. No traceback ever leaves."""

from __future__ import annotations

from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from tuilerie.games.game import Code, Refused, plain
from tuilerie.server import bodies, metrics
from tuilerie.server.limits import TooOften
from tuilerie.server.session import Busy, UnknownRules
from tuilerie.store.log import StoreError
from tuilerie.store.people import NoSuchAccount

log: Any = structlog.get_logger("tuilerie.problems")

_STATUS = {
    Code.MALFORMED: 400,
    Code.ILLEGAL: 409,
    Code.NOT_YOUR_TURN: 409,
    Code.TOO_LATE: 409,
    Code.OVER: 409,
}

_CODES = {400: "malformed", 403: "forbidden", 404: "not-found", 405: "malformed", 413: "malformed"}
_RULES = {404: "no-such-page", 405: "no-such-method", 413: "too-long"}


class Problem(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: str, rule: str, **params: Any) -> None:
        super().__init__(rule)
        self.status = status
        self.body = bodies.Problem(code, rule, params)


def answer(_request: Request[Any, Any, Any], error: Exception) -> Response[bodies.Problem]:
    """The answer to a request that ended in an error."""
    status, body = told(error)
    headers = {} if body.wait is None else {"Retry-After": str(body.wait)}
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def told(error: Exception) -> tuple[int, bodies.Problem]:
    """The status and body for an error."""
    if isinstance(error, Problem):
        return error.status, error.body
    if isinstance(error, Refused):
        body = bodies.Problem(error.code.value, error.rule, plain(error.params))
        return _STATUS[error.code], body
    if isinstance(error, TooOften):
        metrics.LIMITED.add(error.rule)
        return 429, bodies.Problem("too-often", error.rule, {}, error.wait)
    if isinstance(error, NoSuchAccount):  # it was deleted while it asked for something
        return 403, bodies.Problem("forbidden", "not-logged-in", {})
    if isinstance(error, UnknownRules):
        return told(error.refused)
    if isinstance(error, (Busy, StoreError)):
        log.warning("store-trouble", why=str(error))
        return 503, bodies.Problem("busy", "store-unavailable", {}, 2)
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_the_framework(error)
    log.error("fault", exc_info=error)
    return 500, bodies.Problem("fault", "our-fault", {})


def _of_the_framework(error: HTTPException) -> tuple[int, bodies.Problem]:
    params: dict[str, Any] = {}
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        named = [each for each in error.extra if isinstance(each, dict)]
        params["faults"] = [str(each.get("message", "")) for each in named]
    code = _CODES.get(error.status_code, "malformed")
    return error.status_code, bodies.Problem(
        code, _RULES.get(error.status_code, "bad-request"), params
    )
