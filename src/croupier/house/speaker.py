"""Who speaks over a connection: a device, somebody of the staff, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.audience import Audience
from croupier.house.authority import Caller
from croupier.house.record import Denied
from croupier.house.state import Device, DeviceKind
from croupier.rules.operator import Person, Role

if TYPE_CHECKING:
    from croupier.house.floor_in_play import Floor
    from croupier.house.floor_table import FloorTable


class Speaker:
    """Asked anew for each message: sessions end, and devices are revoked."""

    def __init__(
        self,
        floor: Floor,
        table: FloorTable,
        device: Device | None,
        session: str | None,
    ) -> None:
        self._floor, self._table = floor, table
        self._device = device
        self.session = session

    @property
    def device(self) -> str | None:
        return self._device.name if self._device else None

    @property
    def audience(self) -> Audience:
        if self.session is not None:
            return Audience.STAFF
        return Audience.SEAT if self.is_terminal else Audience.BOARD

    @property
    def is_terminal(self) -> bool:
        return self._device is not None and self._device.kind is DeviceKind.TERMINAL

    @property
    def kind(self) -> str:
        """As it is counted."""
        return self._device.kind.value if self._device else self.audience.value

    @property
    def name(self) -> str:
        """As the log of significant events names them."""
        who = self._floor.name_of(self.session) if self.session is not None else None
        return who or self.device or "nobody"

    def caller(self) -> Caller:
        """Raises `Denied` where nobody is logged on any more."""
        if self.session is None:
            raise Denied("log on first")
        return self._floor.sessions.find(self.session)[1]

    def staff(self, position: str | None) -> Person:
        """Somebody of the staff in a position of theirs, at this table."""
        caller, table = self.caller(), self._table
        deals = self._floor.record.state.deals(caller.name, table.name)
        person = caller.person(table.game, position, deals=deals)
        if person.role is Role.DEALER and not deals:
            raise Denied(f"{caller.name} is not the Dealer of {table.name}")
        return person

    def check(self) -> None:
        """Raises `Denied` where the device has been revoked."""
        self._floor.check_device(self.device)

    def of_kind(self, kind: DeviceKind) -> str:
        """The device's name, if it is one of this kind."""
        if self._device is None or self._device.kind is not kind:
            raise Denied(f"only a {kind.value} does that")
        self.check()
        return self._device.name

    def command_id(self, message_id: str) -> str:
        """Ids are each sender's own: nobody gets another's answer."""
        if self.session is not None:
            return f"s:{self.name}:{message_id}"
        return f"d:{self.device}:{message_id}"
