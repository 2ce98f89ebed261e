"""Sessions by chance, as a user would ask for them: every strategy, rule and bound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from croupier.lab.sessions import (
    STRATEGIES,
    SessionError,
    Shortfall,
    StateTable,
    Strategy,
)
from croupier.lab.sessions.progressions import StateRow
from croupier.lab.sessions.request import SessionRequest, read_request
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.plan import Machine, SimulationPlan

WAGERS = (
    ("mbs-roulette-v3", "red@5", 5),
    ("mbs-roulette-v3", "dozen:1@5", 5),
    ("mbs-roulette-v2", "street:1/2/3@5", 5),
    ("mbs-roulette-v3", "1/2/4/5@5", 5),
    ("mbs-roulette-v3", "17@5", 5),
    ("mbs-roulette-v3", "red@5 + dozen:1@5", 10),
    ("mbs-roulette-v3", "red@15 + dozen:3@10", 25),
    ("mbs-roulette-v3", "red@5 + black@5", 10),
    ("mbs-complete-bet-v2", "orphelins@1", 5),
    ("mbs-fast-action-v2", "17@5 + bonus_win@5", 10),
    ("rws-triple-zero", "green@5", 5),
)
"""A game, a wager on it, and what one unit of it stakes."""


@dataclass(frozen=True)
class ByAmount:
    """A strategy whose next state depends on how much was won or lost."""

    base: int
    added: int

    @property
    def start(self) -> tuple[int, int]:
        return self.base, 0

    def stake(self, state: tuple[int, int]) -> int:
        return state[0]

    def after(self, state: tuple[int, int], net: Fraction) -> tuple[int, int]:
        return 1 + (abs(int(net)) + self.added) % 7, (state[1] + int(net)) % 3


def random_table(random: Random) -> StateTable:
    """Any table of up to five states; the first stakes something."""
    names = "abcde"[: random.randint(1, 5)]
    rows = {
        name: StateRow(
            random.randint(1 if name == "a" else 0, random.choice((3, 12, 60))),
            *(random.choice(names) for _ in range(3)),
        )
        for name in names
    }
    return StateTable("drawn", "a", rows)


def random_ladder(random: Random) -> StateTable:
    """A chase: up a step after a loss, down a few after a win, for ever steeper."""
    steps, down = random.randint(5, 30), random.randint(1, 6)
    growth = random.choice((1.1, 1.3, 1.6, 2))
    rows = {
        str(step): StateRow(
            int(1 + step * growth) if growth < 1.2 else int(growth**step),
            str(max(step - down, 0)),
            str(min(step + 1, steps)),
            str(step),
        )
        for step in range(steps + 1)
    }
    return StateTable("ladder", "0", rows)


def random_strategy(random: Random) -> str | Strategy:
    """One of those that have a name, most often, or one of one's own."""
    kind = random.random()
    if kind < 0.15:
        return random_table(random)
    if kind < 0.4:
        return random_ladder(random)
    if kind < 0.5:
        return ByAmount(random.randint(1, 5), random.randint(0, 6))
    return random.choice([*STRATEGIES])


def random_plan(random: Random) -> tuple[SessionRequest, SimulationPlan]:
    """Return the first by a table of states that is not refused, as for its stake."""
    while True:
        words = random_words(random)
        try:
            request = read_request(**words)
            plan = compile_plan(request, sessions=1, seed=random.getrandbits(64))
        except SessionError:
            continue
        if isinstance(plan.machine, Machine):
            return request, plan


def random_words(random: Random) -> dict[str, Any]:
    """What is asked of `simulate`, but for the number of sessions and the seed."""
    game, wager, unit = random.choice(WAGERS)
    units = random.choice((1, 3, 10, 20, 20, 40, 40, 60))
    bankroll = unit * units + random.choice((0, 0, 1, unit - 1))
    factor = random.choice((None, 1.05, 1.5, 2, 2, 2, 3, 3, 3, 10))
    lost = random.choice((None, None, None, None, 1, bankroll // 3, bankroll))
    most = random.choice((None, 1, 4, 10, 10, 40, 40, 200))
    return {
        "game": game,
        "wager": wager,
        "bankroll": bankroll,
        "target": None if factor is None else int(bankroll * factor) + 1,
        "stop_loss": lost or None,
        "rounds": random.choice((1, 5, 12, 30, 60, 60, 60)),
        "strategy": random_strategy(random),
        "over_maximum": random.choice((None,) * 3 + (*Shortfall,)),
        "over_bankroll": random.choice((None,) * 7 + (*Shortfall,)),
        "limits": () if most is None else (f"* 1 {max(15, unit) * most}",),
    }
