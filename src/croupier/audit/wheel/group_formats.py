"""The check of several Dealers, wheels or tables as sentences, a table and JSON."""

from __future__ import annotations

from typing import Any

from croupier.audit.wheel.check import Verdict
from croupier.audit.wheel.formats import (
    check_json,
    head,
    judged_json,
    left_out_notes,
    shown_p,
    suspected,
    suspicion_head,
)
from croupier.audit.wheel.groups import GroupCheck, GroupedCheck
from croupier.audit.wheel.power import SURELY, times_in
from croupier.tabular import TextTable


def groups_table(grouped: GroupedCheck) -> TextTable:
    """Return a row for each group, of its smallest p-value, and one for all."""
    rows = [_row(group) for group in grouped.groups]
    if grouped.difference is not None:
        test = grouped.difference.test
        rows.append(
            (
                "all compared",
                f"{grouped.record.spins:,}",
                shown_p(test.p_value),
                shown_p(grouped.difference.corrected),
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
    notes = tuple(f"- {note}" for note in _notes(grouped))
    return TextTable(title, headings, rows, notes)


def _by(grouped: GroupedCheck) -> str:
    return " and ".join(label.value for label in grouped.by)


def _row(group: GroupCheck) -> tuple[str, ...]:
    check = group.check
    outcomes = f"{check.record.spins:,}"
    if not check.judged:
        return group.name, outcomes, "", "", "", "too few outcomes to test"
    best = min(check.judged, key=lambda judged: judged.test.p_value)
    excess = check.powers[0].smallest
    return (
        group.name,
        outcomes,
        shown_p(best.test.p_value),
        shown_p(best.corrected),
        "" if excess is None else f"{excess * 100:.0f} %",
        f"{best.test.name}: {best.test.seen}",
    )


def _notes(grouped: GroupedCheck) -> list[str]:
    if not grouped.family:
        return left_out_notes(grouped.record)
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
    return said + left_out_notes(grouped.record)


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
        if check.suspicions and suspicion_head(check) not in lines:
            lines.append(suspicion_head(check))
        lines += [f"- {group.name}: {line}" for line in suspected(check)]
    if verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    return lines


def groups_json(grouped: GroupedCheck) -> dict[str, Any]:
    """Return the check of each group, whole, below what was found over all."""
    record, plan = grouped.record, grouped.plan
    return {
        "game": record.game.name,
        "source": record.source,
        "outcomes": record.spins,
        "level": plan.level,
        "trials": plan.trials,
        "orders": plan.orders,
        "seed": plan.seed,
        "by": list(grouped.by),
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
