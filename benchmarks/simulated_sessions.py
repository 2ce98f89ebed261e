"""Simulated sessions on the processor's cores, against other programs that draw them.

The other sides: the numpy program and the one-thread numba loop that a user would write
(`by_hand/simulated_sessions_numpy.py`, `…_numba.py`), a bare Philox loop on as many
threads as ours, which only draws outcomes, and a package from the registry
(`…_package.py` names the folder to install it in). A check comes first: all play the
same sessions. One spin is one drawn outcome. Rates of one run, all sides in turn;
medians. Aim: 70 % or more of the bare loop, 8 times the better of numpy and numba.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from by_hand import simulated_sessions_numba as by_numba
from by_hand import simulated_sessions_numpy as by_numpy
from by_hand import simulated_sessions_package as by_package

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.plan import ROUNDS, Machine, SimulationPlan
from croupier.lab.simulator.stakes import SessionEnd
from croupier.lab.simulator.stream import Dice

TURNS = 5
SPINS = {"ours": 400e6, "bare": 400e6, "numpy": 25e6, "numba": 25e6}
"""The approximate number of spins of each side in a turn."""
MAXIMUM = 64
STAKES = tuple(2**place for place in range(MAXIMUM.bit_length()))
LAST = len(STAKES) - 1
FLAT = Machine((1,), ((0, 0),), (-1,), Shortfall.STAKE_ALLOWED)
MARTINGALE = Machine(
    STAKES,
    tuple((0, 0 if place == LAST else place + 1) for place in range(len(STAKES))),
    (-1,) * len(STAKES),
    Shortfall.STAKE_ALLOWED,
)


@dataclass(frozen=True, slots=True)
class Case:
    """Sessions of one unit on red at 37 numbers."""

    strategy: str
    bankroll: int
    target: int
    rounds: int

    @property
    def plan(self) -> SimulationPlan:
        return SimulationPlan(
            seed=1,
            sessions=2**40,
            rounds=self.rounds,
            dice=Dice(37),
            ends=(18, 37),
            nets=(1, -1),
            unit=1,
            bankroll=self.bankroll,
            target=self.target,
            floor=-1,
            machine=FLAT if self.strategy == "flat" else MARTINGALE,
            grain_cents=100,
        )

    def ours(self, sessions: int, workers: int) -> by_numpy.Played:
        tally = CpuEngine(workers).run(self.plan, 0, sessions)
        ruined, reached = (
            tally.ended(SessionEnd.RUINED),
            tally.ended(SessionEnd.REACHED),
        )
        return by_numpy.Played(sessions, tally.total(ROUNDS), ruined, reached)

    def numpy(self, sessions: int) -> by_numpy.Played:
        play = by_numpy.flat if self.strategy == "flat" else by_numpy.martingale
        return play(self.bankroll, self.target, self.rounds, sessions)

    def numba(self, sessions: int) -> by_numpy.Played:
        start = (self.bankroll, self.target, self.rounds, sessions)
        if self.strategy == "flat":
            found = by_numba.flat(*start)
        else:
            found = by_numba.martingale(*start, MAXIMUM)
        return by_numpy.Played(sessions, *found)


CASES = [
    Case("flat", 1_000, 2_000, 1_000),
    Case("flat", 50, 100, 1_000),
    Case("martingale", 1_000, 2_000, 1_000),
    Case("martingale", 100, 200, 1_000),
]


def bare(spins: int, workers: int) -> int:
    """Return the outcomes of the bare loop, on as many threads as ours."""
    blocks = spins // 4 // workers
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(
            lambda part: by_numba.bare_philox(part * blocks, blocks, 1, 37),
            range(workers),
        )
        return sum(int(drawn) for drawn, _ in parts)


def check(case: Case, workers: int) -> float:
    """Check that all sides play alike, within chance; return the mean rounds."""
    ours = case.ours(100_000, workers)
    for other in (case.numpy(20_000), case.numba(20_000)):
        for name in ("ruined", "reached"):
            shares = [getattr(each, name) / each.sessions for each in (ours, other)]
            share = max(1 / ours.sessions, shares[0])
            near = 5 * math.sqrt(share / other.sessions)
            assert abs(shares[0] - shares[1]) <= near, (case, name, shares)
    return ours.rounds / ours.sessions


def rate(work: Callable[[], int]) -> float:
    started = time.perf_counter()
    spins = work()
    return spins / (time.perf_counter() - started)


def compare(case: Case, workers: int) -> None:
    length = check(case, workers)
    sessions = {side: max(1, int(spins / length)) for side, spins in SPINS.items()}
    sides: dict[str, Callable[[], int]] = {
        "ours": lambda: case.ours(sessions["ours"], workers).rounds,
        "bare": lambda: bare(int(SPINS["bare"]), workers),
        "numpy": lambda: case.numpy(sessions["numpy"]).rounds,
        "numba": lambda: case.numba(sessions["numba"]).rounds,
    }
    if by_package.is_there():
        sides["package"] = lambda: by_package.flat(10**6, 1_000, 20)
    rates: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(TURNS):
        for side, work in sides.items():
            rates[side].append(rate(work))
    tell(case, length, {side: statistics.median(each) for side, each in rates.items()})


def tell(case: Case, length: float, rates: dict[str, float]) -> None:
    ours, better = rates["ours"], max(rates["numpy"], rates["numba"])
    package = rates.get("package")
    against = "not measured" if package is None else f"{ours / package:,.0f}×"
    print(
        f"{case.strategy}, {case.bankroll:,} units, target {case.target:,},"
        f" {length:.0f} of {case.rounds:,} rounds: {ours / 1e6:,.0f} M spins/s,"
        f" {ours / rates['bare']:.0%} of the bare loop, {ours / better:.1f}× the better"
        f" of numpy ({rates['numpy'] / 1e6:.0f} M) and numba"
        f" ({rates['numba'] / 1e6:.0f} M), the package: {against}"
    )


def tell_counts(rounds: int = 1_000, sessions: int = 500_000) -> None:
    """Print the rate of counts drawn at once, which show no session's end."""
    seconds = statistics.median(
        1 / rate(lambda: by_numpy.counts_at_once(rounds, sessions) and 1)
        for _ in range(TURNS)
    )
    print(
        "apart: counts drawn at once, flat without an end:"
        f" {sessions / seconds / 1e6:.0f} M sessions/s, whatever their rounds"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    workers = parser.parse_args().workers
    for case in CASES:
        compare(case, workers)
    tell_counts()


if __name__ == "__main__":
    main()
