"""All C(40, 10) draws are accounted for; small wheels are drawn out in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.odds import model_of, round_result
from croupier.odds.model import cases_of, total_weight
from croupier.rules.bonus import Outcome, all_draws, count_draws, is_scatter, status_of
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.layout import Layout
from croupier.rules.wheel import Number

FAST = find_game("mbs-fast-action-v2")
ALL = 847_660_528


def partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Falling ways to share `total` out to so many links, at most `most` to each."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        for rest in partitions(total - first, parts - 1, first):
            yield (first, *rest)


def draws_with(pattern: tuple[int, ...]) -> int:
    """How many draws light so many numbers of the ten links, in any order of them."""
    orders = factorial(10) // prod(factorial(n) for n in Counter(pattern).values())
    return orders * prod(comb(4, lit) for lit in pattern)


def test_link_patterns_account_for_every_draw() -> None:
    patterns = list(partitions(10, 10, 4))

    assert sum(map(draws_with, patterns)) == all_draws(FAST) == ALL
    assert draws_with((1,) * 10) == 4**10


@pytest.mark.parametrize("number", ["0", "MBS", "1", "36"])
def test_the_counts_are_those_of_the_patterns(number: str) -> None:
    # By symmetry a number is lit in lit/4 of a link's draws; each link is as likely
    # as any other to be the winning number's own.
    lit = whole = Fraction(0)
    for pattern in partitions(10, 10, 4):
        share = Fraction(draws_with(pattern), 10)
        lit += sum(share * Fraction(k, 4) for k in pattern)
        whole += share * pattern.count(4)

    counted = Counter[tuple[Status, bool]]()
    for draws in count_draws(FAST, Number(number)):
        counted[draws.status, draws.scatter] += draws.count

    assert sum(counted.values()) == ALL
    assert counted[Status.SUPER_BONUS, False] == whole == comb(36, 6)
    assert counted[Status.BONUS, True] == 4**9
    assert counted[Status.BONUS, True] + counted[Status.NON_BONUS, True] == 4**10
    assert counted[Status.BONUS, False] == lit - whole - 4**9
    assert counted[Status.SUPER_BONUS, True] == 0


# Counted one by one, all 847,660,528 draws, by a loop over 40-bit masks in C.
ONE_BY_ONE = {
    (Status.NON_BONUS, False): 634_958_964,
    (Status.NON_BONUS, True): 786_432,
    (Status.BONUS, False): 209_705_196,
    (Status.BONUS, True): 262_144,
    (Status.SUPER_BONUS, False): 1_947_792,
}


def test_the_counts_are_those_of_every_draw_one_by_one() -> None:
    counted = {
        (draws.status, draws.scatter): draws.count
        for draws in count_draws(FAST, Number("0"))
    }

    assert counted == ONE_BY_ONE


def test_the_weights_of_all_cases_are_all_outcomes() -> None:
    model = model_of(FAST)

    assert total_weight(model) == 40 * ALL
    assert sum(case.weight for case in cases_of(model)) == 40 * ALL
    assert len({case.name for case in cases_of(model)}) == len(cases_of(model))


def small_game(links: tuple[str, ...], free: str, drawn: int) -> Game:
    """Fast Action on a small wheel: these links, these numbers without one."""
    split = tuple(tuple(Number(n) for n in link.split()) for link in links)
    known = [n for link in split for n in link] + [Number(n) for n in free.split()]
    cells = {n: FAST.layout.cells[n] for n in known}
    rows = tuple(
        replace(row, numbers=tuple(known))
        if Rule.NUMBERS in row.rules
        else replace(row, amount=drawn)
        if Rule.BONUS_DRAW in row.rules
        else row
        for row in FAST.clauses
    )
    layout = Layout(cells, FAST.layout.boxes, links=split)
    return replace(FAST, layout=layout, clauses=rows, ring=tuple(known))


SMALL = {
    "two links": small_game(("1 2", "3 4"), "", 2),
    "as Fast Action in small": small_game(("1 2 3", "4 5 6", "7 8 9"), "", 3),
    "links of unlike size": small_game(("1", "2 3", "4 5 6", "7 8 9 10"), "", 4),
    "numbers without a link": small_game(("1 2", "3 4 5"), "6 7 8 9", 4),
    "more than there are links": small_game(("1 2 3", "4 5 6"), "7", 5),
    "everything is lit": small_game(("1 2", "3 4"), "5", 5),
    "one number": small_game(("1 2 3",), "4", 1),
    "no link at all": small_game((), "1 2 3 4 5", 2),
}


def drawn_out(game: Game) -> Iterator[Outcome]:
    """Every outcome there is: each winning number with each draw."""
    size = game.row(Rule.BONUS_DRAW).amount
    for number in game.numbers:
        for drawn in combinations(game.numbers, size):
            yield Outcome(number, frozenset(drawn))


@pytest.mark.parametrize("name", SMALL)
def test_small_wheels_equal_an_enumeration(name: str) -> None:
    game = SMALL[name]

    counted = Counter[tuple[Number, Status, bool]]()
    for number in game.numbers:
        for draws in count_draws(game, number):
            counted[number, draws.status, draws.scatter] += draws.count

    singly = Counter(
        (
            outcome.winning_number,
            status_of(game, outcome),
            is_scatter(game, outcome.bonus_numbers),
        )
        for outcome in drawn_out(game)
    )
    assert counted == singly


STAKES = st.integers(1, 500)


@given(
    st.sampled_from([n for n in SMALL if n != "no link at all"]),
    st.lists(st.tuples(st.integers(0, 12), STAKES), min_size=1, max_size=6),
)
def test_layouts_on_small_wheels_equal_an_enumeration(
    name: str, picked: list[tuple[int, int]]
) -> None:
    game = SMALL[name]
    areas = [game.areas[place % len(game.areas)] for place, _ in picked]
    stakes = [stake for _, stake in picked]

    found = round_result(
        game, [f"{a.name}@{s}" for a, s in zip(areas, stakes, strict=True)]
    )

    singly = Counter(
        sum(
            100 * stake * pays if pays is not None else -100 * stake
            for area, stake in zip(areas, stakes, strict=True)
            for pays in [small_pays(game, area.name, outcome)]
        )
        for outcome in drawn_out(game)
    )
    every = sum(singly.values())
    assert dict(found.outcomes) == {v: Fraction(n, every) for v, n in singly.items()}


def small_pays(game: Game, area: str, outcome: Outcome) -> int | None:
    """What an area pays at an outcome, from the words of Fast Action 1.1 and 4."""
    lit, number = outcome.bonus_numbers, outcome.winning_number
    is_super = any(
        number in link and lit.issuperset(link) for link in game.layout.links
    )
    if area == "bonus_win":
        return 2 if number in lit else None
    if area == "super_bonus_win":
        return 350 if is_super else None
    if area == "scatter_bonus":
        return (
            700 if all(lit.intersection(link) for link in game.layout.links) else None
        )
    if area != f"straight_up:{number}":
        return None
    return 80 if is_super else 40 if number in lit else 35
