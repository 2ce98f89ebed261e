"""Rate limits: token buckets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Seconds that only go forward: `time.monotonic`."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A long-run rate, and the number allowed at once."""

    a_second: float
    at_once: int

    def __post_init__(self) -> None:
        assert self.a_second > 0
        assert self.at_once >= 1


class TokenBucket:
    """Tokens that refill at a rate; each request takes one, or has to wait."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._at = rate, now
        self._tokens = float(rate.at_once)

    def wait_s(self, now: float) -> float:
        """Return the seconds until a token is there, or zero; take none."""
        gained = max(0.0, now - self._at) * self._rate.a_second
        self._tokens = min(self._rate.at_once, self._tokens + gained)
        self._at = now
        return max(0.0, 1 - self._tokens) / self._rate.a_second

    def take(self, now: float) -> float:
        """Take a token and return zero, or return the seconds to wait for one."""
        wait_s = self.wait_s(now)
        if not wait_s:
            self._tokens -= 1
        return wait_s


class RateLimiter:
    """A bucket for each key; beyond `keys_max` the least recent key is forgotten."""

    def __init__(self, rate: Rate, clock: Clock, *, keys_max: int = 20_000) -> None:
        self._rate, self._clock = rate, clock
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
        return bucket.take(now)

    def wait_s(self, key: str) -> float:
        """Return the seconds until a request would be taken; count nothing."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.wait_s(self._clock())
