"""Rounds grouped by table, gaming day, wager type or Dealer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import starmap
from operator import add

import numpy as np

from croupier.audit.report.bounds import LEVELS, Judgement, holm_enclosed, judge
from croupier.audit.report.round_sums import RoundSums
from croupier.audit.report.rounds import (
    AMOUNTS,
    AT_RISK,
    COLLECTED,
    PAID,
    Block,
    Dimension,
)
from croupier.batch.compiled import Integers
from croupier.numeric.figure import BoundedValue

MOST_BYTES = 500_000_000
"""The most memory that the kinds of rounds of all groups may take together."""


Grouping = tuple[Dimension, ...]
"""The dimensions that rounds are grouped by; none: all rounds together."""
Key = tuple[str, ...]
"""A value for each dimension of a grouping."""


@dataclass(slots=True)
class Group:
    """Some rounds: their amounts, and the distribution at a fair game."""

    rounds: int = 0
    wagers: int = 0
    amounts: list[int] = field(default_factory=lambda: [0] * len(AMOUNTS))
    hits: int = 0
    """Areas that had chips at risk and were paid, counted once a round."""
    win: RoundSums = field(default_factory=RoundSums)
    """The House's win."""
    hit: RoundSums = field(default_factory=RoundSums)

    @property
    def at_risk_cents(self) -> int:
        return self.amounts[AT_RISK]

    @property
    def win_cents(self) -> int:
        """The House's win: collected less paid."""
        return self.amounts[COLLECTED] - self.amounts[PAID]

    def returned_by(self, win: Fraction | int | float) -> float:
        """Return the share of the amount at risk that Players got back at this win."""
        return float(1 - Fraction(win) / self.at_risk_cents)

    @property
    def actual_return(self) -> Fraction | None:
        if not self.at_risk_cents:
            return None
        return 1 - Fraction(self.win_cents, self.at_risk_cents)

    @property
    def theoretical_return(self) -> Fraction | None:
        if not self.at_risk_cents:
            return None
        return 1 - self.win.mean / self.at_risk_cents


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """A group compared with a fair game."""

    key: Key
    group: Group
    win: Judgement
    """The judgement of the House's win."""
    hits: Judgement
    win_holm: BoundedValue
    """The p-value of the win, corrected for the number of groups."""
    hits_holm: BoundedValue


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The groups of one grouping, by key; there is at least one."""

    grouping: Grouping
    groups: tuple[JudgedGroup, ...]


def judge_groups(
    grouping: Grouping, groups: Mapping[Key, Group], levels: Sequence[float] = LEVELS
) -> ReportSection:
    keys = sorted(groups)
    some = [groups[key] for key in keys]
    wins = [judge(each.win_cents, each.win, levels) for each in some]
    hits = [judge(each.hits, each.hit, levels) for each in some]
    holm = (holm_enclosed([each.p_value for each in found]) for found in (wins, hits))
    judged = zip(keys, some, wins, hits, *holm, strict=True)
    return ReportSection(grouping, tuple(starmap(JudgedGroup, judged)))


class Groups:
    """Takes blocks of rounds, and keeps a group for each key of each grouping."""

    def __init__(self, groupings: Sequence[Grouping]) -> None:
        self.by: dict[Grouping, dict[Key, Group]] = {each: {} for each in groupings}

    def add(self, block: Block) -> None:
        kinds = np.flatnonzero(block.pieces.sum(axis=0)).tolist()
        for kind in (None, *kinds):
            by_type = kind is not None
            some = [each for each in self.by if (Dimension.TYPE in each) == by_type]
            if some:
                self._add(block, some, kind)
        self._stay_small()

    def _stay_small(self) -> None:
        """Bound the memory: the largest groups forget their kinds of rounds."""
        every = [
            sums
            for groups in self.by.values()
            for group in groups.values()
            for sums in (group.win, group.hit)
        ]
        kept = sum(sums.kept_bytes for sums in every)
        while kept > MOST_BYTES:
            largest = max(every, key=lambda sums: sums.kept_bytes)
            kept -= largest.kept_bytes
            largest.shapes = None

    def _add(self, block: Block, groupings: list[Grouping], kind: int | None) -> None:
        """Add the rounds of a block, with the chips of one type or with all."""
        wins, hits = block.values(kind)
        counted = block.wagers if kind is None else block.pieces[:, kind]
        staked = (
            np.flatnonzero(counted) if kind is not None else np.arange(block.rounds)
        )
        kinds = slice(None) if kind is None else slice(kind, kind + 1)
        for grouping in groupings:
            for key, rows in _keys(block, grouping, kind, staked):
                group = self.by[grouping].setdefault(key, Group())
                amounts = block.type_amounts[rows, kinds].sum(axis=(0, 1)).tolist()
                group.rounds += len(rows)
                group.amounts = list(map(add, group.amounts, amounts))
                group.hits += int(block.hits[rows, kinds].sum())
                group.wagers += int(counted[rows].sum())
                group.win.add(block.table, wins[rows])
                group.hit.add(block.table, hits[rows])


def _keys(
    block: Block, grouping: Grouping, kind: int | None, staked: Integers
) -> Iterator[tuple[Key, Integers]]:
    """Yield each key that occurs among the rounds, with its rounds."""
    columns = block.columns
    if kind is not None:
        named = [block.table.types[kind]]
        columns = {**columns, Dimension.TYPE: (named, np.zeros(block.rounds, np.int64))}
    code: Integers = np.zeros(len(staked), np.int64)
    for by in grouping:
        names, codes = columns[by]
        code = code * len(names) + codes[staked]
    for number in np.unique(code).tolist():
        key, rest = [], number
        for by in reversed(grouping):
            names, _ = columns[by]
            rest, at = divmod(rest, len(names))
            key.append(names[at])
        yield tuple(reversed(key)), staked[code == number]
