"""A house's journal shared by processes: one by a lease, or several in turns.

A lease is bound to the process that took it. The kernel or the database server lets go
of it when that process ends, however it ends: none is ever left behind. Turns keep the
acts of several processes apart, so that each decides on the newest state.

Neither is a fence. A process that is cut off from its database, or hangs in its turn,
loses what it holds to another; what it writes after that is refused by the epochs of
the streams, or since the stream has another end than the one it decided on.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class SharedCounters(Protocol):
    """Counters that all processes share outside the journal; of any thread.

    Everything may raise `JournalFailed`.
    """

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        """Keep when each session was last used; return all that were used lately."""

    def take_token(self, key: str, a_second: float, at_once: int) -> float:
        """Take a token of the bucket of a key, or return the seconds to wait for one.

        Tokens come back at a rate, by the database's clock, up to so many.
        """


class HouseSharing(Protocol):
    """The turns at one house's stream, and the news of it; each of one thread.

    Payments at tables take turns of their own: a table may pay while the house waits
    for its answer.
    """

    @property
    def counters(self) -> SharedCounters: ...

    def take_turn(self) -> None:
        """Wait for the turn; a holder who hangs is put out after a while.

        Raises `JournalFailed` where it can't be had.
        """

    def end_turn(self) -> None:
        """Let the next have it; nothing is raised where it was lost meanwhile."""

    def take_payment_turn(self) -> None:
        """Wait for the turn to make a payment, as for that of the house."""

    def end_payment_turn(self) -> None: ...

    def wait(self, seconds: float) -> bool:
        """Wait until somebody has written the stream; return whether anybody has.

        Raises `JournalFailed` where nobody can tell.
        """

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
