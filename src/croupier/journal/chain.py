"""The hash chain of a stream, one hash over the ends of all streams, and digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from croupier.journal.tables import EventRow, HeadRow
from croupier.ledger.accounts import Account, Entry

_HASHED = EventRow._fields.index("hash")


def event_hash(
    before: str, columns: Sequence[str | int], entries: Sequence[Entry]
) -> str:
    """Hash the previous hash, every column of the event, and its entries.

    `columns` is an `EventRow`, with or without its hash.
    """
    # Spelled out, because a table hashes every wager: joining takes twice as long.
    stream, sequence, number, command_id, at, schema, document, terms, kind, body = (
        columns[:_HASHED]
    )
    text = (
        f"{before}\n{stream}\n{sequence}\n{number}\n{command_id}\n{at}"
        f"\n{schema}\n{document}\n{terms}\n{kind}\n{body}"
    )
    for account, cents in entries:
        text += f"\n{account} {cents}"
    return sha256(text.encode()).hexdigest()


def house_head(heads: Iterable[HeadRow]) -> str:
    """Return one hash over the ends of all streams."""
    lines = sorted(f"{head.stream} {head.sequence} {head.hash}" for head in heads)
    return sha256("\n".join(lines).encode()).hexdigest()


def balances_digest(balances: Mapping[Account, int]) -> str:
    """Return one hash over all balances that are not zero."""
    lines = sorted(f"{account} {cents}" for account, cents in balances.items() if cents)
    return digest("\n".join(lines))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
