"""Meters reckoned from settlements: what was staked, won and held, by wager type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from croupier.audit.rounds import Terms
from croupier.batch.columns import Column
from croupier.rules.events import SettledPiece

_TOO_LARGE = 1 << 62


def figures_of(pieces: Sequence[SettledPiece]) -> Column:
    """Stake, paid, collected and returned of each; what no column holds is -1."""
    figures = [piece[1:5] for piece in pieces]
    try:
        return np.array(figures, np.int64).reshape(-1, 4)
    except OverflowError:
        held = [
            [cents if abs(cents) < _TOO_LARGE else -1 for cents in each]
            for each in figures
        ]
        return np.array(held, np.int64).reshape(-1, 4)


def add_meters(
    meters: Counter[str],
    terms: Terms,
    area: Column,
    outcome: Column,
    found: Column,
    *,
    sign: int = 1,
) -> None:
    """Cents staked, won and held, in all and by wager type.

    Staked is what was at risk: what was collected, or what was paid for.
    """
    kinds = [each.wager_type.value for each in terms.game.areas]
    names = sorted(set(kinds))
    type_of = np.array([names.index(kind) for kind in kinds], np.int64)
    _, paid, collected, _ = found.T if len(found) else np.zeros((4, 0), int)
    pays = np.maximum(terms.compiled.pays[outcome, area], 1)
    columns: dict[str, Column] = {
        "staked": np.where(paid > 0, paid // pays, collected),
        "won": paid,
        "hold": collected - paid,
    }
    for meter, cents in columns.items():
        meters[meter] += sign * int(cents.sum())
        by_type = np.zeros(len(names), np.int64)
        np.add.at(by_type, type_of[area], cents)
        for name, amount in zip(names, by_type.tolist(), strict=True):
            if amount:
                meters[f"{meter}/{name}"] += sign * amount
