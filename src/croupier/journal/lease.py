"""The lease of a house: one process at a time writes its journal, while it lives.

A lease is bound to the process that took it. The kernel or the database server lets go
of it when that process ends, however it ends: none is ever left behind. What a lease
can't keep out (a process cut off from its database, while another takes over) the
epochs of the streams still refuse.
"""

from __future__ import annotations

from typing import Protocol, Self

from croupier.journal.store import JournalError


class LeaseHeld(JournalError):
    """Another process that lives has the lease; nothing was changed."""


class Lease(Protocol):
    """Held from its making until `close`, or the end of the process."""

    def renew(self) -> None:
        """Make sure that it is held, and take it again where it was lost.

        Raises `LeaseHeld` where another process has it now, and `JournalFailed` where
        nobody can tell.
        """

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
