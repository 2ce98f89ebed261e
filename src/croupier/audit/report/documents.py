"""A report as a document for JSON, and as CSV."""

from __future__ import annotations

from typing import Any

from croupier.audit.report.groups import Dimension, JudgedGroup
from croupier.audit.report.report_text import (
    kept_differences,
    returned_says,
    verdict,
    whole_section,
)
from croupier.audit.report.return_report import ReportSection, ReturnReport
from croupier.audit.report.rounds import AMOUNTS, Meter
from croupier.audit.report.row_check import RowDifference
from croupier.tabular import as_document, csv_text


def report_json(report: ReturnReport) -> dict[str, Any]:
    """Return the document; `as_document` makes it plain."""
    found = report.differences
    return {
        "source": report.source,
        "games": [game.name for game in report.games],
        "from": report.span.first,
        "to": report.span.last,
        "time_zone": report.days.clock.time_zone,
        "day_start": report.days.clock.begins,
        "says": verdict(report),
        "all": _groups_json(whole_section(report))[0],
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
        {
            **dict(zip(names, judged.key, strict=True)),
            **_group_json(judged),
            "p_value": judged.win.p_value,
            "p_value_holm": win_holm,
            "hits_p_value": judged.hits.p_value,
            "hits_p_value_holm": hits_holm,
        }
        for judged, win_holm, hits_holm in zip(
            section.groups, section.win_holm, section.hits_holm, strict=True
        )
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
        "hits_are": judged.hits_say,
    }


def report_csv(report: ReturnReport) -> str:
    """Return a flat line for each group of each section, meter and differing row."""
    lines = [
        {"by": _by(section), **_flat(group)}
        for section in (whole_section(report), *report.sections)
        for group in _groups_json(section)
    ]
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


def _by(section: ReportSection) -> str:
    return ",".join(each.value for each in section.grouping) or "all"


def _flat(group: dict[str, Any]) -> dict[str, Any]:
    """Return the group with a column for each end of a bound or an enclosure."""
    found: dict[str, Any] = {}
    for name, value in as_document(group).items():
        if isinstance(value, dict):
            found |= {f"{name}_{part}": end for part, end in value.items()}
            continue
        if not isinstance(value, list | tuple):
            found[name] = value
            continue
        for bound in value:
            for part in ("low", "high", "method"):
                found[f"{name}_{bound['level']}_{part}"] = bound[part]
    return found
