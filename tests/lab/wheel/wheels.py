"""Wheels to test with: fair ones, and biased in a way that the test knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from croupier.games import find_game
from croupier.lab.wheel.record import RowLabels, WheelRecord

V3 = find_game("mbs-roulette-v3")
FAST = find_game("mbs-fast-action-v2")
SPINS = 2_000


def wheel(places: Any, game: Any = V3) -> WheelRecord:
    """Outcomes by their places on the game's ring."""
    return WheelRecord.placed(game, np.asarray(places))


def fair(seed: int, spins: int = SPINS, game: Any = V3) -> Any:
    generator = np.random.default_rng(seed)
    return generator.integers(0, len(game.ring), spins)


def weighted(seed: int, weights: Mapping[Any, float], spins: int = SPINS) -> Any:
    """Some numbers of v3 so many times as likely as the others."""
    chances = np.array([weights.get(number, 1.0) for number in V3.ring])
    generator = np.random.default_rng(seed)
    return generator.choice(len(V3.ring), size=spins, p=chances / chances.sum())


def row_labels(told: Sequence[str | None]) -> RowLabels:
    """The names of outcomes in one column; None where there is none."""
    names = tuple(name for name in dict.fromkeys(told) if name is not None)
    codes = [-1 if name is None else names.index(name) for name in told]
    return RowLabels(names, np.array(codes, np.int64))
