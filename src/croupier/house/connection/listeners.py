"""The listeners of a table, and which of its events are for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, unique
from functools import lru_cache
from hashlib import sha256
from typing import Any, Protocol, cast, get_args

import msgspec

from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HOUSE_EVENTS
from croupier.ledger.money import MONEY_EVENTS
from croupier.protocol.answers import SeatView, WagerView
from croupier.rules import events as ev
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason


@unique
class Audience(Enum):
    """A board shows what everybody may see; a seat also sees its own."""

    BOARD = "board"
    SEAT = "seat"
    STAFF = "staff"


class Outlet(Protocol):
    """The sink for messages to one listener."""

    def put(self, message: bytes) -> None:
        """Take a message without waiting; cut off a reader that is too slow for it."""

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        """Say goodbye; send nothing after it."""


@dataclass(eq=False, slots=True)
class Listener:
    """One connection that listens to a table."""

    audience: Audience
    seat: str | None
    """The account of the seat: its Player's name, or the terminal's."""
    device: str | None
    outlet: Outlet
    told: SeatView | None = None
    """The listener's own seat, as it was last told, but for the wagers of it."""
    wagers: dict[str, WagerView] = field(default_factory=dict)
    """The wagers of that seat as they were last told, by their ids."""
    prefix: str = field(init=False)
    """The beginning of the ids of a terminal's own wagers, at its table."""

    def __post_init__(self) -> None:
        is_terminal = self.device is not None and self.audience is Audience.SEAT
        self.prefix = _prefix_of(self.device or "") if is_terminal else ""


_LONGEST_PREFIX = 18


@lru_cache(maxsize=10_000)
def _prefix_of(device: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in device)
    if kept != device or len(kept) > _LONGEST_PREFIX:  # no two devices have the same
        kept = f"{kept[:11]}-{sha256(device.encode()).hexdigest()[:6]}"
    return f"{kept}."


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

    @property
    def seats(self) -> Collection[str]:
        return self._by_seat.keys()

    def of(self, *audiences: Audience) -> list[Listener]:
        return [each for each in self._listeners if each.audience in audiences]

    @property
    def terminals(self) -> int:
        return len(self._by_seat)

    def has_device(self, device: str) -> bool:
        return device in self._devices

    def join(self, listener: Listener) -> None:
        """Add a listener, unless it is here already."""
        if listener in self._listeners:
            return
        self._listeners.add(listener)
        if listener.seat is not None:
            self._by_seat.setdefault(listener.seat, set()).add(listener)
        if listener.device is not None:
            self._devices[listener.device] = self._devices.get(listener.device, 0) + 1

    def leave(self, listener: Listener) -> bool:
        """Remove a listener; return whether it was the last of its device."""
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
        """Seat another Player at the listener's terminal."""
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


WagerEvent = (
    ev.WagerPlaced
    | ev.WagerIncreased
    | ev.WagerWithdrawn
    | ev.WagerMarkedUnclear
    | ev.WagerRuled
)
WAGER_EVENTS = frozenset(get_args(WagerEvent))
"""For the seat whose wager it is; the staff see them in `StakesUpdate`."""
_OF_ONE = MONEY_EVENTS | {ev.ColourIssued, ev.ColourReturned}
_FOR_STAFF = frozenset(
    {
        hap.NoticeAnswered,
        hap.BallStated,
        hap.InterpretationRecorded,
        hap.SumConfirmed,
        ev.EarlyCloseAllowed,
        ev.LayoutFrozen,
        ev.SensorReported,
        ev.ReportAnswered,
        ev.WheelDisputed,
    }
)
_FOR_NOBODY = HOUSE_EVENTS | {
    hap.SnapshotTaken,
    hap.AnnouncementShown,
    hap.ClockBehind,
    hap.ActRefused,
    hap.GamingDayBegun,
    hap.GamingDayClosed,
}


def is_of_one(event: JournalEvent) -> bool:
    """Return whether an event concerns one seat."""
    return type(event) in WAGER_EVENTS or type(event) in _OF_ONE


def owner_of(event: JournalEvent, owners: dict[str, str]) -> str | None:
    """Return whose event it is, or None; `owners` has the Players by wager id."""
    if type(event) in WAGER_EVENTS:
        changed = cast(WagerEvent, event)
        if changed.by.role is Role.PLAYER:
            return changed.by.name  # of any round; `owners` knows the one in play
        return getattr(event, "player", None) or owners.get(changed.wager_id)
    if type(event) in _OF_ONE:
        name = getattr(event, "seat", None) or getattr(event, "player", None)
        return name if isinstance(name, str) else None
    return None


def may_see(audience: Audience, event: JournalEvent) -> bool:
    """Return whether an event is for an audience, whosever it is."""
    kind = type(event)
    if kind in _FOR_NOBODY or kind in WAGER_EVENTS:
        return False
    if audience is Audience.STAFF:
        return True
    return kind not in _FOR_STAFF and kind not in _OF_ONE


def fields_of(event: JournalEvent, audience: Audience) -> dict[str, Any]:
    """Return the event as JSON, without what the audience may not know.

    The wagers of a settlement are in the views of those who may see them.
    """
    if isinstance(event, ev.RoundSettled):
        return {"winning_number": event.winning_number}
    fields: dict[str, Any] = msgspec.to_builtins(event)
    for name in _SECRET if audience is Audience.STAFF else _PRIVATE:
        fields.pop(name, None)
    return fields


_PRIVATE = ("by", "initiator", "authoriser", "warned")
"""Names that are the staff's to know."""
_SECRET = ("code",)
"""A voucher's code is for who holds it."""
