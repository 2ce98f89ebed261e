"""An operator's own table of wagers, settled again row by row.

The table is that of `croupier settle-file`, with the operator's figures for paid,
collected, returned and at risk. A row that can't be settled is a finding as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from croupier.audit.journal.auditor import AuditReport, Progress
from croupier.audit.journal.problems import (
    AuditProblem,
    BeyondAudit,
    ProblemPlace,
    finding_of,
)
from croupier.audit.journal.rounds import RoundTerms
from croupier.audit.rows import RowDifference, WagerFile
from croupier.batch.compiled import compile_game
from croupier.batch.table_format import PLAYER, SETTLED
from croupier.journal.findings import MOST_KEPT, Finding, Findings

_UNPROVEN = (BeyondAudit.EVERY_WAGER(), BeyondAudit.MONEY_BETWEEN_ROUNDS())


def audit_wagers(
    source: str | Path,
    terms: RoundTerms,
    *,
    most_kept: int | None = MOST_KEPT,
    progress: Progress | None = None,
) -> AuditReport:
    """Compare an operator's figures with the rules; raises `TableError`."""
    compiled, path = compile_game(terms.game), Path(source)
    file = WagerFile(path, compiled, terms.limits, terms.settings)
    findings = Findings(most_kept)
    for part in file.parts(progress):
        for row in part.differing:
            player = part.text(PLAYER, row)
            findings.add(_finding(part.difference(row), player))
    totals = file.settlement.totals
    looked_at = {
        "rows": totals.rows,
        "rounds": totals.rounds,
        "staked_cents": totals.stake_cents,
        "paid_cents": totals.paid_cents,
        "house_win_cents": totals.collected_cents - totals.paid_cents,
    }
    return AuditReport.of(findings, looked_at, _UNPROVEN)


def _finding(row: RowDifference, player: str) -> Finding:
    number = int(row.round) if row.round.isdecimal() else None
    place, area = (row.table, row.row, number), row.area or None
    if row.expected is None:
        found = finding_of(place, AuditProblem.ROW_REFUSED, area, text=row.reason)
    else:
        problem, sums = AuditProblem.ROW_FIGURES, _players_sums(row.expected, row.found)
        found = finding_of(place, problem, area, sums, figures=str(row))
    if not player:
        return found
    reason = ProblemPlace.OF_PLAYER(player=player, reason=found.reason)
    return replace(found, reason=reason)


def _players_sums(
    due: Mapping[str, int], found: Mapping[str, int | None]
) -> tuple[int, int]:
    """Return the Player's correct and actual sums, as far as the table has them."""
    given = {name: cents for name, cents in found.items() if cents is not None}
    paid, _, returned = SETTLED
    names = [name for name in (paid, returned) if name in given] or [*given][:1]
    return sum(due[name] for name in names), sum(given[name] for name in names)
