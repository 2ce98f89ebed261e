"""Keys that sign and witness a log, and the seats it has receipts of."""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.events.codec import decode
from croupier.journal.store import Store
from croupier.rules.events import RoundSettled

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
WITNESS_NAME = "regulator.example/w1"


def seats_settled(store: Store) -> Iterator[tuple[str, int, str]]:
    for head in store.heads():
        for row in store.events(head.stream, kinds=(RoundSettled.__name__,)):
            settled = decode(row.schema, row.kind, row.body)
            assert isinstance(settled, RoundSettled)
            for seat in {wager.player for wager in settled.wagers}:
                yield head.stream, row.round_number, seat


def seats_with_receipts(store: Store) -> list[tuple[str, int, str]]:
    """Return table, round and seat of each receipt that there can be."""
    return sorted(set(seats_settled(store)))
