"""The deepest drawdown of a short session, in fractions: all depths at once."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.odds.sessions.chain import Chain

_Place = tuple[int, int, int]
"""A position, how far it is below the peak, and how far it has been at most."""


def find_exact_drawdowns(
    chain: Chain, rounds: int, allowed: int
) -> Mapping[int, Fraction] | None:
    """Return the chance of each depth in points, or None after so many steps."""
    live: dict[_Place, int] = {(chain.start_position, 0, 0): 1}
    ended: dict[int, int] = {}
    steps: dict[int, list[tuple[int, int, int]]] = {}
    spent = 0
    for _ in range(rounds):
        after: dict[_Place, int] = {}
        ended = {depth: chain.denominator * each for depth, each in ended.items()}
        for (position, below, deepest), numerator in live.items():
            if position not in steps:
                steps[position] = _steps(chain, position)
            spent += len(steps[position])
            for weight, target, shift in steps[position]:
                depth = max(0, below - shift)
                most = max(deepest, depth)
                if target < chain.live_size:
                    place = target, depth, most
                    after[place] = after.get(place, 0) + weight * numerator
                else:
                    ended[most] = ended.get(most, 0) + weight * numerator
        live = after
        if spent > allowed:
            return None
    for (_, _, deepest), numerator in live.items():
        ended[deepest] = ended.get(deepest, 0) + numerator
    whole = chain.denominator**rounds
    return {depth: Fraction(each, whole) for depth, each in sorted(ended.items())}


def _steps(chain: Chain, position: int) -> list[tuple[int, int, int]]:
    """Return the weights, where they lead, and by how many points."""
    _, point = chain.place(position)
    return [
        (weight, target, chain.place(target)[1] - point)
        for weight, target in chain.steps(position)
    ]
