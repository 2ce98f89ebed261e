"""Passwords: kept as argon2id hashes, outside the journal, found by their digest."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.house.record import HouseRecord, NotDone
from croupier.journal.events.house import PasswordSet

SHORTEST = 10
SHORTEST_PIN = 4
_LONGEST = 200
_hasher = PasswordHasher()


def digest_of(secret: str) -> str:
    """Of a token or a code, which are long and random enough for it."""
    return sha256(secret.encode()).hexdigest()


def set_password(
    record: HouseRecord, by: str, name: str, password: str, shortest: int = SHORTEST
) -> None:
    """From now on; whoever is named by it logs on with this one alone."""
    if not shortest <= len(password) <= _LONGEST:
        raise NotDone(f"a password has from {shortest} to {_LONGEST} characters")
    before = record.state.account(name).password
    digest = record.store.keep_secret(_hasher.hash(password))
    record.write(PasswordSet(by, name, digest))
    if before is not None:
        record.store.drop_secret(before)


def is_password(record: HouseRecord, name: str, password: str) -> bool:
    """Whether it is theirs; it takes as long where there is no such name."""
    digest = record.state.account(name).password
    kept = record.store.secret(digest) if digest is not None else None
    if kept is None or digest_of(kept) != digest:
        _is_hash_of(_nobody(), password)
        return False
    return _is_hash_of(kept, password)


def _is_hash_of(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password[:_LONGEST])
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    return _hasher.hash("nobody has this password")
