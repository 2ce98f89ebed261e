"""Functions of units: what every engine must play alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import OwnFunction

Memory = np.ndarray[Any, np.dtype[np.int64]]


def doubling(_round: int, _bankroll: int, net: int, units: int, _memory: Memory) -> int:
    return 2 * units if net < 0 else 1


def counting(round_: int, bankroll: int, net: int, units: int, memory: Memory) -> int:
    """Everything it is told is kept and has its say."""
    memory[0] += 1
    memory[1] += round_ + units
    memory[2] = max(memory[2], bankroll)
    if net > 0:
        memory[3] += 1
    return int(1 + (memory[0] + memory[1] + memory[2] // 1000 + memory[3]) % 5)


def leaving(round_: int, bankroll: int, _net: int, _units: int, memory: Memory) -> int:
    memory[15] = max(memory[15], bankroll)
    return 0 if round_ == 20 or bankroll < memory[15] // 2 else 2


OWN = [doubling, counting, leaving]
RULES = [Shortfall.STAKE_ALLOWED, Shortfall.STOP]


def own(function: Callable[..., int], **other: Any) -> OwnFunction:
    rules = {
        "greatest": 16,
        "over_maximum": Shortfall.STAKE_ALLOWED,
        "over_bankroll": Shortfall.STAKE_ALLOWED,
    }
    return OwnFunction(function.__name__, function, **{**rules, **other})
