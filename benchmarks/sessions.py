"""The session solver against the dynamic program that a user would write in numpy.

`by_hand/sessions_numpy.py` is the other side. Both give the same answer, which is
checked first; ours also bounds its error. Our time includes everything from the odds of
the wager to the answer. Ratios of one run, the median of several turns; aim: faster.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from by_hand.sessions_numpy import (
    LINE,
    Answer,
    Machine,
    flat,
    flat_to_the_end,
    labouchere,
    martingale,
    oscars_grind,
)

from croupier.lab.sessions import SessionResult, session

Result = TypeVar("Result")
ByHand = Callable[[int, int, int | None], Answer]
GAME = "mbs-roulette-v3"
UNLIMITED = {"labouchere", "oscars-grind"}


@dataclass(frozen=True, slots=True)
class Case:
    """A session in units, and a user's calculation of it."""

    wager: str
    strategy: str
    bankroll: int
    rounds: int | None
    by_hand: ByHand
    target: int
    turns: int = 7

    def ours(self, arithmetic: str | None = "float64") -> SessionResult:
        return session(
            GAME,
            f"{self.wager}@1",
            bankroll=self.bankroll,
            target=self.target,
            rounds=self.rounds,
            strategy=self.strategy,
            limits=[] if self.strategy in UNLIMITED else ["* 1 100"],
            arithmetic=arithmetic,
            patience=4,  # Oscar's grind until it ends takes a quarter of a minute
        )

    def theirs(self) -> Answer:
        return self.by_hand(self.bankroll, self.target, self.rounds)


def red_flat(bankroll: int, target: int, rounds: int | None) -> Answer:
    if rounds is None:
        return flat_to_the_end(bankroll, target, covers=18)
    return flat(bankroll, target, rounds, covers=18, pays=1)


def number_flat(bankroll: int, target: int, rounds: int | None) -> Answer:
    assert rounds is not None
    return flat(bankroll, target, rounds, covers=1, pays=35)


def red_martingale(bankroll: int, target: int, rounds: int | None) -> Answer:
    assert rounds is not None
    return martingale(bankroll, target, rounds, maximum=100, covers=18, pays=1)


def dozen_martingale(bankroll: int, target: int, rounds: int | None) -> Answer:
    assert rounds is not None
    return martingale(bankroll, target, rounds, maximum=100, covers=12, pays=2)


def red_labouchere(bankroll: int, target: int, rounds: int | None) -> Answer:
    return Machine(LINE, labouchere, bankroll, target).play(rounds)


def red_oscar(bankroll: int, target: int, rounds: int | None) -> Answer:
    return Machine((0, 1), oscars_grind, bankroll, target).play(rounds)


CASES = [
    Case("red", "flat", 100, 500, red_flat, 200),
    Case("red", "flat", 1_000, 5_000, red_flat, 2_000),
    Case("red", "flat", 10_000, 5_000, red_flat, 20_000),
    Case("17", "flat", 100, 500, number_flat, 200),
    Case("17", "flat", 10_000, 5_000, number_flat, 20_000),
    Case("red", "martingale", 100, 500, red_martingale, 200),
    Case("dozen:1", "martingale", 100, 500, dozen_martingale, 200),
    Case("red", "martingale", 1_000, 2_000, red_martingale, 2_000),
    Case("red", "martingale", 10_000, 1_000, red_martingale, 20_000),
]
LONG_CASES = [
    Case("red", "flat", 5_000, None, red_flat, 10_000, turns=3),
    Case("red", "flat", 1_000_000, None, red_flat, 1_000_050, turns=3),
    Case("red", "flat", 1_000, 1_000_000, red_flat, 2_000, turns=1),
    Case("red", "labouchere", 100, 100, red_labouchere, 200, turns=3),
    Case("red", "labouchere", 100, 1_000, red_labouchere, 200, turns=1),
    Case("red", "oscars-grind", 100, None, red_oscar, 200, turns=1),
]
"""Cases that once took minutes; our side chooses the method."""


def check(case: Case, ours: SessionResult, theirs: Answer) -> None:
    """Check that both answers agree within the other side's accuracy."""
    for name, found, by_hand in (
        ("reached", ours.reached, theirs.reached),
        ("ruined", ours.ruined, theirs.ruined),
        ("rounds", ours.rounds_played, theirs.rounds),
        ("staked", ours.staked_cents, 100 * theirs.staked),
    ):
        near = 1e-9 * max(1.0, abs(by_hand))
        assert abs(float(found) - by_hand) <= near, (case, name, float(found), by_hand)


def seconds(work: Callable[[], object]) -> float:
    return timed(work)[0]


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    started = time.perf_counter()
    done = work()
    return time.perf_counter() - started, done


def compare(case: Case, arithmetic: str | None = "float64") -> None:
    turns = []
    for _ in range(case.turns):
        theirs, by_hand = timed(case.theirs)
        ours, result = timed(partial(case.ours, arithmetic))
        check(case, result, by_hand)
        turns.append((theirs, ours))
    ratios = [theirs / ours for theirs, ours in turns]
    ours = statistics.median(ours for _, ours in turns)
    length = "until it ends" if case.rounds is None else f"{case.rounds:,} rounds"
    print(
        f"{case.strategy} on {case.wager}, {case.bankroll:,} units, {length}:"
        f" {statistics.median(ratios):.2f}×"
        f" ({min(ratios):.2f} – {max(ratios):.2f}) as fast, {ours * 1000:.1f} ms,"
        f" error at most {float(result.error):.1e}",
        flush=True,
    )


def grow(wager: str, strategy: str, steps: list[tuple[int, int]], exact: int) -> None:
    """Print the cost as bankroll and rounds grow; for the first few, exactly too."""
    for place, (bankroll, rounds) in enumerate(steps):
        case = Case(wager, strategy, bankroll, rounds, red_flat, 2 * bankroll)
        floats = statistics.median(seconds(case.ours) for _ in range(3))
        told = f"{strategy} on {wager}, {bankroll:,} units, {rounds:,} rounds:"
        told += f" {floats * 1000:.1f} ms"
        if place < exact:
            told += f", exactly {seconds(partial(case.ours, 'exact')) * 1000:.0f} ms"
        print(told)


def main() -> None:
    for case in CASES:
        compare(case)
    for case in LONG_CASES:
        compare(case, None)
    steps = [(100, 250), (100, 500), (100, 1_000), (1_000, 500), (10_000, 500)]
    grow("red", "martingale", steps, 3)
    grow("red", "d-alembert", steps[:4], 2)
    grow("red", "oscars-grind", [(25, 500), (50, 500), (100, 500)], 0)


if __name__ == "__main__":
    main()
