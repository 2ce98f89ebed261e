"""Plans by chance: machines of a few states that do anything a machine may do."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from hypothesis import strategies as st

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stream import Dice
from tests.lab.simulator.plans import RED

SIDES = [2, 3, 10, 37, 39, 40, 1_462_240, 2**40]


@st.composite
def machines(draw: st.DrawFn, kinds: int) -> Machine:
    """Any states, some with rows of their own for stakes that the bankroll cuts."""
    states = draw(st.integers(1, 5))
    first = draw(st.integers(1, 3))
    others = st.lists(st.integers(0, 6), min_size=states - 1, max_size=states - 1)
    units = (first, *draw(others))
    has_rows = [each > 1 and draw(st.booleans()) for each in units]
    lengths = [
        each - 1 if rows else 0 for each, rows in zip(units, has_rows, strict=True)
    ]
    firsts = accumulate(lengths, initial=states)
    short = [row if rows else -1 for row, rows in zip(firsts, has_rows, strict=False)]
    row = st.tuples(*[st.integers(0, states - 1)] * kinds)
    count = states + sum(lengths)
    after = draw(st.lists(row, min_size=count, max_size=count))
    over_bankroll = draw(st.sampled_from(Shortfall))
    return Machine(units, tuple(after), tuple(short), over_bankroll)


@st.composite
def plans(draw: st.DrawFn) -> SimulationPlan:
    """Short sessions of any machine, with any bounds."""
    sides = draw(st.sampled_from(SIDES))
    kinds = draw(st.integers(1, min(sides, 6)))
    ends = st.sets(st.integers(1, sides - 1), min_size=kinds - 1, max_size=kinds - 1)
    unit = draw(st.integers(1, 3))
    nets = st.integers(-unit, 5 * unit)
    bankroll = draw(st.integers(0, 60))
    return replace(
        RED,
        seed=draw(st.integers(0, 2**64 - 1)),
        rounds=draw(st.integers(1, 50)),
        dice=Dice(sides),
        ends=(*sorted(draw(ends)), sides),
        nets=draw(st.tuples(*[nets] * kinds)),
        unit=unit,
        bankroll=bankroll,
        target=draw(st.none() | st.integers(bankroll + 1, bankroll + 40)),
        floor=draw(st.integers(-1, max(0, bankroll - 1))),
        machine=draw(machines(kinds)),
    )
