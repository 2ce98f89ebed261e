"""The check of a wheel: every test, the correction for all, verdict and power."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from math import ceil, floor, sqrt

import numpy as np

from croupier.audit.wheel.drift import change, homogeneity
from croupier.audit.wheel.record import CheckPlan, WheelRecord, WheelTest
from croupier.audit.wheel.single_tests import (
    all_compartments,
    colour_changes,
    distances,
    fair_furthest,
    repeats,
    sectors,
    single_numbers,
)
from croupier.odds.probability import at_least, holm, least_above

LEAST_OUTCOMES = 10
"""Fewer are not tested at all."""
_TESTS, _ON_A_RING = 6, 2
_TWICE = 1.0
"""Where not even a number twice as likely would be found, there is nothing to say."""


@unique
class Verdict(Enum):
    NO_EVIDENCE = "no evidence of bias"
    EVIDENCE = "evidence of bias"
    TOO_FEW = "too few outcomes to say"


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """A test, and its p-value corrected for all tests."""

    test: WheelTest
    corrected: float
    is_evidence: bool


@dataclass(frozen=True, slots=True)
class WheelCheck:
    """What was found at a wheel."""

    record: WheelRecord
    plan: CheckPlan
    judged: tuple[JudgedTest, ...]
    powers: tuple[Power, ...]

    @property
    def evidence(self) -> tuple[WheelTest, ...]:
        return tuple(each.test for each in self.judged if each.is_evidence)

    @property
    def verdict(self) -> Verdict:
        if self.evidence:
            return Verdict.EVIDENCE
        found = self.powers[0].found(_TWICE)
        return Verdict.NO_EVIDENCE if found >= SURELY else Verdict.TOO_FEW


def check_wheel(record: WheelRecord, plan: CheckPlan | None = None) -> WheelCheck:
    """Test the wheel in every way; the level holds for all tests together."""
    plan = plan or CheckPlan()
    tests = _tests(record, plan) if record.spins >= LEAST_OUTCOMES else []
    corrected = holm([test.p_value for test in tests])
    judged = tuple(
        JudgedTest(test, p_value, p_value <= plan.level)
        for test, p_value in zip(tests, corrected, strict=True)
    )
    return WheelCheck(record, plan, judged, powers(record, plan, _count(record)))


def _count(record: WheelRecord) -> int:
    return _TESTS + _ON_A_RING * record.knows_ring


def _tests(record: WheelRecord, plan: CheckPlan) -> list[WheelTest]:
    tests = [all_compartments(record, plan)]
    tests.append(single_numbers(record, plan, _count(record)))
    if record.knows_ring:
        tests.append(sectors(record, plan))
    tests.append(repeats(record))
    if record.knows_ring:
        tests.append(distances(record, plan))
    tests += [
        colour_changes(record),
        homogeneity(record, plan),
        change(record, plan),
    ]
    assert len(tests) == _count(record)
    return tests


SURELY = 0.9
"""A bias is said to be found where it is with this probability at least."""
SLIGHT = 0.2
"""The example that is told: so much more likely than on a fair wheel."""
NEIGHBOURS = 5


@dataclass(frozen=True, slots=True)
class Power:
    """How well one kind of bias would be found, by the test that looks for it."""

    what: str
    """`one number`, `5 neighbours`."""
    found: Callable[[float], float]
    """The probability that so great an excess is found."""
    greatest: float
    """The greatest excess that there can be: always there, nothing else."""

    @property
    def smallest(self) -> float | None:
        """The smallest excess that is surely found; None where none is."""
        if self.found(self.greatest) < SURELY:
            return None
        low, high = 0.0, self.greatest
        while high - low > 0.0005:
            middle = (low + high) / 2
            if self.found(middle) >= SURELY:
                high = middle
            else:
                low = middle
        return high


def powers(record: WheelRecord, plan: CheckPlan, tests: int) -> tuple[Power, ...]:
    """Return the power for one number; for neighbours too, where the ring is known."""
    spins, compartments = record.spins, record.compartments
    level = plan.level / tests
    number = least_above(spins, 1 / compartments, level / compartments / 2)
    kinds = [("one number", 1, number)]
    if record.knows_ring:
        arc = _least_arc(record, plan, level)
        kinds.append((f"{NEIGHBOURS} neighbours", NEIGHBOURS, arc))
    return tuple(_power(record, *kind) for kind in kinds)


def _power(record: WheelRecord, what: str, length: int, least: int) -> Power:
    share = length / record.compartments
    greatest = 1 / share - 1

    def found(excess: float) -> float:
        if excess >= greatest:
            return float(least <= record.spins)
        return at_least(least, record.spins, share * (1 + excess))

    return Power(what, found, greatest)


def _least_arc(record: WheelRecord, plan: CheckPlan, level: float) -> int:
    """Return the least count of so many neighbours that the sectors' test finds."""
    drawn = np.sort(fair_furthest(record.spins, record.compartments, plan))[::-1]
    allowed = floor(level * (len(drawn) + 1)) - 1
    if allowed < 0:
        return record.spins + 1
    share = NEIGHBOURS / record.compartments
    spread = sqrt(record.spins * share * (1 - share))
    return ceil(record.spins * share + float(drawn[allowed]) * spread)
