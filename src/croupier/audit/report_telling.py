"""A report in words and for programs: its head, its verdict, JSON and CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from croupier.audit.report_blocks import AMOUNTS
from croupier.audit.report_bounds import Bound
from croupier.audit.report_groups import Dimension, Judged
from croupier.audit.report_making import Report, Section
from croupier.audit.report_meters import Meter
from croupier.audit.report_tables import returned_says, title_of, whole_section

_OUTSIDE = ("below", "above")


def head(report: Report) -> str:
    games = ", ".join(game.document for game in report.games)
    return f"{games}: {report.source}{_span(report)}"


def _span(report: Report) -> str:
    first, last = report.span.first, report.span.last
    from_day = f", from {first}" if first else ""
    return from_day + (f", to {last}" if last else "")


def day_note(report: Report) -> str:
    """How gaming days were reckoned."""
    if not report.knows_days:
        return "The source tells no days."
    if report.writes_days:
        return "Gaming days are as the source writes them."
    if report.days.is_told:
        return f"Gaming days are those of {report.days.clock}."
    return (
        f"No house says when a gaming day begins: days are those of"
        f" {report.days.clock}; --time-zone and --day-start say otherwise."
    )


def verdict(report: Report) -> list[str]:
    """Which groups lie outside, in sentences."""
    said = [_whole_sentence(report.whole)]
    for section in report.sections:
        outside = [j for j in section.groups if returned_says(j).startswith(_OUTSIDE)]
        count, what = len(section.groups), title_of(section.grouping).lower()
        named = ", ".join(" ".join(each.key) for each in outside[:10])
        more = f" and {len(outside) - 10} more" if len(outside) > 10 else ""
        groups = f"{count:,} group{'' if count == 1 else 's'}"
        told = f"outside 99 %: {named}{more}" if outside else "none outside 99 %"
        said.append(f"{what.capitalize()}: {groups}, {told}.")
    return said


def _whole_sentence(judged: Judged) -> str:
    group = judged.group
    if not group.at_risk_cents:
        return "Nothing was at risk."
    actual, theory = group.actual_return, group.theoretical_return
    assert actual is not None
    assert theory is not None
    return (
        f"All together: a return of {float(actual) * 100:.2f} %, against"
        f" {float(theory) * 100:.2f} % in theory: {returned_says(judged)}."
    )


def report_json(report: Report) -> dict[str, Any]:
    return {
        "source": report.source,
        "games": [game.name for game in report.games],
        "from": report.span.first,
        "to": report.span.last,
        "time_zone": report.days.clock.time_zone,
        "day_start": report.days.clock.begins,
        "says": verdict(report),
        "all": _group_json(whole_section(report), report.whole),
        "sections": [
            {
                "by": [each.value for each in section.grouping],
                "groups": [_group_json(section, judged) for judged in section.groups],
            }
            for section in report.sections
        ],
        "meters": [
            {"table": table, "day": day, **_meter_json(meter)}
            for (table, day), meter in report.meters.items()
        ],
    }


def _group_json(section: Section, judged: Judged) -> dict[str, Any]:
    group = judged.group
    actual, theory = group.actual_return, group.theoretical_return
    names = (each.value for each in section.grouping)
    return {
        **dict(zip(names, judged.key, strict=True)),
        "rounds": group.rounds,
        "wagers": group.wagers,
        **{
            f"{name}_cents": cents
            for name, cents in zip(AMOUNTS, group.amounts, strict=True)
        },
        "house_win_cents": group.win_cents,
        "actual_return": None if actual is None else str(actual),
        "theoretical_return": None if theory is None else str(theory),
        "expected_win_cents": str(group.win.mean),
        "win_variance": str(group.win.variance),
        "win_bounds": [_bound_json(bound) for bound in judged.win_bounds],
        "return_is": returned_says(judged),
        "hits": group.hits,
        "expected_hits": str(group.hit.mean),
        "hit_variance": str(group.hit.variance),
        "hit_bounds": [_bound_json(bound) for bound in judged.hit_bounds],
        "hits_are": judged.hits_say,
    }


def _bound_json(bound: Bound) -> dict[str, Any]:
    return {
        "level": bound.level,
        "low": bound.low,
        "high": bound.high,
        "method": bound.method.value,
        "normal_low": bound.normal[0],
        "normal_high": bound.normal[1],
    }


def _meter_json(meter: Meter) -> dict[str, Any]:
    return {
        "rounds": meter.rounds,
        "voids": meter.voids,
        "corrections": meter.corrections,
        "handle_cents": meter.handle_cents,
        "paid_cents": meter.paid_cents,
        "win_cents": meter.win_cents,
    }


def report_csv(report: Report) -> str:
    """A line for each group of each section, and then for each meter: flat."""
    text = io.StringIO()
    lines = [
        {"by": _by(section), **_flat(section, judged)}
        for section in (whole_section(report), *report.sections)
        for judged in section.groups
    ]
    for (table, day), meter in report.meters.items():
        counted = {f"meter_{k}": v for k, v in _meter_json(meter).items()}
        lines.append({"by": "meters", "table": table, "day": day, **counted})
    names = ["by", *(each.value for each in Dimension)]
    columns = dict.fromkeys([*names, *(name for line in lines for name in line)])
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _by(section: Section) -> str:
    return ",".join(each.value for each in section.grouping) or "all"


def _flat(section: Section, judged: Judged) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in _group_json(section, judged).items():
        if not isinstance(value, list):
            found[name] = value
            continue
        for bound in value:
            for part in ("low", "high", "method"):
                found[f"{name}_{bound['level']}_{part}"] = bound[part]
    return found
