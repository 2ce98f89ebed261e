"""A wheel checked: every test, corrected for all of them, and a plain verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from croupier.audit.wheel_counts import all_compartments, single_numbers
from croupier.audit.wheel_drift import change, homogeneity
from croupier.audit.wheel_order import colour_changes, distances, repeats
from croupier.audit.wheel_power import SURELY, Power, powers
from croupier.audit.wheel_record import Plan, WheelRecord, WheelTest
from croupier.audit.wheel_sectors import sectors
from croupier.audit.wheel_tails import holm

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
class Judged:
    """A test, and its p-value corrected for all tests."""

    test: WheelTest
    corrected: float
    is_evidence: bool


@dataclass(frozen=True, slots=True)
class WheelCheck:
    """What was found at a wheel."""

    record: WheelRecord
    plan: Plan
    judged: tuple[Judged, ...]
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


def check_wheel(record: WheelRecord, plan: Plan | None = None) -> WheelCheck:
    """Every test of the wheel; the level holds for all of them together."""
    plan = plan or Plan()
    tests = _tests(record, plan) if record.spins >= LEAST_OUTCOMES else []
    corrected = holm([test.p_value for test in tests])
    judged = tuple(
        Judged(test, p_value, p_value <= plan.level)
        for test, p_value in zip(tests, corrected, strict=True)
    )
    return WheelCheck(record, plan, judged, powers(record, plan, _count(record)))


def _count(record: WheelRecord) -> int:
    return _TESTS + _ON_A_RING * record.knows_ring


def _tests(record: WheelRecord, plan: Plan) -> list[WheelTest]:
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
