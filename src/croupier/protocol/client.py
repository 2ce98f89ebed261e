"""A place at a table over the network: for terminals, consoles, boards and scripts.

    async with connect("http://127.0.0.1:8000", "Table 1", device=token) as table:
        await table.until(lambda view: view.phase == "betting")
        await table.wager("17@5", "red@10")

A command gets its id once and is done once, however often the connection breaks.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.errors import ProtocolProblem
from croupier.protocol.feed import TableFeed
from croupier.protocol.http import HouseClient
from croupier.protocol.websocket import Command, ConnectionOptions
from croupier.rules.notation import NotationError, read_cents, shown

_OPENING = "place your bets"
_OWN_ID = re.compile(r"w([0-9]{1,9})(?:-\w+)?")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


_OPENING = "place your bets"


@asynccontextmanager
async def connect(
    url: str,
    table: str,
    *,
    device: str | None = None,
    session: str | None = None,
    options: ConnectionOptions | None = None,
    clock: Callable[[], int] = now_ms,
) -> AsyncIterator[TableConnection]:
    """Connect to a table until the block ends.

    With a device's token it is the device's, with a session's the staff's; with
    neither, a board of a demonstration house. Raises `HouseError`.
    """
    hello = msg.Hello(table, device, session)
    connection = TableConnection(url, hello, options or ConnectionOptions(), clock)
    try:
        await connection.open()
        yield connection
    finally:
        await connection.close()


class TableConnection(TableFeed):
    """A place at a table, and what can be asked from there.

    Each command returns the house's answer, once it is registered and on disk. It
    raises `Refused` with the clause, or `ProtocolProblem` where it could not be taken.
    """

    _numbered = (-1, 0)
    """The round in which wagers were last numbered, and how far."""

    # A Player's commands

    async def wager(self, *wagers: str) -> say.Answered:
        """Place wagers as `17@5`: registered whole, or refused whole."""
        return await self.change(place=wagers)

    async def increase(self, *wagers: str) -> say.Answered:
        """Increase wagers by their ids, each piece by so much: `w1@5`."""
        return await self.change(increase=wagers)

    async def withdraw(self, *wager_ids: str) -> say.Answered:
        return await self.change(withdraw=wager_ids)

    async def change(
        self,
        *,
        place: tuple[str, ...] = (),
        increase: tuple[str, ...] = (),
        withdraw: tuple[str, ...] = (),
    ) -> say.Answered:
        """Do all of it or nothing: withdraw, then increase, then place."""
        more = []
        for text in increase:
            name, cents = _at(text)
            if cents is None:
                raise ProtocolProblem(f"{shown(text)} is not such as w1@5")
            more.append(msg.MoreStake(self._own_id(name), cents))
        new = tuple(msg.NewWager(self._next_id(), *_at(text)) for text in place)
        gone = tuple(self._own_id(name) for name in withdraw)
        return await self.ask(
            msg.ChangeWagers(self.new_id(), self.view.round, new, tuple(more), gone)
        )

    async def rebet(self) -> say.Answered:
        """Place the own wagers of the round before once more."""
        is_over = self.view.phase not in {"awaiting", "betting"}
        before = (is_over and self.own_wagers) or self.wagers_before
        if not before:
            raise ProtocolProblem("there are no wagers of a round before")
        new = tuple(
            msg.NewWager(self._next_id(), each.wager, _stake_of(each))
            for each in before
        )
        return await self.ask(msg.ChangeWagers(self.new_id(), self.view.round, new))

    async def clear(self) -> say.Answered:
        """Every own wager is taken back."""
        own = self.own_wagers
        if not own:
            raise ProtocolProblem("there are no wagers to take back")
        return await self.withdraw(*(wager.id for wager in own))

    async def redeem(self, code: str) -> say.Answered:
        return await self.ask(msg.Redeem(self.new_id(), code))

    async def collect(self, cents: int | None = None) -> say.Answered:
        """Credit as a voucher, all of it or a sum: the answer has its code."""
        return await self.ask(msg.Collect(self.new_id(), cents))

    async def ask_buy_in(self, cents: int) -> say.Answered:
        """Ask an attendant to come; nothing is credited yet."""
        return await self.ask(msg.AskBuyIn(self.new_id(), cents))

    async def sit(self, player: str, pin: str) -> say.Answered:
        return await self.ask(msg.Sit(self.new_id(), player, pin))

    async def leave(self) -> say.Answered:
        return await self.ask(msg.Leave(self.new_id()))

    # The staff's commands

    async def act(
        self,
        act: str,
        *,
        position: str | None = None,
        player: str | None = None,
        on_request: bool = False,
    ) -> say.Answered:
        """Do an act in the words of a transcript, such as `no more bets`."""
        round_ = self.view.round
        answer = await self.ask(
            msg.PerformAct(self.new_id(), act, position, player, on_request, round_)
        )
        if act == _OPENING:  # told after its answer, and wagers name their round
            await self.caught_up()
        return answer

    async def outcome(
        self, number: str, is_right: Callable[[str], bool] | None = None
    ) -> say.Answered:
        """Key the outcome, check how it is read back, confirm it.

        `is_right` may ask a person; what it declines stays keyed and unconfirmed.
        """
        keyed = await self.ask(msg.KeyOutcome(self.new_id(), number))
        words = keyed.read_back or ""
        if words.split(", ")[0] != number:
            raise ProtocolProblem(f"{number} was read back as {shown(words)}")
        if is_right is not None and not is_right(words):
            raise ProtocolProblem(f"{words} was not confirmed")
        return await self.ask(msg.KeyOutcome(self.new_id(), number, confirmed=True))

    async def confirm_lights(self) -> say.Answered:
        return await self.ask(msg.ConfirmLightsSeen(self.new_id()))

    async def ball_was(
        self, at_rest: str | None, *, spun: bool = False
    ) -> say.Answered:
        """After an interruption or in a dispute; None: the ball is at rest nowhere.

        `spun`: it was spun in this round, though no spin is on record.
        """
        return await self.ask(msg.BallWas(self.new_id(), at_rest, spun))

    async def confirm_ball(self) -> say.Answered:
        return await self.ask(msg.ConfirmBallStated(self.new_id()))

    async def interpret(
        self, question: str, answer: str, *rounds: int, position: str | None = None
    ) -> say.Answered:
        """Record how a question about the rules is decided, and for which rounds."""
        return await self.ask(
            msg.Interpret(self.new_id(), question, answer, rounds, position)
        )

    async def answer_notice(self, notice: int, *, accept: bool) -> say.Answered:
        return await self.ask(msg.ReplyToNotice(self.new_id(), notice, accept))

    # What devices report

    async def shown(self, announcement: str, at_ms: int | None = None) -> say.Answered:
        """Report when an announcement was shown; terminals do so by themselves."""
        at_ms = self._clock() if at_ms is None else at_ms
        return await self.ask(
            msg.ReportAnnouncement(self.new_id(), announcement, at_ms)
        )

    async def wheel_fact(
        self,
        fact: str,
        *,
        number: str | None = None,
        revolutions: int | None = None,
        against_wheel: bool | None = None,
    ) -> say.Answered:
        """Report what the sensor of a wheel saw."""
        message = msg.WheelFact(self.new_id(), fact, number, revolutions, against_wheel)
        return await self.ask(message)

    async def lit(self, number: str) -> say.Answered:
        return await self.ask(msg.ReportLit(self.new_id(), number))

    def ping(self) -> None:
        """Ask for the house's time; the `pong` comes with the messages."""
        self.link.send(msg.Ping(self._clock()))

    async def ask(self, message: Command) -> say.Answered:
        """Any command, with an id of the caller's own."""
        return await self.link.ask(message)

    # Ids

    def _next_id(self) -> str:
        """`w1`, `w2`… in each round.

        In the round that was under way when we came, ids may have been used that no
        message tells of: there each has an ending of our own.
        """
        round_, last = self._numbered
        last = last if round_ == self.view.round else 0
        for wager in self.own_wagers:
            found = _OWN_ID.fullmatch(wager.id)
            last = max(last, int(found[1]) if found else 0)
        self._numbered = (self.view.round, last + 1)
        ending = f"-{self.token[:4]}" if self.joined_in == self.view.round else ""
        return f"w{last + 1}{ending}"

    def _own_id(self, name: str) -> str:
        """Return the id of an own wager, which may be written without its ending."""
        ids = [wager.id for wager in self.own_wagers]
        endings = [each for each in ids if each.startswith(f"{name}-")]
        return endings[0] if name not in ids and len(endings) == 1 else name


def _at(text: str) -> tuple[str, int | None]:
    """`17@5`: a wager or an id, and cents; raises `ProtocolProblem`."""
    name, at, stake = text.partition("@")
    if not name or (at and not stake):
        raise ProtocolProblem(f"{shown(text)} is not WAGER@STAKE, such as red@5")
    try:
        return name, read_cents(stake) if at else None
    except NotationError as error:
        raise ProtocolProblem(str(error)) from error


def _stake_of(wager: say.WagerView) -> int | None:
    """Return the stake on each piece; a complete maximum wager has none."""
    if wager.wager.startswith("complete_maximum"):
        return None
    return wager.pieces[0][1]


__all__ = ["ConnectionOptions", "HouseClient", "TableConnection", "connect"]
