"""Random orders, sequential p-values and scans for a change, by enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from croupier.lab.wheel.check import check_wheel
from croupier.lab.wheel.drift import ChangeScan, counts_until, sector_scan
from croupier.lab.wheel.monte_carlo import OrderStatistic, order_chances, random_orders
from croupier.lab.wheel.record import CheckPlan
from tests.lab.wheel.wheels import V3, fair, weighted, wheel

PLAN = CheckPlan(trials=999, orders=999, enough=10)


def _counts_until(order: Any, edges: Any, numbers: int) -> tuple[tuple[int, ...], ...]:
    """Plain counting: by number, then by edge."""
    return tuple(
        tuple(sum(each == number for each in order[:edge]) for edge in edges)
        for number in range(numbers)
    )


def test_random_orders_are_as_likely_as_all_orders_say() -> None:
    record = [0, 0, 0, 1, 1, 2]
    edges = np.array([0, 1, 3, 4, 6])
    orders = list(permutations(record))
    true = Counter(_counts_until(order, edges, 3) for order in orders)
    draws = 40_000

    drawn = random_orders(
        np.array([3, 2, 1]), edges, draws, np.random.default_rng(1)
    ).transpose(2, 0, 1)
    seen = Counter(tuple(map(tuple, each)) for each in drawn.tolist())

    assert seen.keys() <= true.keys()
    for table, times in true.items():
        chance = times / len(orders)
        spread = sqrt(draws * chance * (1 - chance))
        assert abs(seen[table] - draws * chance) < 5 * spread


def _furthest(order: Any, edges: Any, lengths: Any, weight: float, size: int) -> float:
    """The statistic of a scan, by plain loops."""
    spins, best = len(order), 0.0
    for length in lengths:
        for first in range(size):
            arc = {(first + step) % size for step in range(length)}
            total = sum(each in arc for each in order)
            spread = sqrt(max(total * (1 - total / spins), 1.0))
            for edge in edges[1:-1]:
                ahead = sum(each in arc for each in order[:edge]) - edge * total / spins
                passed = edge / spins * (1 - edge / spins)
                best = max(best, abs(ahead) / spread / passed**weight)
    return best


@pytest.mark.parametrize(("lengths", "weight"), [((1,), 0.0), ((1, 2), 0.4)])
def test_the_p_value_of_a_change_is_that_of_all_orders(
    lengths: tuple[int, ...], weight: float
) -> None:
    record = [0, 0, 0, 1, 0, 1, 2, 3]
    edges = np.array([0, 2, 4, 6, 8])
    totals = np.array([4, 2, 1, 1])
    scan = ChangeScan("a change", lengths, totals, edges, weight)
    seen = _furthest(record, edges, lengths, weight, 4)
    every = Counter(permutations(record))
    as_far = sum(
        times
        for order, times in every.items()
        if _furthest(order, edges, lengths, weight, 4) >= seen - 1e-12
    )
    true = as_far / sum(every.values())

    timeline = np.array(_counts_until(record, edges, 4))[:, :, np.newaxis]
    assert scan.of_orders(timeline)[0] == pytest.approx(seen)
    statistic = OrderStatistic(seen, scan.of_orders)
    plan = CheckPlan(orders=9_999, enough=10_000)
    [found] = order_chances(totals, edges, [statistic], plan)

    assert found.p_value == pytest.approx(true, abs=4 * sqrt(true / 9_999))
    assert scan.bound(seen) >= true


def test_the_bound_of_a_change_is_the_sum_of_exact_tails_and_little_more() -> None:
    totals, edges = np.array([30, 10, 20]), np.array([0, 20, 45, 60])
    scan = ChangeScan("a change", (1,), totals, edges, 0.0)
    seen = 2.2

    exact = 0.0
    for total in totals.tolist():
        spread = sqrt(total * (1 - total / 60))
        for edge in (20, 45):
            for count in range(max(0, edge - 60 + total), min(edge, total) + 1):
                if abs(count - edge * total / 60) >= seen * spread:
                    ways = comb(total, count) * comb(60 - total, edge - count)
                    exact += ways / comb(60, edge)

    assert exact < 1e-3
    assert exact <= scan.bound(seen) <= 1.5 * exact


def test_a_p_value_that_is_found_early_is_no_smaller_than_it_should_be() -> None:
    generator = np.random.default_rng(4)
    plan = CheckPlan(orders=199, enough=5)
    totals, edges = np.array([1, 1]), np.array([0, 1, 2])

    def chance() -> float:
        statistic = OrderStatistic(
            generator.random(), lambda orders: generator.random(orders.shape[2])
        )
        return order_chances(totals, edges, [statistic], plan)[0].p_value

    found = np.array([chance() for _ in range(2_000)])

    for level in (0.01, 0.05, 0.2, 0.5):
        part = float(np.mean(found <= level))
        assert part <= level + 4 * sqrt(level * (1 - level) / 2_000)
        assert part >= level / 2


def test_the_furthest_change_is_the_one_that_a_plain_search_finds() -> None:
    record = wheel(weighted(3, {"17": 2.0}, 400))
    scan = sector_scan(record)
    timeline = counts_until(record, scan.edges)

    found = scan.furthest(timeline)

    order = record.places.tolist()
    lengths = range(2, 19)
    # Every tenth moment is enough for a plain search to take a second.
    few = ChangeScan(
        scan.name, lengths, scan.totals, scan.edges[[0, 10, 20, 30, 40]], scan.weight
    )
    seen = _furthest(order, few.edges.tolist(), lengths, few.weight, 37)
    of_few = few.furthest(counts_until(record, few.edges))
    assert abs(of_few.deviation) == pytest.approx(seen)
    assert abs(found.deviation) >= abs(of_few.deviation)
    assert found.length in lengths


@pytest.mark.parametrize("seed", range(3))
def test_five_neighbours_that_become_likely_are_named_with_the_moment(
    seed: int,
) -> None:
    tilted = dict.fromkeys(V3.ring[10:15], 2.2)
    worn = weighted(seed + 50, tilted, 2_000)

    check = check_wheel(wheel(np.concatenate([fair(seed), worn])), PLAN)

    [test] = [each for each in check.evidence if each.name == "one change of a sector"]
    assert len(tilted.keys() & set(test.named)) >= 4
    assert test.since_outcome is not None
    assert abs(test.since_outcome - 2_001) <= 400
    [suspicion] = [each for each in check.suspicions if each.test == test.name]
    assert suspicion.since_outcome == test.since_outcome
    share = sum(tilted[number] for number in tilted if number in test.named)
    assert suspicion.interval.edge.low > 0
    others = 37 - len(tilted)
    true = share / (others + sum(tilted.values()))
    inside = suspicion.interval.probability
    # What the arc has beside the tilted numbers comes up as often as on the rest.
    beside = len(set(test.named) - tilted.keys()) / (others + sum(tilted.values()))
    assert inside.low <= true + beside <= inside.high
