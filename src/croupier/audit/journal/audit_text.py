"""An audit report as lines of text, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, starmap
from pathlib import Path

from croupier.audit.journal.auditor import AuditReport
from croupier.journal.findings import Finding
from croupier.rules.cents import write_cents
from croupier.tabular import csv_text
from croupier.tabular.figures import counted

_SHOWN = 10
"""Findings of one kind that the text lists."""
_COLUMNS: Mapping[str, Callable[[Finding], object]] = {
    "kind": lambda finding: finding.kind.code,
    "stream": lambda finding: finding.stream,
    "event": lambda finding: finding.sequence,
    "round": lambda finding: finding.round_number,
    "wager": lambda finding: finding.wager,
    "expected_cents": lambda finding: finding.expected_cents,
    "found_cents": lambda finding: finding.found_cents,
    "problem": lambda finding: finding.problem,
}


def verdict_of(report: AuditReport) -> str:
    """Return `clean`, or the number of findings."""
    total, kinds = sum(report.counts.values()), len(report.counts)
    if not total:
        return "clean"
    return f"{counted(total, 'finding')} of {counted(kinds, 'kind')}"


def report_lines(report: AuditReport) -> Iterator[str]:
    """Yield the lines after the verdict: counts, findings, and unproven claims."""
    yield f"looked at: {', '.join(starmap(_counted, report.looked_at.items()))}"
    for kind, group in groupby(report.findings, key=lambda finding: finding.kind):
        listed = list(group)
        yield f"{kind.code} ({report.counts[kind]:,}): {kind.value}"
        for finding in listed[:_SHOWN]:
            yield f"  {finding}"
        more = report.counts[kind] - min(len(listed), _SHOWN)
        if more:
            yield f"  and {more:,} more"
    if report.house_head:
        yield f"house head: {report.house_head}"
    if report.unproven:
        yield "not proven:"
    for sentence in report.unproven:
        yield f"- {sentence}"


def _counted(name: str, amount: int) -> str:
    what = name.replace("_", " ")
    if name.endswith("_cents"):
        return f"{write_cents(amount)} {what.removesuffix(' cents')}"
    return f"{amount:,} {what.removesuffix('s') if amount == 1 else what}"


def report_json(report: AuditReport) -> dict[str, object]:
    """Return the report for JSON, with every finding that is kept."""
    return {
        "clean": report.is_clean,
        "looked_at": dict(report.looked_at),
        "counts": {kind.code: count for kind, count in report.counts.items()},
        "findings": [
            {name: value(finding) for name, value in _COLUMNS.items()}
            for finding in report.findings
        ],
        "house_head": report.house_head,
        "unproven": list(map(str, report.unproven)),
    }


def write_findings(report: AuditReport, path: Path) -> None:
    rows = ([value(each) for value in _COLUMNS.values()] for each in report.findings)
    path.write_text(csv_text(_COLUMNS, rows, line_end="\r\n"), "utf-8", newline="")
