"""Passwords that are hashed in no time.

A hash by the program's own settings takes a fifth of a second of a processor, a house
has one for each of its staff, and the tests make hundreds of houses. A hash names its
settings, so that a program of its own checks these as quickly.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from argon2 import PasswordHasher

from croupier.house.people import log_on


@contextmanager
def quick_passwords() -> Iterator[None]:
    """Set passwords quickly in this process, and in those forked from it."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with patch.object(log_on, "_hasher", quick):
        yield
