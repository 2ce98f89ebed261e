"""The Python client of a table: for terminals, consoles, boards and scripts.

    async with connect("http://127.0.0.1:8000", "Table 1", device=token) as table:
        await table.until(lambda view: view.phase == "betting")
        await table.wager("17@5", "red@10")

A command is done once, even if the connection breaks and the client sends it again.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec

from croupier.protocol import messages
from croupier.protocol.answers import Answered
from croupier.protocol.errors import ProtocolProblem
from croupier.protocol.feed import TableFeed
from croupier.protocol.http import HouseClient
from croupier.protocol.messages import Command
from croupier.rules.notation import NotationError, read_cents, shown

_OPENING = "place your bets"
P = ParamSpec("P")
_OWN_ID = re.compile(r"w([0-9]{1,9})(?:-\w+)?")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def connect(
    url: str,
    table: str,
    *,
    device: str | None = None,
    session: str | None = None,
    patience_s: float | None = None,
    clock: Callable[[], int] = now_ms,
) -> AsyncIterator[TableConnection]:
    """Connect to a table until the block ends.

    Give the token of a device, of a session of the staff, or of both; with neither it
    is a board of a demonstration house. The client gives up if the first attempt fails,
    or after `patience_s` (None: never) without a connection. Raises `HouseError`.
    """
    hello = messages.Hello(device, session)
    connection = TableConnection(url, table, hello, patience_s, clock)
    try:
        await connection.open()
        yield connection
    finally:
        await connection.close()


class TableConnection(TableFeed):
    """A connection to a table, and its commands.

    Each command returns the house's answer once it is registered and on disk, or raises
    `CommandRefused` with the clause, or `ProtocolProblem` if it was not judged.
    """

    _numbered = (-1, 0)
    """The round in which wagers were last numbered, and the last number."""

    # A Player's commands

    async def wager(self, *wagers: str) -> Answered:
        """Place wagers, such as `17@5`: all of them or none."""
        return await self.change(place=wagers)

    async def increase(self, *wagers: str) -> Answered:
        """Add a stake to each piece of wagers, by their ids: `w1@5`."""
        return await self.change(increase=wagers)

    async def withdraw(self, *wager_ids: str) -> Answered:
        return await self.change(withdraw=wager_ids)

    async def change(
        self,
        *,
        place: tuple[str, ...] = (),
        increase: tuple[str, ...] = (),
        withdraw: tuple[str, ...] = (),
    ) -> Answered:
        """Withdraw, then increase, then place: all of it or nothing."""
        more = []
        for text in increase:
            name, cents = _at(text)
            if cents is None:
                raise ProtocolProblem(f"{shown(text)} is not ID@STAKE, such as w1@5")
            more.append(messages.MoreStake(self._own_id(name), cents))
        new = tuple(messages.NewWager(self._next_id(), *_at(text)) for text in place)
        gone = tuple(self._own_id(name) for name in withdraw)
        return await self.do(
            messages.ChangeWagers, self.view.round, new, tuple(more), gone
        )

    async def clear(self) -> Answered:
        """Withdraw all own wagers."""
        own = self.own_wagers
        if not own:
            raise ProtocolProblem("there are no wagers to take back")
        return await self.withdraw(*(wager.id for wager in own))

    # The staff's commands

    async def act(
        self,
        act: str,
        *,
        position: str | None = None,
        player: str | None = None,
        on_request: bool = False,
    ) -> Answered:
        """Do an act in the words of a transcript, such as `no more bets`."""
        round_ = self.view.round
        answer = await self.do(
            messages.PerformAct, act, position, player, on_request, round_
        )
        if act == _OPENING:  # later wagers name the new round
            await self.caught_up()
        return answer

    async def outcome(
        self, number: str, is_right: Callable[[str], bool] | None = None
    ) -> Answered:
        """Key the outcome, check the words read back, and confirm it.

        `is_right` may ask a person; if it returns False, the outcome stays keyed.
        """
        keyed = await self.do(messages.KeyOutcome, number)
        words = keyed.read_back or ""
        if words.split(", ")[0] != number:
            raise ProtocolProblem(f"{number} was read back as {shown(words)}")
        if is_right is not None and not is_right(words):
            raise ProtocolProblem(f"{words} was not confirmed")
        return await self.do(messages.KeyOutcome, number, confirmed=True)

    async def ask(self, message: Command) -> Answered:
        return await self.link.ask(message)

    async def do(
        self,
        kind: Callable[Concatenate[str, P], Command],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Answered:
        """Send a command of a class of `messages`: `do(messages.Sit, "Anna", pin)`."""
        return await self.ask(kind(self.new_id(), *args, **kwargs))

    # Ids

    def _next_id(self) -> str:
        """Return `w1`, `w2`… in each round.

        In the round that was under way when we connected, earlier ids may be unknown to
        us, so each id has an ending of our own.
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
        ids = [wager.id for wager in self.own_wagers]
        endings = [each for each in ids if each.startswith(f"{name}-")]
        return endings[0] if name not in ids and len(endings) == 1 else name


def _at(text: str) -> tuple[str, int | None]:
    """Read `17@5` as a wager or an id, and cents; raise `ProtocolProblem`."""
    name, at, stake = text.partition("@")
    if not name or (at and not stake):
        raise ProtocolProblem(f"{shown(text)} is not WAGER@STAKE, such as red@5")
    try:
        return name, read_cents(stake) if at else None
    except NotationError as error:
        raise ProtocolProblem(str(error)) from error


__all__ = ["HouseClient", "TableConnection", "connect"]
