"""Rounds put together by table, gaming day, type or Dealer: what each group shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from fractions import Fraction

import numpy as np

from croupier.audit.report.bounds import LEVELS, Judgement, judge
from croupier.audit.report.round_sums import RoundSums
from croupier.audit.report.rounds import AMOUNTS, AT_RISK, COLLECTED, PAID, Block
from croupier.batch.compiled import Integers

MOST_BYTES = 500_000_000
"""So much memory the kinds of rounds of all groups may take together."""


@unique
class Dimension(Enum):
    TABLE = "table"
    DAY = "day"
    TYPE = "type"
    DEALER = "dealer"


Grouping = tuple[Dimension, ...]
"""The dimensions that rounds are grouped by; none: all rounds together."""
Key = tuple[str, ...]
"""A value for each dimension of a grouping."""


@dataclass(slots=True)
class Group:
    """Some rounds: what was staked and what came of it, and what a fair game gives."""

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
        """The House's win: collected, less what was paid."""
        return self.amounts[COLLECTED] - self.amounts[PAID]

    def returned_by(self, win: Fraction | int | float) -> float:
        """Return the return to Players at so much House win, of what was at risk."""
        return float(1 - Fraction(win) / self.at_risk_cents)

    @property
    def actual_return(self) -> Fraction | None:
        """None where nothing was at risk."""
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
    """A group held against a fair game."""

    key: Key
    group: Group
    win: Judgement
    """Of what the House won."""
    hits: Judgement

    @property
    def says(self) -> str:
        """The verdict on the House's win."""
        return self.win.says

    @property
    def hits_say(self) -> str:
        return self.hits.says


def judged_group(
    key: Key, group: Group, levels: Sequence[float] = LEVELS
) -> JudgedGroup:
    return JudgedGroup(
        key,
        group,
        judge(group.win_cents, group.win, levels),
        judge(group.hits, group.hit, levels),
    )


class Groups:
    """Takes blocks of rounds, and keeps a group for each key of each grouping."""

    def __init__(self, groupings: Sequence[Grouping]) -> None:
        self.by: dict[Grouping, dict[Key, Group]] = {each: {} for each in groupings}

    def add(self, block: Block) -> None:
        laid = _BlockChips(block)
        for grouping in self.by:
            if Dimension.TYPE not in grouping:
                self._add(laid, grouping, None)
        for place in laid.types:
            for grouping in self.by:
                if Dimension.TYPE in grouping:
                    self._add(laid, grouping, place)
        self._stay_small()

    def _stay_small(self) -> None:
        """However many groups there are: the largest give up their kinds of rounds."""
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

    def _add(self, laid: _BlockChips, grouping: Grouping, place: int | None) -> None:
        """Add the rounds of a block, with the chips of one type or with all."""
        values, hit_values, staked = laid.values(place)
        table = laid.block.table
        for key, rows in _keys(laid, grouping, place, staked):
            group = self.by[grouping].setdefault(key, Group())
            laid.count(group, rows, place)
            group.win.add(table, values[rows])
            group.hit.add(table, hit_values[rows])


def _keys(
    laid: _BlockChips, grouping: Grouping, place: int | None, staked: Integers
) -> Iterator[tuple[Key, Integers]]:
    """Yield each key that occurs among the rounds, with the rounds of it."""
    columns = [laid.column(each, place) for each in grouping]
    code: Integers = np.zeros(len(staked), np.int64)
    for texts, codes in columns:
        code = code * len(texts) + codes[staked]
    for number in np.unique(code).tolist():
        key, rest = [], number
        for texts, _ in reversed(columns):
            rest, at = divmod(rest, len(texts))
            key.append(texts[at])
        yield tuple(reversed(key)), staked[code == number]


class _BlockChips:
    """A block's chips by round and area, and what each case makes of them."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._last: tuple[int | None, tuple[Integers, Integers, Integers]] | None = None
        self._columns: dict[Dimension, tuple[list[str], Integers]] = {}
        areas, kinds = len(block.table.type_of), len(block.table.types)
        place, at = np.unique(block.round_of * areas + block.area, return_inverse=True)
        self._round, self._area = np.divmod(place, areas)
        """By round and area that has chips; in ascending order of rounds."""
        self._at_risk: Integers = np.zeros(len(place), np.int64)
        np.add.at(self._at_risk, at, block.amounts[:, AT_RISK])
        paid = np.zeros(len(place), np.bool_)
        paid[at[block.amounts[:, PAID] > 0]] = True
        by_kind = (block.rounds, kinds)
        self._hits: Integers = np.zeros(by_kind, np.int64)
        np.add.at(self._hits, (self._round, block.table.type_of[self._area]), paid)
        kind = block.table.type_of[block.area]
        self._amounts: Integers = np.zeros((*by_kind, len(AMOUNTS)), np.int64)
        np.add.at(self._amounts, (block.round_of, kind), block.amounts)
        self._pieces: Integers = np.zeros(by_kind, np.int64)
        np.add.at(self._pieces, (block.round_of, kind), 1)

    def column(self, by: Dimension, place: int | None) -> tuple[list[str], Integers]:
        """Return the distinct names by a dimension, and the place of each round's."""
        if by is Dimension.TYPE:
            named = "" if place is None else self.block.table.types[place]
            return [named], np.zeros(self.block.rounds, np.int64)
        if by not in self._columns:
            block = self.block
            names = {
                Dimension.TABLE: block.tables,
                Dimension.DAY: [day or "" for day in block.days],
                Dimension.DEALER: block.dealers,
            }[by]
            found: dict[str, int] = {}
            codes = [found.setdefault(name, len(found)) for name in names]
            self._columns[by] = list(found), np.array(codes, np.int64)
        return self._columns[by]

    @property
    def types(self) -> list[int]:
        """The wager types that occur."""
        return np.flatnonzero(self._pieces.sum(axis=0)).tolist()

    def values(self, place: int | None) -> tuple[Integers, Integers, Integers]:
        """Return by round and case the House's win and hits; and which rounds count."""
        if self._last is None or self._last[0] != place:
            self._last = place, self._values(place)
        return self._last[1]

    def _values(self, place: int | None) -> tuple[Integers, Integers, Integers]:
        table = self.block.table
        of_type: Integers = np.arange(len(self._area))
        if place is not None:
            of_type = np.flatnonzero(table.type_of[self._area] == place)
        pays = table.pays[self._area[of_type]]
        at_risk = self._at_risk[of_type, np.newaxis]
        won = self._by_round(of_type, -at_risk * pays)
        hits = self._by_round(of_type, ((at_risk > 0) & (pays >= 0)).astype(np.int64))
        if place is None:
            return won, hits, np.arange(self.block.rounds)
        return won, hits, np.flatnonzero(self._pieces[:, place])

    def _by_round(self, of_type: Integers, values: Integers) -> Integers:
        """Return the sums over the areas of each round, by case."""
        sums: Integers = np.zeros((self.block.rounds, values.shape[1]), np.int64)
        rounds = self._round[of_type]
        begins = np.flatnonzero(np.diff(rounds, prepend=-1))
        if len(begins):
            sums[rounds[begins]] = np.add.reduceat(values, begins)
        return sums

    def count(self, group: Group, rows: Integers, place: int | None) -> None:
        """Add what the rounds brought to the group."""
        kinds = slice(None) if place is None else slice(place, place + 1)
        amounts = self._amounts[rows, kinds].sum(axis=(0, 1)).tolist()
        group.rounds += len(rows)
        group.amounts = [a + b for a, b in zip(group.amounts, amounts, strict=True)]
        group.hits += int(self._hits[rows, kinds].sum())
        counted = self.block.wagers if place is None else self._pieces[:, place]
        group.wagers += int(counted[rows].sum())
