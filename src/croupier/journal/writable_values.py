"""Checks that both databases can hold a value unchanged."""

from __future__ import annotations

_LARGEST = 2**63 - 1


def is_writable(*values: str | int) -> bool:
    """Return whether both databases can hold the values unchanged.

    PostgreSQL refuses a NUL in a text and SQLite would take it: here both refuse it.
    """
    return all(
        is_text(value) if isinstance(value, str) else -_LARGEST - 1 <= value <= _LARGEST
        for value in values
    )


def is_text(text: str) -> bool:
    """Return whether the text has no NUL and no half of a surrogate pair."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
