"""What a competent user would write in numpy: a session by dynamic programming.

Flat wagers go by slices of one array, or by a banded system if there is no last
round; a martingale, Labouchère and Oscar's grind by the index of where each position
leads. It knows single-zero roulette, one wager that pays `pays` to 1, and a martingale
that starts again over the maximum and stakes what is left over the bankroll.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

Line = tuple[int, ...]
After = Callable[[Line, bool, int], Line]
LINE = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything counted in units of the wager."""

    reached: float
    ruined: float
    rounds: float
    staked: float


def flat(bankroll: int, target: int, rounds: int, covers: int, pays: int) -> Answer:
    """One unit a round on an area of a number of numbers."""
    p, q = covers / 37, 1 - covers / 37
    now = np.zeros(target + pays)
    now[bankroll] = 1.0
    reached = ruined = played = 0.0
    for _ in range(rounds):
        played += now.sum()
        then = np.zeros_like(now)
        then[1 + pays : target + pays] += p * now[1:target]
        then[: target - 1] += q * now[1:target]
        reached += then[target:].sum()
        ruined += then[0]
        then[target:] = 0.0
        then[0] = 0.0
        now = then
    return Answer(reached, ruined, played, played)


def martingale(
    bankroll: int, target: int, rounds: int, *, maximum: int, covers: int, pays: int
) -> Answer:
    """Doubles after a loss; bankrolls × stakes in one array, moved by index."""
    p, q = covers / 37, 1 - covers / 37
    asked = [2**k for k in range(maximum.bit_length()) if 2**k <= maximum]
    width = target + pays * maximum + 1
    at = np.arange(width)
    stake = np.minimum(np.array(asked)[:, None], at[None, :])
    level = np.arange(len(asked))[:, None]
    after_loss = (level + 1) % len(asked)
    live = (at >= 1) & (at < target)
    win_to = np.where(live, at + pays * stake, at + level * width)
    lose_to = np.where(live, after_loss * width + at - stake, at + level * width)
    win_to, lose_to = win_to.ravel(), lose_to.ravel()
    live = np.broadcast_to(live, stake.shape).ravel()
    stake = stake.ravel()
    now = np.zeros(stake.size)
    now[bankroll] = 1.0
    played = staked = 0.0
    for _ in range(rounds):
        moving = np.where(live, now, 0.0)
        played += moving.sum()
        staked += (moving * stake).sum()
        resting = now - moving
        now = (
            resting
            + np.bincount(win_to, p * moving, now.size)
            + np.bincount(lose_to, q * moving, now.size)
        )
    ended = now.reshape(len(asked), width).sum(axis=0)
    return Answer(float(ended[target:].sum()), float(ended[0]), played, staked)


def flat_to_the_end(bankroll: int, target: int, covers: int) -> Answer:
    """Even chances until it ends: two banded systems, one unknown for each bankroll."""
    p, q = covers / 37, 1 - covers / 37
    size = target - 1
    bands = np.zeros((3, size))
    bands[0, 1:] = -p
    bands[1] = 1.0
    bands[2, :-1] = -q
    known = np.zeros((size, 2))
    known[-1, 0] = p
    known[:, 1] = 1.0
    reached, rounds = solve_banded((1, 1), bands, known)[bankroll - 1]
    return Answer(float(reached), 1 - float(reached), float(rounds), float(rounds))


def labouchere(state: Line, won: bool, stake: int) -> Line:
    """Cross out both ends of the line, or write the stake at its end; eight at most."""
    if won:
        return state[1:-1] or LINE
    return (*state, stake) if len(state) < 8 else LINE


def oscars_grind(state: Line, won: bool, stake: int) -> Line:
    """Return what the series has won, and the stake; a series ends one unit up."""
    total = state[0] + (stake if won else -stake)
    if total >= 1:
        return (0, 1)
    return (total, min(stake + won, 1 - total))


class Machine:
    """Even chances by a strategy with states: an index of where each position leads.

    A stake that the bankroll does not pay begins again from the first state.
    """

    def __init__(self, first: Line, after: After, bankroll: int, target: int) -> None:
        self._first, self._after, self._target = first, after, target
        places: dict[tuple[Line, int], int] = {(first, bankroll): 0}
        found = [(first, bankroll)]
        steps, stakes = [], []
        for state, cents in found:
            stake = _stake(after, state)
            stakes.append(stake)
            for won in (True, False):
                then = self._next(after(state, won, stake), cents, stake, won)
                if isinstance(then, int):
                    steps.append(then)
                    continue
                if then not in places:
                    places[then] = len(places)
                    found.append(then)
                steps.append(places[then])
        to = np.array(steps).reshape(-1, 2)
        self._win, self._lose = np.where(to < 0, len(found) - 1 - to, to).T
        self._stakes = np.array(stakes, dtype=float)

    def _next(
        self, state: Line, units: int, stake: int, won: bool
    ) -> tuple[Line, int] | int:
        units += stake if won else -stake
        if units >= self._target:
            return -1
        if units < _stake(self._after, state):
            state = self._first
        return (state, units) if units >= _stake(self._after, state) else -2

    def play(self, rounds: int | None, covers: int = 18) -> Answer:
        """Play a number of rounds, or until less than 1e-13 is still playing."""
        p, q = covers / 37, 1 - covers / 37
        size = self._stakes.size
        now = np.zeros(size)
        now[0] = 1.0
        ended = np.zeros(2)
        played = staked = 0.0
        done = 0
        while done != rounds and (rounds is not None or now.sum() > 1e-13):
            played += now.sum()
            staked += (now * self._stakes).sum()
            then = np.bincount(self._win, p * now, size + 2)
            then += np.bincount(self._lose, q * now, size + 2)
            now = then[:size]
            ended += then[size:]
            done += 1
        return Answer(float(ended[0]), float(ended[1]), float(played), float(staked))


def _stake(after: After, state: Line) -> int:
    if after is oscars_grind:
        return state[1]
    return state[0] + state[-1] if len(state) > 1 else state[0]
