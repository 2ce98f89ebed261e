"""Many faults at once, and faults that the chain gives away: all are reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.audit.journal.auditor import AuditOptions, audit_journal
from croupier.audit.journal.problems import AuditProblem
from croupier.journal.findings import Finding, FindingKind, Findings
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    SNAPSHOTS,
    STREAMS,
    VOUCHERS,
)
from croupier.rules.events import PiecePlaced, RoundSettled, WagerIncreased, WagerPlaced
from tests.audit.journal.faults import FAULTS, TOGETHER
from tests.audit.journal.forging import Forgery
from tests.audit.journal.reported import is_told, told
from tests.journal.tampering import change, delete, execute, rows


def test_every_fault_is_reported(played: SqliteStore, tmp_path: Path) -> None:
    forgery = Forgery(played)
    planted = {name: FAULTS[name](forgery) for name in TOGETHER}
    path = forgery.write(tmp_path / "forged.db")

    report = audit_journal(str(path))

    missed = [name for name, seen in planted.items() if not is_told(report, seen)]
    assert missed == [], told(report)


def test_overpaid_settlements_are_missing_in_the_rebuilt_ledger(
    played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    FAULTS["pays_36"](forgery)
    path = forgery.write(tmp_path / "forged.db")

    report = audit_journal(str(path))

    wrong = {
        finding.problem.split()[0]: finding
        for finding in report.findings
        if finding.kind is FindingKind.BALANCE
    }
    assert set(wrong) == {"house", "seat:Anna"}
    for account, sign in (("house", 1), ("seat:Anna", -1)):
        expected, found = wrong[account].expected_cents, wrong[account].found_cents
        assert expected is not None
        assert found is not None
        assert expected - found == sign * 1_000


def test_a_wrong_settlement_that_was_corrected_leaves_the_ledger_right(
    played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    first, second = forgery.all("v3", RoundSettled, 5)
    wager = first.event.wagers[0]
    [piece] = wager.pieces
    worse = piece._replace(collected_cents=0, returned_cents=piece.stake_cents)
    others = first.event.wagers[1:]
    first.change(wagers=(wager._replace(pieces=(worse,)), *others))
    for item, sign in ((first, 1), (second, -1)):
        item.move("house", "colour:blue", sign * piece.stake_cents)

    report = audit_journal(str(forgery.write(tmp_path / "forged.db")))

    kinds = {finding.kind for finding in report.findings}
    assert FindingKind.SETTLEMENT in kinds
    assert FindingKind.BALANCE not in kinds


def _answer(store: Store) -> None:
    row = rows(store, ANSWERS)[9]
    change(store, ANSWERS, row, last=row[3] + 1)


def _balance(store: Store) -> None:
    row = next(row for row in rows(store, BALANCES) if row[1] == "house")
    change(store, BALANCES, row, cents=row[2] + 1)


def _entry(store: Store) -> None:
    row = rows(store, ENTRIES)[3]
    change(store, ENTRIES, row, cents=row[4] + 1)


def _event(store: Store) -> None:
    row = next(row for row in rows(store, EVENTS) if row[8] == "BoughtIn")
    change(store, EVENTS, row, body=row[9].replace("Anna", "Zora"))


def _missing_event(store: Store) -> None:
    row = next(row for row in rows(store, EVENTS) if row[8] == "WagerPlaced")
    delete(store, EVENTS, row)


def _nonsense(store: Store) -> None:
    row = next(row for row in rows(store, EVENTS) if row[8] == "WagerPlaced")
    change(store, EVENTS, row, body="{}")


def _snapshot(store: Store) -> None:
    row = rows(store, SNAPSHOTS)[0]
    change(store, SNAPSHOTS, row, body=row[2].replace("true", "false"))


def _stream_end(store: Store) -> None:
    change(store, STREAMS, rows(store, STREAMS)[0], hash="0" * 64)


def _voucher(store: Store) -> None:
    row = rows(store, VOUCHERS)[0]
    change(store, VOUCHERS, row, cents=row[1] + 1)


@pytest.mark.parametrize(
    ("spoil", "kinds"),
    [
        (_answer, {FindingKind.JOURNAL_ANSWERS}),
        (_balance, {FindingKind.JOURNAL_BALANCES, FindingKind.BALANCE}),
        (
            _entry,
            {
                FindingKind.JOURNAL_EVENTS,
                FindingKind.JOURNAL_ENTRIES,
                FindingKind.ENTRIES_NOT_ZERO,
            },
        ),
        (_event, {FindingKind.JOURNAL_EVENTS, FindingKind.ENTRIES}),
        (_missing_event, {FindingKind.JOURNAL_EVENTS, FindingKind.SETTLED_UNPLACED}),
        (_nonsense, {FindingKind.JOURNAL_EVENTS, FindingKind.UNREADABLE}),
        (_snapshot, {FindingKind.JOURNAL_SNAPSHOTS, FindingKind.SNAPSHOT}),
        (_stream_end, {FindingKind.JOURNAL_STREAMS}),
        (_voucher, {FindingKind.JOURNAL_VOUCHERS}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_edited_row_is_reported_by_verification_and_audit(
    spoil: Callable[[Store], None],
    kinds: set[FindingKind],
    played: SqliteStore,
    tmp_path: Path,
) -> None:
    path = Forgery(played).write(tmp_path / "spoiled.db", spoil)

    report = audit_journal(str(path))

    assert kinds <= set(report.counts), told(report)


def test_more_findings_than_are_kept_are_counted(
    played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    for item in forgery.all("v3", WagerPlaced):
        item.row = item.row._replace(terms="0" * 16)
    wagers = len(forgery.all("v3", WagerPlaced))
    path = forgery.write(tmp_path / "forged.db")

    few = audit_journal(str(path), AuditOptions(most_kept=3))
    all_ = audit_journal(str(path), AuditOptions(most_kept=None))

    assert few.counts == all_.counts
    assert few.counts[FindingKind.TERMS] == wagers > 3
    assert len([f for f in few.findings if f.kind is FindingKind.TERMS]) == 3
    assert len(all_.findings) == sum(all_.counts.values())


def test_findings_of_two_parts_are_kept_up_to_the_same_number() -> None:
    one, other = Findings(2), Findings(2)
    for findings in (one, other):
        for number in range(3):
            late = AuditProblem.PLACED_LATE()
            findings.add(Finding(FindingKind.LATE_WAGER, "t1", number, late))

    one.merge(other)

    assert len(one.kept) == 2
    assert one.total == 6


def test_negative_stored_balances_of_seats_are_reported(
    played: SqliteStore, tmp_path: Path
) -> None:
    def spoil(store: Store) -> None:
        execute(store, "PRAGMA ignore_check_constraints = ON")
        row = next(row for row in rows(store, BALANCES) if row[1] == "seat:Ben")
        change(store, BALANCES, row, cents=-5)

    path = Forgery(played).write(tmp_path / "spoiled.db", spoil)

    report = audit_journal(str(path))

    [finding] = [f for f in report.findings if f.kind is FindingKind.BALANCE]
    assert (finding.stream, finding.found_cents) == ("v3", -5)


def test_absurd_amounts_are_reported_and_hide_nothing_else(
    played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    seen = FAULTS["pays_36"](forgery)
    settled = forgery.one("v3", RoundSettled, 2)
    wager, *others = settled.event.wagers
    [piece] = wager.pieces
    absurd = piece._replace(paid_cents=2**63, returned_cents=-(2**63))
    settled.change(wagers=(wager._replace(pieces=(absurd,)), *others))
    placed = forgery.one("v3", WagerPlaced, 6)
    placed.change(pieces=(PiecePlaced("odd", 10**18),))
    forgery.one("v3", WagerIncreased, 2).change(piece_cents=-5)

    report = audit_journal(str(forgery.write(tmp_path / "forged.db")))

    assert is_told(report, seen)
    settlements = [f for f in report.findings if f.kind is FindingKind.SETTLEMENT]
    assert {f.round_number for f in settlements} == {1, 2, 6}
    assert FindingKind.WRONG_PIECES in report.counts
