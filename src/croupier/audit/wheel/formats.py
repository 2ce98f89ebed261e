"""A checked wheel as sentences, as a table, as JSON, and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.audit.wheel.check import SLIGHT, SURELY, Power, Verdict, WheelCheck
from croupier.audit.wheel.drift import block_counts, bridges, fair_bridges, moments
from croupier.audit.wheel.record import WheelError
from croupier.audit.wheel.single_tests import deviations, fair_furthest
from croupier.batch.compiled import Floats
from croupier.odds.probability import least_above
from croupier.rules.wheel import Colour, colour_of
from croupier.tabular import TextTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def head(check: WheelCheck) -> str:
    record = check.record
    source = f" of {record.source}" if record.source else ""
    return (
        f"{record.game.document}: {_counted(record.spins)}{source},"
        f" {record.compartments} compartments"
    )


def _counted(spins: int) -> str:
    return f"{spins:,} outcome{'' if spins == 1 else 's'}"


def verdict_lines(check: WheelCheck) -> list[str]:
    """Return the verdict, what it is about, and what so many outcomes can show."""
    level = f"{check.plan.level * 100:g} %"
    first = f"{check.verdict.value.capitalize()} at a level of {level}"
    lines = [f"{first}{':' if check.evidence else '.'}"]
    lines += [f"- {test.name}: {test.seen}." for test in check.evidence]
    if check.verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    return [*lines, *map(power_sentence, check.powers)]


def power_sentence(power: Power) -> str:
    """Say what bias of this kind would have been found."""
    slight = (
        f"So many outcomes show {power.what} {SLIGHT * 100:.0f} % too likely with a"
        f" probability of {power.found(SLIGHT) * 100:.0f} %"
    )
    smallest = power.smallest
    if smallest is None:
        return f"{slight}, and none however likely with {SURELY * 100:.0f} %."
    return f"{slight}, {smallest * 100:.0f} % too likely with {SURELY * 100:.0f} %."


def check_table(check: WheelCheck) -> TextTable:
    """Return a row for each test, below what was tested."""
    return TextTable.of(
        head(check),
        check.judged,
        {
            "test": lambda each: each.test.name,
            ">p-value": lambda each: shown_p(each.test.p_value),
            ">corrected": lambda each: shown_p(each.corrected),
            "what was seen": lambda each: each.test.seen,
        },
        tuple(f"- {note}" for note in notes(check)),
    )


def shown_p(p_value: float) -> str:
    return f"{p_value:.4f}" if p_value >= 0.0001 else f"{p_value:.1e}"


def notes(check: WheelCheck) -> list[str]:
    """Say how each p-value was found, and what was left out."""
    said = [
        f"{each.test.name}: {each.test.method}"
        + (f"; pays for {each.test.corrected_for}" if each.test.corrected_for else "")
        for each in check.judged
    ]
    said.append(
        f"corrected: for all {len(check.judged)} tests together, after Holm; it is held"
        f" against the level of {check.plan.level * 100:g} %"
    )
    if not check.record.knows_ring:
        said.append(
            "sectors and distances are left out: the order of this game's compartments"
            " is not known (W2)"
        )
    return said


def check_json(check: WheelCheck) -> dict[str, Any]:
    record, plan = check.record, check.plan
    return {
        "game": record.game.name,
        "source": record.source,
        "outcomes": record.spins,
        "level": plan.level,
        "trials": plan.trials,
        "seed": plan.seed,
        "verdict": check.verdict,
        "says": verdict_lines(check),
        "tests": [_test_json(check, place) for place in range(len(check.judged))],
        "left_out": [] if record.knows_ring else ["sectors", "distances"],
        "power": [
            {
                "what": power.what,
                "excess_found": power.smallest,
                "with_probability": SURELY,
                "excess": SLIGHT,
                "probability": power.found(SLIGHT),
            }
            for power in check.powers
        ],
        "ring": list(record.ring) if record.knows_ring else None,
        "counts": dict(
            zip(record.ring, (int(count) for count in record.counts), strict=True)
        ),
    }


def _test_json(check: WheelCheck, place: int) -> dict[str, Any]:
    judged = check.judged[place]
    test = judged.test
    return {
        "test": test.name,
        "statistic": test.statistic,
        "p_value": test.p_value,
        "corrected": judged.corrected,
        "evidence": judged.is_evidence,
        "method": test.method,
        "pays_for": test.corrected_for,
        "seen": test.seen,
        "numbers": list(test.named),
    }


_FILLS = {Colour.RED: "#b3261e", Colour.BLACK: "#2b2b2b", Colour.GREEN: "#1b7f4d"}
_BAND: dict[str, Any] = {"color": "#2f5fa7", "alpha": 0.18, "linewidth": 0}
_LINE: dict[str, Any] = {"color": "#2f5fa7", "linewidth": 1}
_OUTSIDE = 0.99
"""Of fair wheels, so many stay wholly within a band."""
_LINES = 5


def plot_wheel(check: WheelCheck) -> Figure:
    """Pictures one above the other; raises `WheelError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise WheelError(
            "drawing needs matplotlib: pip install 'croupier[odds]'"
        ) from error
    if not check.judged:
        raise WheelError(f"{check.record.spins} outcomes are too few to draw")
    pictures = [_draw_counts, _draw_drift]
    if check.record.knows_ring:
        pictures.insert(1, _draw_sectors)
    figure = Figure(figsize=(10, 3.4 * len(pictures)), layout="constrained")
    axes = figure.subplots(len(pictures), 1)
    for draw, axis in zip(pictures, axes, strict=True):
        draw(axis, check)
    figure.suptitle(f"{head(check)}\n{check.verdict.value}", fontsize=10)
    return figure


def _draw_counts(axes: Axes, check: WheelCheck) -> None:
    """Draw a bar for each number, and the band of a fair wheel for all at once."""
    record = check.record
    fills = [_FILLS[colour_of(number)] for number in record.ring]
    places = np.arange(record.compartments)
    # Each side of each number has its part of what is left outside the band.
    tail = (1 - _OUTSIDE) / record.compartments / 2
    chance = 1 / record.compartments
    high = least_above(record.spins, chance, tail) - 1
    low = record.spins - least_above(record.spins, 1 - chance, tail) + 1
    said = f"{_OUTSIDE * 100:.0f} % of fair wheels, or more, lie wholly in here"
    axes.axhspan(low, high, label=said, **_BAND)
    axes.axhline(record.expected, **_LINE)
    axes.bar(places, record.counts, color=fills, width=0.75)
    axes.set_xticks(places, record.ring, fontsize=8)
    axes.set_xlim(-0.6, record.compartments - 0.4)
    axes.set_ylabel("came up")
    order = "round the wheel" if record.knows_ring else "in an illustrative order (W2)"
    axes.set_title(f"Counts, {order}", fontsize=9)
    # Below the bars there is room for a legend, above them there may be none.
    axes.set_ylim(0, max(int(record.counts.max()), high) * 1.2)
    axes.legend(loc="upper right", fontsize=8)


def _edge(drawn: Floats) -> float:
    return float(np.quantile(drawn, _OUTSIDE))


def _draw_sectors(axes: Axes, check: WheelCheck) -> None:
    """For each number, the furthest of the arcs that it is the middle of."""
    record = check.record
    table = deviations(record.counts[np.newaxis])[0]
    middle = np.zeros(record.compartments)
    for row, of_length in enumerate(table):
        around = np.roll(of_length, (row + 2) // 2)
        middle = np.where(np.abs(around) > np.abs(middle), around, middle)
    edge = _edge(fair_furthest(record.spins, record.compartments, check.plan))
    places = np.arange(record.compartments)
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    axes.bar(places, middle, color="#7a5c00", width=0.75)
    axes.set_xticks(places, record.ring, fontsize=8)
    axes.set_xlim(-0.6, record.compartments - 0.4)
    axes.set_ylabel("standard deviations")
    axes.set_title("Sectors: the furthest arc about each number", fontsize=9)


def _draw_drift(axes: Axes, check: WheelCheck) -> None:
    """How far the numbers that moved most are ahead of their even share."""
    record = check.record
    sizes = moments(record)
    paths = bridges(block_counts(record, sizes)[np.newaxis])[0]
    edge = _edge(fair_bridges(sizes, record.compartments, check.plan))
    spins = np.concatenate([[0], np.cumsum(sizes)])
    shown = np.argsort(-np.abs(paths).max(axis=0), kind="stable")[:_LINES]
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    for column in shown:
        path: Any = np.concatenate([[0.0], paths[:, column], [0.0]])
        axes.plot(spins, path, label=record.ring[int(column)], linewidth=1.2)
    axes.set_xlim(0, record.spins)
    axes.set_xlabel("outcomes")
    axes.set_ylabel("ahead of its share")
    axes.set_title("Drift: the numbers that moved most", fontsize=9)
    axes.legend(loc="upper left", fontsize=8, ncols=_LINES)
