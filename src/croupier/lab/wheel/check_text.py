"""The check of a wheel, or of groups, as sentences, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from croupier.lab.wheel.check import (
    GroupCheck,
    GroupedCheck,
    JudgedTest,
    Verdict,
    WheelCheck,
)
from croupier.lab.wheel.intervals import (
    NumbersInterval,
    Suspicion,
    straight_up_return,
    worthwhile_excess,
)
from croupier.lab.wheel.power import SLIGHT, SURELY, Power, times_in
from croupier.lab.wheel.record import CheckPlan, WheelRecord
from croupier.tabular import TextTable
from croupier.tabular.figures import counted, p_text, percent, signed_percent

_LEAST_P = 1e-300
"""The smallest p-value in JSON, near the end of float64's range."""
_MOST_SUSPICIONS = 6
"""Further suspicions are only counted."""


def head(record: WheelRecord) -> str:
    """Return the title of a check: game, outcomes and compartments."""
    source = f" of {record.source}" if record.source else ""
    return (
        f"{record.game.document}: {counted(record.spins, 'outcome')}{source},"
        f" {record.compartments} compartments"
    )


def verdict_lines(check: WheelCheck) -> list[str]:
    """Return the verdict, its evidence, and the power of the record."""
    first = f"{check.verdict.value.capitalize()} at a level of {_level_text(check)}"
    lines = [f"{first}{':' if check.evidence else '.'}"]
    lines += [f"- {test.name}: {test.seen}." for test in check.evidence]
    if check.verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    if check.suspicions:
        lines += [_suspicion_head(check), *(f"- {line}" for line in suspected(check))]
    lines += [_power_sentence(check.record, power) for power in check.powers]
    return [*lines, _worth_line(check)]


def _level_text(check: WheelCheck) -> str:
    return f"{check.plan.level * 100:g} %"


def _suspicion_head(check: WheelCheck) -> str:
    """Return the heading of the suspicions: the edge, and the level of intervals."""
    groups = " of all groups" if check.groups > 1 else ""
    return (
        f"The Player's edge straight up on each of the numbers ({_brought(check)});"
        f" intervals hold together for all numbers, or for all sectors,{groups} with"
        f" {100 - check.plan.level * 100:g} %:"
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
    return f"{whole} for 1 if one wins"


def _suspicion_line(suspicion: Suspicion) -> str:
    interval, edge = suspicion.interval, suspicion.interval.edge
    share = interval.probability
    first = suspicion.since_outcome
    since = "" if first is None else f" since outcome {first:,}"
    if edge.low > 0:
        meaning = "above 0"
    elif edge.high < 0:
        meaning = "below 0"
    else:
        meaning = "not shown to be above 0"
    return (
        f"{' '.join(interval.numbers)}{since}: {signed_percent(edge.value)}, between"
        f" {signed_percent(edge.low)} and {signed_percent(edge.high)}: {meaning}; they"
        f" are {percent(share.value, 2)} ({share.low * 100:.2f} –"
        f" {percent(share.high, 2)}) of the outcomes."
    )


def _power_sentence(record: WheelRecord, power: Power) -> str:
    """Return a sentence on the probability of finding a bias of this kind."""
    slight = (
        f"From {counted(record.spins, 'outcome')} {power.what} {SLIGHT * 100:.0f} % too"
        f" likely would be found {times_in(power.found(SLIGHT))}"
    )
    smallest = power.smallest
    if smallest is None:
        return f"{slight}; however likely, not {times_in(SURELY)}."
    return f"{slight}; {smallest * 100:.0f} % too likely, {times_in(SURELY)}."


def _worth_line(check: WheelCheck) -> str:
    """Return a sentence on the bias that gives the Player the edge, and its power."""
    excess = worthwhile_excess(check.record.game)
    kinds = "; ".join(_worth(power, excess) for power in check.powers)
    spins = counted(check.record.spins, "outcome")
    return (
        f"The Player has an edge straight up on numbers more than {excess * 100:.1f} %"
        f" too likely ({_brought(check)}). With {spins} such a bias would be found"
        f" {kinds}."
    )


def _worth(power: Power, excess: float) -> str:
    needed = power.needed(excess)
    often = f"{times_in(power.found(excess))} on {power.what}"
    if needed is None:
        return often
    digits = 10 ** max(len(str(needed)) - 2, 0)
    about = -(-needed // digits) * digits
    return f"{often} ({times_in(SURELY)} with about {about:,} outcomes)"


def check_table(check: WheelCheck) -> TextTable:
    """Return a table with a row for each test."""
    return TextTable.of(
        head(check.record),
        check.judged,
        {
            "test": lambda each: each.test.name,
            ">p-value": lambda each: p_text(each.test.p_value),
            ">corrected": lambda each: p_text(each.corrected),
            "what was seen": lambda each: each.test.seen,
        },
        tuple(f"- {note}" for note in notes(check)),
    )


def notes(check: WheelCheck) -> list[str]:
    """Return notes on the method of each p-value, and on tests left out."""
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
    """Return a note on the tests that need a known ring, if it is unknown."""
    if record.knows_ring:
        return []
    return [
        "sectors and distances are left out: the order of this game's compartments is"
        " not known (W2)"
    ]


def interval_tables(check: WheelCheck) -> list[TextTable]:
    """Return tables of every number, and of the top sector of each length."""
    intervals = check.intervals
    sure = f"hold at once with a probability of {check.confidence * 100:g} % or more"
    numbers = f"Each number; all {len(intervals.numbers)} intervals {sure}"
    tables = [_interval_table(numbers, intervals.numbers)]
    if intervals.sectors:
        title = (
            "Sectors, of each length the one that came up most; all"
            f" {len(intervals.sectors)} intervals {sure}"
        )
        most = [
            max(some, key=lambda each: each.count)
            for _, some in groupby(intervals.sectors, lambda each: len(each.numbers))
        ]
        tables.append(_interval_table(title, most))
    return tables


def _interval_table(title: str, rows: Iterable[NumbersInterval]) -> TextTable:
    return TextTable.of(
        title,
        rows,
        {
            "numbers": lambda each: " ".join(each.numbers),
            ">came up": lambda each: f"{each.count:,}",
            ">expected": lambda each: f"{each.expected:,.1f}",
            ">of the outcomes": lambda each: percent(each.probability.value, 3),
            ">from": lambda each: percent(each.probability.low, 3),
            ">to": lambda each: percent(each.probability.high, 3),
            ">Player's edge": lambda each: signed_percent(each.edge.value),
            ">from ": lambda each: signed_percent(each.edge.low),
            ">to ": lambda each: signed_percent(each.edge.high),
        },
    )


def groups_table(grouped: GroupedCheck) -> TextTable:
    """Return a table with each group's smallest p-value, and the comparison of all."""
    rows = [_group_row(group) for group in grouped.groups]
    if grouped.difference is not None:
        test = grouped.difference.test
        rows.append(
            (
                "all compared",
                f"{grouped.record.spins:,}",
                p_text(test.p_value),
                p_text(grouped.difference.corrected),
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
        p_text(best.test.p_value),
        p_text(best.corrected),
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
        f"shows from: the excess of one number that would be found {times_in(SURELY)}",
        "repeats and distances compare outcomes that follow each other in a group",
    ]
    if grouped.difference is not None:
        said.append(f"all compared: {grouped.difference.test.method}")
    return said + _left_out_notes(grouped.record)


def groups_verdict(grouped: GroupedCheck) -> list[str]:
    """Return the verdict over all groups, with its evidence."""
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
    """Return the whole check, with every interval."""
    record = check.record
    excess = worthwhile_excess(record.game)
    return {
        **_asked_json(record, check.plan),
        "verdict": check.verdict,
        "says": verdict_lines(check),
        "tests": [judged_json(judged) for judged in check.judged],
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
    """Return the head of every document: the record and the plan."""
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


def judged_json(judged: JudgedTest) -> dict[str, Any]:
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
    """Return the verdict over all groups, and the whole check of each."""
    return {
        **_asked_json(grouped.record, grouped.plan),
        "by": grouped.by,
        "verdict": grouped.verdict,
        "says": groups_verdict(grouped),
        "tests": grouped.family,
        "difference": None
        if grouped.difference is None
        else judged_json(grouped.difference),
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
