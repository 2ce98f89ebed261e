"""The GPU engine, as far as it can be seen without a GPU; `make gpu` does the rest."""

import re
import sys

import numpy as np
import pytest

from croupier.extras import MissingExtra
from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Seat, play_strategy, simulate
from croupier.lab.simulator.gpu.engine import (
    GpuEngine,
    money_of,
    source_of,
    tables_of,
)
from croupier.lab.simulator.plan import Machine
from tests.lab.simulator.plans import MARTINGALE, odd_plans, red


def test_without_cupy_the_gpu_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)

    with pytest.raises(MissingExtra, match=r"pip install 'croupier\[gpu\]'"):
        GpuEngine().run(red(), 0, 1)


@pytest.mark.parametrize("name", odd_plans())
def test_every_word_that_the_kernel_wants_is_defined(name: str) -> None:
    plan = odd_plans()[name]
    assert isinstance(plan.machine, Machine)
    source = source_of(plan, plan.machine)
    head = source[source.index("// THREADS") : source.index("// Every outcome")]
    wanted = set(re.findall(r"\b[A-Z][A-Za-z_]+\b", head))

    defined = set(re.findall(r"^#define (\w+) \S", source, re.MULTILINE))

    assert wanted <= defined


def test_a_state_that_leaves_asks_for_more_than_anybody_has() -> None:
    plan = odd_plans()["leaving"]
    assert isinstance(plan.machine, Machine)

    _, after, units, *_ = tables_of(plan, plan.machine)

    leaving = after[after["place"] == 2 * len(plan.nets)]
    assert units[2] == 0
    assert (leaving["units"] * plan.unit > plan.highest).all()


def test_amounts_are_narrow_where_they_fit_and_wide_where_they_do_not() -> None:
    assert money_of(red(machine=MARTINGALE)) is np.int32
    assert money_of(odd_plans()["huge"]) is np.int64


def test_functions_are_refused_in_a_sentence() -> None:
    def one(seat: Seat) -> None:
        seat.lay(0, 100)

    with pytest.raises(SessionError, match="one is a function here: choose the engine"):
        play_strategy("mbs-roulette-v3", one, bankroll=9, rounds=9, engine="gpu")
    with pytest.raises(SessionError, match="labouchere is a function here"):
        simulate(
            "mbs-roulette-v3",
            "17@1",
            bankroll=9_000,
            rounds=900,
            strategy="labouchere",
            engine="gpu",
        )
