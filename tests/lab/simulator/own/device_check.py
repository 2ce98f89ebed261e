"""Own strategies on a CUDA device held against plain Python, to the last number.

With NUMBA_ENABLE_CUDASIM=1 numba plays the device in Python: the same kernels, slowly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

import numpy as np

from croupier.lab.sessions import SessionError, Shortfall
from croupier.lab.simulator import Seat
from croupier.lab.simulator.engines import play_part
from croupier.lab.simulator.gpu.own_sessions import (
    IS_SIMULATED,
    play_function,
    record_seats,
)
from croupier.lab.simulator.own.plan import OwnPlan, read_plan
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import (
    OwnFunction,
    SessionPlan,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.session_records import COLUMNS, Integers
from croupier.lab.simulator.strategy_functions import StakeTerms, grind, line
from croupier.lab.simulator.stream import Dice
from tests.lab.simulator.functions import OWN, RULES, doubling, own
from tests.lab.simulator.own.strategies import RED, SEATS, USUAL, V3
from tests.lab.simulator.plans import red

FIRSTS = (0, 2**33 + 5)
"""Also beyond 32 bits of sessions."""

Case = tuple[str, bool]


def nowhere(seat: Seat) -> None:
    seat.lay(RED if seat.round < 9 else 500, 100)


def astray(seat: Seat) -> None:
    seat.memory[seat.round] += 1
    seat.lay(RED, 100)


def dividing(seat: Seat) -> None:
    seat.lay(RED, 100 // (9 - seat.round))


def far(round_: int, _bankroll: int, _net: int, _units: int, memory: Any) -> int:
    return int(memory[round_] + 1)


def by_zero(round_: int, _bankroll: int, _net: int, _units: int, _memory: Any) -> int:
    return 9 // (9 - round_)


class DeviceEngine:
    """Plays functions on the device, without CuPy, which plays tables."""

    def record(self, plan: SessionPlan, first: int, into: Integers) -> None:
        assert isinstance(plan, OwnPlan)
        record_seats(plan, first, into)

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        assert isinstance(plan.machine, OwnFunction)
        return play_function(plan, plan.machine, first, count)


def seat_plan(game: str, choose: Callable[[Seat], None], **words: Any) -> OwnPlan:
    given = {"target": None, "stop_loss": None, "sessions": 1, **USUAL, **words}
    return read_plan(game, choose, **given)


def function_plans() -> dict[str, SimulationPlan]:
    """Return plans of functions: their rules, sizes of words, and the two of ours."""
    plans = {f.__name__: red(machine=own(f), bankroll=40, target=90) for f in OWN}
    for over_maximum, over_bankroll in product(RULES, RULES):
        machine = own(doubling, over_maximum=over_maximum, over_bankroll=over_bankroll)
        name = f"{over_maximum.name}, {over_bankroll.name}"
        plans[name] = red(machine=machine, bankroll=30, floor=3)
    for sides in (2, 39, 1_462_240, 2**40):
        dice, ends = Dice(sides), (sides // 2, sides)
        plans[f"{sides} sides"] = red(machine=own(doubling), dice=dice, ends=ends)
    terms = StakeTerms(
        1000, 16, starts_again_over_maximum=True, starts_again_over_bankroll=True
    )
    again = {"over_bankroll": Shortfall.START_AGAIN}
    plans["grind"] = red(machine=own(grind(terms, 0, 1), **again))
    plans["line"] = red(machine=own(line(terms, (1, 2, 3), 9), **again), bankroll=60)
    return plans


def seats(count: int) -> Iterator[Case]:
    """Compare the records of sessions at a table."""
    for game, choose, words in SEATS:
        plan = seat_plan(game, choose, **words)
        for first in FIRSTS:
            ours = np.zeros((len(COLUMNS), count), np.int64)
            theirs = ours.copy()
            DeviceEngine().record(plan, first, ours)
            PlainEngine().record(plan, first, theirs)
            name = f"{choose.__name__} {words or game}, from {first}"
            yield name, np.array_equal(ours, theirs)


def functions(count: int) -> Iterator[Case]:
    """Compare the tallies of sessions by functions of units."""
    for name, plan in function_plans().items():
        for first in FIRSTS:
            ours = DeviceEngine().run(plan, first, count)
            theirs = PlainEngine().run(plan, first, count)
            same = np.array_equal(ours.words, theirs.words)
            same = same and np.array_equal(ours.bins, theirs.bins)
            yield f"{name}, from {first}", same


def mistakes() -> Iterator[Case]:
    """Compare what is said of a strategy that fails in some round."""
    plans: list[SessionPlan] = [
        *(seat_plan(V3, choose) for choose in (nowhere, astray, dividing)),
        *(red(machine=own(function)) for function in (far, by_zero)),
    ]
    for plan in plans:
        ours, theirs = (
            _said(partial(play_part, engine, plan, 0, 5))
            for engine in (DeviceEngine(), PlainEngine())
        )
        yield f"{plan.own.name}: {ours}", ours == theirs


def _said(play: Callable[[], object]) -> str:
    try:
        play()
    except SessionError as error:
        return str(error)
    return "nothing"


def check(count: int) -> int:
    """Tell of each comparison; return how many differ."""
    wrong = 0
    # The simulated device raises errors itself, where a real one ends a thread.
    failing = () if IS_SIMULATED else mistakes()
    for name, same in chain(seats(count), functions(count), failing):
        sys.stdout.write(f"{'same' if same else 'DIFFERS'}  {name}\n")
        wrong += not same
    return wrong


if __name__ == "__main__":
    sys.exit(int(check(int(sys.argv[1])) > 0))
