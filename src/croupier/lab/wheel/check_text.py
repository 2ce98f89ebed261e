"""A checked wheel, or several compared, as sentences, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.lab.wheel.check import JudgedTest, Verdict, WheelCheck
from croupier.lab.wheel.groups import GroupCheck, GroupedCheck
from croupier.lab.wheel.intervals import (
    NumbersInterval,
    Suspicion,
    straight_up_return,
    worthwhile_excess,
)
from croupier.lab.wheel.power import SLIGHT, SURELY, Power, times_in
from croupier.lab.wheel.record import CheckPlan, WheelRecord
from croupier.lab.wheel.single_tests import arc_lengths
from croupier.numeric.figure import BoundedValue
from croupier.tabular import TextTable

_LEAST_P = 1e-300
"""Below it float64 has no more digits: a p-value is said to be at most this."""
_MOST_SUSPICIONS = 6
"""More are counted, not told."""


def head(record: WheelRecord) -> str:
    """Say what was tested."""
    source = f" of {record.source}" if record.source else ""
    return (
        f"{record.game.document}: {_counted(record.spins)}{source},"
        f" {record.compartments} compartments"
    )


def _counted(spins: int) -> str:
    return f"{spins:,} outcome{'' if spins == 1 else 's'}"


def verdict_lines(check: WheelCheck) -> list[str]:
    """Return the verdict, what it is about, and what so many outcomes can show."""
    first = f"{check.verdict.value.capitalize()} at a level of {_level_text(check)}"
    lines = [f"{first}{':' if check.evidence else '.'}"]
    lines += [f"- {test.name}: {test.seen}." for test in check.evidence]
    if check.verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    lines += _suspicion_lines(check)
    lines += [_power_sentence(check.record, power) for power in check.powers]
    return [*lines, *_worth_lines(check)]


def _level_text(check: WheelCheck) -> str:
    return f"{check.plan.level * 100:g} %"


def _suspicion_lines(check: WheelCheck) -> list[str]:
    """Say what the Player would have of each number and sector that is suspected."""
    if not check.suspicions:
        return []
    return [_suspicion_head(check), *(f"- {line}" for line in suspected(check))]


def _suspicion_head(check: WheelCheck) -> str:
    """Say what the edge is of, and how surely the intervals hold."""
    groups = " of all groups" if check.groups > 1 else ""
    return (
        f"The Player's edge, straight up on each of the numbers ({_brought(check)});"
        f" intervals that hold for all numbers, or for all sectors,{groups} at once"
        f" with {100 - check.plan.level * 100:g} %:"
    )


def suspected(check: WheelCheck) -> list[str]:
    """Return a sentence for each suspicion, the greatest edge first."""
    shown = sorted(check.suspicions, key=lambda each: -each.interval.edge.value)
    lines = [_suspicion_line(each) for each in shown[:_MOST_SUSPICIONS]]
    more = len(shown) - _MOST_SUSPICIONS
    return [*lines, f"{more} more, of a smaller edge."] if more > 0 else lines


def _brought(check: WheelCheck) -> str:
    back = straight_up_return(check.record.game)
    whole = f"{back}" if back.denominator == 1 else f"{float(back):.2f} on average"
    return f"{whole} for 1 where one wins"


def _suspicion_line(suspicion: Suspicion) -> str:
    interval, edge = suspicion.interval, suspicion.interval.edge
    first = suspicion.since_outcome
    since = "" if first is None else f" since outcome {first:,}"
    if edge.low > 0:
        meaning = "above 0"
    elif edge.high < 0:
        meaning = "below 0"
    else:
        meaning = "not shown to be above 0"
    return (
        f"{' '.join(interval.numbers)}{since}: {_signed(edge.value)}, between"
        f" {_signed(edge.low)} and {_signed(edge.high)}: {meaning}; they are"
        f" {_share(interval.probability)} of the outcomes."
    )


def _signed(value: float) -> str:
    return f"{value * 100:+.1f} %"


def _share(estimate: BoundedValue) -> str:
    low, high = (f"{end * 100:.2f}" for end in (estimate.low, estimate.high))
    return f"{estimate.value * 100:.2f} % ({low} – {high} %)"


def _power_sentence(record: WheelRecord, power: Power) -> str:
    """Say how often a bias of this kind would be found."""
    slight = (
        f"From {_counted(record.spins)} {power.what} {SLIGHT * 100:.0f} % too likely"
        f" would be found {times_in(power.found(SLIGHT))}"
    )
    smallest = power.smallest
    if smallest is None:
        return f"{slight}; however likely, not {times_in(SURELY)}."
    return f"{slight}; {smallest * 100:.0f} % too likely, {times_in(SURELY)}."


def _worth_lines(check: WheelCheck) -> list[str]:
    """Say from which bias on the Player has the edge, beside what can be seen."""
    excess = worthwhile_excess(check.record.game)
    kinds = "; ".join(_worth(power, excess) for power in check.powers)
    return [
        f"The Player has the edge from {excess * 100:.1f} % too likely on, straight up"
        f" ({_brought(check)}). From so many outcomes that would be found {kinds}."
    ]


def _worth(power: Power, excess: float) -> str:
    needed = power.needed(excess)
    often = f"{times_in(power.found(excess))} of {power.what}"
    if needed is None:
        return often
    digits = 10 ** max(len(str(needed)) - 2, 0)
    about = -(-needed // digits) * digits
    return f"{often}, {times_in(SURELY)} from about {about:,} on"


def check_table(check: WheelCheck) -> TextTable:
    """Return a row for each test, below what was tested."""
    return TextTable.of(
        head(check.record),
        check.judged,
        {
            "test": lambda each: each.test.name,
            ">p-value": lambda each: _shown_p(each.test.p_value),
            ">corrected": lambda each: _shown_p(each.corrected),
            "what was seen": lambda each: each.test.seen,
        },
        tuple(f"- {note}" for note in notes(check)),
    )


def _shown_p(p_value: float) -> str:
    """Return a p-value for people."""
    if p_value < _LEAST_P:
        return f"<{_LEAST_P:.0e}"
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
        f" against the level of {_level_text(check)}"
    )
    return said + _left_out_notes(check.record)


def _left_out_notes(record: WheelRecord) -> list[str]:
    """Say which tests a game without a known ring does not have."""
    if record.knows_ring:
        return []
    return [
        "sectors and distances are left out: the order of this game's compartments is"
        " not known (W2)"
    ]


def interval_tables(check: WheelCheck) -> list[TextTable]:
    """Return a row for each number, and one for the furthest sector of each length."""
    intervals = check.intervals
    tables = [
        _interval_table(
            f"Each number; all {len(intervals.numbers)} intervals hold at once with a"
            f" probability of {check.confidence * 100:g} % or more",
            intervals.numbers,
        )
    ]
    if intervals.sectors:
        tables.append(
            _interval_table(
                "Sectors, of each length the one that came up most; all"
                f" {len(intervals.sectors)} intervals hold at once with a probability"
                f" of {check.confidence * 100:g} % or more",
                _most_frequent(check.record, intervals.sectors),
            )
        )
    return tables


def _most_frequent(
    record: WheelRecord, sectors: Iterable[NumbersInterval]
) -> list[NumbersInterval]:
    best: dict[int, NumbersInterval] = {}
    for each in sectors:
        length = len(each.numbers)
        if length not in best or each.count > best[length].count:
            best[length] = each
    return [best[length] for length in arc_lengths(record.compartments)]


def _interval_table(title: str, rows: Iterable[NumbersInterval]) -> TextTable:
    return TextTable.of(
        title,
        rows,
        {
            "numbers": lambda each: " ".join(each.numbers),
            ">came up": lambda each: f"{each.count:,}",
            ">expected": lambda each: f"{each.expected:,.1f}",
            ">of the outcomes": lambda each: f"{each.probability.value * 100:.3f} %",
            ">from": lambda each: f"{each.probability.low * 100:.3f} %",
            ">to": lambda each: f"{each.probability.high * 100:.3f} %",
            ">Player's edge": lambda each: _signed(each.edge.value),
            ">from ": lambda each: _signed(each.edge.low),
            ">to ": lambda each: _signed(each.edge.high),
        },
    )


def groups_table(grouped: GroupedCheck) -> TextTable:
    """Return a row for each group, of its smallest p-value, and one for all."""
    rows = [_group_row(group) for group in grouped.groups]
    if grouped.difference is not None:
        test = grouped.difference.test
        rows.append(
            (
                "all compared",
                f"{grouped.record.spins:,}",
                _shown_p(test.p_value),
                _shown_p(grouped.difference.corrected),
                "",
                test.seen,
            )
        )
    headings = (
        _by(grouped),
        ">outcomes",
        ">p-value",
        ">corrected",
        ">shows from",
        "what was seen",
    )
    title = f"{head(grouped.record)}, by {_by(grouped)}"
    notes = tuple(f"- {note}" for note in _group_notes(grouped))
    return TextTable(title, headings, rows, notes)


def _by(grouped: GroupedCheck) -> str:
    return " and ".join(label.value for label in grouped.by)


def _group_row(group: GroupCheck) -> tuple[str, ...]:
    check = group.check
    outcomes = f"{check.record.spins:,}"
    if not check.judged:
        return group.name, outcomes, "", "", "", "too few outcomes to test"
    best = min(check.judged, key=lambda judged: judged.test.p_value)
    excess = check.powers[0].smallest
    return (
        group.name,
        outcomes,
        _shown_p(best.test.p_value),
        _shown_p(best.corrected),
        "" if excess is None else f"{excess * 100:.0f} %",
        f"{best.test.name}: {best.test.seen}",
    )


def _group_notes(grouped: GroupedCheck) -> list[str]:
    if not grouped.family:
        return _left_out_notes(grouped.record)
    tested = sum(bool(group.check.judged) for group in grouped.groups)
    said = [
        "p-value: the smallest of a group's tests; --json has them all, each with how"
        " it was found",
        f"corrected: for all {grouped.family} tests of {tested} groups together, after"
        f" Holm; it is held against the level of {grouped.plan.level * 100:g} %",
        f"shows from: so much too likely one number would be found {times_in(SURELY)}",
        "what came up before an outcome is what came up before it in its group",
    ]
    if grouped.difference is not None:
        said.append(f"all compared: {grouped.difference.test.method}")
    return said + _left_out_notes(grouped.record)


def groups_verdict(grouped: GroupedCheck) -> list[str]:
    """Return the verdict over all groups, and what it is about."""
    verdict = grouped.verdict
    first = (
        f"{verdict.value.capitalize()} at a level of {grouped.plan.level * 100:g} %"
        " over all groups"
    )
    lines = [f"{first}{':' if verdict is Verdict.EVIDENCE else '.'}"]
    for group in grouped.groups:
        lines += [
            f"- {group.name}: {test.name}: {test.seen}."
            for test in group.check.evidence
        ]
    if grouped.difference is not None and grouped.difference.is_evidence:
        lines.append(f"- the groups differ: {grouped.difference.test.seen}.")
    for group in grouped.groups:
        check = group.check
        if check.suspicions and _suspicion_head(check) not in lines:
            lines.append(_suspicion_head(check))
        lines += [f"- {group.name}: {line}" for line in suspected(check)]
    if verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    return lines


def check_json(check: WheelCheck) -> dict[str, Any]:
    """Return everything, whole: every interval among it."""
    record = check.record
    excess = worthwhile_excess(record.game)
    return {
        **_asked_json(record, check.plan),
        "verdict": check.verdict,
        "says": verdict_lines(check),
        "tests": [_judged_json(judged) for judged in check.judged],
        "left_out": [] if record.knows_ring else ["sectors", "distances"],
        "power": [_power_json(power, excess) for power in check.powers],
        "worth_exploiting": {
            "straight_up_return": straight_up_return(record.game),
            "excess": excess,
        },
        "suspected": check.suspicions,
        "intervals": check.intervals,
        "ring": record.ring if record.knows_ring else None,
        "counts": dict(zip(record.ring, record.counts.tolist(), strict=True)),
    }


def _asked_json(record: WheelRecord, plan: CheckPlan) -> dict[str, Any]:
    """Return what was tested and how, which every document begins with."""
    return {
        "game": record.game.name,
        "source": record.source,
        "outcomes": record.spins,
        "level": plan.level,
        "trials": plan.trials,
        "orders": plan.orders,
        "seed": plan.seed,
    }


def _power_json(power: Power, excess: float) -> dict[str, Any]:
    return {
        "what": power.what,
        "excess_found": power.smallest,
        "with_probability": SURELY,
        "excess": SLIGHT,
        "probability": power.found(SLIGHT),
        "worthwhile_probability": power.found(excess),
        "worthwhile_outcomes": power.needed(excess),
    }


def _judged_json(judged: JudgedTest) -> dict[str, Any]:
    """Return one test with its correction."""
    test = judged.test
    return {
        "test": test.name,
        "statistic": test.statistic,
        "p_value": max(test.p_value, _LEAST_P),
        "corrected": max(judged.corrected, _LEAST_P),
        "evidence": judged.is_evidence,
        "method": test.method,
        "pays_for": test.corrected_for,
        "seen": test.seen,
        "numbers": test.named,
        "since_outcome": test.since_outcome,
    }


def groups_json(grouped: GroupedCheck) -> dict[str, Any]:
    """Return the check of each group, whole, below what was found over all."""
    return {
        **_asked_json(grouped.record, grouped.plan),
        "by": grouped.by,
        "verdict": grouped.verdict,
        "says": groups_verdict(grouped),
        "tests": grouped.family,
        "difference": None
        if grouped.difference is None
        else _judged_json(grouped.difference),
        "groups": [
            {
                "group": {
                    label.value: name
                    for label, name in zip(grouped.by, group.names, strict=True)
                },
                **check_json(group.check),
            }
            for group in grouped.groups
        ],
    }
