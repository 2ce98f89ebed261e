"""A house's journal shared by processes: one by a lease, or several in turns.

A lease is bound to the process that took it. The kernel or the database server releases
it when that process ends in any way: no lease is ever left behind. Turns keep the acts
of several processes apart, so that each decides on the newest state.

Neither prevents stale writes. A process that is cut off from its database, or hangs in
its turn, loses its lease or turn to another. Its later writes are refused, because the
stream has a new epoch or another end than the one it decided on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from croupier.journal.store import JournalError


class LeaseHeld(JournalError):
    """Another live process has the lease; nothing was changed."""


class Lease(Protocol):
    """A lease, held from its construction until `close` or the end of the process."""

    def renew(self) -> None:
        """Check that it is held; take it again if it was lost.

        Raises `LeaseHeld` if another process has it now, and `JournalFailed` if the
        database does not answer.
        """

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class HouseSharing(Protocol):
    """Turns to write one house's stream, and notifications of its writes.

    Use each instance in one thread only. Payments at tables take turns of their own: a
    table may pay while the house waits for its answer.
    """

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        """Store the time of each session's last use; return the recent ones.

        Any thread may call it. Raises `JournalFailed` if the database does not answer.
        """

    def take_turn(self) -> None:
        """Wait for the turn; the session of a holder that hangs is ended.

        Raises `JournalFailed` if the turn can't be taken.
        """

    def end_turn(self) -> None:
        """Release the turn; it may have been lost meanwhile."""

    def take_payment_turn(self) -> None:
        """Wait for the turn to make a payment, as `take_turn` does."""

    def end_payment_turn(self) -> None: ...

    def wait(self, seconds: float) -> bool:
        """Wait until the stream is written or the time is up; return whether it was.

        Raises `JournalFailed` if the database does not answer.
        """
