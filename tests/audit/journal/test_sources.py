"""The same report from either database and every export; damaged exports too."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.audit.journal.auditor import AuditOptions, AuditReport, audit_journal
from croupier.journal.export import export_journal, import_journal
from croupier.journal.findings import FindingKind
from croupier.journal.sources import open_journal
from croupier.journal.store import JournalError
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EVENTS, TABLES
from tests.audit.journal.faults import FAULTS, TOGETHER
from tests.audit.journal.forging import Forgery
from tests.audit.journal.reported import told
from tests.journal.tampering import rows

OF_THE_CHAIN = {"voucher_amount", "credit_below_zero"}
"""An import refuses what its own verification finds."""


@pytest.fixture
def forged(played: SqliteStore, tmp_path: Path) -> Path:
    """A journal with two dozen faults in it."""
    forgery = Forgery(played)
    for name in TOGETHER:
        if name not in OF_THE_CHAIN:
            FAULTS[name](forgery)
    return forgery.write(tmp_path / "forged.db")


def _exported(journal: Path, name: str) -> Path:
    path = journal.with_name(name)
    with SqliteStore(journal) as store:
        export_journal(store, path)
    return path


def test_an_export_is_audited_as_its_journal_is(forged: Path) -> None:
    expected = audit_journal(str(forged))

    report = audit_journal(str(_exported(forged, "export.jsonl")))

    assert report == expected
    assert len(report.counts) > 10


def test_a_journal_on_postgresql_is_audited_as_one_on_sqlite_is(
    forged: Path, postgres_url: str
) -> None:
    expected = audit_journal(str(forged))
    with open_store(postgres_url) as store:
        import_journal(store, _exported(forged, "export.jsonl"))

    report = audit_journal(postgres_url)

    assert report == expected


def test_two_workers_give_the_same_report_as_one(forged: Path) -> None:
    expected = audit_journal(str(forged), AuditOptions(most_kept=2))

    report = audit_journal(str(forged), AuditOptions(workers=2, most_kept=2))

    assert report == expected
    assert len(report.findings) < sum(report.counts.values())


@pytest.mark.parametrize("address", ["sqlite:{}", "sqlite:///{}", "{}"])
def test_a_database_is_named_as_everywhere(forged: Path, address: str) -> None:
    source = address.format(forged)

    with open_journal(source) as store, open_journal(str(forged)) as other:
        assert rows(store, EVENTS) == rows(other, EVENTS)


def test_an_export_is_loaded_row_by_row_as_it_is(
    played: SqliteStore, tmp_path: Path
) -> None:
    path = tmp_path / "house.jsonl"
    export_journal(played, path)

    with open_journal(str(path)) as store:
        for name, table in TABLES.items():
            if name != "streams":
                assert rows(store, table) == rows(played, table)


def _lines(played: SqliteStore, tmp_path: Path) -> tuple[Path, list[bytes]]:
    path = tmp_path / "house.jsonl"
    export_journal(played, path)
    return path, path.read_bytes().splitlines(keepends=True)


def _faults(report: AuditReport) -> list[str]:
    return [f.problem for f in report.findings if f.kind is FindingKind.EXPORT]


def test_a_truncated_export_is_audited_as_far_as_it_goes(
    played: SqliteStore, tmp_path: Path
) -> None:
    path, lines = _lines(played, tmp_path)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))

    report = audit_journal(str(path))

    assert _faults(report) == ["the export is incomplete: its end is missing"]
    assert report.looked_at["events"] > 100
    assert not report.is_clean


def test_an_export_cut_in_the_middle_of_a_line_says_where(
    played: SqliteStore, tmp_path: Path
) -> None:
    path, lines = _lines(played, tmp_path)
    path.write_bytes(b"".join(lines[:100]) + lines[100][:40])

    [fault] = _faults(audit_journal(str(path)))

    assert "line 101" in fault


def test_a_line_removed_from_an_export_is_reported_with_its_consequences(
    played: SqliteStore, tmp_path: Path
) -> None:
    path, lines = _lines(played, tmp_path)
    place = next(i for i, line in enumerate(lines) if b'"WagerPlaced"' in line)
    path.write_bytes(b"".join(lines[:place] + lines[place + 1 :]))

    report = audit_journal(str(path))

    assert len(_faults(report)) == 1
    wanted = {
        FindingKind.JOURNAL_EVENTS,
        FindingKind.SETTLED_UNPLACED,
        FindingKind.ENTRIES,
    }
    assert wanted <= set(report.counts), told(report)


def test_a_repeated_row_is_reported_and_the_rest_is_audited(
    played: SqliteStore, tmp_path: Path
) -> None:
    path, lines = _lines(played, tmp_path)
    path.write_bytes(b"".join([*lines[:50], lines[49], *lines[50:]]))

    report = audit_journal(str(path))

    faults = _faults(report)
    assert any("can't be loaded" in fault for fault in faults)
    assert any("other records" in fault for fault in faults)
    assert report.looked_at["wagers"] > 50


def test_an_export_that_goes_on_after_its_end_is_reported(
    played: SqliteStore, tmp_path: Path
) -> None:
    path, lines = _lines(played, tmp_path)
    path.write_bytes(b"".join([*lines[:-2], lines[-1], lines[-2]]))

    assert "the export goes on after its end" in _faults(audit_journal(str(path)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("none.db", None),
        ("none.jsonl", None),
        ("none.parquet", None),
        ("text.db", b"no journal at all, and long enough to be looked at"),
        ("text.jsonl", b"no export\n"),
        ("text.parquet", b"no export"),
        ("empty.jsonl", b""),
    ],
)
def test_a_source_that_is_no_journal_is_refused_in_a_sentence(
    name: str, content: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(JournalError, match=name.split(".", maxsplit=1)[0]):
        audit_journal(str(path))
