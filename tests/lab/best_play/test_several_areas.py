"""Several areas at once: held against every way of staking, tried one by one.

The second search knows the areas by their numbers, written down here, and what they pay
by how many those are. It shares no code with the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random

import pytest

from croupier.lab.best_play import best_play
from croupier.lab.sessions import SessionError

V3 = "mbs-roulette-v3"
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
NUMBERS = {
    "red": RED,
    "black": set(range(1, 37)) - RED,
    "low": set(range(1, 19)),
    "high": set(range(19, 37)),
    "even": set(range(2, 37, 2)),
    "odd": set(range(1, 37, 2)),
    **{f"dozen:{n}": set(range(12 * n - 11, 12 * n + 1)) for n in (1, 2, 3)},
    **{f"column:{n}": set(range(n, 37, 3)) for n in (1, 2, 3)},
    "straight_up:0": {0},
    "straight_up:17": {17},
    "split:17/20": {17, 20},
    "six_line:1/2/3/4/5/6": {1, 2, 3, 4, 5, 6},
    "corner:32/33/35/36": {32, 33, 35, 36},
}


def layouts(
    areas: list[str], chips: int, least: int, most: int
) -> Iterator[dict[str, int]]:
    """Yield every way to put chips on areas that have no number in common."""
    if not areas:
        yield {}
        return
    first, *rest = areas
    yield from layouts(rest, chips, least, most)
    apart = [name for name in rest if not NUMBERS[name] & NUMBERS[first]]
    for stake in range(least, min(chips, most) + 1):
        for others in layouts(apart, chips - stake, least, most):
            yield {first: stake, **others}


def after_round(bankroll: int, layout: Mapping[str, int]) -> dict[int, int]:
    """Return the bankrolls after a round, each with how many of the 37 numbers."""
    kept = bankroll - sum(layout.values())
    found: dict[int, int] = {}
    for number in range(37):
        won = [
            stake * 36 // len(NUMBERS[name])
            for name, stake in layout.items()
            if number in NUMBERS[name]
        ]
        found[kept + sum(won)] = found.get(kept + sum(won), 0) + 1
    return found


def every_way(areas: list[str], target: int, least: int, most: int) -> list[float]:
    """Return the greatest probabilities, by value iteration over every layout."""
    ways: list[set[tuple[tuple[int, int], ...]]] = []
    for bankroll in range(target):
        steps = set()
        for layout in layouts(areas, bankroll, least, most):
            steps.add(tuple(sorted(after_round(bankroll, layout).items())))
        ways.append(steps)
    values = [0.0] * target + [1.0]
    for _ in range(400):
        before = list(values)
        for bankroll in range(target):
            values[bankroll] = max(
                values[bankroll],
                *(
                    sum(values[min(b, target)] * n for b, n in way) / 37
                    for way in ways[bankroll]
                ),
            )
        if max(a - b for a, b in zip(values, before, strict=True)) < 1e-15:
            break
    return values


CASES = [
    (["red", "black", "dozen:2", "straight_up:17", "straight_up:0"], 12, 1, 99),
    (["red", "black", "dozen:2", "straight_up:17", "straight_up:0"], 16, 1, 2),
    (["split:17/20", "six_line:1/2/3/4/5/6", "corner:32/33/35/36", "low"], 14, 1, 3),
    (["straight_up:0", "straight_up:17", "split:17/20", "high"], 20, 2, 3),
    (list(NUMBERS), 9, 1, 99),
    (list(NUMBERS), 10, 1, 1),
    (list(NUMBERS), 12, 2, 3),
]


@pytest.mark.parametrize(("areas", "target", "least", "most"), CASES)
def test_nothing_that_is_tried_does_better(
    areas: list[str], target: int, least: int, most: int
) -> None:
    best = best_play(
        V3,
        bankroll=target // 2,
        target=target,
        areas=areas,
        over="several-areas",
        limits=[f"* {least} {most}"],
    )

    true = every_way(areas, target, least, most)

    found = [value for _, _, value in best.plan()]
    assert found == pytest.approx(true[:-1], abs=1e-11)
    assert best.probability.error < Fraction(1, 10**10)


def test_random_areas_and_limits() -> None:
    random = Random(13)
    for _ in range(12):
        areas = random.sample(list(NUMBERS), random.randint(2, 6))
        target, least = random.randint(4, 11), random.randint(1, 2)
        most = random.randint(least, 6)
        best = best_play(
            V3,
            bankroll=target - 1,
            target=target,
            areas=areas,
            over="several-areas",
            limits=[f"* {least} {most}"],
        )

        true = every_way(areas, target, least, most)

        found = [value for _, _, value in best.plan()]
        assert found == pytest.approx(true[:-1], abs=1e-11), (areas, target, least)


@pytest.mark.parametrize("limits", [(), ("* 1 3",), ("* 2 9", "straight_up 1 2")])
@pytest.mark.parametrize(
    "game", [V3, "mbs-complete-bet-v2", "mbs-fast-action-v2", "rws-triple-zero"]
)
def test_several_areas_are_no_worse_than_one_or_numbers(
    game: str, limits: tuple[str, ...]
) -> None:
    one, numbers, several = (
        best_play(game, bankroll=31, target=60, over=over, limits=limits)
        for over in ("one-area", "straight-ups", "several-areas")
    )

    assert several.attained is not None
    assert one.attained is not None
    assert numbers.attained is not None
    slack = several.probability.error
    assert several.attained >= max(one.attained, numbers.attained) - slack
    assert slack < Fraction(1, 10**9)
    assert several.probability.greatest <= Fraction(31, 60)


def test_two_areas_of_a_plan_never_win_together() -> None:
    from croupier.odds.model import cases_of, model_of

    cases = cases_of(model_of(V3))
    for limits in ((), ("* 1 2",), ("* 5 20",)):
        best = best_play(
            V3, bankroll=50, target=100, over="several-areas", limits=limits
        )
        for cents, chips, _ in best.plan():
            names = {each.wager for each in chips}
            assert len(names) == len(chips)
            assert sum(each.stake_cents or 0 for each in chips) <= cents
            for case in cases:
                assert len(names & set(case.winning)) <= 1


def test_a_bound_that_is_not_met_says_no_more_than_a_fair_game() -> None:
    """From half the target nothing with an edge has more than one half."""
    best = best_play(V3, bankroll=10, target=20, over="several-areas")

    assert best.probability.greatest <= Fraction(1, 2)


def test_too_many_chips_for_several_areas() -> None:
    with pytest.raises(SessionError, match="500 or fewer"):
        best_play(V3, bankroll=10, target=501, over="several-areas")


def test_what_was_searched_is_said() -> None:
    told = str(best_play(V3, bankroll=100, target=200, chip=10, over="several-areas"))

    assert "street:0/1/2@" in told or "split:0/1@" in told
    assert (
        "Searched: any of 157 betting areas at once of which no two can win together,"
        " each with any stake in whole chips that the limits allow." in told
    )
