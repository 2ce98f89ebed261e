"""`best-play --growth`: that the stakes grow as told, and that none grow faster."""

from __future__ import annotations

from tests.figures.checks.growth import check_growth, check_growth_on_areas


def test_wheels_that_favour_numbers() -> None:
    for seed in range(5):
        check_growth(seed, most=10)


def test_growth_on_one_area_or_two() -> None:
    for seed in range(6):
        check_growth_on_areas(seed)
