"""Timers by name, on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Timers:
    """One for each name: a new one takes the place of the old."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._timers

    def after(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        self.cancel(name)

        def due() -> None:
            self._timers.pop(name, None)
            act()

        self._timers[name] = self._loop.call_later(seconds, due)

    def cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def cancel_all(self) -> None:
        for name in tuple(self._timers):
            self.cancel(name)
