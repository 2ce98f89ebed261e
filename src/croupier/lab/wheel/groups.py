"""The check of a record by Dealer, wheel or table, corrected for all of them.

Each group is checked as a wheel of its own, and one more test asks whether the groups
have the numbers in the same proportions. All tests of all groups are one family: so of
a hundred fair houses about one at most is suspected of anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from croupier.lab.wheel.check import (
    JudgedTest,
    Verdict,
    WheelCheck,
    count_tests,
    judge_wheel,
    wheel_tests,
)
from croupier.lab.wheel.drift import unlike_statistic, unlike_tail
from croupier.lab.wheel.monte_carlo import FoundChance, order_chances
from croupier.lab.wheel.record import (
    LEAST_OUTCOMES,
    CheckPlan,
    OutcomeLabel,
    WheelError,
    WheelRecord,
    WheelTest,
)
from croupier.numeric.probability import holm

_MOST_GROUPS = 200
"""More would take minutes, and leave nothing to be found in any of them."""
_NOT_TOLD = "not told"


@dataclass(frozen=True, slots=True)
class GroupCheck:
    """The check of one group; its p-values are corrected for all groups."""

    names: tuple[str, ...]
    """Its Dealer, wheel or table, in the order asked for."""
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
    """Between the groups; None where there are fewer than two that are tested."""
    family: int
    """How many tests were made in all."""

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
    """Check each group of the record; raises `WheelError` where none is told."""
    plan = plan or CheckPlan()
    parts = _parts(record, by)
    tested = [part for _, part in parts if part.spins >= LEAST_OUTCOMES]
    between = len(tested) > 1
    family = sum(count_tests(part) for part in tested) + between
    tests = [wheel_tests(part, plan, max(family, 1)) for _, part in parts]
    all_tests = [test for of_part in tests for test in of_part]
    if between:
        all_tests.append(_difference(tested, by, plan))
    corrected = holm([test.p_value for test in all_tests])
    groups, passed = [], 0
    for (names, part), of_part in zip(parts, tests, strict=True):
        own = corrected[passed : passed + len(of_part)]
        passed += len(of_part)
        check = judge_wheel(
            part, plan, of_part, own, family=max(family, 1), groups=len(parts)
        )
        groups.append(GroupCheck(names, check))
    difference = None
    if between:
        last = corrected[-1]
        difference = JudgedTest(all_tests[-1], last, last <= plan.level)
    return GroupedCheck(record, plan, tuple(by), tuple(groups), difference, family)


def _parts(
    record: WheelRecord, by: Sequence[OutcomeLabel]
) -> list[tuple[tuple[str, ...], WheelRecord]]:
    """Return the groups' names and outcomes, by name."""
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
