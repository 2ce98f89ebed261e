"""The session solver against the dynamic program that a user would write in numpy.

`by_hand/sessions_numpy.py` is the other side. Both give the same answer, which is
checked first; ours with a bound on its error. On our side everything is measured, from
the odds of the wager to the answer. Ratios of one run, the median of several turns;
aim: faster.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from by_hand.sessions_numpy import Answer, flat, martingale

from croupier.odds.sessions import SessionResult, session

TURNS = 7
GAME = "mbs-roulette-v3"


@dataclass(frozen=True, slots=True)
class Case:
    """A session of so many units, and how the user would reckon it."""

    wager: str
    strategy: str
    bankroll: int
    rounds: int
    by_hand: Callable[[int, int, int], Answer]

    @property
    def target(self) -> int:
        return 2 * self.bankroll

    def ours(self, arithmetic: str = "float64") -> SessionResult:
        return session(
            GAME,
            f"{self.wager}@1",
            bankroll=self.bankroll,
            target=self.target,
            rounds=self.rounds,
            strategy=self.strategy,
            limits=["* 1 100"],
            arithmetic=arithmetic,
        )

    def theirs(self) -> Answer:
        return self.by_hand(self.bankroll, self.target, self.rounds)


def red_flat(bankroll: int, target: int, rounds: int) -> Answer:
    return flat(bankroll, target, rounds, covers=18, pays=1)


def number_flat(bankroll: int, target: int, rounds: int) -> Answer:
    return flat(bankroll, target, rounds, covers=1, pays=35)


def red_martingale(bankroll: int, target: int, rounds: int) -> Answer:
    return martingale(bankroll, target, rounds, maximum=100, covers=18, pays=1)


def dozen_martingale(bankroll: int, target: int, rounds: int) -> Answer:
    return martingale(bankroll, target, rounds, maximum=100, covers=12, pays=2)


CASES = [
    Case("red", "flat", 100, 500, red_flat),
    Case("red", "flat", 1_000, 5_000, red_flat),
    Case("red", "flat", 10_000, 5_000, red_flat),
    Case("17", "flat", 100, 500, number_flat),
    Case("17", "flat", 10_000, 5_000, number_flat),
    Case("red", "martingale", 100, 500, red_martingale),
    Case("dozen:1", "martingale", 100, 500, dozen_martingale),
    Case("red", "martingale", 1_000, 2_000, red_martingale),
    Case("red", "martingale", 10_000, 1_000, red_martingale),
]


def check(case: Case) -> SessionResult:
    """Check that both answers are the same, as near as the other can tell."""
    ours, theirs = case.ours(), case.theirs()
    for name, found, by_hand in (
        ("reached", ours.reached, theirs.reached),
        ("ruined", ours.ruined, theirs.ruined),
        ("rounds", ours.rounds_played, theirs.rounds),
        ("staked", ours.staked_cents, 100 * theirs.staked),
    ):
        near = 1e-9 * max(1.0, abs(by_hand))
        assert abs(float(found) - by_hand) <= near, (case, name, float(found), by_hand)
    return ours


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def compare(case: Case) -> None:
    result = check(case)
    turns = [(seconds(case.theirs), seconds(case.ours)) for _ in range(TURNS)]
    ratios = [theirs / ours for theirs, ours in turns]
    ours = statistics.median(ours for _, ours in turns)
    print(
        f"{case.strategy} on {case.wager}, {case.bankroll:,} units,"
        f" {case.rounds:,} rounds: {statistics.median(ratios):.2f}×"
        f" ({min(ratios):.2f} – {max(ratios):.2f}) as fast, {ours * 1000:.1f} ms,"
        f" error at most {float(result.error):.1e}"
    )


def grow(wager: str, strategy: str, steps: list[tuple[int, int]], exact: int) -> None:
    """Print the cost as bankroll and rounds grow; the first few exactly too."""
    for place, (bankroll, rounds) in enumerate(steps):
        case = Case(wager, strategy, bankroll, rounds, red_flat)
        floats = statistics.median(seconds(case.ours) for _ in range(3))
        told = f"{strategy} on {wager}, {bankroll:,} units, {rounds:,} rounds:"
        told += f" {floats * 1000:.1f} ms"
        if place < exact:
            told += f", exactly {seconds(partial(case.ours, 'exact')) * 1000:.0f} ms"
        print(told)


def main() -> None:
    for case in CASES:
        compare(case)
    steps = [(100, 250), (100, 500), (100, 1_000), (1_000, 500), (10_000, 500)]
    grow("red", "martingale", steps, 3)
    grow("red", "d-alembert", steps[:4], 2)
    grow("red", "oscars-grind", [(25, 500), (50, 500), (100, 500)], 0)


if __name__ == "__main__":
    main()
