"""Wagers of several pieces laid out, a row for each piece; and their sums."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from croupier.batch.columns import Codes, Column
from croupier.batch.decoding import Wagers
from croupier.batch.settling import Settled
from croupier.batch.words import GameWords


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Wagers as pieces: the `wager` of each row is an area, its stake its own."""

    wagers: Wagers
    wager_of: Column | None
    """The wager that each row is a piece of; None: each row is a wager."""

    def of_wagers(self, column: Codes) -> Codes:
        """A column of the pieces as one of the wagers: that of the first piece."""
        return column if self.wager_of is None else column[self._first]

    def sums(self, settled: Settled) -> Settled:
        """What became of each wager: the sums over its pieces."""
        if self.wager_of is None:
            return settled
        begins = self._first
        return Settled(*(np.add.reduceat(each, begins) for each in settled.columns))

    @property
    def _first(self) -> Column:
        assert self.wager_of is not None
        return np.flatnonzero(np.diff(self.wager_of, prepend=-1))


def lay_pieces(words: GameWords, wagers: Wagers) -> Laid:
    """The pieces of wagers, those of one wager side by side."""
    if not words.multiples or int(wagers.wager.max(initial=0)) < words.areas:
        return Laid(wagers, None)
    counts, areas, maxima = words.pieces()
    begins = np.cumsum(counts) - counts
    laid = counts[wagers.wager]
    row = np.repeat(np.arange(len(wagers)), laid)
    place = np.arange(len(row)) - np.repeat(np.cumsum(laid) - laid, laid)
    chosen = begins[wagers.wager][row] + place
    pieces = wagers.take(row)
    stakes = np.where(maxima[chosen] > 0, maxima[chosen], pieces.stake_cents)
    return Laid(replace(pieces, wager=areas[chosen], stake_cents=stakes), row)
