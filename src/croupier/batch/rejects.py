"""Rows that are no wagers, each with its reason; the first reason is the one told."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from croupier.batch.columns import Flags


class Rejects:
    """The rejected rows among so many."""

    def __init__(self, rows: int) -> None:
        self.accepted: Flags = np.ones(rows, np.bool_)
        self.reasons: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.reasons)

    def add(self, some: Flags, reason: str | Callable[[int], str]) -> None:
        """Reject the rows where the flag is set, unless they were before."""
        new = some & self.accepted
        if new.any():
            self.add_rows(np.flatnonzero(new).tolist(), reason)

    def add_rows(self, rows: Iterable[int], reason: str | Callable[[int], str]) -> None:
        for row in rows:
            if self.accepted[row]:
                self.accepted[row] = False
                self.reasons[row] = reason if isinstance(reason, str) else reason(row)
