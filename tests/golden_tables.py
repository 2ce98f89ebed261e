"""The golden tables: plain text, typed by a person who read the documents."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def golden_rows(name: str) -> list[str]:
    """The lines of a table, without comments and blank lines."""
    text = (GOLDEN / name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]
