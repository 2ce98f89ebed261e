"""Strategies that choose their wagers: what every engine must play alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.lab.simulator import Seat, area_codes

V3 = "mbs-roulette-v3"
FAST, TRIPLE = "mbs-fast-action-v2", "rws-triple-zero"
GAMES = ("mbs-roulette-v2", V3, "mbs-complete-bet-v2", FAST, TRIPLE)
AREAS = area_codes(V3)
RED, FIRST, ZERO = AREAS["red"], AREAS["dozen:1"], AREAS["straight_up:0"]
BONUS, SCATTER = (area_codes(FAST)[each] for each in ("bonus_win", "scatter_bonus"))


def streaks(seat: Seat) -> None:
    """After two reds five on a dozen and one on 0; else red, more after a loss."""
    if seat.came(RED, 1) and seat.came(RED, 2):
        seat.lay(FIRST, 500)
        seat.lay(ZERO, 100)
    elif seat.net_cents < 0:
        seat.memory[0] += 1
        seat.lay(RED, 100 + 100 * (seat.memory[0] % 3))
    elif seat.outcome(5) != 17:
        seat.lay(RED, 100)
    if seat.memory[0] == 40 and seat.bankroll_cents > 9_000:
        seat.leave()


def wandering(areas: int) -> Callable[[Seat], None]:
    """Return a strategy that lays on areas by a congruence of its own."""

    def choose(seat: Seat) -> None:
        drawn = 7_919 * (seat.round + 1) + max(seat.outcome(1), 0)
        for wager in range(drawn % 5):
            drawn = (1_103_515_245 * drawn + 12_345 + wager) % 2**31
            seat.lay(drawn // 7 % areas, 100 * (1 + drawn % 9))

    return choose


def chasing(seat: Seat) -> None:
    """Double after a loss within the limits, else begin again."""
    stake = 2 * seat.memory[0] if seat.net_cents < 0 else seat.minimum(RED)
    if not seat.lay(RED, stake):
        stake = seat.minimum(RED)
        seat.lay(RED, stake)
        seat.memory[1] += 1
    seat.memory[0] = stake
    if seat.lay(ZERO, 300) and seat.lay(ZERO, 300):
        seat.leave()


def after_a_bonus(seat: Seat) -> None:
    """After a Bonus Number a wager on the next and on 17, else on a Scatter Bonus."""
    if seat.came(BONUS, 1):
        seat.lay(BONUS, 300)
        seat.lay(17, 100)
    elif seat.outcome(1) != 5:
        seat.lay(SCATTER, 100)


def growing(seat: Seat) -> None:
    seat.lay(RED, max(seat.bankroll_cents // 2, 1))


LIMITED: dict[str, Any] = {"limits": ["* 1 8", "straight_up 1 5"], "rounds": 200}
USUAL: dict[str, Any] = {"bankroll": 100, "rounds": 80, "seed": 7}
SEATS: list[tuple[str, Callable[[Seat], None], dict[str, Any]]] = [
    (V3, streaks, {}),
    (V3, streaks, {"target": 110}),
    (V3, streaks, {"stop_loss": 30, "rounds": 200}),
    (V3, chasing, LIMITED),
    (FAST, after_a_bonus, {}),
]
"""Games, strategies, and words of a plan."""
