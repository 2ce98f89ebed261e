"""Tables of wagers as files: the rows of rounds, written and read."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars

from tests.figures.rounds import Row


def columns(row: Row) -> dict[str, str]:
    return {
        "table": row.place,
        "round": str(row.round),
        "player": row.player,
        "area": row.chips.wager,
        "stake_cents": str(row.chips.piece_cents),
        "outcome": row.outcome,
        "bonus_numbers": " ".join(row.lit),
        "void": "true" if row.void else "false",
    }


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    if path.suffix == ".jsonl":
        lines = (json.dumps(row) + "\n" for row in rows)
        path.write_text("".join(lines), encoding="utf-8")
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def read_rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return polars.read_parquet(path).to_dicts()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(text.splitlines()))


DAYS = ("2026-01-01", "2026-01-02")


def day_of(row: Row) -> str:
    return DAYS[row.round > 4]


DEALERS = ("Dana", "Dora", "Dev")


def dealer_of(row: Row) -> str:
    return DEALERS[(row.round + ord(row.place)) % 3]


def settled_columns(row: Row) -> dict[str, str]:
    """Return the columns of a settled wager, with its gaming day and Dealer."""
    return {
        **columns(row),
        "day": day_of(row),
        "dealer": dealer_of(row),
        "paid_cents": str(row.paid),
        "collected_cents": str(row.collected),
        "returned_cents": str(row.returned),
        "at_risk_cents": str(0 if row.void else row.at_risk),
    }
