"""The GPU engine, as far as it can be seen without a GPU; `make gpu` does the rest."""

import re
import sys

import numpy as np
import pytest

from croupier.odds.sessions import SessionError
from croupier.simulator import simulate
from croupier.simulator.gpu import GpuEngine, money_of, source_of, tables_of
from croupier.simulator.plan import Machine
from tests.simulator.plans import MARTINGALE, odd_plans, red


def test_without_cupy_the_gpu_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)

    with pytest.raises(SessionError, match=r"pip install 'croupier\[gpu\]'"):
        GpuEngine()


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

    after, units, *_ = tables_of(plan, plan.machine)

    leaving = after[after["place"] == 2 * len(plan.nets)]
    assert units[2] == 0
    assert (leaving["units"] * plan.unit > plan.highest).all()


def test_amounts_are_narrow_where_they_fit_and_wide_where_they_do_not() -> None:
    assert money_of(red(machine=MARTINGALE)) is np.int32
    assert money_of(odd_plans()["huge"]) is np.int64


def test_a_function_is_refused_before_a_device_is_looked_for() -> None:
    def one(_round: int, _bankroll: int, _net: int, _units: int, _own: object) -> int:
        return 1

    with pytest.raises(
        SessionError, match="the GPU plays tables of states, and one is"
    ):
        simulate(
            "mbs-roulette-v3", "red@1", bankroll=9, rounds=9, strategy=one, engine="gpu"
        )
