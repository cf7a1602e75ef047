"""Security headers, origin check (CSRF), cookie names, and the client's address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

SEAT_COOKIE = "tuilerie-seat-"
"""The cookie of a seat, followed by its table: an opaque token, of which only a hash is stored."""

SESSION_COOKIE = "tuilerie-session"
"""The cookie of a browser that is logged in to an account."""

COOKIE_SECONDS = 400 * 86_400
"""Browsers keep no cookie longer than this."""

CSRF_HEADER = "x-tuilerie"
"""A page of another site cannot send this header without being asked first, and is then refused."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""On every answer."""

STRICT_TRANSPORT = "max-age=31536000"
"""Only where browsers come over TLS."""


def headers(*, secure: bool) -> dict[str, str]:
    """The headers of every answer."""
    strict = {"Strict-Transport-Security": STRICT_TRANSPORT} if secure else {}
    return {**HEADERS, **strict}


def cookie_name(name: str, *, secure: bool) -> str:
    """Over TLS a name that browsers let no other host and no plain page set."""
    return f"__Host-{name}" if secure else name


def same_origin(origin: str | None, host: str | None, public_url: str | None) -> bool:
    """Whether a request comes from our own pages.

    A request without `Origin` comes from no page of another site: browsers send it with every
    WebSocket and with every request that changes something.
    """
    if origin is None:
        return True
    found = urlsplit(origin)
    if found.scheme not in ("http", "https") or not found.netloc:
        return False
    if public_url is not None:
        own = urlsplit(public_url)
        return (found.scheme, found.netloc.lower()) == (own.scheme, own.netloc.lower())
    return host is not None and found.netloc.lower() == host.lower()


def header(scope: Mapping[str, Any], name: bytes) -> str | None:
    """The first header of this name."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def address_of(scope: Mapping[str, Any]) -> str:
    """Who is there: the address that limits are counted by. An IPv6 network counts as one."""
    host = (scope.get("client") or ("unknown", 0))[0]
    return ":".join(host.split(":")[:4]) if ":" in host else str(host)


POLICY_CODE = 1008
"""The close code of a socket that may not be here."""
