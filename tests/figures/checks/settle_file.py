"""`settle-file`: files at random, row by row and in their totals."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.figures.choices import some_limits
from tests.figures.command import figures
from tests.figures.files import columns, read_rows, write_rows
from tests.figures.oracle.games import TABLES
from tests.figures.rounds import some_rounds

SUFFIXES = (".csv", ".jsonl", ".parquet")


def check_file(seed: int, folder: Path, *, rounds: int = 12) -> int:
    """Settle a file at random and hold each row against the second settlement."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    limits = some_limits(chance, table)
    rows = list(some_rounds(chance, table, limits, rounds=rounds))
    source = folder / f"in-{seed}{chance.choice(SUFFIXES[:2])}"
    target = folder / f"out-{seed}{chance.choice(SUFFIXES)}"
    write_rows(source, [columns(row) for row in rows])

    told = figures(
        "settle-file",
        str(source),
        "-o",
        str(target),
        "--game",
        table.name,
        *limits.options(),
        "--allow-rejected",
    )

    lawful = [row for row in rows if row.paid is not None]
    for mine, written in zip(lawful, read_rows(target), strict=True):
        paid = mine.paid or 0
        assert (
            written["area"],
            int(written["paid_cents"]),
            int(written["collected_cents"]),
            int(written["returned_cents"]),
        ) == (mine.chips.wager, paid, mine.collected, mine.returned), (seed, mine)
        if not mine.void:
            assert int(written["at_risk_cents"]) == mine.at_risk, (seed, mine)
    assert {key: told[key] for key in told if key not in {"output", "rejects"}} == {
        "game": table.name,
        "rows": len(rows),
        "settled": len(lawful),
        "rejected": len(rows) - len(lawful),
        "rounds": len({(row.place, row.round) for row in rows}),
        "stake_cents": sum(row.stake for row in lawful),
        "paid_cents": sum(row.paid or 0 for row in lawful),
        "collected_cents": sum(row.collected for row in lawful),
        "returned_cents": sum(row.returned for row in lawful),
    }
    return len(rows) - len(lawful)
