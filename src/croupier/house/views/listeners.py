"""The listeners of a table, and the events that each audience may see."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum, unique
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, cast, get_args

import msgspec

from croupier.journal.events import table
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HOUSE_EVENTS
from croupier.ledger.money import MONEY_EVENTS
from croupier.rules import events
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason

if TYPE_CHECKING:
    from croupier.house.views.connection import Connection


@unique
class Audience(Enum):
    """The kinds of listeners; a board sees only the public part."""

    BOARD = "board"
    SEAT = "seat"
    STAFF = "staff"


class Outlet(Protocol):
    """The way out to one listener."""

    def put(self, message: bytes) -> None:
        """Queue a message without waiting; disconnect a listener that is too slow."""

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        """Say goodbye and send nothing more."""


_LONGEST_PREFIX = 18


@lru_cache(maxsize=10_000)
def prefix_of(device: str) -> str:
    """Return the prefix of the ids of a terminal's wagers, unique at its table."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in device)
    if kept != device or len(kept) > _LONGEST_PREFIX:  # the digest keeps it unique
        kept = f"{kept[:11]}-{sha256(device.encode()).hexdigest()[:6]}"
    return f"{kept}."


class Listeners:
    """The connections that listen to one table, in the order in which they came."""

    def __init__(self) -> None:
        self._listeners: dict[Connection, None] = {}
        self._by_seat: dict[str, dict[Connection, None]] = {}
        self.lost: set[str] = set()
        """Devices that did not come back after their connection ended."""

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._listeners)

    def __len__(self) -> int:
        return len(self._listeners)

    def at_seat(self, seat: str) -> Collection[Connection]:
        return self._by_seat.get(seat, ())

    @property
    def seats(self) -> Collection[str]:
        return self._by_seat.keys()

    def of(self, *audiences: Audience) -> list[Connection]:
        return [each for each in self._listeners if each.audience in audiences]

    @property
    def terminals(self) -> int:
        return len(self._by_seat)

    @property
    def devices(self) -> Collection[str]:
        return dict.fromkeys(each.device for each in self if each.device is not None)

    def has_device(self, device: str) -> bool:
        return any(each.device == device for each in self._listeners)

    def join(self, listener: Connection) -> None:
        self._listeners[listener] = None
        if listener.seat is not None:
            self._by_seat.setdefault(listener.seat, {})[listener] = None

    def leave(self, listener: Connection) -> bool:
        """Remove a listener; return whether it was the last of its device."""
        if listener not in self._listeners:
            return False
        del self._listeners[listener]
        self._unseat(listener)
        return listener.device is not None and not self.has_device(listener.device)

    def reseat(self, listener: Connection, seat: str) -> None:
        self._unseat(listener)
        listener.seat = seat
        self.join(listener)

    def _unseat(self, listener: Connection) -> None:
        if listener.seat is None:
            return
        there = self._by_seat.get(listener.seat, {})
        there.pop(listener, None)
        if not there:
            self._by_seat.pop(listener.seat, None)


WagerEvent = (
    events.WagerPlaced
    | events.WagerIncreased
    | events.WagerWithdrawn
    | events.WagerMarkedUnclear
    | events.WagerRuled
)
WAGER_EVENTS = frozenset(get_args(WagerEvent))
"""Events for the wager's own seat; the staff see wagers in `StakesUpdate`."""
_OF_ONE = MONEY_EVENTS | {events.ColourIssued, events.ColourReturned}
_FOR_STAFF = frozenset(
    {
        table.NoticeAnswered,
        table.BallStated,
        table.InterpretationRecorded,
        table.SumConfirmed,
        events.EarlyCloseAllowed,
        events.LayoutFrozen,
        events.SensorReported,
        events.ReportAnswered,
        events.WheelDisputed,
    }
)
_INTERNAL = HOUSE_EVENTS | {
    table.SnapshotTaken,
    table.AnnouncementShown,
    table.ClockBehind,
    table.ActRefused,
    table.GamingDayBegun,
    table.GamingDayClosed,
}


def owner_of(event: JournalEvent, owners: dict[str, str]) -> str | None:
    """Return the seat that an event belongs to; `owners` has Players by wager id."""
    if type(event) in WAGER_EVENTS:
        changed = cast(WagerEvent, event)
        if changed.by.role is Role.PLAYER:
            return changed.by.name  # `owners` has only the round in play
        return getattr(event, "player", None) or owners.get(changed.wager_id)
    if type(event) in _OF_ONE:
        name = getattr(event, "seat", None) or getattr(event, "player", None)
        return name if isinstance(name, str) else None
    return None


def may_see(audience: Audience, event: JournalEvent) -> bool:
    """Return whether an audience sees an event of any seat."""
    kind = type(event)
    if kind in _INTERNAL or kind in WAGER_EVENTS:
        return False
    if audience is Audience.STAFF:
        return True
    return kind not in _FOR_STAFF and kind not in _OF_ONE


def fields_of(event: JournalEvent, audience: Audience) -> dict[str, Any]:
    """Return the fields of an event that the audience may see.

    The wagers of a settlement are left out: the views have them.
    """
    if isinstance(event, events.RoundSettled):
        return {"winning_number": event.winning_number}
    fields: dict[str, Any] = msgspec.to_builtins(event)
    for name in _SECRET if audience is Audience.STAFF else _PRIVATE:
        fields.pop(name, None)
    return fields


_PRIVATE = ("by", "initiator", "authoriser", "warned")
"""Fields for the staff only."""
_SECRET = ("code",)
"""A voucher's code is for its holder only."""
