"""The engine of the cores plays what the plain one plays, session by session."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.cpu.positions import MOST_PLACES, position_table
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import Machine, SessionTally, SimulationPlan
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lab.simulator.stream import Dice, philox
from tests.lab.simulator.plans import FLAT, MARTINGALE, odd_plans, red
from tests.lab.simulator.random_plans import plans

ODD = odd_plans()


def counted(tally: SessionTally) -> tuple[int, list[int], list[int]]:
    return tally.sessions, tally.words.tolist(), tally.bins.tolist()


def both(plan: SimulationPlan, first: int, sessions: int) -> tuple[object, object]:
    """Return the tallies of the engine, by positions and by steps, and of the plain."""
    by_positions = CpuEngine(1, most_places=MOST_PLACES).run(plan, first, sessions)
    by_steps = CpuEngine(1, most_places=0).run(plan, first, sessions)

    assert counted(by_positions) == counted(by_steps)
    return counted(by_steps), counted(PlainEngine().run(plan, first, sessions))


@pytest.mark.parametrize("name", ODD)
def test_an_odd_plan_is_played_as_the_plain_engine_plays_it(name: str) -> None:
    ours, plain = both(ODD[name], 3, 100)

    assert ours == plain


def test_most_odd_plans_have_a_table_of_positions_and_long_ones_have_none() -> None:
    """Else the two ways would not be held against each other."""
    found = {
        name: position_table(plan, plan.machine, MOST_PLACES)
        for name, plan in ODD.items()
        if isinstance(plan.machine, Machine)
    }

    without = {name for name, table in found.items() if table is None}
    patterns = {table.patterns for table in found.values() if table is not None}
    assert without == {
        "one round", "a whole block", "rich", "huge", "coarse", "four kinds",
        "many kinds", "64 bits", "64 bits, martingale",
    }  # fmt: skip
    assert patterns == {16, 256}


def test_a_table_of_positions_is_no_larger_than_it_may_be() -> None:
    plan = red(machine=MARTINGALE, bankroll=60, target=120)
    whole = position_table(plan, MARTINGALE, MOST_PLACES)

    assert whole is not None
    places = len(whole.steps)
    assert position_table(plan, MARTINGALE, places) is not None
    assert position_table(plan, MARTINGALE, places - 1) is None


@given(plans())
def test_any_plan_is_played_as_the_plain_engine_plays_it(plan: SimulationPlan) -> None:
    ours, plain = both(plan, 0, 12)

    assert ours == plain


@pytest.mark.parametrize("sides", [2, 3, 22, 37, 39, 40, 100, 2**22, 2**22 + 1, 2**62])
def test_outcomes_of_all_sizes_are_the_streams(sides: int) -> None:
    plan = red(dice=Dice(sides), ends=(sides // 2, sides), bankroll=10**4)

    ours, plain = both(plan, 0, 70)

    assert ours == plain


def test_sessions_beyond_32_bits_are_their_own() -> None:
    plan = red(machine=MARTINGALE, bankroll=60)
    first = 2**32 - 5

    ours, plain = both(plan, first, 10)

    assert ours == plain
    assert ours != counted(CpuEngine(1).run(plan, 0, 10))


def test_a_kind_of_result_that_never_comes_is_no_harm() -> None:
    plan = red(ends=(0, 19, 19, 37), nets=(9, -1, 8, 1), machine=red_of_four())

    ours, plain = both(plan, 0, 50)

    assert ours == plain


def red_of_four() -> Machine:
    return replace(FLAT, after=((0,) * 4,))


def test_a_machine_of_many_states_goes_round_by_round() -> None:
    states = 3000
    machine = Machine(
        tuple(1 + state % 7 for state in range(states)),
        tuple((state * 7 % states, (state + 11) % states) for state in range(states)),
        (-1,) * states,
        FLAT.over_bankroll,
    )

    ours, plain = both(red(machine=machine, bankroll=90, target=140), 0, 60)

    assert ours == plain


def test_bankrolls_of_more_than_40_bits_are_kept_to_the_grain() -> None:
    plan = red(bankroll=2**50 + 1, unit=2**44, nets=(-(2**44), 2**44 + 3))

    ours, plain = both(plan, 0, 60)

    assert ours == plain


@pytest.mark.parametrize("sides", [37, 39, 40])
def test_a_rejected_word_is_drawn_again(sides: int) -> None:
    dice = Dice(sides)
    session, block = next(
        (session, block)
        for session in count()
        for block in range(4)
        if rejected_words(dice, seed=7, session=session, block=block)
    )
    end = (block + 1) * dice.per_block
    # The bankroll tells each number that came up: a kind of result for each.
    plan = red(
        dice=dice,
        rounds=end,
        ends=tuple(range(1, sides + 1)),
        nets=tuple(range(sides)),
        machine=replace(FLAT, after=((0,) * sides,)),
    )

    ours, plain = both(plan, session, 1)

    assert ours == plain
    assert counted(CpuEngine(1).run(plan, session - 40, 80)) == counted(
        PlainEngine().run(plan, session - 40, 80)
    )


def rejected_words(dice: Dice, *, seed: int, session: int, block: int) -> int:
    """How many words of a block are rejected, by the definition."""
    words = philox((block, session, 0, 0), seed)
    power = dice.sides**dice.per_word
    return sum(word * power % 2**32 < 2**32 % power for word in words)


@given(st.lists(st.integers(0, 6000), max_size=4))
def test_any_split_of_the_sessions_counts_the_same(cuts: list[int]) -> None:
    plan, sessions = red(machine=MARTINGALE, bankroll=30, target=60), 6000
    whole = CpuEngine(1).run(plan, 0, sessions)

    parts = SessionTally.empty(plan)
    for first, end in pairwise([0, *sorted(cuts), sessions]):
        parts += CpuEngine(1).run(plan, first, end - first)

    assert counted(parts) == counted(whole)


@pytest.mark.parametrize("workers", [None, 2, 3])
def test_the_figures_are_the_same_for_any_number_of_workers(
    workers: int | None,
) -> None:
    plan, sessions = red(machine=MARTINGALE, bankroll=30, target=60), 30_000
    one = CpuEngine(1).run(plan, 17, sessions)

    more = CpuEngine(workers).run(plan, 17, sessions)

    assert counted(more) == counted(one)
    assert sum(one.ended(end) for end in SessionEnd) == one.sessions == sessions


def test_no_sessions_are_counted_as_none() -> None:
    assert CpuEngine(2).run(red(), 5, 0).sessions == 0


def test_sessions_that_end_before_their_first_round_are_counted() -> None:
    ruined = CpuEngine(1).run(red(bankroll=0), 0, 100)
    stopped = CpuEngine(1).run(red(floor=20), 0, 100)

    assert (ruined.ended(SessionEnd.RUINED), ruined.total(0)) == (100, 0)
    assert (stopped.ended(SessionEnd.STOPPED), stopped.total(0)) == (100, 0)


def test_amounts_that_could_overflow_are_refused() -> None:
    with pytest.raises(SessionError, match="the amounts can grow too large"):
        CpuEngine(1).run(red(bankroll=2**60), 0, 1)
