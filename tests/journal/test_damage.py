"""A damaged file gives findings or one sentence, never a traceback."""

from __future__ import annotations

from pathlib import Path
from random import Random

import apsw
import pytest

from croupier.journal.stores import open_store
from croupier.journal.tables import TABLES, StoredTable
from croupier.journal.verification import verify
from tests.cli.running import run_here
from tests.journal.scene import play
from tests.journal.stores import unguarded
from tools.soak.flips import FlippedJournal, campaign


def test_a_bit_flipped_anywhere_is_a_finding_or_one_sentence(tmp_path: Path) -> None:
    """60 of the 10,000 bits that `python -m tools.soak.flips` flips."""
    journal, random = FlippedJournal(tmp_path), Random(8)
    bits = [random.randrange(journal.bits) for _ in range(60)]

    counts, failures = campaign(journal, bits)

    assert failures == []
    assert counts["verify: findings"] > 5
    assert counts["verify: one sentence"] > 0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal's file with columns that take values of any type."""
    file = tmp_path_factory.mktemp("played") / "house.db"
    with open_store(str(file)) as store:
        play(store)
    _execute(
        file,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '')",
        "UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '')",
    )
    return file.read_bytes()


def _execute(file: Path, *statements: str) -> None:
    connection = unguarded(apsw.Connection(str(file)))
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_a_column_of_another_type_is_a_finding(
    table: StoredTable, played: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "house.db"
    for name, kind in table.columns.items():
        if name == "number":  # SQLite's row number is always an integer
            continue
        value = f"CAST({name} AS BLOB)" if kind is str else "x'00'"
        file.write_bytes(played)
        _execute(
            file,
            f"UPDATE {table.name} SET {name} = {value} WHERE ({', '.join(table.order)})"
            f" = (SELECT {', '.join(table.order)} FROM {table.name} LIMIT 1)",
        )

        with open_store(str(file)) as store:
            found = {each.table for each in verify(store).findings}
        copied = run_here("journal", "backup", file, tmp_path / f"{name}.db")

        assert table.name in found, name
        assert copied.code in {1, 2}, name
