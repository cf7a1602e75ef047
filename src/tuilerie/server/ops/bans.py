"""Banned networks: who may not connect at all."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CACHED = 50_000


class Bans:
    """A set of networks, looked up by address."""

    def __init__(self) -> None:
        self._networks: tuple[Network, ...] = ()
        self._known: dict[str, bool] = {}

    def set(self, networks: Iterable[str]) -> None:
        """Replace all banned networks."""
        self._networks = tuple(ipaddress.ip_network(each) for each in networks)
        self._known.clear()

    def covers(self, host: str) -> bool:
        """Return whether an address is banned. Anything but an address is not."""
        if not self._networks:
            return False
        known = self._known.get(host)
        if known is None:
            if len(self._known) >= CACHED:
                self._known.clear()
            known = self._known[host] = self._find(host)
        return known

    def _find(self, host: str) -> bool:
        host = host.partition("%")[0].partition("/")[0]  # a connection is known by its /64
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self._networks)
