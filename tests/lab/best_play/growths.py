"""Choices of areas at random, and how fast the best of them grows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import log
from random import Random

from croupier.lab.best_play.growth_search import StakeChoice


def grown(
    choices: Sequence[StakeChoice], bankroll: float, stakes: Sequence[int]
) -> float:
    """The mean logarithm, way by way."""
    kept = bankroll - sum(stakes)
    if kept <= 0:
        return float("-inf")
    nothing = 1 - sum(sum(choice.chances) for choice in choices)
    found = float(nothing) * log(kept / bankroll)
    for choice, chips in zip(choices, stakes, strict=True):
        for gives, chance in zip(choice.returns, choice.chances, strict=True):
            found += float(chance) * log((kept + gives * chips) / bankroll)
    return found


def best_grown(choices: Sequence[StakeChoice], bankroll: Fraction) -> float:
    """The greatest growth of all stakes within the limits."""
    allowed = [
        [0, *range(choice.least, min(choice.most, int(bankroll)) + 1)]
        for choice in choices
    ]
    return max(
        grown(choices, float(bankroll), stakes)
        for stakes in product(*allowed)
        if sum(stakes) < bankroll
    )


def random_choices(random: Random) -> list[StakeChoice]:
    """One to three areas, some with two ways of winning; all alike if minima bind."""
    choices: list[StakeChoice] = []
    left = Fraction(1)
    for place in range(random.randint(1, 3)):
        if choices and random.random() < 0.3:
            last = choices[-1]
            choice = StakeChoice(
                str(place), last.returns, last.chances, last.least, last.most
            )
        else:
            gives = random.choice([2, 3, 6, 9, 12, 18, 36])
            chance = Fraction(random.randint(85, 140), 100 * gives)
            two = random.random() < 0.3
            choice = StakeChoice(
                str(place),
                (gives, gives + 5) if two else (gives,),
                (chance * 3 / 4, chance / 4) if two else (chance,),
                1,
                random.choice([1, 3, 91]),
            )
        if left >= sum(choice.chances):
            left -= sum(choice.chances)
            choices.append(choice)
    return choices


def alike_choices(random: Random) -> list[StakeChoice]:
    """Up to four areas that differ in their chances alone, with a minimum."""
    gives, least = random.choice([3, 6, 9]), random.randint(2, 5)
    two = random.random() < 0.3
    returns = (gives, gives + 5) if two else (gives,)
    choices = []
    for place in range(random.randint(1, 4 if gives > 4 else 2)):
        chance = Fraction(random.randint(85, 140), 100 * gives)
        chances = (chance * 3 / 4, chance / 4) if two else (chance,)
        most = least + 3
        choices.append(StakeChoice(str(place), returns, chances, least, most))
    return choices
