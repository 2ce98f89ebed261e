"""The check of a wheel: every test, the correction for all, verdict and power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from os import PathLike, fspath

from croupier.errors import check_type
from croupier.games import as_game
from croupier.lab.wheel.drift import drift_tests
from croupier.lab.wheel.intervals import (
    Suspicion,
    WheelIntervals,
    suspicions,
    wheel_intervals,
)
from croupier.lab.wheel.power import SURELY, Power, powers
from croupier.lab.wheel.record import (
    LEAST_OUTCOMES,
    CheckPlan,
    WheelRecord,
    WheelTest,
)
from croupier.lab.wheel.single_tests import (
    all_compartments,
    colour_changes,
    distances,
    repeats,
    sectors,
    single_numbers,
)
from croupier.numeric.probability import holm
from croupier.rules.game import Game
from croupier.tabular import Plot

_TESTS, _ON_A_RING = 6, 3
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


@dataclass(frozen=True)
class WheelCheck:
    """The result of a check of one wheel."""

    record: WheelRecord
    plan: CheckPlan
    judged: tuple[JudgedTest, ...]
    powers: tuple[Power, ...]
    groups: int = 1
    """Among how many groups it is one: the intervals pay for all of them."""

    @property
    def evidence(self) -> tuple[WheelTest, ...]:
        return tuple(each.test for each in self.judged if each.is_evidence)

    @property
    def verdict(self) -> Verdict:
        if self.evidence:
            return Verdict.EVIDENCE
        found = self.powers[0].found(_TWICE)
        return Verdict.NO_EVIDENCE if found >= SURELY else Verdict.TOO_FEW

    @property
    def confidence(self) -> float:
        """With what probability the intervals of one family hold at once.

        Those of all groups do so with 1 less the level.
        """
        return 1 - self.plan.level / self.groups

    @cached_property
    def intervals(self) -> WheelIntervals:
        return wheel_intervals(self.record, self.confidence)

    @cached_property
    def suspicions(self) -> tuple[Suspicion, ...]:
        return suspicions(self.record, self.evidence, self.confidence)

    def plot(self) -> Plot:
        """Draw the counts, edges, sectors and drifts; raises `WheelError`."""
        from croupier.lab.wheel.plots import plot_wheel

        return Plot(plot_wheel(self))

    def __repr__(self) -> str:
        spins = f"{self.record.spins:,} outcomes"
        return f"<WheelCheck of {spins}: {self.verdict.value}>"


def check_wheel(
    record: WheelRecord | str | PathLike[str],
    plan: CheckPlan | None = None,
    *,
    game: str | Game | None = None,
) -> WheelCheck:
    """Test the wheel in every way; the level holds for all tests together.

    The outcomes are a record, or a file or journal to read them from; a file needs the
    game. Raises `WheelError`, `UnknownGame`.
    """
    if not isinstance(record, WheelRecord):
        from croupier.lab.wheel.outcomes import read_wheel

        check_type(
            "record", "a WheelRecord, or the path of a file", record, str, PathLike
        )
        found = None if game is None else as_game(game)
        record = read_wheel(fspath(record), game=found)
    plan = CheckPlan() if plan is None else plan
    check_type("plan", "a CheckPlan", plan, CheckPlan)
    tests = wheel_tests(record, plan, count_tests(record))
    return judge_wheel(record, plan, tests, holm([test.p_value for test in tests]))


def judge_wheel(
    record: WheelRecord,
    plan: CheckPlan,
    tests: Sequence[WheelTest],
    corrected: Sequence[float],
    *,
    family: int | None = None,
    groups: int = 1,
) -> WheelCheck:
    """Return the check whose p-values are corrected already, for `family` tests."""
    judged = tuple(
        JudgedTest(test, p_value, p_value <= plan.level)
        for test, p_value in zip(tests, corrected, strict=True)
    )
    level = plan.level / (family or count_tests(record))
    return WheelCheck(record, plan, judged, powers(record, plan, level), groups)


def count_tests(record: WheelRecord) -> int:
    """Return how many tests are made of a wheel."""
    return _TESTS + _ON_A_RING * record.knows_ring


def wheel_tests(record: WheelRecord, plan: CheckPlan, family: int) -> list[WheelTest]:
    """Return every test; none of a record that is too short for them.

    `family` is how many tests p-values are to be corrected for.
    """
    if record.spins < LEAST_OUTCOMES:
        return []
    tests = [all_compartments(record, plan), single_numbers(record, plan, family)]
    if record.knows_ring:
        tests.append(sectors(record, plan))
    tests.append(repeats(record))
    if record.knows_ring:
        tests.append(distances(record, plan))
    tests += [colour_changes(record), *drift_tests(record, plan)]
    assert len(tests) == count_tests(record)
    return tests
