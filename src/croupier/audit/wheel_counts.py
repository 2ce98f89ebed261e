"""Counts that a fair wheel would not give: of all compartments, of single numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from croupier.audit.wheel_chance import fair_statistics, monte_carlo, told
from croupier.audit.wheel_record import Plan, Real, WheelRecord, WheelTest, Whole
from croupier.audit.wheel_tails import chi_square_tail, holm, two_sided

LEAST_EXPECTED = 5
"""Below it a count is too small for the chi-square distribution."""
_NAMED = 5


def all_compartments(record: WheelRecord, plan: Plan) -> WheelTest:
    """Chi-square of all counts against those of a fair wheel."""
    seen = float(_chi_square(record.counts[np.newaxis, np.newaxis])[0])
    degrees = record.compartments - 1
    if record.expected >= LEAST_EXPECTED:
        p_value = chi_square_tail(seen, degrees)
        method = "chi-square tail, closed form"
    else:
        drawn = _fair_chi_squares(record.spins, record.compartments, plan)
        p_value, method = monte_carlo(seen, drawn), told(plan)
    return WheelTest(
        "all compartments",
        seen,
        p_value,
        method,
        "",
        f"chi-square of all {record.compartments} counts is {seen:.1f};"
        f" {degrees} is usual",
    )


@lru_cache(maxsize=8)
def _fair_chi_squares(spins: int, compartments: int, plan: Plan) -> Real:
    return fair_statistics(_chi_square, (spins,), compartments, plan)


def _chi_square(counts: Whole) -> Real:
    """Of one block of each wheel."""
    of_wheel = counts[:, 0, :]
    expected = of_wheel.sum(axis=1, keepdims=True) / of_wheel.shape[1]
    squares = np.square(of_wheel - expected) / expected
    return np.asarray(squares.sum(axis=1), dtype=np.float64)


def single_numbers(record: WheelRecord, plan: Plan, tests: int) -> WheelTest:
    """Each number's count, exactly; `tests` are looked at besides this one."""
    chance = 1 / record.compartments
    tails = {
        count: two_sided(count, record.spins, chance)
        for count in {int(count) for count in record.counts}
    }
    corrected = holm([tails[int(count)] for count in record.counts])
    order = np.argsort(corrected, kind="stable")
    furthest = int(max(order, key=lambda place: _apart(record, place)))
    named = [int(place) for place in order if corrected[place] <= plan.level / tests]
    shown = (named or [furthest])[:_NAMED]
    said = ", ".join(_said(record, place) for place in shown)
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return WheelTest(
        "single numbers",
        float(record.counts[furthest]),
        min(corrected),
        "exact binomial",
        f"{record.compartments} numbers, Holm",
        f"{said}{more}; {record.expected:.1f} are expected of each",
        tuple(record.ring[place] for place in named),
    )


def _apart(record: WheelRecord, place: int) -> float:
    return abs(float(record.counts[place]) - record.expected)


def _said(record: WheelRecord, place: int) -> str:
    count = int(record.counts[place])
    times = "time" if count == 1 else "times"
    return f"{record.ring[place]} came up {count:,} {times}"
