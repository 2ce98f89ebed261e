"""The lock of the house's record: held from a check to the record of what was found."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock, get_ident
from typing import Self


class HouseLock:
    """One thread's at a time, as often as it likes.

    Where other processes write the house too, the thread that takes it first takes the
    house's turn with it, and lets go of that last.
    """

    def __init__(
        self, begin: Callable[[], None] | None, end: Callable[[], None] | None
    ) -> None:
        self._own = RLock()
        self._begin, self._end = begin, end
        self._depth = 0
        self._holder: int | None = None

    @property
    def is_mine(self) -> bool:
        """Whether this thread has it."""
        return self._holder == get_ident()

    def __enter__(self) -> Self:
        self._own.acquire()
        try:
            if not self._depth and self._begin is not None:
                self._begin()
        except BaseException:
            self._own.release()
            raise
        self._depth += 1
        self._holder = get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        try:
            if not self._depth:
                self._holder = None
                if self._end is not None:
                    self._end()
        finally:
            self._own.release()
