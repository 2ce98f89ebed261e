"""The loop a competent user writes: one Player, own Python, a table of pays."""

from __future__ import annotations

import random

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def streaks(last: list[int]) -> list[tuple[str, int]]:
    """Ten on red; after two reds, five on the first dozen."""
    if len(last) >= 2 and last[-1] in RED and last[-2] in RED:
        return [("dozen:1", 500)]
    return [("red", 1000)]


def won(area: str, cents: int, number: int) -> int:
    if area == "red":
        return cents if number in RED else -cents
    return 2 * cents if 1 <= number <= 12 else -cents


def play(sessions: int, rounds: int, bankroll: int, seed: int) -> int:
    """Return how many rounds were played, with the peak and the low of each session."""
    draw, played = random.Random(seed), 0
    for _ in range(sessions):
        cents, last = bankroll, []
        peak = low = cents
        for _ in range(rounds):
            wagers = streaks(last)
            if sum(stake for _, stake in wagers) > cents:
                break
            number = draw.randrange(37)
            cents += sum(won(area, stake, number) for area, stake in wagers)
            peak, low = max(peak, cents), min(low, cents)
            last.append(number)
            played += 1
    return played
