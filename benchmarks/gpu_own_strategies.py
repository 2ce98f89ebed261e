"""Rounds a second with strategies of the user's own: on one GPU, on the CPU, plainly.

    python benchmarks/gpu_own_strategies.py [--rounds 2e10]

Needs a CUDA device, numba-cuda and CuPy. A function of a seat chooses its wagers, one
of units how many of one wager. All engines play the same sessions, in turn in one run,
timed by the clock without their compilation, each so many that it takes a while; that
they play the same is seen from the first ones.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

try:
    import numba_cuda  # noqa: F401 - whether it is there
    from numba import cuda
except ImportError:
    print("not measured: this needs numba-cuda and a CUDA device")
    sys.exit()

from croupier.batch.kernels import cores
from croupier.lab.sessions.request import read_request
from croupier.lab.simulator import Seat, area_codes
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.gpu.engine import GpuEngine
from croupier.lab.simulator.own.plan import read_plan
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import ROUNDS
from croupier.lab.simulator.session_records import COLUMNS

GAME = "mbs-roulette-v3"
AREAS = area_codes(GAME)
RED, FIRST = AREAS["red"], AREAS["dozen:1"]
TURNS, LENGTH, BANKROLL = 5, 1_000, 1_000
PART = {"gpu": 1, "cpu, all cores": 20, "cpu, one core": 200, "plain": 20_000}
"""What part of the sessions each is given."""


def streaks(seat: Seat) -> None:
    """Ten on red; after two reds, five on the first dozen."""
    if seat.came(RED, 1) and seat.came(RED, 2):
        seat.lay(FIRST, 500)
    else:
        seat.lay(RED, 1000)


def thirds(_round: int, _bankroll: int, net: int, _units: int, memory: Any) -> int:
    """One unit more after each third loss, and one again after a win."""
    if net > 0:
        memory[0] = 0
    if net < 0:
        memory[0] += 1
    return int(1 + memory[0] // 3)


Side = Callable[[int], tuple[int, np.ndarray]]
"""Plays a number of sessions; returns the rounds and a checksum of them."""


AnyEngine = GpuEngine | CpuEngine | PlainEngine


def engines() -> tuple[AnyEngine, ...]:
    return GpuEngine(), CpuEngine(), CpuEngine(1), PlainEngine()


def seat_sides() -> dict[str, Side]:
    words = {"bankroll": BANKROLL, "rounds": LENGTH, "sessions": 1, "seed": 5}
    plan = read_plan(GAME, streaks, target=None, stop_loss=None, **words)

    def side(engine: AnyEngine) -> Side:
        def play(sessions: int) -> tuple[int, np.ndarray]:
            into = np.zeros((len(COLUMNS), sessions), np.int64)
            engine.record(plan, 0, into)
            return int(into[COLUMNS.index("rounds")].sum()), into

        return play

    return dict(zip(PART, map(side, engines()), strict=True))


def unit_sides() -> dict[str, Side]:
    words = {"bankroll": BANKROLL, "rounds": LENGTH, "limits": ["* 1 100"]}
    request = read_request(GAME, "red@1", strategy=thirds, **words)
    plan = compile_plan(request, sessions=10**9, seed=5)

    def side(engine: AnyEngine) -> Side:
        def play(sessions: int) -> tuple[int, np.ndarray]:
            tally = engine.run(plan, 0, sessions)
            return tally.total(ROUNDS), tally.words

        return play

    return dict(zip(PART, map(side, engines()), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=float, default=2e10)
    sessions = int(parser.parse_args().rounds) // LENGTH
    print(f"{cuda.get_current_device().name}, {cores()} cores")
    for name, sides in (("seat", seat_sides()), ("units", unit_sides())):
        few = [side(200)[1] for side in sides.values()]
        alike = all(np.array_equal(few[0], each) for each in few)
        print(f"{name}: the first sessions are {'the same' if alike else 'NOT ALIKE'}")
        rates: dict[str, list[float]] = {each: [] for each in sides}
        for _ in range(TURNS):
            for each, play in sides.items():
                begun = time.perf_counter()
                played, _ = play(sessions // PART[each])
                rates[each].append(played / (time.perf_counter() - begun))
        for each, found in rates.items():
            ratio = median(found) / median(rates["cpu, all cores"])
            print(
                f"{name}, {each}: {median(found):,.0f} rounds a second (least"
                f" {min(found):,.0f}, most {max(found):,.0f}), {ratio:.3g}× all cores"
            )


if __name__ == "__main__":
    main()
