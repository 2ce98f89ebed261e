"""What lets several processes write the house's stream: in turns, each told of others.

Turns keep acts apart, so that each decides on the newest state. They are no fence: a
process that hangs in its turn is put out, and what it writes after that is refused,
since the stream has moved on or has another end than the one it decided on.
"""

from __future__ import annotations

from typing import Protocol, Self


class HouseSharing(Protocol):
    """The turns at one house's stream, and the news of it; each of one thread."""

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
