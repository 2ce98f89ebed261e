"""Who listens to a table at this moment."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from croupier.house.audience import Audience, Listener


class Gallery:
    """The listeners of one table, and its devices as far as they are connected."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._by_seat: dict[str, set[Listener]] = {}
        self._devices: dict[str, int] = {}
        self.lost: set[str] = set()
        """Devices that were here and have gone silent."""

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._listeners)

    def __len__(self) -> int:
        return len(self._listeners)

    def at_seat(self, seat: str) -> Collection[Listener]:
        return self._by_seat.get(seat, ())

    def heard_by(self, audience: Audience) -> list[Listener]:
        return [each for each in self._listeners if each.audience is audience]

    @property
    def terminals(self) -> int:
        return len(self._by_seat)

    def has_device(self, device: str) -> bool:
        return device in self._devices

    def join(self, listener: Listener) -> None:
        self._listeners.add(listener)
        if listener.seat is not None:
            self._by_seat.setdefault(listener.seat, set()).add(listener)
        if listener.device is not None:
            self._devices[listener.device] = self._devices.get(listener.device, 0) + 1

    def leave(self, listener: Listener) -> bool:
        """Whether that was the last connection of a device."""
        if listener not in self._listeners:
            return False
        self._listeners.remove(listener)
        self._unseat(listener)
        if listener.device is None:
            return False
        self._devices[listener.device] -= 1
        if self._devices[listener.device]:
            return False
        del self._devices[listener.device]
        return True

    def reseat(self, listener: Listener, seat: str) -> None:
        """Another Player sits there now."""
        self._unseat(listener)
        listener.seat = seat
        self._by_seat.setdefault(seat, set()).add(listener)

    def _unseat(self, listener: Listener) -> None:
        if listener.seat is None:
            return
        there = self._by_seat.get(listener.seat, set())
        there.discard(listener)
        if not there:
            self._by_seat.pop(listener.seat, None)
