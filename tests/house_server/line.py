"""A test's connection to a table: its questions, and the house's messages."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import reduce
from itertools import count
from typing import Any, TypeVar

from msgspec import UNSET, to_builtins
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.protocol import answers
from croupier.protocol.feed import updated
from tests.house_server.server import House
from tests.reasons import reasoned

_M = TypeVar("_M", bound=answers.FromHouse)
_PATIENCE_S = 15.0
_ids = count(1)
TELLING = (
    answers.TableSnapshot,
    answers.TableUpdate,
    answers.SeatUpdate,
    answers.StakesUpdate,
)
"""The messages that bring a reader up to a place in the table's journal."""
EVENTFUL = (answers.TableUpdate, answers.SeatUpdate)


class Line:
    """One WebSocket after its hello."""

    def __init__(self, house: House, socket: ClientConnection, table: str) -> None:
        self.house, self.table = house, table
        self.socket = socket
        self.told: list[answers.FromHouse] = []
        self.closed: int | None = None
        """The close code, once it is closed."""
        self.sequence = 0
        """The last event that was heard; an answer leaves before its events."""
        self._known: answers.TableSnapshot | None = None
        self._folded = 0
        """The number of messages in `_known`."""
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                async with self._news:
                    self.told.append(answers.read_answer(frame))
                    self._note_round(self.told[-1])
                    self._note_sequence(self.told[-1])
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        async with self._news:
            self.closed = self.socket.close_code or 1006
            self._news.notify_all()

    def _note_round(self, told: answers.FromHouse) -> None:
        number = getattr(getattr(told, "view", None), "round", UNSET)
        if number is not UNSET:
            rounds = self.house.rounds
            rounds[self.table] = max(number, rounds.get(self.table, 0))

    def _note_sequence(self, told: answers.FromHouse) -> None:
        if isinstance(told, TELLING):
            self.sequence = max(self.sequence, told.sequence)

    async def hang_up(self) -> None:
        await self.socket.close()
        await self._reader

    async def cut(self) -> None:
        """Cut the connection without a goodbye."""
        self.socket.transport.abort()
        await self._reader

    # The house's messages

    async def until(self, found: Callable[[], Any], what: str = "") -> None:
        try:
            async with asyncio.timeout(_PATIENCE_S), self._news:
                await self._news.wait_for(lambda: found() or self.closed is not None)
        except TimeoutError:
            raise AssertionError(f"not told {what}: {self.told[-5:]}") from None
        assert found(), f"closed before {what}: {self.closed} {self.told[-3:]}"

    async def next(
        self,
        kind: type[_M],
        where: Callable[[_M], bool] = lambda _: True,
        *,
        after: int = 0,
    ) -> _M:
        """Wait for the first such message from the place `after` on."""

        def found() -> _M | None:
            for each in self.told[after:]:
                if isinstance(each, kind) and where(each):
                    return each
            return None

        await self.until(found, kind.__name__)
        message = found()
        assert message is not None
        return message

    async def event(
        self, name: str, *, round_number: int = 0, after: int = 0
    ) -> answers.TableEvent:
        def found() -> answers.TableEvent | None:
            for each in self.events(after=after):
                if each.event == name and round_number in {0, each.round}:
                    return each
            return None

        await self.until(found, name)
        event = found()
        assert event is not None
        return event

    def events(self, *, after: int = 0) -> list[answers.TableEvent]:
        """Return every event of the messages from the place `after` on."""
        told = [each for each in self.told[after:] if isinstance(each, EVENTFUL)]
        return [event for each in told for event in each.happened]

    async def ended(self) -> int:
        await self.until(lambda: self.closed is not None, "goodbye")
        assert self.closed is not None
        return self.closed

    def of(self, kind: type[_M]) -> list[_M]:
        return [each for each in self.told if isinstance(each, kind)]

    @property
    def view(self) -> answers.TableView:
        return self.known.view

    @property
    def known(self) -> answers.TableSnapshot:
        """The snapshot, updated by every message so far."""
        if self._known is None:
            first = self.told[0]
            assert isinstance(first, answers.TableSnapshot)
            self._known, self._folded = first, 1
        self._known = reduce(updated, self.told[self._folded :], self._known)
        self._folded = len(self.told)
        return self._known

    @property
    def staff(self) -> answers.StaffView:
        staff = self.known.staff
        assert staff is not None
        return staff

    @property
    def stakes(self) -> answers.StakesView:
        stakes = self.known.stakes
        assert stakes is not None
        return stakes

    @property
    def seat(self) -> answers.SeatView:
        seat = self.known.seat
        assert seat is not None
        return seat

    def settlements(self) -> dict[int, Any]:
        """Return the settled wagers of each round, after all corrections."""
        told: dict[int, Any] = {}
        first = self.told[0]
        assert isinstance(first, answers.TableSnapshot)
        known = first
        for each in self.told[1:]:
            known = updated(known, each)
            changes = getattr(each, "seat", None) or getattr(each, "staff", None)
            settled = getattr(changes, "settled", UNSET)
            if settled is not UNSET and settled:
                told[known.view.round] = settled
            for event in each.happened if isinstance(each, EVENTFUL) else ():
                if "wagers" in event.fields:
                    told[event.round] = event.fields["wagers"]
        return {number: to_builtins(wagers) for number, wagers in told.items()}

    @property
    def own(self) -> answers.SeatView | answers.StaffView:
        """The seat's or the staff's part of `known`."""
        own = self.known.seat or self.known.staff
        assert own is not None
        return own

    # Questions to the house

    async def send(self, kind: str, **fields: Any) -> str:
        """Send a message without waiting for its answer; return its id."""
        fields.setdefault("id", f"m{next(_ids)}")
        if kind == "act":
            fields["act"] = reasoned(fields["act"])
        if kind == "wagers" and "round" not in fields:
            fields["round"] = self.house.round_of(self.table)
        await self.socket.send(json.dumps({"type": kind, **fields}))
        return str(fields["id"])

    async def ask(
        self, kind: str, **fields: Any
    ) -> answers.Answered | answers.MessageProblem:
        after = len(self.told)
        return await self.answer_to(await self.send(kind, **fields), after=after)

    async def answer_to(
        self, sent_id: str, *, after: int = 0
    ) -> answers.Answered | answers.MessageProblem:
        def found() -> answers.Answered | answers.MessageProblem | None:
            for each in self.told[after:]:
                if (
                    isinstance(each, answers.Answered | answers.MessageProblem)
                    and each.id == sent_id
                ):
                    return each
            return None

        await self.until(found, f"an answer to {sent_id}")
        answer = found()
        assert answer is not None
        return answer

    async def done(self, kind: str, **fields: Any) -> answers.Answered:
        """Ask, and check that it is registered."""
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, answers.Answered), (kind, fields, answer)
        assert answer.registered, (kind, fields, answer)
        return answer

    async def refused(self, kind: str, **fields: Any) -> answers.Answered:
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, answers.Answered), (kind, fields, answer)
        assert not answer.registered, (kind, fields, answer)
        return answer

    async def denied(self, kind: str, **fields: Any) -> str:
        """Ask, and check for a problem instead of a judgement; return its sentence."""
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, answers.MessageProblem), (kind, fields, answer)
        return answer.reason.text

    async def acts(self, *acts: str) -> None:
        """Do the acts; key an outcome, check the read-back, and confirm it."""
        for act in acts:
            if act.startswith("outcome "):
                await self.announce(act.removeprefix("outcome "))
            else:
                answer = await self.done("act", act=act)
                if act == "place your bets":  # wagers name the round
                    await self.heard(answer.sequence)

    async def heard(self, sequence: int) -> None:
        """Wait for an answer's events: the answer leaves before them."""
        await self.until(lambda: self.sequence >= sequence, f"event {sequence}")

    async def announce(self, number: str) -> None:
        keyed = await self.done("outcome", number=number)
        assert keyed.read_back is not None
        assert keyed.read_back.split(",")[0] == number
        await self.done("outcome", number=number, confirmed=True)

    async def place(self, *wagers: str, sent_id: str | None = None) -> answers.Answered:
        """Place wagers such as `w1=straight_up:17@1000`, all in one message."""
        placed = []
        for each in wagers:
            wager_id, _, rest = each.partition("=")
            wager, _, cents = rest.partition("@")
            placed.append({"id": wager_id, "wager": wager, "stake_cents": int(cents)})
        fields = {"id": sent_id} if sent_id else {}
        return await self.done("wagers", place=placed, **fields)


@asynccontextmanager
async def line_to(
    house: House,
    table: str,
    *,
    device: str | None = None,
    staff: str | None = None,
    origin: str | None = None,
) -> AsyncIterator[Line]:
    """Connect a device by its name, or a member of the staff; hang up at the end."""
    line = Line(house, await dial(house, table, origin=origin), table)
    try:
        await line.socket.send(json.dumps(hello(house, device=device, staff=staff)))
        await line.until(lambda: line.told, "a welcome")
        yield line
    finally:
        await line.hang_up()


def hello(
    house: House, *, device: str | None = None, staff: str | None = None
) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "hello"}
    if device is not None:
        message["device"] = house.devices.get(device, device)
    if staff is not None:
        message["session"] = house.session(staff)
    return message


async def dial(
    house: House, table: str = "v3", *, origin: str | None = None
) -> ClientConnection:
    """Open a WebSocket without saying hello."""
    return await connect(
        house.address.replace("http", "ws") + f"/api/tables/{table}/play",
        additional_headers={"Origin": origin} if origin else None,
        compression=None,
        max_size=None,
        ping_interval=None,
        proxy=None,
    )


def text_of(answer: answers.Answered) -> str:
    """Return the sentence of a refusal."""
    assert answer.refusal is not None, answer
    return answer.refusal.text


def clause_of(answer: answers.Answered) -> str | None:
    """Return the clause of a refusal."""
    assert answer.refusal is not None, answer
    return answer.refusal.clause


def differing(
    one: answers.TableSnapshot, other: answers.TableSnapshot
) -> dict[str, Any]:
    """Return the fields in which two readers' views differ."""
    return {
        f"{part}.{name}": pair
        for part in ("view", "stakes", "seat", "staff")
        for name in getattr(getattr(one, part), "__struct_fields__", ())
        if (pair := [_by_id(getattr(e, part), name) for e in (one, other)])
        and pair[0] != pair[1]
    }


def _by_id(view: object, name: str) -> Any:
    """Return a field of a view, with wagers by their ids: their order is free."""
    value = getattr(view, name)
    return {each.id: each for each in value} if name == "wagers" else value


async def agree(line: Line, fresh: Line) -> None:
    """Check that a line that followed everything has the same views as a new one."""
    try:
        await eventually(lambda: not differing(line.known, fresh.known), 3)
    except AssertionError:
        differences = differing(line.known, fresh.known)
        assert not differences, differences


async def eventually(found: Callable[[], Any], seconds: float = 10) -> Any:
    """Return the first true result, within a deadline."""
    end = time.monotonic() + seconds
    while True:
        result = found()
        if result:
            return result
        assert time.monotonic() < end, f"not within {seconds} seconds"
        await asyncio.sleep(0.02)
