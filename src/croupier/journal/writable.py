"""What both databases can hold: text without NUL or half a character, 64-bit integers.

PostgreSQL refuses a NUL in a text and SQLite would take it: here both refuse it.
"""

from __future__ import annotations

from croupier.journal.rows import StreamBatch
from croupier.journal.store import JournalError

_LARGEST = 2**63 - 1
_LONGEST_SECRET = 1_000


def is_writable(*values: str | int) -> bool:
    """Whether the values can stand in a journal unchanged."""
    return all(
        _is_text(value)
        if isinstance(value, str)
        else -_LARGEST - 1 <= value <= _LARGEST
        for value in values
    )


def unwritable(batch: StreamBatch) -> JournalError | None:
    """Why a batch can't be written to any store, or None."""
    assert batch.events, "a batch without events"
    texts = [batch.stream]
    for row in batch.events:
        texts += (row[0], row[3], *row[6:])
    texts += [entry.account for _, _, entry in batch.entries]
    texts += [balance.account for balance in batch.balances]
    texts += [answer.command_id for answer in batch.answers]
    for voucher in batch.vouchers:
        texts += (voucher.code, *voucher[3:])
    if batch.snapshot is not None:
        texts += (batch.snapshot.body, batch.snapshot.digest)
    return (
        None if _is_text("".join(texts)) else refused(batch.stream, "its text is none")
    )


def refused(stream: str, reason: object) -> JournalError:
    """The batch was left out; the others of its commit were not."""
    return JournalError(f"{stream!a} has a batch that can't be written: {reason}")


def check_secret(value: str) -> None:
    """Raises `JournalError`, without the value, where no store can keep it."""
    if not _is_text(value):
        raise refused("secrets", "its text is none")
    if len(value) > _LONGEST_SECRET:
        raise refused("secrets", f"it is longer than {_LONGEST_SECRET} characters")


def _is_text(text: str) -> bool:
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
