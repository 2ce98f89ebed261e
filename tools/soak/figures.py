"""`make soak`: many more plans, layouts and files than the tests take, and larger ones.

Run from the repository's root: `python -m tools.soak.figures --seeds 200`. Each command
gets the same number of cases, and prints how many were computed a second time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from tests.figures.checks.best_play import (
    check_changed_game,
    check_one_area,
    check_some_areas,
    check_the_layout,
)
from tests.figures.checks.exposure import check_exposure
from tests.figures.checks.extremes import (
    check_extremes,
    check_extremes_until_it_ends,
)
from tests.figures.checks.growth import check_growth, check_growth_on_areas
from tests.figures.checks.intervals import check_coverage, check_intervals
from tests.figures.checks.journal_report import check_days, check_some_journal
from tests.figures.checks.large_plans import (
    LARGE,
    check_large_plan,
    check_martingale,
    check_named,
)
from tests.figures.checks.odds import check_correlation, some_layout
from tests.figures.checks.report import check_differences, check_report
from tests.figures.checks.session import check_rounds, check_until_it_ends
from tests.figures.checks.settle import check_settlement
from tests.figures.checks.settle_file import check_file
from tests.figures.checks.sheet import check_kinds
from tests.figures.checks.simulate import (
    check_beside_session,
    check_engines,
    check_simulation,
)
from tests.figures.checks.what_if import check_change
from tests.figures.checks.what_if import check_session as check_changed_session
from tests.figures.checks.wheel_check import check_wheel
from tests.figures.checks.wheel_groups import check_file as check_outcomes
from tests.figures.checks.wheel_groups import check_journal
from tests.figures.command import figures
from tests.figures.oracle.games import TABLES

FIRST = 1_000_000
"""Seeds from here on, where no test has been."""

PLAIN = ("mbs-roulette-v3", "rws-triple-zero")
"""Games in which nothing changes the pay of a number."""

MARTINGALES = ((10_000, 20_000), (30_000, 60_000))
"""The bankroll and the target, in units on red."""

Check = Callable[[int], object]


def checks(folder: Path) -> Mapping[str, tuple[Check, int]]:
    """Return each check, with the number of cheap seeds that one of its seeds costs."""
    names = list(TABLES)
    return {
        "odds of layouts": (some_layout, 1),
        "correlations": (check_correlation, 1),
        "settlements": (check_settlement, 1),
        "exposures": (check_exposure, 1),
        "what-ifs": (lambda seed: check_change(seed, folder), 2),
        "sessions at changed games": (
            lambda seed: check_changed_session(seed, folder),
            1,
        ),
        "sessions of some rounds": (
            lambda seed: check_rounds(seed, most_rounds=16, most_results=6),
            1,
        ),
        "sessions in float64": (
            lambda seed: check_rounds(seed, arithmetic="float64", most_rounds=16),
            1,
        ),
        "peaks and drawdowns": (
            lambda seed: check_extremes(seed, most_rounds=8, most_results=3),
            2,
        ),
        "peaks and drawdowns until the end": (
            lambda seed: check_extremes_until_it_ends(seed, most=200),
            4,
        ),
        "sessions until they end": (
            lambda seed: check_until_it_ends(seed, units=(1, 12), most_results=6),
            1,
        ),
        "large sessions of some rounds": (
            lambda seed: check_large_plan(seed, until_it_ends=False, most=100_000),
            8,
        ),
        "large sessions until they end": (
            lambda seed: check_large_plan(seed, until_it_ends=True, most=100_000),
            8,
        ),
        "best play, one area": (lambda seed: check_one_area(seed, 40), 8),
        "best play, two areas": (lambda seed: check_some_areas(seed, 60), 8),
        "best play at changed games": (
            lambda seed: check_changed_game(seed, folder, 16),
            4,
        ),
        "best play, the layout": (
            lambda seed: check_the_layout(PLAIN[seed % 2], 1 + seed % 4, 6),
            40,
        ),
        "simulations": (
            lambda seed: check_simulation(seed, engine="cpu", sessions=50_000),
            4,
        ),
        "simulations beside sessions": (
            lambda seed: check_beside_session(
                seed, engine="cpu", sessions=5000, most_rounds=300
            ),
            2,
        ),
        "intervals of means": (check_intervals, 1),
        "how often intervals hold": (
            lambda seed: check_coverage(1000 * seed, 200, 10 + seed % 5 * 40),
            40,
        ),
        "engines": (check_engines, 4),
        "settled files": (lambda seed: check_file(seed, folder, rounds=60), 4),
        "reports": (lambda seed: check_report(seed, folder, rounds=30), 8),
        "reports on journals": (
            lambda seed: check_some_journal(seed, folder, rounds=30),
            8,
        ),
        "days of journals": (lambda seed: check_days(seed, folder), 8),
        "rows that differ": (lambda seed: check_differences(seed, folder), 2),
        "growth": (lambda seed: check_growth(seed, 26), 8),
        "growth on areas": (check_growth_on_areas, 1),
        "wheels": (
            lambda seed: check_wheel(
                seed, TABLES[names[seed % 5]], 400 + seed % 97 * 40, folder
            ),
            8,
        ),
        "wheels by Dealer": (lambda seed: check_outcomes(seed, folder), 20),
        "wheels of journals": (lambda seed: check_journal(seed, folder), 20),
    }


@click.command()
@click.option("--seeds", default=200, help="Cases of each cheap check.")
def soak(seeds: int) -> None:
    """Compute figures a second time, many at random, and print how many there were."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for what, (check, dear) in checks(Path(name)).items():
            failed += _run(what, check, max(1, seeds // dear))
    for asked in LARGE:
        check_named(asked, most=1_000_000)
        click.echo(f"{asked}: the same")
    for units, target in MARTINGALES:
        check_martingale(units, target)
        click.echo(f"martingale, {units:,} to {target:,}, until it ends: the same")
    for table in TABLES.values():
        sheet = figures("odds", table.name)
        check_kinds(table, sheet, most_rounds=10_000_000)
        click.echo(f"{table.name}: every kind of the sheet, with all its bands")
    if failed:
        raise click.ClickException(f"{failed} figures differ")


def _run(what: str, check: Check, many: int) -> int:
    """Run one check over its seeds; print each seed that fails, and the counts."""
    began, failed = time.monotonic(), 0
    for seed in range(FIRST, FIRST + many):
        try:
            check(seed)
        except AssertionError as error:
            failed += 1
            click.echo(f"{what}, seed {seed}: {str(error)[:400]}")
    click.echo(
        f"{what}: {many:,} cases, {failed} differ, {time.monotonic() - began:.0f} s"
    )
    return failed


if __name__ == "__main__":
    soak()
