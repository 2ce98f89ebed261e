"""Limits on how often an address or a caller may ask: buckets in bounded memory.

Where several nodes serve a house, each gives its share of what comes back in a second:
so a limit holds over all of them without their asking each other. Tries to log on and
to pair a device are counted together as well, in rows of the database.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from croupier.journal.sharing import SharedCounters
from croupier.journal.store import JournalFailed

_NETWORKS_OF_48 = 8
_SHARERS_MAX = 10
"""A tenth of a limit is left at each node, however many there are."""

Clock = Callable[[], float]
"""Seconds that only go forward: `time.monotonic`."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second for long, and so many at once."""

    a_second: float
    at_once: int

    def __post_init__(self) -> None:
        assert self.a_second > 0
        assert self.at_once >= 1


class TokenBucket:
    """Tokens that come back at a rate; each request takes one, or has to wait."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._at = rate, now
        self._tokens = float(rate.at_once)

    def give_back(self) -> None:
        self._tokens = min(self._rate.at_once, self._tokens + 1)

    def take(self, now: float, sharers: int = 1) -> float:
        """Take a token and return zero, or return the seconds to wait for one."""
        a_second = self._rate.a_second / min(sharers, _SHARERS_MAX)
        gained = max(0.0, now - self._at) * a_second
        self._tokens = min(self._rate.at_once, self._tokens + gained)
        self._at = now
        if self._tokens < 1:
            return (1 - self._tokens) / a_second
        self._tokens -= 1
        return 0.0


class RateLimiter:
    """A bucket for each key; the key that was not seen for longest is forgotten."""

    def __init__(
        self,
        rate: Rate,
        clock: Clock,
        *,
        keys_max: int = 20_000,
        sharers: Callable[[], int] = lambda: 1,
    ) -> None:
        """Limit to a rate; `sharers` tells how many nodes hold it together now."""
        self._rate, self._sharers = rate, sharers
        self._clock = clock
        self._keys_max = keys_max
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str) -> float:
        """Count a request and return zero, or return the seconds to wait."""
        now = self._clock()
        bucket = self._buckets.pop(key, None) or TokenBucket(self._rate, now)
        self._buckets[key] = bucket
        if len(self._buckets) > self._keys_max:
            self._buckets.popitem(last=False)
        return bucket.take(now, self._sharers())

    def give_back(self, key: str) -> None:
        """Take back the count of a request that need not be counted."""
        if key in self._buckets:
            self._buckets[key].give_back()


class AddressLimiter:
    """A rate for each address; an IPv6 network of /64 counts as one address.

    A subscriber may have a whole /48: its networks have some such rates together. A
    network that has used up its own takes nothing from what the others share.
    """

    def __init__(
        self, rate: Rate, clock: Clock, *, sharers: Callable[[], int] = lambda: 1
    ) -> None:
        wide = Rate(rate.a_second * _NETWORKS_OF_48, rate.at_once * _NETWORKS_OF_48)
        self._single = RateLimiter(rate, clock, sharers=sharers)
        self._wide = RateLimiter(wide, clock, sharers=sharers)

    def take(self, key: str) -> float:
        """Count a request by its `address_key`, and return the seconds to wait."""
        wait = self._single.take(key)
        if not wait and key.endswith("/64"):
            network = ip_network(key).supernet(new_prefix=48)
            wait = self._wide.take(str(network))
        return wait

    def give_back(self, key: str) -> None:
        self._single.give_back(key)


@dataclass(frozen=True, slots=True)
class SharedRateLimiter:
    """Buckets that all nodes of a house share."""

    name: str
    """Of what is counted."""
    rate: Rate
    counters: SharedCounters

    async def take(self, key: str) -> float:
        """Count a request and return zero, or return the seconds to wait.

        While the database does not answer, each node counts for itself alone.
        """
        rate, named = self.rate, f"{self.name} {key}"
        try:
            return await asyncio.to_thread(
                self.counters.take_token, named, rate.a_second, rate.at_once
            )
        except JournalFailed:
            return 0.0


def address_key(host: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 one: one subscriber's."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:100]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False))
