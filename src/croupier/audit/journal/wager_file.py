"""An operator's own table of wagers, settled again row by row.

The table is that of `croupier settle-file`, with what the operator paid, collected,
returned and had at risk. It is read piece by piece; a row that can't be settled is a
finding as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.audit.journal.auditor import AuditReport, Progress
from croupier.audit.journal.problems import (
    AuditProblem,
    BeyondAudit,
    ProblemPlace,
    kind_of,
)
from croupier.audit.journal.rounds import RoundTerms
from croupier.audit.rows import difference_text, differing_rows, figures_at
from croupier.batch.compiled import compile_game
from croupier.batch.table_files import open_table
from croupier.batch.table_format import (
    ADDED,
    AREA,
    PLAYER,
    ROUND,
    SETTLED,
    TABLE,
    TableError,
    check_format,
    errors_named_by,
)
from croupier.batch.table_settlement import (
    REASON,
    ROW,
    SettledPart,
    TableSettlement,
    Totals,
)
from croupier.batch.text_columns import whole_numbers
from croupier.journal.findings import (
    MOST_KEPT,
    Finding,
    FindingKind,
    Findings,
    in_order,
)
from croupier.rules.reasons import Reason

_ROW = "audited_row"
_THEIRS = "operator_"
_UNPROVEN = (BeyondAudit.EVERY_WAGER(), BeyondAudit.MONEY_BETWEEN_ROUNDS())


def audit_wagers(
    path: Path,
    terms: RoundTerms,
    *,
    most_kept: int | None = MOST_KEPT,
    progress: Progress | None = None,
) -> AuditReport:
    """Hold an operator's figures against the rules; raises `TableError`."""
    compiled = compile_game(terms.game)
    settlement = TableSettlement(compiled, terms.limits, terms.settings)
    findings = Findings(most_kept)
    table = open_table(path)
    with errors_named_by(path):
        theirs = _their_columns(table.schema.names)
        no_rows = pa.RecordBatch.from_pylist([], table.schema)
        check_format(compiled, _renamed(no_rows).schema)
    first = 1
    with closing(table.batches) as batches:
        for batch in batches:
            with errors_named_by(path):
                parts = list(settlement.take(_numbered(_renamed(batch), first)))
            first += batch.num_rows
            _judge(parts, theirs, findings)
            if progress is not None:
                progress(*table.progress())
    _judge(settlement.finish(), theirs, findings)
    return _report(findings, settlement.totals)


def _their_columns(names: list[str]) -> tuple[str, ...]:
    """Return which of the operator's figures the table has; at least one."""
    for name in (_ROW, *(_THEIRS + each for each in ADDED)):
        if name in names:
            raise TableError(f"the column {name} must have another name")
    theirs = tuple(name for name in ADDED if name in names)
    if not theirs:
        raise TableError(
            f"there is nothing to audit: it has none of {', '.join(ADDED)}"
        )
    return theirs


def _renamed(batch: Any) -> Any:
    """With the operator's figures under names that settlement does not use."""
    return batch.rename_columns(
        [_THEIRS + name if name in ADDED else name for name in batch.schema.names]
    )


def _numbered(batch: Any, first: int) -> Any:
    rows = pa.array(np.arange(first, first + batch.num_rows, dtype=np.int64))
    names = [*batch.schema.names, _ROW]
    return pa.RecordBatch.from_arrays([*batch.columns, rows], names=names)


def _judge(
    parts: Iterator[SettledPart] | list[SettledPart],
    theirs: tuple[str, ...],
    findings: Findings,
) -> None:
    for part in parts:
        _compare(part.settled, theirs, findings)
        if part.rejected is not None:
            for row in part.rejected.to_pylist():
                problem = AuditProblem.ROW_REFUSED(text=row[REASON])
                findings.add(_finding(row, row[ROW], problem))


def _compare(batch: Any, theirs: tuple[str, ...], findings: Findings) -> None:
    """Every row whose figures are not what the rules give."""
    expected = {name: batch.column(name).to_numpy() for name in theirs}
    found = {name: whole_numbers(batch.column(_THEIRS + name)) for name in theirs}
    for place in np.flatnonzero(differing_rows(expected, found)).tolist():
        row = batch.slice(place, 1).to_pylist()[0]
        given = figures_at(expected, place), figures_at(found, place)
        figures = difference_text(*given)
        problem = AuditProblem.ROW_FIGURES(figures=figures)
        sums = tuple(map(_player_cents, given))
        findings.add(_finding(row, row[_ROW], problem, sums))


def _player_cents(figures: dict[str, int]) -> int:
    """Return what the Player got, as far as the table has it."""
    paid, _, returned = SETTLED
    names = [name for name in (paid, returned) if name in figures] or [*figures][:1]
    return sum(figures[name] for name in names)


def _finding(
    row: dict[str, Any],
    number: int,
    problem: Reason,
    sums: tuple[int | None, ...] = (None, None),
) -> Finding:
    table, round_, player = (row.get(name) for name in (TABLE, ROUND, PLAYER))
    is_counted = round_ is not None and str(round_).isdecimal()
    return Finding(
        kind_of(problem),
        "" if table is None else str(table),
        number,
        problem
        if player is None
        else ProblemPlace.OF_PLAYER(player=player, reason=problem),
        int(str(round_)) if is_counted else None,
        row.get(AREA),
        *sums,
    )


def _report(findings: Findings, totals: Totals) -> AuditReport:
    return AuditReport(
        findings=tuple(in_order(findings.kept)),
        counts={
            kind: findings.counts[kind] for kind in FindingKind if findings.counts[kind]
        },
        looked_at={
            "rows": totals.rows,
            "rounds": totals.rounds,
            "staked_cents": totals.stake_cents,
            "paid_cents": totals.paid_cents,
            "house_win_cents": totals.collected_cents - totals.paid_cents,
        },
        house_head="",
        unproven=_UNPROVEN,
    )
