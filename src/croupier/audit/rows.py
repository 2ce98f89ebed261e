"""Rows of a file of settled wagers beside the figures that the rules give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.batch.compiled import Flags, Integers
from croupier.rules.cents import write_cents

Figures = Mapping[str, Integers]
"""Columns of cents by name; below zero if a cell is no whole number of cents."""


def differing_rows(expected: Figures, found: Figures) -> Flags:
    """Return the rows that have another figure than the rules give."""
    differs: Flags = np.logical_or.reduce(
        [column != expected[name] for name, column in found.items()]
    )
    return differs


def figures_at(columns: Figures, row: int) -> dict[str, int]:
    return {name: int(column[row]) for name, column in columns.items()}


def difference_text(expected: Mapping[str, int], found: Mapping[str, int]) -> str:
    """`paid 9999.99, not 5.00; …`."""
    return "; ".join(
        f"{name.removesuffix('_cents').replace('_', ' ')} {_money(cents)},"
        f" not {write_cents(expected[name])}"
        for name, cents in found.items()
        if cents != expected[name]
    )


def _money(cents: int) -> str:
    return "no amount" if cents < 0 else write_cents(cents)
