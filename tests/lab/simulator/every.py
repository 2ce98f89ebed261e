"""A plan played out in full: every sequence of results, with its probability."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import SimulationPlan
from croupier.lab.simulator.stream import Dice


@dataclass(frozen=True)
class InTurn(Dice):
    """Not by chance: the digits of the session's number are its results."""

    ends: tuple[int, ...] = ()

    def outcome(self, seed: int, session: int, round_: int) -> int:
        kinds = len(self.ends)
        digit: int = session // kinds**round_ % kinds
        return self.ends[digit] - 1


class Every:
    """How a plan's sessions end, in cents, and what they take on average."""

    def __init__(self, plan: SimulationPlan) -> None:
        self.ends: defaultdict[tuple[str, int], Fraction] = defaultdict(Fraction)
        self.rounds = self.staked_units = Fraction(0)
        kinds = len(plan.nets)
        weights = [after - before for before, after in pairwise((0, *plan.ends))]
        plan = replace(plan, dice=InTurn(plan.dice.sides, plan.ends))
        for session in range(kinds**plan.rounds):
            chance = Fraction(1)
            for place in range(plan.rounds):
                weight = weights[session // kinds**place % kinds]
                chance *= Fraction(weight, plan.dice.sides)
            *_, played = course(plan, session)
            cents = played.bankroll * plan.grain_cents
            self.ends[played.end.name.lower(), cents] += chance
            self.rounds += chance * played.rounds
            self.staked_units += chance * played.staked
