"""`report` on journals: groups, meters, hold and drop, read once more from events."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.checks.journal_report import (
    check_days,
    check_journal,
    check_some_journal,
)
from tests.figures.command import croupier, figures
from tests.figures.oracle.games import TABLES

SAMPLE = Path("samples/house.jsonl")
SAMPLE_TABLES = {
    "complete": TABLES["mbs-complete-bet-v2"],
    "fast": TABLES["mbs-fast-action-v2"],
    "triple": TABLES["rws-triple-zero"],
    "v2": TABLES["mbs-roulette-v2"],
    "v3": TABLES["mbs-roulette-v3"],
}


@pytest.mark.parametrize("block", range(3))
def test_journals_at_random(block: int, tmp_path: Path) -> None:
    for seed in range(3 * block, 3 * block + 3):
        check_some_journal(seed, tmp_path)


def test_some_days_of_a_journal(tmp_path: Path) -> None:
    for seed in range(100, 102):
        check_days(seed, tmp_path)


def test_the_sample_of_a_house_as_an_export() -> None:
    check_journal(SAMPLE, SAMPLE_TABLES, SAMPLE, seed=1)


def test_the_sample_of_a_house_as_a_database(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    assert croupier("journal", "import", str(SAMPLE), str(database)).status == 0

    check_journal(database, SAMPLE_TABLES, SAMPLE, seed=4)


def test_the_sample_of_a_house_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    """Each figure by the events, and the whole as SQLite has it."""
    database = tmp_path / "house.db"
    for where in (str(database), postgres_url):
        assert croupier("journal", "import", str(SAMPLE), where).status == 0

    check_journal(postgres_url, SAMPLE_TABLES, SAMPLE, seed=3)

    words = ("--by", "dealer", "--by", "table,day")
    told = figures("report", postgres_url, *words)
    other = figures("report", str(database), *words)
    assert {**told, "source": None} == {**other, "source": None}
