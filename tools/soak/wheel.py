"""The level of wheel-check over thousands of wheels; `make soak` runs it.

It checks fair wheels, fair houses by Dealer, and wheels with a constant bias. It counts
and prints the errors of each test, of all tests together, and of the intervals, and
compares the counts with the promised level.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from croupier.games import find_game
from croupier.lab.wheel.check import Verdict, check_groups, check_wheel
from croupier.lab.wheel.intervals import wheel_intervals
from croupier.lab.wheel.record import CheckPlan, OutcomeLabel, WheelRecord
from croupier.numeric.probability import least_above
from tests.lab.wheel.wheels import row_labels

V3 = find_game("mbs-roulette-v3")
LEVEL = 0.05
PLAN = CheckPlan(level=LEVEL, trials=999, orders=999, enough=20)
DRIFT = ("blocks of time", "one change", "one change of a sector")
_DOUBT = 1e-4
"""The probability that a line of the soak fails by chance."""


class Tally:
    """Prints each count beside the most that it may be."""

    def __init__(self) -> None:
        self.has_failed = False

    def tell(self, what: str, alarms: int, wheels: int, level: float) -> None:
        most = least_above(wheels, level, _DOUBT) - 1
        verdict = "" if alarms <= most else "   TOO OFTEN"
        self.has_failed |= alarms > most
        sys.stdout.write(
            f"{what:58} {alarms:5} of {wheels:,} ({alarms / wheels:.2%};"
            f" {level:.0%} promised, {most} at most){verdict}\n"
        )
        sys.stdout.flush()


def _record(places: Any, **labels: Any) -> WheelRecord:
    told = {OutcomeLabel(name): row_labels(names) for name, names in labels.items()}
    return WheelRecord.placed(V3, np.asarray(places), labels=told)


def _fair(tally: Tally, spins: int, wheels: int) -> None:
    """Count the alarms of fair wheels: of any test, and of each by itself."""
    rng = np.random.default_rng(spins)
    any_alarm, alone = 0, Counter[str]()
    for _ in range(wheels):
        check = check_wheel(_record(rng.integers(0, 37, spins)), PLAN)
        any_alarm += check.verdict is Verdict.EVIDENCE
        alone.update(
            each.test.name for each in check.judged if each.test.p_value <= LEVEL
        )
    tally.tell(f"{spins:,} outcomes, any of nine tests", any_alarm, wheels, LEVEL)
    for name, alarms in sorted(alone.items()):
        tally.tell(f"{spins:,} outcomes, {name}, alone", alarms, wheels, LEVEL)


def _biased(rng: np.random.Generator, spins: int) -> Iterator[Any]:
    while True:
        chances = rng.dirichlet(np.full(37, 8.0))
        yield chances, rng.choice(37, size=spins, p=chances)


def _staying(tally: Tally, spins: int, wheels: int) -> None:
    """Count alarms of drift, and intervals that fail, at a constant bias."""
    rng = np.random.default_rng(spins + 1)
    alone, missed = Counter[str](), Counter[str]()
    for _, (chances, places) in zip(range(wheels), _biased(rng, spins), strict=False):
        record = _record(places)
        check = check_wheel(record, PLAN)
        alone.update(
            each.test.name
            for each in check.judged
            if each.test.name in DRIFT and each.test.p_value <= LEVEL
        )
        true = dict(zip(record.ring, chances, strict=True))
        intervals = wheel_intervals(record, 1 - LEVEL)
        for kind in ("numbers", "sectors"):
            missed[kind] += any(
                not each.probability.low
                <= sum(true[number] for number in each.numbers)
                <= each.probability.high
                for each in getattr(intervals, kind)
            )
    for name in DRIFT:
        what = f"{spins:,} outcomes, a bias that stays, {name}"
        tally.tell(what, alone[name], wheels, LEVEL)
    for kind in ("numbers", "sectors"):
        what = f"{spins:,} outcomes, an interval of all {kind} fails"
        tally.tell(what, missed[kind], wheels, LEVEL)


def _houses(tally: Tally, dealers: int, houses: int) -> None:
    rng = np.random.default_rng(dealers)
    alarms = 0
    for _ in range(houses):
        names = [f"D{place}" for place in range(dealers) for _ in range(300)]
        record = _record(rng.integers(0, 37, len(names)), dealer=names)
        grouped = check_groups(record, [OutcomeLabel.DEALER], PLAN)
        alarms += grouped.verdict is Verdict.EVIDENCE
    tally.tell(f"{dealers} Dealers of 300 outcomes, any test", alarms, houses, LEVEL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=int, default=2_000)
    wheels = parser.parse_args().wheels
    tally = Tally()
    for spins in (100, 500, 2_000, 20_000):
        _fair(tally, spins, wheels)
    for spins in (500, 4_000):
        _staying(tally, spins, wheels // 2)
    _houses(tally, 5, wheels // 5)
    sys.exit(tally.has_failed)


if __name__ == "__main__":
    main()
