"""What may come up, and how likely it is: every case that a wager can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm

from tests.figures.oracle.games import TABLES, Table


@dataclass(frozen=True)
class Case:
    """A winning number, with its status and the draw's."""

    number: str
    status: str = ""
    scatter: bool = False

    @property
    def name(self) -> str:
        """As the command writes it: `17 bonus scatter`."""
        words = (self.number, self.status, "scatter" if self.scatter else "")
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Likely:
    """The weight of each case as a whole number, and their sum."""

    weights: Mapping[Case, int]
    whole: int

    def probability(self, holds: Callable[[Case], bool]) -> Fraction:
        return Fraction(
            sum(weight for case, weight in self.weights.items() if holds(case)),
            self.whole,
        )

    def mean(self, value: Callable[[Case], Fraction]) -> Fraction:
        terms = (weight * value(case) for case, weight in self.weights.items())
        return sum(terms, Fraction(0)) / self.whole


def cases(
    table: Table,
    *,
    chances: Mapping[str, Fraction] | None = None,
    bonus_numbers: int | None = None,
    numbers: tuple[str, ...] = (),
) -> Likely:
    """Return how likely each case is; `chances` are weights beside the usual 1."""
    drawn = table.bonus_numbers if bonus_numbers is None else bonus_numbers
    weights = {n: Fraction(1) for n in numbers or table.numbers} | dict(chances or {})
    return _cases(table.name, tuple(weights.items()), drawn)


@cache
def _cases(name: str, weights: tuple[tuple[str, Fraction], ...], drawn: int) -> Likely:
    table = TABLES[name]
    shares = {
        Case(number, *kind): weight * share
        for number, weight in weights
        for kind, share in _statuses(table, number, drawn)
        if weight * share
    }
    by = lcm(*(share.denominator for share in shares.values()))
    whole = {case: int(share * by) for case, share in shares.items()}
    return Likely(whole, sum(whole.values()))


def drawn_case(table: Table, number: str, lit: Collection[str]) -> Case:
    """Return the case of a winning number and the Bonus Numbers that were drawn."""
    if not table.links:
        return Case(number)
    status = "bonus" if number in lit else ""
    if any(number in link and set(link) <= set(lit) for link in table.links):
        status = "super_bonus"
    return Case(number, status, all(set(link) & set(lit) for link in table.links))


def _statuses(
    table: Table, number: str, drawn: int
) -> Iterator[tuple[tuple[str, bool], Fraction]]:
    """Yield each status that the draw may give the number, and its probability."""
    if not table.links:
        yield ("", False), Fraction(1)
        return
    all_draws = comb(len(table.numbers), drawn)
    for status, scatter in (
        (status, scatter)
        for status in ("", "bonus", "super_bonus")
        for scatter in (False, True)
    ):
        ways = _draws(table, number, status, drawn)
        lit_everywhere = _draws(table, number, status, drawn, everywhere=True)
        count = lit_everywhere if scatter else ways - lit_everywhere
        yield (status, scatter), Fraction(count, all_draws)


def _draws(
    table: Table, number: str, status: str, drawn: int, *, everywhere: bool = False
) -> int:
    """Count the draws that give the number its status, perhaps with every link lit.

    The coefficient of x to the `drawn` in a product over links: one factor counts by
    how many numbers of the link are lit.
    """
    ways = [1]
    for link in table.links:
        if number in link:
            factor = _own_link(len(link), status)
        else:
            factor = [comb(len(link), lit) for lit in range(len(link) + 1)]
        if everywhere:
            factor[0] = 0
        ways = _product(ways, factor)
    return ways[drawn] if drawn < len(ways) else 0


def _own_link(size: int, status: str) -> list[int]:
    if status == "":
        return [comb(size - 1, lit) for lit in range(size)]
    if status == "super_bonus":
        return [0] * size + [1]
    return [0] + [comb(size - 1, lit - 1) for lit in range(1, size)]


def _product(a: list[int], b: list[int]) -> list[int]:
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out
