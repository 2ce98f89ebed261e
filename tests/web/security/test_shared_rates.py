"""Limits over all nodes of a house: shared out, or counted together."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

import pytest

from croupier.house.people.pin_attempts import PinAttempts
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.journal.store import JournalFailed
from croupier.web.security.middleware import Security, SecurityOptions
from croupier.web.security.rate_limits import Rate
from tests.web.asking import exchange, receiving, scope_of
from tests.web.security.test_middleware import echo

LOG_ON = "/api/log-on"


class MemoryCounters:
    """Counters of several nodes: tokens that never come back."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()
        self.is_away = False

    def take_token(self, key: str, a_second: float, at_once: int) -> float:
        if self.is_away:
            raise JournalFailed("nobody answers")
        self.taken[key] += 1
        return 0 if self.taken[key] <= at_once else 1 / a_second

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        return dict(seen)


def _node(counters: MemoryCounters) -> Security:
    options = SecurityOptions(
        log_on_rate=Rate(0.1, 3), log_on_paths=frozenset({LOG_ON}), counters=counters
    )
    return Security(echo, options, lambda: 0.0)


async def _asked(node: Security, path: str) -> int:
    scope = scope_of("http", "POST", path, {})
    return (await exchange(node, scope, receiving([b"{}"]))).status


def test_tries_at_several_nodes_are_counted_together() -> None:
    async def scenario() -> None:
        counters = MemoryCounters()
        nodes = [_node(counters), _node(counters)]

        statuses = [await _asked(nodes[each % 2], LOG_ON) for each in range(4)]

        assert statuses == [200, 200, 200, 429]
        assert await _asked(nodes[0], "/api/house") == 200
        assert sum(counters.taken.values()) == 4

    asyncio.run(scenario())


def test_each_node_counts_for_itself_while_the_database_is_away() -> None:
    async def scenario() -> None:
        counters = MemoryCounters()
        counters.is_away = True
        node = _node(counters)

        statuses = [await _asked(node, LOG_ON) for _ in range(4)]

        assert statuses == [200, 200, 200, 429]

    asyncio.run(scenario())


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("token", [None, "a token"])
def test_what_comes_back_in_a_second_is_shared_out_among_the_nodes(
    count: int, token: str | None
) -> None:
    """However the requests are spread, all nodes together keep to the lasting rate."""
    limit, now = Rate(8, 4), 0.0
    options = SecurityOptions(
        address_rate=Rate(1_000, 1_000) if token else limit,
        token_rate=limit if token else Rate(1_000, 1_000),
    )
    nodes = [
        Security(echo, options, lambda: now, live_nodes=lambda: count)
        for _ in range(count)
    ]
    headers = {"authorization": f"Bearer {token}"} if token else {}

    async def taken() -> int:
        scope = scope_of("http", "GET", "/", headers)
        asked = [await exchange(node, scope, receiving([b""])) for node in nodes]
        return sum(each.status == 200 for each in asked)

    async def scenario() -> None:
        nonlocal now
        at_first = sum([await taken() for _ in range(5)])
        total = 0
        for _ in range(16):
            now += 0.5
            total += sum([await taken() for _ in range(5)])

        assert at_first == 4 * count
        assert total == 8 * 8

    asyncio.run(scenario())


def test_pins_are_tried_twenty_times_a_minute_over_all_nodes() -> None:
    counters = MemoryCounters()
    nodes = [PinAttempts(lambda: 0.0, counters) for _ in range(2)]
    for each in range(20):
        nodes[each % 2].count_everywhere("T1")

    with pytest.raises(NotDone) as refused:
        nodes[0].count_everywhere("T1")

    assert refused.value.reason == HouseReason.TOO_MANY_ATTEMPTS(seconds=3)
    nodes[0].count_everywhere("T2")
    PinAttempts(lambda: 0.0).count_everywhere("T1")
