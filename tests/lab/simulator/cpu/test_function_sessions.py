"""Functions of the user's own, compiled: played as Python plays them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.batch.kernels import compilations_told
from croupier.lab.sessions import SessionError, Shortfall
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import SimulationPlan
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lab.simulator.stream import Dice
from tests.lab.simulator.functions import OWN, RULES, counting, doubling, leaving, own
from tests.lab.simulator.plans import red


def told(
    engine: CpuEngine | PlainEngine, plan: SimulationPlan, first: int = 0
) -> object:
    tally = engine.run(plan, first, 80)
    return tally.words.tolist(), tally.bins.tolist()


@pytest.mark.parametrize("function", OWN)
def test_a_function_plays_as_in_python(function: Callable[..., int]) -> None:
    plan = red(machine=own(function), bankroll=40, target=90)

    assert told(CpuEngine(1), plan, 5) == told(PlainEngine(), plan, 5)


@pytest.mark.parametrize("over_maximum", RULES)
@pytest.mark.parametrize("over_bankroll", RULES)
def test_stakes_beyond_maximum_and_bankroll_are_cut_or_stop(
    over_maximum: Shortfall, over_bankroll: Shortfall
) -> None:
    machine = own(doubling, over_maximum=over_maximum, over_bankroll=over_bankroll)
    plan = red(machine=machine, bankroll=30, floor=3)

    assert told(CpuEngine(2), plan) == told(PlainEngine(), plan)


@pytest.mark.parametrize("sides", [2, 39, 1_462_240, 2**40])
def test_outcomes_of_all_sizes_are_the_streams(sides: int) -> None:
    dice, ends = Dice(sides), (sides // 2, sides)
    plan = red(machine=own(counting), bankroll=10**4, dice=dice, ends=ends)

    assert told(CpuEngine(1), plan) == told(PlainEngine(), plan)


def test_rejected_words_are_drawn_again_for_a_function_too() -> None:
    # One word in some 1,000 is rejected: 80 sessions × 28 words hold two or so.
    plan = red(machine=own(counting), bankroll=10**4, dice=Dice(45), ends=(22, 45))

    assert told(CpuEngine(1), plan) == told(PlainEngine(), plan)


def test_a_function_may_say_at_the_end_that_it_would_leave() -> None:
    plan = red(machine=own(leaving), bankroll=1000, rounds=20)

    assert CpuEngine(1).run(plan, 0, 10).ended(SessionEnd.STOPPED) == 10


def test_a_function_is_compiled_once_whatever_bounds_its_stakes() -> None:
    compiled: list[None] = []

    with compilations_told(lambda: compiled.append(None)):
        CpuEngine(1).run(red(machine=own(doubling)), 0, 1)
        so_far = len(compiled)
        CpuEngine(1).run(red(machine=own(doubling, greatest=8), bankroll=50), 0, 1)

    assert len(compiled) == so_far


def test_what_cannot_be_compiled_is_said_in_one_sentence() -> None:
    def asking(_round: int, _bankroll: int, _net: int, _units: int, _: Any) -> int:
        return int(input())

    with pytest.raises(SessionError, match=r"asking can't be .*input") as told:
        CpuEngine(1).run(red(machine=own(asking)), 0, 1)

    assert "\n" not in str(told.value)


def test_a_stake_that_is_no_whole_number_is_refused() -> None:
    def half(_round: int, bankroll: int, _net: int, _units: int, _memory: Any) -> Any:
        return bankroll / 2

    with pytest.raises(SessionError, match="half must return a whole number of units"):
        CpuEngine(1).run(red(machine=own(half)), 0, 1)


def test_an_index_outside_the_memory_is_an_error() -> None:
    def astray(round_: int, _bankroll: int, _net: int, _units: int, memory: Any) -> int:
        return int(memory[16 + round_])

    with pytest.raises(IndexError):
        CpuEngine(1).run(red(machine=own(astray)), 0, 1)
