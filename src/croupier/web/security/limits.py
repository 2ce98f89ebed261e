"""Limits on the requests of an address, and on the logging of refusals."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

import structlog

from croupier.house.people.rates import Clock, Rate, RateLimiter

_log = structlog.get_logger("croupier.web")
_NETWORKS_OF_48 = 8


class AddressLimiter:
    """A rate for each address; an IPv6 network of /64 counts as one address.

    A subscriber may have a whole /48, whose networks share eight such rates. A network
    that has used up its own rate takes nothing from the shared ones.
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        wide = Rate(rate.a_second * _NETWORKS_OF_48, rate.at_once * _NETWORKS_OF_48)
        self._single = RateLimiter(rate, clock)
        self._wide = RateLimiter(wide, clock)

    def take(self, key: str) -> float:
        """Count a request by its `address_key`, and return the seconds to wait."""
        wait = self._single.take(key)
        if not wait and key.endswith("/64"):
            network = ip_network(key).supernet(new_prefix=48)
            wait = self._wide.take(str(network))
        return wait


def address_key(host: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False))


_TEXT_MAX = 200


class RefusalLog:
    def __init__(
        self, clock: Clock, count: Callable[[str], None] = lambda _kind: None
    ) -> None:
        self._count = count
        self._limiter = RateLimiter(Rate(1, 1), clock)

    def note(self, kind: str, client: str, **more: object) -> None:
        """Count a refusal; log it at most once a second for each kind and client."""
        self._count(kind)
        if not self._limiter.take(f"{kind} {client}"):
            shown = {
                name: value[:_TEXT_MAX] if isinstance(value, str) else value
                for name, value in more.items()
            }
            _log.info("refused", kind=kind, client=client, **shown)
