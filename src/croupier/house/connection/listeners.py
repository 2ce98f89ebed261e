"""Who listens to a table, and which of its events are for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any, Protocol, get_args

import msgspec

from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HOUSE_EVENTS
from croupier.ledger.money import MONEY_EVENTS
from croupier.rules import events as ev
from croupier.rules.operator import Person, Role


@unique
class Audience(Enum):
    """A board shows what everybody may see; a seat also sees its own."""

    BOARD = "board"
    SEAT = "seat"
    STAFF = "staff"


class Outlet(Protocol):
    """Where what is told to one reader goes."""

    def put(self, message: bytes) -> None:
        """Never waits; a reader too slow for it is cut off."""

    def dismiss(self, reason: str, *, come_back: bool) -> None:
        """Goodbye; nothing is told after it."""


@dataclass(eq=False, slots=True)
class Listener:
    """One connection's ear at a table."""

    audience: Audience
    seat: str | None
    """The account of the seat: its Player's name, or the terminal's."""
    device: str | None
    outlet: Outlet
    waiting: list[bytes] | None = None
    """What is told while the reader still catches up."""

    def send(self, message: bytes) -> None:
        if self.waiting is None:
            self.outlet.put(message)
        else:
            self.waiting.append(message)


WagerEvent = (
    ev.WagerPlaced
    | ev.WagerIncreased
    | ev.WagerWithdrawn
    | ev.WagerMarkedUnclear
    | ev.WagerRuled
)
WAGER_EVENTS = frozenset(get_args(WagerEvent))
"""For whose wager it is; the staff hear of many at once."""
_OF_ONE = MONEY_EVENTS | {ev.ColourIssued, ev.ColourReturned}
_FOR_STAFF = frozenset(
    {
        hap.WheelReported,
        hap.NoticeAnswered,
        hap.BallStated,
        ev.EarlyCloseAllowed,
        ev.LayoutFrozen,
    }
)
_FOR_NOBODY = HOUSE_EVENTS | {
    hap.SnapshotTaken,
    hap.AnnouncementShown,
    hap.ActRefused,
    hap.GamingDayClosed,
}


def owner_of(event: JournalEvent, owners: dict[str, str]) -> str | None:
    """Whose event it is, where it is one Player's; `owners` knows wagers by id."""
    if type(event) in WAGER_EVENTS:
        by = getattr(event, "by", None)
        if isinstance(by, Person) and by.role is Role.PLAYER:
            return by.name  # of any round; `owners` knows the one in play
        return getattr(event, "player", None) or owners.get(
            getattr(event, "wager_id", "")
        )
    if type(event) in _OF_ONE:
        name = getattr(event, "seat", None) or getattr(event, "player", None)
        return name if isinstance(name, str) else None
    return None


def hears(audience: Audience, event: JournalEvent, *, is_own: bool) -> bool:
    """Whether an event is for this audience."""
    kind = type(event)
    if kind in _FOR_NOBODY:
        return False
    if audience is Audience.STAFF:
        return kind not in WAGER_EVENTS
    if kind in WAGER_EVENTS or kind in _OF_ONE:
        return is_own and audience is Audience.SEAT
    return kind not in _FOR_STAFF


def fields_of(event: JournalEvent, audience: Audience) -> dict[str, Any]:
    """The event as JSON; who did it is the staff's to know."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    for name in _SECRET if audience is Audience.STAFF else _PRIVATE:
        fields.pop(name, None)
    return fields


_PRIVATE = ("by", "initiator", "authoriser", "warned")
"""Names that are the staff's to know."""
_SECRET = ("code",)
"""A voucher's code is for who holds it."""


class Listeners:
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
