"""The best play for a target, by value iteration; and what a given plan attains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.figures.oracle.chance import Likely
from tests.figures.oracle.elimination import visits
from tests.figures.oracle.games import Table
from tests.figures.oracle.sessions import Position
from tests.figures.oracle.settlement import Chips, Limits, Pays, lay, net

Results = Mapping[int, float]
"""What a chip on a place may win or lose, each with its probability."""


@dataclass(frozen=True)
class Goal:
    """A bankroll and a target in chips, at a table with limits."""

    table: Table
    likely: Likely
    bankroll: int
    target: int
    chip_cents: int
    limits: Limits
    pays: Pays | None = None
    """None: as the game pays."""

    def stakes(self, kind: str, bankroll: int) -> range:
        """Return the stakes in chips that the limits and the bankroll allow."""
        least, greatest = self.limits.of(kind)
        lowest = max(1, -(-least // self.chip_cents))
        highest = bankroll
        if greatest is not None:
            highest = min(bankroll, greatest // self.chip_cents)
        return range(lowest, highest + 1)


def results(goal: Goal, place: str) -> Results:
    laid = lay(goal.table, [Chips(place, 1)], Limits())
    out: dict[int, float] = {}
    for case, weight in goal.likely.weights.items():
        won = net(goal.table, laid, case, goal.pays)
        out[won] = out.get(won, 0.0) + weight / goal.likely.whole
    return out


def best_over_one_area(goal: Goal, places: Iterable[str]) -> list[float]:
    """Return the greatest probability of the target from each bankroll below it."""
    kinds = {
        (goal.table.places[place].type, tuple(sorted(results(goal, place).items())))
        for place in places
    }
    found = [0.0] * goal.target
    while True:
        better = list(found)
        for bankroll in range(goal.target):
            for kind, odds in kinds:
                for stake in goal.stakes(kind, bankroll):
                    value = sum(
                        chance * _at(better, bankroll + stake * won)
                        for won, chance in odds
                    )
                    better[bankroll] = max(better[bankroll], value)
        if max(b - a for a, b in zip(found, better, strict=True)) < 1e-15:
            return better
        found = better


def _at(values: Sequence[float], bankroll: int) -> float:
    return 1.0 if bankroll >= len(values) else values[bankroll]


def best_over_the_layout(goal: Goal) -> list[float]:
    """Return the same for any few places of a layout that never win together.

    On a wheel where each number pays the same, a place is as good as any of as many
    numbers: so what counts is how many numbers are covered, and with how much each.
    """
    numbers = len(goal.table.numbers)
    sizes = {
        (len(place.numbers), goal.table.pays(place.type))
        for place in goal.table.places.values()
    }
    ways = {
        chips: list(_covers(goal, sorted(sizes), chips, numbers))
        for chips in range(goal.target)
    }
    found = [0.0] * goal.target
    while True:
        better = list(found)
        for bankroll, listed in ways.items():
            for cover in listed:
                left = bankroll - sum(stake for _, _, stake in cover)
                value = (numbers - sum(size for size, _, _ in cover)) * _at(
                    better, left
                )
                for size, pays, stake in cover:
                    value += size * _at(better, left + (pays + 1) * stake)
                better[bankroll] = max(better[bankroll], value / numbers)
        if max(b - a for a, b in zip(found, better, strict=True)) < 1e-15:
            return better
        found = better


def _covers(
    goal: Goal, sizes: Sequence[tuple[int, int]], chips: int, numbers: int
) -> Iterator[list[tuple[int, int, int]]]:
    """Yield every choice of places by how many numbers, each with its stake."""
    yield []
    for at, (size, pays) in enumerate(sizes):
        if size <= numbers:
            for stake in goal.stakes("*", chips):
                for rest in _covers(goal, sizes[at:], chips - stake, numbers - size):
                    yield [(size, pays, stake), *rest]


@dataclass(frozen=True)
class Attained:
    """What a plan attains, and what it takes."""

    reached: Fraction
    rounds: Fraction
    staked_cents: Fraction


def attained(goal: Goal, plan: Mapping[int, Sequence[Chips]]) -> Attained:
    """Return the probability of the target by a plan in cents."""
    first = Position((), goal.bankroll * goal.chip_cents)
    rows: dict[Position, tuple[int, dict[Position, int]]] = {}
    ends: set[Position] = set()
    ahead = [first]
    while ahead:
        position = ahead.pop()
        if position in rows or position in ends:
            continue
        if position.cents >= goal.target * goal.chip_cents or not plan[position.cents]:
            ends.add(position)
            continue
        laid = lay(goal.table, plan[position.cents], goal.limits, placed=True)
        leads: dict[Position, int] = {}
        for case, weight in goal.likely.weights.items():
            there = Position(
                (), position.cents + net(goal.table, laid, case, goal.pays)
            )
            assert there.cents >= 0, "the plan stakes more than there is"
            leads[there] = leads.get(there, 0) + weight
        rows[position] = (sum(p.stake for wager in laid for p in wager), leads)
        ahead.extend(leads)
    found = visits(goal.likely.whole, first, rows, ends)
    reached = (p for p in ends if p.cents >= goal.target * goal.chip_cents)
    return Attained(
        sum((found[position] for position in reached), Fraction(0)),
        sum((found[position] for position in rows), Fraction(0)),
        sum((found[p] * stake for p, (stake, _) in rows.items()), Fraction(0)),
    )
