"""What one reader of a connection has not read yet, in bounded memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from croupier.protocol.answers import FromHouse, Snapshot

MOST_UNREAD = 5_000


class Ear:
    """Who reads too slowly gets a snapshot instead, as from the house itself."""

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._unread: deque[FromHouse] = deque()
        self._something = asyncio.Event()
        self._is_over = False

    @property
    def has_some(self) -> bool:
        return bool(self._unread)

    def put(self, message: FromHouse) -> None:
        """Never waits; the snapshot is asked for after the message was folded."""
        if len(self._unread) >= MOST_UNREAD:
            self._unread.clear()
            message = self._snapshot()
        self._unread.append(message)
        self._something.set()

    def end(self) -> None:
        self._is_over = True
        self._something.set()

    async def next(self) -> FromHouse | None:
        """None: it is over, and everything has been read."""
        while not self._unread:
            if self._is_over:
                return None
            self._something.clear()
            await self._something.wait()
        return self._unread.popleft()
