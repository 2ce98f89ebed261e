"""The observer that measures a floor, and one that measures nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Observer(Protocol):
    """Measures the floor: each is called on the event loop, and is quick."""

    def answered(
        self, table: str, kind: str, registered: bool, seconds: Sequence[float]
    ) -> None: ...

    def wagers(self, table: str, registered: bool, count: int) -> None: ...

    def committed(self) -> None: ...

    def queued(self, table: str, depth: int) -> None: ...

    def told(self, table: str, listeners: int, seconds: float) -> None: ...

    def connected(self, table: str, kind: str, change: int) -> None: ...

    def voided(self, table: str) -> None: ...

    def cut_off(self, table: str) -> None: ...

    def proposals(self, waiting: int) -> None: ...

    def log_on_failed(self) -> None: ...


class NoObserver(Observer):
    """An observer that measures nothing."""
