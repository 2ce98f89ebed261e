"""The strategies of the documentation's table, written a second time.

A state is any tuple. `units` says what is staked in it, `after` where it goes when the
round has won or lost a number of units; a round without either leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

State = tuple[Any, ...]

STAKE_ALLOWED, START_AGAIN, STOP = "stake-allowed", "start-again", "stop"


@dataclass(frozen=True)
class Strategy:
    """A machine that stakes units, with its rules for a stake that is not allowed."""

    start: State
    units: Callable[[State], int]
    after: Callable[[State, Fraction], State]
    over_maximum: str
    over_bankroll: str


def _flat() -> Strategy:
    return Strategy((), lambda _: 1, lambda s, _: s, STAKE_ALLOWED, STAKE_ALLOWED)


def _after_losses(more: Callable[[int], int]) -> Strategy:
    """Return a strategy that stakes more after each loss, and 1 after a win."""
    return Strategy(
        (1,),
        lambda state: int(state[0]),
        lambda state, won: (1,) if won > 0 else (more(state[0]),),
        START_AGAIN,
        STAKE_ALLOWED,
    )


def _winning_run(*stakes: int) -> Strategy:
    """Return a strategy that goes through its stakes with each win in a row."""

    def after(state: State, won: Fraction) -> State:
        return ((state[0] + 1) % len(stakes),) if won > 0 else (0,)

    return Strategy(
        (0,), lambda state: stakes[state[0]], after, STAKE_ALLOWED, STAKE_ALLOWED
    )


def _d_alembert() -> Strategy:
    return Strategy(
        (1,),
        lambda state: int(state[0]),
        lambda state, won: (max(1, state[0] - 1) if won > 0 else state[0] + 1,),
        START_AGAIN,
        STAKE_ALLOWED,
    )


def _fibonacci() -> Strategy:
    def units(state: State) -> int:
        stake, following = 1, 1
        for _ in range(state[0]):
            stake, following = following, stake + following
        return stake

    return Strategy(
        (0,),
        units,
        lambda state, won: (max(0, state[0] - 2) if won > 0 else state[0] + 1,),
        START_AGAIN,
        STAKE_ALLOWED,
    )


def _oscars_grind() -> Strategy:
    """Return the grind: a state is the stake and the units won in the series."""

    def after(state: State, won: Fraction) -> State:
        stake, stands = state[0], state[1] + won
        if stands >= 1:
            return (1, Fraction(0))
        if won < 0:
            return (stake, stands)
        return (min(stake + 1, -(-(1 - stands) // 1)), stands)

    return Strategy(
        (1, Fraction(0)), lambda state: int(state[0]), after, STAKE_ALLOWED, START_AGAIN
    )


def _labouchere(line: tuple[int, ...] = (1, 2, 3, 4), longest: int = 8) -> Strategy:
    def units(state: State) -> int:
        return int(state[0] + state[-1] if len(state) > 1 else state[0])

    def after(state: State, won: Fraction) -> State:
        if won > 0:
            return state[1:-1] or line
        written = (*state, int(-won))
        return written if len(written) <= longest else line

    return Strategy(line, units, after, START_AGAIN, START_AGAIN)


STRATEGIES: Mapping[str, Strategy] = {
    "flat": _flat(),
    "martingale": _after_losses(lambda units: 2 * units),
    "grand-martingale": _after_losses(lambda units: 2 * units + 1),
    "paroli": _winning_run(1, 2, 4),
    "d-alembert": _d_alembert(),
    "fibonacci": _fibonacci(),
    "oscars-grind": _oscars_grind(),
    "1-3-2-6": _winning_run(1, 3, 2, 6),
    "labouchere": _labouchere(),
}
