"""Whether a report tells what it must."""

from __future__ import annotations

from croupier.audit.journal.auditor import AuditReport
from croupier.journal.findings import Finding
from tests.audit.journal.faults import Seen


def is_told(report: AuditReport, seen: Seen) -> bool:
    """Whether some finding is of the kind, at the place, with the figures."""
    return any(_matches(finding, seen) for finding in report.findings)


def told(report: AuditReport) -> list[str]:
    return [f"{finding.kind.code} {finding}" for finding in report.findings]


def _matches(finding: Finding, seen: Seen) -> bool:
    place = (seen.item.row.stream, seen.item.sequence)
    return (
        (finding.kind, finding.stream, finding.sequence) == (seen.kind, *place)
        and seen.wager in {None, finding.wager}
        and seen.expected_cents in {None, finding.expected_cents}
        and seen.found_cents in {None, finding.found_cents}
    )
