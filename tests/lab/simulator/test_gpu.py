"""The GPU engine, as far as it can be seen without a GPU; `make gpu` does the rest."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from croupier.extras import MissingExtra
from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Seat, play_strategy
from croupier.lab.simulator.gpu.engine import (
    GpuEngine,
    money_of,
    own_sessions,
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


def test_own_strategies_are_played_on_a_device_as_in_plain_python() -> None:
    """By numba's own device, which is Python: where there is none, it is the proof."""
    played = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    # Numbers wrap around there as they are meant to, which Python's warn of.
    quiet = {"PYTHONWARNINGS": "ignore::RuntimeWarning"}

    done = subprocess.run(
        [sys.executable, "-m", "tests.lab.simulator.own.device_check", "6"],
        env={**os.environ, **played, **quiet},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert len(re.findall("^same", done.stdout, re.MULTILINE)) > 30


def test_without_numba_for_a_device_a_function_is_refused_in_a_sentence() -> None:
    """The numba of the tests has no extensions for a device."""

    def one(seat: Seat) -> None:
        seat.lay(0, 100)

    with pytest.raises(SessionError, match=r"numba-cuda: pip install 'croupier\[gpu"):
        play_strategy("mbs-roulette-v3", one, bankroll=9, rounds=9, engine="gpu")


@pytest.mark.parametrize("lacks", [ImportError, AttributeError])
def test_a_numba_cuda_that_cannot_be_loaded_is_told_in_a_sentence(
    lacks: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With numpy 2.5, numba-cuda 0.30 misses a name that numpy had before."""

    def fails(_: str) -> None:
        raise lacks("row_stack")

    monkeypatch.setattr("croupier.lab.simulator.gpu.engine.import_module", fails)

    with pytest.raises(SessionError, match=r"'croupier\[gpu\]' \(row_stack\)$"):
        own_sessions()
