"""The connections to the tables of a floor, and the devices that were lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.house.people import devices
from croupier.house.people.authority import HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import Device, DeviceKind
from croupier.house.views.connection import Connection
from croupier.house.views.listeners import Outlet
from croupier.journal.events.house import DeviceBack, DeviceLost
from croupier.protocol.messages import Hello
from croupier.rules.reasons import Reason

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable

_GRACE_S = 3.0
"""A device that comes back within this time was not lost."""
_BACK_S = 10.0
"""Time for devices to come back after this node was cut off."""
_OF_A_ROUND = frozenset({DeviceKind.CONSOLE, DeviceKind.SENSOR, DeviceKind.LAYOUT})
"""Without these a round stops or goes unwatched."""


class Connections:
    """All open connections, on the event loop."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def connect(
        self, name: str, hello: Hello, outlet: Outlet, at: str | None = None
    ) -> Connection:
        """Connect the sender of a hello to a table, and send a snapshot.

        `at` is the token of the browser's device, if the hello names none. Raises
        `Denied` if the sender may not watch the table.
        """
        device: Device | None = None
        if hello.device is not None:
            device = devices.find(self._floor.record, hello.device)
            if device.table not in {None, name}:
                raise Denied(HouseReason.DEVICE_OF_ANOTHER_TABLE(name=device.name))
        if hello.session is not None:
            _, caller = self._floor.sessions.find_at(hello.session, hello.device or at)
            deals = self._floor.record.state.deals(caller.name, name)
            may = caller.may(HouseAct.WATCH) or caller.may(HouseAct.HANDLE_MONEY)
            if not deals and not caller.positions and not may:
                caller.must(HouseAct.WATCH)
        elif device is None and not self._floor.is_demonstration:
            raise Denied(HouseReason.DEVICE_OR_SESSION_NEEDED())
        table = self._floor.table(name)
        connection = Connection(self._floor, table, device, hello.session, outlet)
        self._end_older(connection)
        self._open[connection] = None
        lost = table.listeners.lost
        if connection.device is not None and connection.device in lost:
            lost.discard(connection.device)
            table.broadcast.changed()
            self._floor.notice(DeviceBack(connection.device, table.name))
        self._count(connection, 1)
        table.broadcast.welcome(connection)
        table.tell_stakes()
        return connection

    def _count(self, connection: Connection, change: int) -> None:
        name, kind = connection.table.name, connection.kind
        self._floor.options.measurements.add("devices", change, name, kind)

    def _end_older(self, connection: Connection) -> None:
        """End an older connection of the same device to this table."""
        name, table = connection.device, connection.table
        if name is not None and table.listeners.has_device(name):
            self.dismiss(
                lambda each: each.device == name and each.table is table,
                HouseReason.CONNECTED_ELSEWHERE(name=name),
            )

    def gone(self, connection: Connection) -> None:
        """Forget a connection that is over."""
        self._open.pop(connection, None)
        table, device = connection.table, connection.device
        self._count(connection, -1)
        table.tell_stakes()
        if table.listeners.leave(connection) and self._is_here(table):
            assert device is not None
            self._floor.loop.call_later(_GRACE_S, self._miss, table, device)

    def _miss(self, table: FloorTable, device: str) -> None:
        """Record a device that did not come back in time as lost.

        If this node was cut off and sent its devices away, they have longer.
        """
        if self._floor.nodes is not None and self._floor.nodes.member_for_s < _BACK_S:
            self._floor.loop.call_later(_GRACE_S, self._miss, table, device)
            return
        gone = not table.listeners.has_device(device) and self._is_here(table)
        known = self._floor.record.state.devices.get(device)
        if not gone or known is None:
            return
        needed = self._is_needed(table, known)
        self._floor.notice(DeviceLost(device, table.name, needed))
        if known.kind is DeviceKind.TERMINAL:
            table.lose_terminal(device)

    def _is_here(self, table: FloorTable) -> bool:
        floor = self._floor
        return floor.tables.get(table.name) is table and not floor.is_stopping

    def _is_needed(self, table: FloorTable, device: Device) -> bool:
        """Return whether the round in play needs a device."""
        if device.kind is DeviceKind.TERMINAL:
            seat = self._floor.seat_at(table.name, device.name)
            return table.state.is_at_stake(seat) and not devices.is_guest(device.name)
        return device.kind in _OF_A_ROUND and table.state.is_in_play

    def dismiss(
        self,
        whom: Callable[[Connection], bool],
        reason: Reason,
        *,
        come_back: bool = False,
    ) -> None:
        for connection in tuple(self._open):
            if whom(connection):
                connection.outlet.dismiss(reason, come_back=come_back)

    def send_away(self, reason: Reason, table: FloorTable | None = None) -> None:
        """End all connections, or those of a table; the devices connect again."""
        self.dismiss(lambda each: table in {None, each.table}, reason, come_back=True)

    def dismiss_logged_off(self) -> None:
        """Dismiss connections whose session is over."""
        name_of = self._floor.sessions.name_of
        self.dismiss(
            lambda each: each.session is not None and name_of(each.session) is None,
            HouseReason.SESSION_ENDED(),
        )
