"""The check of a wheel, or of a record by Dealer, wheel or table.

A check makes every test and corrects for all of them. Each group of a record is checked
as a separate wheel, and one more test compares the proportions of all groups. All tests
of all groups are one family: about one fair house in a hundred, at most, is suspected
of anything. An undivided record is one group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from itertools import islice
from os import PathLike
from typing import Any

import numpy as np

from croupier.errors import check_type
from croupier.games import as_game
from croupier.lab.wheel.drift import drift_tests, unlike_statistic, unlike_tail
from croupier.lab.wheel.intervals import (
    Suspicion,
    WheelIntervals,
    suspicions,
    wheel_intervals,
)
from croupier.lab.wheel.monte_carlo import FoundChance, order_chances
from croupier.lab.wheel.power import SURELY, Power, powers
from croupier.lab.wheel.record import (
    LEAST_OUTCOMES,
    CheckPlan,
    OutcomeLabel,
    WheelError,
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
from croupier.tabular import Plot, data_frame

_MOST_GROUPS = 200
"""More would take minutes, with too few outcomes in each to find anything."""
_NOT_TOLD = "not told"
_TESTS, _ON_A_RING = 6, 3
_TWICE = 1.0
"""The excess of a number twice as likely; records too short to find it say nothing."""


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
    """The number of groups in the record: intervals are corrected for all of them."""

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
        """The probability that all intervals of one family hold.

        The intervals of all groups hold together with probability 1 - level.
        """
        return 1 - self.plan.level / self.groups

    @cached_property
    def intervals(self) -> WheelIntervals:
        return wheel_intervals(self.record, self.confidence)

    @cached_property
    def suspicions(self) -> tuple[Suspicion, ...]:
        return suspicions(self.record, self.evidence, self.confidence)

    def plot(self) -> Plot:
        """Plot counts, edges, sectors and drift; raises `WheelError`."""
        from croupier.lab.wheel.plots import plot_wheel

        return Plot(plot_wheel(self))

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each test."""
        from croupier.lab.wheel.check_text import judged_json

        return data_frame(map(judged_json, self.judged))

    def __repr__(self) -> str:
        spins = f"{self.record.spins:,} outcomes"
        return f"<WheelCheck of {spins}: {self.verdict.value}>"


def check_wheel(
    record: WheelRecord | str | PathLike[str] | Any,
    plan: CheckPlan | None = None,
    *,
    game: str | Game | None = None,
) -> WheelCheck:
    """Make every test of a wheel; the level holds for all tests together.

    `record` may be a `WheelRecord`, a journal, a file, a frame as `settle_frame` takes
    it, or a list, array or Series; all but the first two need `game`. Raises
    `WheelError`, `UnknownGame`.
    """
    if not isinstance(record, WheelRecord):
        from croupier.lab.wheel.outcomes import read_wheel

        record = read_wheel(record, game=None if game is None else as_game(game))
    plan = CheckPlan() if plan is None else plan
    check_type("plan", "a CheckPlan", plan, CheckPlan)
    return check_groups(record, (), plan).groups[0].check


@dataclass(frozen=True, slots=True)
class GroupCheck:
    """The check of one group; its p-values are corrected for all groups."""

    names: tuple[str, ...]
    """Its Dealer, wheel or table, in the requested order."""
    check: WheelCheck

    @property
    def name(self) -> str:
        return ", ".join(self.names)


@dataclass(frozen=True, slots=True)
class GroupedCheck:
    """The results of a check, group by group."""

    record: WheelRecord
    plan: CheckPlan
    by: tuple[OutcomeLabel, ...]
    groups: tuple[GroupCheck, ...]
    difference: JudgedTest | None
    """The comparison of the groups; None if fewer than two are tested."""
    family: int
    """The number of all tests."""

    @property
    def verdict(self) -> Verdict:
        found = {group.check.verdict for group in self.groups}
        if self.difference is not None and self.difference.is_evidence:
            return Verdict.EVIDENCE
        for verdict in (Verdict.EVIDENCE, Verdict.NO_EVIDENCE):
            if verdict in found:
                return verdict
        return Verdict.TOO_FEW


def check_groups(
    record: WheelRecord, by: Sequence[OutcomeLabel], plan: CheckPlan | None = None
) -> GroupedCheck:
    """Check each group of the record; raises `WheelError` if no group is named."""
    plan = plan or CheckPlan()
    parts = _parts(record, by) if by else [((), record)]
    tested = [part for _, part in parts if part.spins >= LEAST_OUTCOMES]
    between = len(tested) > 1
    family = sum(map(_count_tests, tested)) + between
    level = plan.level / (family or _count_tests(record))
    tests = [_wheel_tests(part, plan, family) for _, part in parts]
    all_tests = [test for of_part in tests for test in of_part]
    if between:
        all_tests.append(_difference(tested, by, plan))
    corrected = holm([test.p_value for test in all_tests])
    judged = [
        JudgedTest(test, p_value, p_value <= plan.level)
        for test, p_value in zip(all_tests, corrected, strict=True)
    ]
    difference = judged.pop() if between else None
    groups, left = [], iter(judged)
    for (names, part), of_part in zip(parts, tests, strict=True):
        own = tuple(islice(left, len(of_part)))
        power = powers(part, plan, level)
        groups.append(GroupCheck(names, WheelCheck(part, plan, own, power, len(parts))))
    return GroupedCheck(record, plan, tuple(by), tuple(groups), difference, family)


def _count_tests(record: WheelRecord) -> int:
    return _TESTS + _ON_A_RING * record.knows_ring


def _wheel_tests(record: WheelRecord, plan: CheckPlan, family: int) -> list[WheelTest]:
    """Return every test, or none if the record is too short.

    `family` is the number of tests to correct p-values for.
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
    assert len(tests) == _count_tests(record)
    return tests


def _parts(
    record: WheelRecord, by: Sequence[OutcomeLabel]
) -> list[tuple[tuple[str, ...], WheelRecord]]:
    """Return the names and the outcomes of each group, sorted by name."""
    for label in by:
        if label not in record.labels or not record.labels[label].names:
            raise WheelError(f"{record.source} does not tell the {label.value}")
    codes = np.stack([record.labels[label].codes for label in by])
    keys, of_rows = np.unique(codes, axis=1, return_inverse=True)
    if keys.shape[1] > _MOST_GROUPS:
        raise WheelError(
            f"{record.source} has {keys.shape[1]:,} groups by"
            f" {' and '.join(label.value for label in by)}; {_MOST_GROUPS} are the most"
        )
    parts = []
    for place, key in enumerate(keys.T):
        names = tuple(
            record.labels[label].names[code] if code >= 0 else _NOT_TOLD
            for label, code in zip(by, key, strict=True)
        )
        said = ", ".join(
            f"{label.value} {name}" for label, name in zip(by, names, strict=True)
        )
        kept = np.flatnonzero(of_rows.ravel() == place)
        parts.append((names, record.part(kept, f"{record.source}, {said}")))
    return sorted(parts, key=lambda part: part[0])


def _difference(
    parts: Sequence[WheelRecord], by: Sequence[OutcomeLabel], plan: CheckPlan
) -> WheelTest:
    """Test whether all groups have the numbers in the same proportions."""
    counts = np.stack([part.counts for part in parts], axis=1)
    totals = counts.sum(axis=1)
    zero = np.zeros((len(totals), 1), np.int64)
    timeline = np.concatenate([zero, np.cumsum(counts, axis=1)], axis=1)
    edges = timeline.sum(axis=0)
    unlike = unlike_statistic(timeline[:, :, np.newaxis], np.arange(len(edges)))
    found: FoundChance | None = unlike_tail(totals, unlike.seen, edges)
    if found is None:
        [found] = order_chances(totals, edges, [unlike], plan)
    degrees = (len(parts) - 1) * (len(totals) - 1)
    return WheelTest(
        f"{' and '.join(label.value for label in by)}s compared",
        unlike.seen,
        found.p_value,
        found.method,
        f"all numbers in {len(parts)} groups at once",
        f"chi-square of the groups against all is {unlike.seen:,.1f};"
        f" {degrees:,} is usual",
    )
