"""Share of sector changes that are found: by numbers, by sectors, and by hand.

Wheels are fair at first; then some neighbours are more likely. Each test has the same
level, a ninth of 1 %, as one of the nine tests of a wheel has: the value that fair
wheels exceed that rarely comes from 10,000 of them.
"""

from __future__ import annotations

import sys

import numpy as np
from by_hand.wheel_change_scan import (
    draw_blocks,
    fair_chances,
    greatest_ratios,
)

from croupier.games import find_game
from croupier.lab.wheel.drift import ChangeScan, counts_until, number_scan, sector_scan
from croupier.lab.wheel.record import WheelRecord

GAME = find_game("mbs-roulette-v3")
LEVEL = 0.01 / 9
FAIR = 10_000
WHEELS = 1_000
CHANGES = (
    # outcomes, neighbours, excess, when
    (2_000, 5, 0.6, 0.5),
    (4_000, 5, 0.6, 0.5),
    (4_000, 5, 0.6, 0.25),
    (4_000, 5, 0.6, 0.8),
    (4_000, 5, 1.0, 0.9),
    (4_000, 12, 0.35, 0.5),
)


def _record(blocks: np.ndarray) -> WheelRecord:
    """Return a record whose parts have these counts; the order inside has no effect."""
    places = [np.repeat(np.arange(len(GAME.ring)), part) for part in blocks]
    return WheelRecord(GAME, GAME.ring, np.concatenate(places), None, "")


def _seen(scan: ChangeScan, record: WheelRecord) -> float:
    return float(scan.of_orders(counts_until(record, scan.edges))[0])


def _all(counts: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return each wheel's statistics: by numbers, by sectors, and by hand."""
    records = [_record(blocks) for blocks in counts]
    return (
        np.array([_seen(number_scan(each), each) for each in records]),
        np.array([_seen(sector_scan(each), each) for each in records]),
        np.concatenate([greatest_ratios(some) for some in np.array_split(counts, 20)]),
    )


def main() -> None:
    wheels = int(sys.argv[1]) if len(sys.argv) > 1 else WHEELS
    generator = np.random.default_rng(7)
    fair = fair_chances(len(GAME.ring))
    least: dict[int, tuple[float, ...]] = {}
    print("outcomes  change                          numbers  sectors  by hand")
    for spins, neighbours, excess, when in CHANGES:
        if spins not in least:
            drawn = draw_blocks(generator, FAIR, spins, (fair, fair), 1.0)
            least[spins] = tuple(np.quantile(each, 1 - LEVEL) for each in _all(drawn))
        weights = np.ones(len(fair))
        weights[3 : 3 + neighbours] += excess
        worn = weights / weights.sum()
        counts = draw_blocks(generator, wheels, spins, (fair, worn), when)
        found = [
            np.mean(each >= limit)
            for each, limit in zip(_all(counts), least[spins], strict=True)
        ]
        said = f"{neighbours} neighbours +{excess:.0%} from {when:.0%} on"
        print(f"{spins:8,}  {said:30}" + "".join(f"{part:9.0%}" for part in found))


if __name__ == "__main__":
    main()
