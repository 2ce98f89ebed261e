"""The hash chain of a stream, and one head over all streams of the house."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from croupier.journal.tables import EventRow, HeadRow
from croupier.ledger.accounts import Entry

_HASHED = EventRow._fields.index("hash")


def event_hash(
    before: str, columns: Sequence[str | int], entries: Sequence[Entry]
) -> str:
    """Hash the hash before it, every column of the event, and its entries.

    `columns` is an `EventRow`, or all of it but the hash.
    """
    parts = [before, *map(str, columns[:_HASHED])]
    parts += [f"{account} {cents}" for account, cents in entries]
    return sha256("\n".join(parts).encode()).hexdigest()


def house_head(heads: Iterable[HeadRow]) -> str:
    """Return one hash over the ends of all streams."""
    lines = sorted(f"{head.stream} {head.sequence} {head.hash}" for head in heads)
    return sha256("\n".join(lines).encode()).hexdigest()


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
