"""Connections to a table, and what each is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.house.views.connection import Connection
from croupier.protocol import answers, messages
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from tests.web.a_house import House

CARL = Person("Carl", Role.CASHIER)


@dataclass(eq=False)
class Ear:
    """Hears everything that one connection is told."""

    heard: list[answers.FromHouse] = field(default_factory=list)

    def put(self, message: bytes) -> None:
        self.heard.append(answers.read_answer(message))

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        assert reason.code == "connected_elsewhere", reason

    async def until(
        self, is_it: Callable[[answers.FromHouse], bool]
    ) -> answers.FromHouse:
        """The first that is it; it is heard once."""
        async with asyncio.timeout(10):
            while not any(map(is_it, self.heard)):
                await asyncio.sleep(0.01)
        found = next(filter(is_it, self.heard))
        self.heard.remove(found)
        return found

    async def answer(self, message_id: str) -> answers.FromHouse:
        return await self.until(lambda each: getattr(each, "id", None) == message_id)


async def come(
    house: House, *, session: str | None = None, device: str | None = None
) -> tuple[Connection, Ear]:
    ear = Ear()
    connection = house.floor.connections.connect(
        "t2", messages.Hello(device, session), ear
    )
    return connection, ear


async def deal(house: House) -> tuple[Connection, Ear]:
    """Dana at the table, as its Dealer."""
    session = await house.log_on("Dana")
    await house.post("/api/tables/t2/dealer", token=session)
    return await come(house, session=session)


async def ask_for(
    place: tuple[Connection, Ear],
    message: messages.KeyOutcome | messages.ReplyToNotice | messages.AskBuyIn,
) -> answers.FromHouse:
    connection, ear = place
    connection.take(answers.write_answer(message))
    return await ear.answer(message.id)


def enrolled(house: House, name: str, kind: DeviceKind) -> str:
    record = house.floor.record
    code = devices.invite_unasked(record, "test", name, kind, "t2")
    return devices.enrol(record, code)[0]
