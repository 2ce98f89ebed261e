"""`report`: every figure of every group, by a second convolution of the rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.figures.choices import some_limits
from tests.figures.command import croupier, figures
from tests.figures.files import (
    day_of,
    dealer_of,
    settled_columns,
    write_rows,
)
from tests.figures.groups import (
    ReportedRound,
    check_ratio,
    check_sections,
    check_whole,
)
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.settlement import Limits
from tests.figures.rounds import Row, some_rounds


def reported(table: Table, rows: Sequence[Row]) -> list[ReportedRound]:
    """Return the rounds of a file that reached an outcome, each with its groups."""
    rounds: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        rounds[row.place, row.round].append(row)
    return [
        ReportedRound(
            table,
            {"table": place, "day": day_of(here[0]), "dealer": dealer_of(here[0])},
            here[0].outcome,
            here[0].lit,
            tuple(row.pieces for row in here),
        )
        for (place, _), here in rounds.items()
        if not here[0].void
    ]


def check_meters(rows: Sequence[Row], meters: list[dict[str, Any]]) -> None:
    mine: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        mine[row.place, day_of(row)].append(row)
    for meter in meters:
        here = mine.pop((meter["table"], meter["day"]))
        alive = [row for row in here if not row.void]
        assert meter["rounds"] == len({row.round for row in alive})
        assert meter["voids"] == len({row.round for row in here if row.void})
        assert meter["handle_cents"] == sum(row.at_risk for row in alive)
        assert meter["paid_cents"] == sum(row.paid or 0 for row in alive)
        win = sum(row.collected - (row.paid or 0) for row in alive)
        assert meter["win_cents"] == win
        check_ratio(meter["hold"], win, meter["handle_cents"])
        assert (meter["corrections"], meter["drop_cents"]) == (None, None)
        assert meter["hold_of_drop"] is None
    assert not mine


def check_report(seed: int, folder: Path, *, rounds: int = 8) -> None:
    """Report a file at random and check every group and meter of it."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    limits = some_limits(chance, table) if table.lies_outside_limits else Limits()
    rows = [
        row
        for row in some_rounds(chance, table, limits, rounds=rounds)
        if row.paid is not None
    ]
    file = folder / f"settled-{seed}.csv"
    write_rows(file, [settled_columns(row) for row in rows])
    by = chance.choice(
        ("table", "day", "type", "dealer", "table,day", "day,type", "dealer,table")
    )
    level = chance.choice(([], ["--level", "80", "--level", "99.9"]))

    told = figures(
        *("report", str(file), "--game", table.name, "--by", by),
        *limits.options(),
        *level,
    )

    mine = reported(table, rows)
    check_whole(mine, told["all"])
    check_sections(mine, told["sections"])
    check_meters(rows, told["meters"])
    assert told["games"] == [table.name]
    assert (told["rows_checked"], told["rows_differing"]) == (len(rows), 0)


def sums(row: Row, paid: int) -> dict[str, int]:
    """Return what becomes of a row, by the keys of a difference."""
    return {
        "at_risk_cents": 0 if row.void else row.at_risk,
        "paid_cents": paid,
        "collected_cents": row.collected,
        "returned_cents": row.returned,
    }


def check_differences(seed: int, folder: Path) -> None:
    """Put wrong sums into a few rows: just these are found, with what is right."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    rows = list(some_rounds(chance, table, Limits(), rounds=6))
    wrong = set(chance.sample(range(len(rows)), 3))
    written = [settled_columns(row) for row in rows]
    for at in wrong:
        written[at]["paid_cents"] = str((rows[at].paid or 0) + chance.randint(1, 900))
    file = folder / f"wrong-{seed}.csv"
    write_rows(file, written)

    answer = croupier("report", str(file), "--game", table.name, "--json")

    told = answer.told
    assert answer.status == 1
    assert (told["rows_checked"], told["rows_differing"]) == (len(rows), 3)
    assert {one["row"] - 1 for one in told["differences"]} == wrong
    for one in told["differences"]:
        row = rows[one["row"] - 1]
        paid = int(written[one["row"] - 1]["paid_cents"])
        assert one["found"] == sums(row, paid)
        assert one["expected"] == sums(row, row.paid or 0)
        assert (one["table"], one["round"]) == (row.place, str(row.round))
        assert (one["area"], one["stake_cents"]) == (row.chips.wager, row.stake)
