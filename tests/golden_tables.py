"""The golden tables: plain text, typed by a person who read the documents."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
GAMES = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "mbs-fast-action-v2",
    "rws-triple-zero",
)


def golden_rows(name: str) -> list[str]:
    """The lines of a table, without comments and blank lines."""
    text = (GOLDEN / name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]
