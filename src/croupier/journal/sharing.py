"""Turns by which several processes write the house's stream, each told of others.

Turns keep acts apart, so that each decides on the newest state. They are no fence: a
process that hangs in its turn is put out, and what it writes after that is refused,
since the stream has moved on or has another end than the one it decided on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self


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
    """The turns at one house's stream, and the news of it; each of one thread."""

    @property
    def counters(self) -> SharedCounters: ...

    def take_turn(self) -> None:
        """Wait for the turn; a holder who hangs is put out after a while.

        Raises `JournalFailed` where it can't be had.
        """

    def end_turn(self) -> None:
        """Let the next have it; nothing is raised where it was lost meanwhile."""

    def wait(self, seconds: float) -> bool:
        """Wait until somebody has written the stream; return whether anybody has.

        Raises `JournalFailed` where nobody can tell.
        """

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
