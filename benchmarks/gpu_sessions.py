"""Sessions on one GPU: our engine, a kernel written by hand, and PyTorch.

    python benchmarks/gpu_sessions.py [--spins 2e12]

Needs CuPy and a CUDA device; PyTorch is measured if it is installed. All of them
take turns in one run; a spin is one drawn outcome. Both strategies play 1,000 rounds on
red at a single zero: flat with 200 units, and a martingale of at most 64 units with
1,000. Our figures are compared with those of the kernel by hand and, if every session
lasts, with the exact mean.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

try:
    import cupy
except ImportError:
    print("not measured: this needs CuPy and a CUDA device")
    sys.exit()

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.gpu.engine import GpuEngine
from croupier.lab.simulator.plan import (
    BANKROLL,
    ROUNDS,
    Machine,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lab.simulator.stream import Dice

BY_HAND = Path(__file__).parent / "by_hand" / "gpu_sessions.cu"
LENGTH, TURNS, MOST = 1_000, 5, 64
BANKROLLS = {"flat": 200, "martingale": 1_000}
STATES = MOST.bit_length()
MACHINES = {
    "flat": Machine((1,), ((0, 0),), (-1,), Shortfall.STAKE_ALLOWED),
    "martingale": Machine(
        tuple(2**state for state in range(STATES)),
        tuple(((state + 1) % STATES, 0) for state in range(STATES)),
        (-1,) * STATES,
        Shortfall.STAKE_ALLOWED,
    ),
}


def plan_of(name: str, sessions: int) -> SimulationPlan:
    return SimulationPlan(
        seed=1,
        sessions=sessions,
        rounds=LENGTH,
        dice=Dice(37),
        ends=(19, 37),
        nets=(-1, 1),
        unit=1,
        bankroll=BANKROLLS[name],
        target=None,
        floor=-1,
        machine=MACHINES[name],
        grain_cents=100,
    )


def seconds(work: Callable[[], object]) -> float:
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    work()
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end)) / 1000


class ByHand:
    """The kernels of by_hand/gpu_sessions.cu."""

    def __init__(self) -> None:
        self._module = cupy.RawModule(code=BY_HAND.read_text())
        self._blocks = cupy.cuda.Device().attributes["MultiProcessorCount"] * 8
        self.ruined, self.total = cupy.zeros(1, cupy.uint64), cupy.zeros(1, cupy.uint64)

    def words(self, sessions: int) -> None:
        self._launch("words_alone", (np.uint64(sessions), np.int32(LENGTH), self.total))

    def play(self, name: str, sessions: int) -> None:
        self.ruined.fill(0)
        self.total.fill(0)
        most = (np.int32(MOST),) if name == "martingale" else ()
        bankroll = np.int32(BANKROLLS[name])
        given = (np.uint64(sessions), np.int32(LENGTH), bankroll, *most)
        self._launch(name, (*given, self.ruined, self.total))

    def _launch(self, name: str, arguments: tuple[Any, ...]) -> None:
        kernel = self._module.get_function(name)
        kernel((self._blocks,), (256,), (np.uint32(1), *arguments))


def by_torch(sessions: int) -> None:
    """Play flat with PyTorch, a tensor of sessions at a time."""
    import torch

    kind = {"device": "cuda", "dtype": torch.int32}
    money = torch.full((sessions,), BANKROLLS["flat"], **kind)
    one, none = torch.tensor(1, **kind), torch.tensor(0, **kind)
    for _ in range(LENGTH):
        outcome = torch.randint(0, 37, (sessions,), **kind)
        won = torch.where(outcome < 18, one, -one)
        money += torch.where(money > 0, won, none)
    torch.cuda.synchronize()


def agree(name: str, tally: SessionTally, hand: ByHand, sessions: int) -> str:
    """Return the distance of two independent counts of one thing, in deviations."""
    ours, theirs = tally.ended(SessionEnd.RUINED), int(hand.ruined[0])
    both = (ours + theirs) / (tally.sessions + sessions)
    spread = sqrt(max(both * (1 - both), 1e-30) * (1 / tally.sessions + 1 / sessions))
    apart = (ours / tally.sessions - theirs / sessions) / spread
    mean = tally.total(BANKROLL) / tally.sessions
    mean_by_hand = int(hand.total[0]) / sessions
    variance = tally.squares(BANKROLL) / tally.sessions - mean**2
    off = (mean - mean_by_hand) / sqrt(2 * variance / tally.sessions)
    return (
        f"{name}: ruined {ours / tally.sessions:.6f}, by hand {theirs / sessions:.6f}"
        f" ({apart:+.1f} deviations); mean bankroll {mean:.4f},"
        f" by hand {mean_by_hand:.4f} ({off:+.1f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--spins", type=float, default=5e11)
    sessions = int(parser.parse_args().spins) // LENGTH
    ours, hand = GpuEngine(), ByHand()
    plans = {name: plan_of(name, sessions) for name in MACHINES}
    rivals: dict[str, Callable[[], object]] = {
        "generator alone": lambda: hand.words(sessions)
    }
    tallies: dict[str, SessionTally] = {}

    def play(name: str) -> None:
        tallies[name] = ours.run(plans[name], 0, sessions)

    for name in MACHINES:
        rivals[f"{name}, by hand"] = lambda name=name: hand.play(name, sessions)
        rivals[f"{name}, ours"] = lambda name=name: play(name)
    few = 20_000_000
    if find_spec("torch") is not None:
        rivals["flat, PyTorch"] = lambda: by_torch(few)
    times: dict[str, list[float]] = {name: [] for name in rivals}
    for turn in range(TURNS + 1):
        for name, work in rivals.items():
            spent = seconds(work)
            if turn:  # the first is for warming up
                times[name].append(spent)
    rates = {}
    for name, spent in times.items():
        spins = (few if name.endswith("PyTorch") else sessions) * LENGTH
        if name in {f"{each}, ours" for each in MACHINES}:
            spins = tallies[name.split(",")[0]].total(ROUNDS)
        rates[name] = spins / median(spent)
        print(f"{name:24} {rates[name]:.3g} spins/s")
    for name in MACHINES:
        ratio = rates[f"{name}, ours"] / rates[f"{name}, by hand"]
        print(f"{name}: ours / by hand {ratio:.2f}")
        hand.play(name, sessions)
        print(agree(name, tallies[name], hand, sessions))


if __name__ == "__main__":
    main()
