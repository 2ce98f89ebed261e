"""A report as a document for JSON, and as CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from croupier.audit.report.groups import JudgedGroup, ReportSection
from croupier.audit.report.report_text import (
    kept_differences,
    returned_says,
    verdict,
)
from croupier.audit.report.return_report import ReturnReport
from croupier.audit.report.rounds import AMOUNTS, Dimension, Meter
from croupier.audit.rows import RowDifference
from croupier.numeric.figure import BoundedValue
from croupier.tabular import as_document, csv_text


def report_json(report: ReturnReport) -> dict[str, Any]:
    """Return the report as a mapping, for `as_document`."""
    found = report.differences
    return {
        "source": report.source,
        "games": [game.name for game in report.games],
        "from": report.span.first,
        "to": report.span.last,
        "time_zone": report.days.clock.time_zone,
        "day_start": report.days.clock.begins,
        "says": verdict(report),
        "all": _groups_json(report.all_rounds)[0],
        "sections": [
            {"by": section.grouping, "groups": _groups_json(section)}
            for section in report.sections
        ],
        "meters": [
            {"table": table, "day": day, **_meter_json(meter)}
            for (table, day), meter in report.meters.items()
        ],
        "rows_checked": None if found is None else found.rows,
        "rows_differing": None if found is None else found.count,
        "differences": None
        if found is None
        else [{**as_document(each), "says": str(each)} for each in found.kept],
    }


def _meter_json(meter: Meter) -> dict[str, Any]:
    parts = {"hold": meter.hold, "hold_of_drop": meter.hold_of_drop}
    return {**as_document(meter), **parts}


def _groups_json(section: ReportSection) -> list[dict[str, Any]]:
    names = [each.value for each in section.grouping]
    return [
        dict(zip(names, judged.key, strict=True)) | _group_json(judged)
        for judged in section.groups
    ]


def _group_json(judged: JudgedGroup) -> dict[str, Any]:
    group = judged.group
    amounts = zip(AMOUNTS, group.amounts, strict=True)
    return {
        "rounds": group.rounds,
        "wagers": group.wagers,
        **{f"{name}_cents": cents for name, cents in amounts},
        "house_win_cents": group.win_cents,
        "actual_return": group.actual_return,
        "theoretical_return": group.theoretical_return,
        "expected_win_cents": group.win.mean,
        "win_variance": group.win.variance,
        "win_bounds": judged.win.bounds,
        "return_is": returned_says(judged),
        "hits": group.hits,
        "expected_hits": group.hit.mean,
        "hit_variance": group.hit.variance,
        "hit_bounds": judged.hits.bounds,
        "hits_are": judged.hits.says,
        "p_value": judged.win.p_value,
        "p_value_holm": judged.win_holm,
        "hits_p_value": judged.hits.p_value,
        "hits_p_value_holm": judged.hits_holm,
    }


def group_rows(report: ReturnReport) -> list[dict[str, Any]]:
    """Return a flat row for each group of each section, the whole first."""
    return [
        {
            "by": ",".join(each.value for each in section.grouping) or "all",
            **_flat(group),
        }
        for section in (report.all_rounds, *report.sections)
        for group in _groups_json(section)
    ]


def report_csv(report: ReturnReport) -> str:
    """Return a flat line for each group of each section, meter and differing row."""
    lines = group_rows(report)
    for (table, day), meter in report.meters.items():
        counted = {f"meter_{k}": v for k, v in _meter_json(meter).items()}
        lines.append({"by": "meters", "table": table, "day": day, **counted})
    lines += map(_difference_line, kept_differences(report))
    names = ["by", *(each.value for each in Dimension)]
    columns = dict.fromkeys([*names, *(name for line in lines for name in line)])
    return csv_text(columns, ([line.get(name) for name in columns] for line in lines))


def _difference_line(each: RowDifference) -> dict[str, Any]:
    return {
        "by": "differences",
        "table": each.table,
        "row": each.row,
        "round": each.round,
        "area": each.area,
        "difference": str(each),
    }


def _flat(group: dict[str, Any]) -> dict[str, Any]:
    """Return the group with a column for each end of a bound or an enclosure."""
    found: dict[str, Any] = {}
    for name, value in group.items():
        if isinstance(value, BoundedValue):
            found |= {f"{name}_{part}": end for part, end in asdict(value).items()}
        elif isinstance(value, tuple):
            for bound in value:
                prefix = f"{name}_{bound.level}"
                found |= {f"{prefix}_low": bound.low, f"{prefix}_high": bound.high}
                found[f"{prefix}_method"] = bound.method.value
        else:
            found[name] = value
    return found
