"""Plans by hand, small and odd: what every engine must play alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stream import Dice

FLAT = Machine((1,), ((0, 0),), (-1,), Shortfall.STAKE_ALLOWED)
MARTINGALE = Machine(
    tuple(2**state for state in range(7)),
    tuple((state + 1 if state < 6 else 0, 0) for state in range(7)),
    (-1,) * 7,
    Shortfall.STAKE_ALLOWED,
)
FOUR = Machine(
    (1, 2, 4),
    ((1, 0, 0, 0), (2, 1, 1, 0), (0, 2, 0, 0)),
    (-1, -1, -1),
    Shortfall.START_AGAIN,
)
ONE_OF_37 = Machine((1,), ((0,) * 37,), (-1,), Shortfall.STAKE_ALLOWED)
# Red on a single zero: 19 of 37 lose the unit, 18 win it.
RED = SimulationPlan(
    seed=7,
    sessions=400,
    rounds=100,
    dice=Dice(37),
    ends=(19, 37),
    nets=(-1, 1),
    unit=1,
    bankroll=20,
    target=None,
    floor=-1,
    machine=FLAT,
    grain_cents=1000,
)


def red(**other: Any) -> SimulationPlan:
    return replace(RED, **other)


def odd_plans() -> dict[str, SimulationPlan]:
    """One plan for each thing that an engine could get wrong."""
    again = replace(MARTINGALE, over_bankroll=Shortfall.START_AGAIN)
    stop = replace(MARTINGALE, over_bankroll=Shortfall.STOP)
    leaving = Machine(
        (2, 3, 0), ((1, 0), (2, 0), (2, 2)), (-1, -1, -1), Shortfall.STAKE_ALLOWED
    )
    short = Machine(
        (1, 3), ((1, 0), (1, 0), (0, 1), (0, 0)), (-1, 2), Shortfall.STAKE_ALLOWED
    )
    many = tuple(range(1, 38))
    nets = tuple(place % 9 - 5 for place in range(37))
    wide = {"dice": Dice(2**40), "ends": (2**39 + 2**30, 2**40)}
    kinds = {"nets": (-3, -1, 0, 7), "ends": (20, 29, 33, 40), "dice": Dice(40)}
    return {
        "flat": RED,
        "flat, target": red(target=30),
        "flat, floor": red(floor=12, target=25),
        "one round": red(rounds=1),
        "a whole block": red(rounds=16),
        "a block and a round": red(rounds=17, bankroll=3),
        "rich": red(bankroll=10**6),
        "huge": red(bankroll=2**40, unit=2**20, nets=(-(2**20), 2**20)),
        "coarse": red(bankroll=2**28, unit=3, nets=(-3, 6)),
        "beyond 32 bits of sessions": red(seed=2**64 - 1),
        "martingale": red(machine=MARTINGALE, bankroll=50),
        "martingale, again": red(machine=again, bankroll=50, target=80),
        "martingale, stop": red(machine=stop, bankroll=50),
        "martingale, poor": red(machine=MARTINGALE, bankroll=5),
        "unit of three": red(machine=MARTINGALE, unit=3, nets=(-3, 3), bankroll=100),
        "leaving": red(machine=leaving, bankroll=7),
        "cut stakes go elsewhere": red(machine=short, bankroll=4),
        "two sides": red(dice=Dice(2), ends=(1, 2)),
        "many kinds": red(ends=many, nets=nets, unit=5, bankroll=60, machine=ONE_OF_37),
        "four kinds": red(unit=3, bankroll=30, machine=FOUR, **kinds),
        "six figures": red(dice=Dice(1_462_240), ends=(1_425_684, 1_462_240)),
        "64 bits": red(**wide),
        "64 bits, martingale": red(machine=MARTINGALE, bankroll=60, **wide),
    }
