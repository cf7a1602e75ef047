"""Security headers, origin and host checks, cookies, and the network of a client."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tuilerie.server.ops.limits import COOKIE_BYTES

SEAT_COOKIE = "tuilerie-seat-"
"""The cookie of a seat, followed by its table: an opaque token, of which only a hash is stored."""

SESSION_COOKIE = "tuilerie-session"
"""The cookie of a browser that is logged in to an account."""

COOKIE_SECONDS = 400 * 86_400
"""The longest lifetime that browsers allow."""

CSRF_HEADER = "x-tuilerie"
"""Pages of other sites cannot send this header without a CORS preflight, which is refused."""

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

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For the drawings of the client, which hold their styles: no script, and nothing is fetched."""

WORKER_POLICY = CONTENT_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""Of the workers that play without a server: they run WebAssembly, no page does."""

WORKER_SCRIPT = "/assets/engine.worker-"


def policy(path: str) -> str:
    """The content security policy of what is at a path."""
    if path.endswith(".svg"):
        return PICTURE_POLICY
    return WORKER_POLICY if path.startswith(WORKER_SCRIPT) else CONTENT_POLICY


HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""Sent with every response, beside the content security policy."""

STRICT_TRANSPORT = "max-age=31536000"
"""Only over TLS."""


def headers(*, secure: bool) -> dict[str, str]:
    """The headers of every response."""
    strict = {"Strict-Transport-Security": STRICT_TRANSPORT} if secure else {}
    return {**HEADERS, **strict}


def cookie_name(name: str, *, secure: bool) -> str:
    """Over TLS with the prefix `__Host-`: such a cookie cannot be set by another host or over plain
    HTTP."""
    return f"__Host-{name}" if secure else name


def same_origin(origin: str | None, host: str | None, public_url: str | None) -> bool:
    """Whether a request comes from our own pages.

    A request without `Origin` does not come from a page of another site: browsers send it with
    every WebSocket handshake and every request other than GET and HEAD.
    """
    if origin is None:
        return True
    found = _split(origin)
    if found is None or found.scheme not in ("http", "https") or not found.netloc:
        return False
    if public_url is not None:
        own = urlsplit(public_url)
        return (found.scheme, found.netloc.lower()) == (own.scheme, own.netloc.lower())
    return host is not None and found.netloc.lower() == host.lower()


def _split(address: str) -> SplitResult | None:
    try:
        found = urlsplit(address)
        _ = found.port  # not parsed before it is asked for
    except ValueError:  # as for http://[ and http://host:8x
        return None
    return found


HOST_LENGTH = 260
"""The longest `Host`: a name has at most 253 characters, and a port six."""


class Hosts:
    """The names by which browsers may reach this server.

    A page of another site can point its own name at our address (DNS rebinding); its requests then
    carry that name as their host and as their origin. Addresses and `localhost` cannot be forged
    so. A long host or one with a user is refused, too: it is a part of links and of QR codes.
    """

    def __init__(self, public_url: str | None, names: Iterable[str] = ()) -> None:
        machine = socket.gethostname().lower()
        own = _split(public_url).hostname if public_url else None  # type: ignore[union-attr]
        self._names = {machine, f"{machine}.local", "localhost", *names}
        if own is not None:
            self._names.add(own)

    def __contains__(self, host: str | None) -> bool:
        usual = host is not None and len(host) <= HOST_LENGTH and "@" not in host
        found = _split(f"//{host}") if usual else None
        name = None if found is None else found.hostname
        return name is not None and (name in self._names or _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def read_cookies(cookie: str | None) -> dict[str, str]:
    """The cookies of a request. Values are taken as they are: `http.cookies` unquotes them, which
    takes quadratic time in older Pythons (CVE-2024-7592), and ours are never quoted."""
    found: dict[str, str] = {}
    if cookie is None or len(cookie) > COOKIE_BYTES:
        return found
    for pair in cookie.split(";"):
        name, separator, value = pair.partition("=")
        if separator:
            found[name.strip()] = value.strip()
    return found


def header(scope: Mapping[str, Any], name: bytes) -> str | None:
    """The first header of this name."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def network_of(scope: Mapping[str, Any]) -> str:
    """The client's address, by which limits are counted. An IPv6 /64 network counts as one."""
    return network((scope.get("client") or ("unknown", 0))[0])


@lru_cache(maxsize=10_000)
def network(address: str) -> str:
    """An IPv4 address, or the /64 of an IPv6 address: a household or a server gets a /64 at
    least, and can use any address in it."""
    try:
        found = ip_address(address[:64].partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or IPv6Network((found, 64), strict=False))
    return str(found)


def parse_proxies(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of trusted proxies, from a list with commas. Raises `ValueError`, also for `*`:
    then everybody could choose an address."""
    return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())


POLICY_CODE = 1008
"""The close code of a socket that is not allowed."""
