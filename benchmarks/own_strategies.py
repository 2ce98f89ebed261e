"""Rounds a second with a user's own strategy: compiled, plain, and by hand.

The other side (`by_hand/own_strategy_loop.py`) is the plain loop that a user writes
with `random` and the payouts of two wagers; a practice table plays by all the rules.
If crapssim is installed, a user's own strategy plays craps there.
All are timed in one process, in turn, by processor time, so that a noisy machine is
noisy for all of them.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable

import numpy as np
from by_hand import own_strategy_loop

from croupier import PracticeTable
from croupier.lab.simulator import Seat, area_codes, play_strategy
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.own.plan import read_plan
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.session_records import COLUMNS

GAME = "mbs-roulette-v3"
AREAS = area_codes(GAME)
RED, FIRST = AREAS["red"], AREAS["dozen:1"]
RUNS, ROUNDS, BANKROLL = 7, 1_000, 100_000


def streaks(seat: Seat) -> None:
    """Lay ten on red; after two reds, five on the first dozen."""
    if seat.came(RED, 1) and seat.came(RED, 2):
        seat.lay(FIRST, 500)
    else:
        seat.lay(RED, 1000)


def practice(rounds: int) -> int:
    """Play the same by the rules, act by act."""
    table = PracticeTable(GAME)
    for place in range(rounds):
        table.place_your_bets()
        table.place("Anna", "red", "10")
        table.spin()
        table.no_more_bets()
        table.outcome(str(place % 37))
        table.settle()
    return rounds


def rate(play: Callable[[], int]) -> float:
    """Return rounds a second of processor time."""
    begun = time.process_time()
    played = play()
    return played / (time.process_time() - begun)


def main() -> None:
    words = {"bankroll": BANKROLL // 100, "rounds": ROUNDS, "seed": 5}
    plan = read_plan(GAME, streaks, sessions=1, target=None, stop_loss=None, **words)
    plain, compiled = PlainEngine(), CpuEngine(1)

    def records(engine: PlainEngine | CpuEngine, sessions: int) -> int:
        into = np.zeros((len(COLUMNS), sessions), np.int64)
        engine.record(plan, 0, into)
        return int(into[COLUMNS.index("rounds")].sum())

    records(compiled, 1)
    sides: dict[str, Callable[[], int]] = {
        "compiled, one core": lambda: records(compiled, 2_000),
        "plain": lambda: records(plain, 100),
        "by hand": lambda: own_strategy_loop.play(100, ROUNDS, BANKROLL, 5),
        "practice table": lambda: practice(100),
    }
    if importlib.util.find_spec("crapssim"):
        from by_hand import crapssim_rolls

        sides["crapssim"] = lambda: crapssim_rolls.play(10_000, BANKROLL, 5)
    rates = [{name: rate(play) for name, play in sides.items()} for _ in range(RUNS)]
    for name in sides:
        found = sorted(each[name] for each in rates)
        ratios = sorted(each[name] / each["by hand"] for each in rates)
        print(
            f"{name}: {statistics.median(found):,.0f} rounds a second"
            f" (least {found[0]:,.0f}, most {found[-1]:,.0f}),"
            f" {statistics.median(ratios):.2f}× by hand"
            f" (least {ratios[0]:.2f}, most {ratios[-1]:.2f})"
        )
    played = play_strategy(GAME, streaks, sessions=20_000, **words)
    print(
        f"play_strategy on all cores: compiled in {played.compile_seconds:.1f} s, then"
        f" {played.spins / played.seconds:,.0f} rounds a second by the clock"
    )


if __name__ == "__main__":
    main()
