"""Columns of wagers settled: what is paid, collected and returned on each row.

Laws of this file:
- for every row, stake = collected + returned; what is paid comes on top;
- what is not at risk is returned, win or lose;
- a row outside the game's tables, or a sum that could overflow, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from croupier.batch.columns import Cents, Column, ColumnError, check_columns
from croupier.batch.compiled import CompiledGame
from croupier.batch.kernels import is_aligned, share_out
from croupier.batch.memory import pooled_column
from croupier.batch.settling_loops import (
    BAD_AREA,
    BAD_OUTCOME,
    Into,
    Rows,
    settle_lines,
    settle_rows,
    sum_halves,
)

_LARGEST = int(np.iinfo(np.int64).max)
_MANY_ROWS = 1 << 14
"""Fewer rows may still lie in the caches when they are looked at again."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What became of each row's stake, in cents."""

    paid_cents: Cents
    collected_cents: Cents
    returned_cents: Cents

    @property
    def columns(self) -> tuple[Cents, Cents, Cents]:
        return self.paid_cents, self.collected_cents, self.returned_cents

    def take(self, rows: Column) -> Settled:
        return Settled(*(column[rows] for column in self.columns))

    def sums(self) -> tuple[int, int, int]:
        """All that was paid, collected and returned."""
        paid, collected, returned = map(_exact_sum, self.columns)
        return paid, collected, returned


def settle_columns(
    compiled: CompiledGame,
    area: Column,
    outcome: Column,
    stake_cents: Column,
    at_risk_cents: Column | None = None,
) -> Settled:
    """Settle rows of area index, outcome row and stake; nothing is copied.

    Where less than the stake is at risk (limits, a void round) say so in
    `at_risk_cents`. Raises `ColumnError` for columns that are no wagers of the game.
    """
    rows = len(stake_cents)
    into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))
    settle_into(compiled, area, outcome, stake_cents, at_risk_cents, into=into)
    return into


def settle_into(
    compiled: CompiledGame,
    area: Column,
    outcome: Column,
    stake_cents: Column,
    at_risk_cents: Column | None = None,
    *,
    into: Settled,
) -> None:
    """As `settle_columns`, into columns that are there already."""
    given = {"area": area, "outcome": outcome, "stake_cents": stake_cents}
    check_columns({**given, "at_risk_cents": at_risk_cents}, len(into.paid_cents))
    most = _most_cents(compiled)
    at_risk = stake_cents if at_risk_cents is None else at_risk_cents

    wagers = Rows(_unsigned(area), _unsigned(outcome), stake_cents, at_risk)
    columns = Into(*into.columns)
    settle = settle_rows
    if len(area) >= _MANY_ROWS and all(map(is_aligned, columns)):
        settle = settle_lines

    def work(start: int, stop: int) -> int:
        part = slice(start, stop)
        return settle(
            compiled.pays,
            Rows(*(column[part] for column in wagers)),
            most,
            Into(*(column[part] for column in columns)),
        )

    found = 0
    for each in share_out(len(stake_cents), work):
        found |= each
    if found:
        raise ColumnError(_what_is_wrong(compiled, found))


def _unsigned(index: Column) -> Column:
    """The same bytes without a sign: what is below 0 is too large."""
    return index.view(f"u{index.dtype.itemsize}")


def _exact_sum(cents: Cents) -> int:
    """The sum as a whole number of any size."""
    high, low = sum_halves(cents)
    return (int(high) << 32) + int(low)


def _most_cents(compiled: CompiledGame) -> int:
    """The largest stake whose winnings are still a number of 64 bits."""
    highest = max(1, int(compiled.pays.max(initial=0)))
    return _LARGEST // highest


def _what_is_wrong(compiled: CompiledGame, found: int) -> str:
    outcomes, areas = compiled.pays.shape
    if found & BAD_AREA:
        return f"an area is none of the {areas} of {compiled.game.title}"
    if found & BAD_OUTCOME:
        return f"an outcome is none of the {outcomes} of {compiled.game.title}"
    return (
        f"an amount is below 0, above the stake, or above {_most_cents(compiled)} cents"
    )
