"""Faults planted in a journal whose chain verifies: each is seen, where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.stores.sqlite import SqliteStore
from tests.audit.journal.faults import FAULTS, Fault
from tests.audit.journal.forging import Forgery
from tests.audit.journal.reported import is_told, told
from tests.audit.journal.table_faults import TABLE_FAULTS

ALL_FAULTS: dict[str, Fault] = {**FAULTS, **TABLE_FAULTS}
IN_THE_OPEN = {
    "voucher_twice",
    "voucher_paid_again",
    "voucher_amount",
    "voucher_from_nowhere",
    "credit_below_zero",
}
"""Faults that a verification of the journal alone tells as well."""


def test_an_unchanged_copy_is_clean(played: SqliteStore, tmp_path: Path) -> None:
    path = Forgery(played).write(tmp_path / "anew.db")

    report = audit_journal(str(path))

    assert report.findings == ()
    assert report.is_clean


@pytest.mark.parametrize("name", ALL_FAULTS)
def test_a_planted_fault_is_reported_where_it_is(
    name: str, played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    seen = ALL_FAULTS[name](forgery)
    path = forgery.write(tmp_path / "forged.db")

    report = audit_journal(str(path))

    by_chain = [kind for kind in report.counts if kind.name.startswith("JOURNAL_")]
    assert is_told(report, seen), told(report)
    assert bool(by_chain) == (name in IN_THE_OPEN)
