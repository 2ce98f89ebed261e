"""Carries out the lines that a Player or staff type into `croupier client`."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from croupier.errors import CroupierError
from croupier.protocol.answers import Answered, TableView
from croupier.protocol.client import TableConnection
from croupier.protocol.messages import (
    AskBuyIn,
    BallWas,
    Collect,
    ConfirmBallStated,
    ConfirmLightsSeen,
    Leave,
    Redeem,
    ReplyToNotice,
)
from croupier.rules.notation import NotationError, read_cents, shown, suggestion

_PHASES = ("awaiting", "betting", "closed", "decided", "void", "held", "ended")
_ALSO = {"settled": "ended"}
_MOST_PASSED = 100
_WHO = re.compile(r"(?P<how>for|as)? ?(?P<who>[^:@]{1,40}): (?P<act>.+)")


class LineError(CroupierError):
    """The line can't be read; the message says what would be right."""


class ClientScript:
    """Carries out one line after another."""

    def __init__(self, table: TableConnection, *, is_seat: bool) -> None:
        self._table = table
        self._is_seat = is_seat
        self._passed: deque[str] = deque(maxlen=_MOST_PASSED)
        self._phase = table.view.phase
        table.watch(self._watch)

    async def do(self, line: str) -> None:
        """Do one line; raise `LineError`, or `HouseError` if the house refuses."""
        words = line.split()
        if words[0] == "wait":
            await self._wait(words[1:])
        elif self._is_seat:
            await self._play(words)
        else:
            await self._deal(words, line)

    # Waiting

    def _watch(self, view: TableView) -> None:
        if view.phase != self._phase:
            self._phase = view.phase
            self._passed.append(view.phase)

    async def _wait(self, words: list[str]) -> None:
        """Wait for open betting, or for a phase since the last wait."""
        if len(words) != 1:
            raise LineError("write: wait betting")
        [name] = words
        phase = _ALSO.get(name, name)
        if phase not in _PHASES:
            known = ", ".join((*_PHASES, *_ALSO))
            raise LineError(f"{shown(name)} is not a phase: they are {known}")
        await self._table.until(lambda view: self._has_been(phase, view))

    def _has_been(self, phase: str, view: TableView) -> bool:
        if phase == "betting":
            is_open = view.phase == phase
            if is_open:
                self._passed.clear()
            return is_open
        while self._passed:
            if self._passed.popleft() == phase:
                return True
        return view.phase == phase

    # Lines of a Player

    async def _play(self, words: list[str]) -> None:
        command = _PLAYERS.get(words[0])
        if command is not None:
            await command.do(self._table, words[1:])
            return
        for word in words:
            if "@" not in word and not word.startswith("complete_maximum"):
                raise LineError(_no_line(word))
        await self._table.wager(*words)

    # Lines of staff

    async def _deal(self, words: list[str], line: str) -> None:
        start = " ".join(words[:2])
        for name in (start, words[0]):
            if name in _STAFFS:
                await _STAFFS[name].do(self._table, words[len(name.split()) :])
                return
        found = _WHO.fullmatch(line)
        if found is None:
            await self._table.act(" ".join(words))
        elif found["how"] == "as":
            await self._table.act(found["act"], position=found["who"])
        else:
            await self._table.act(
                found["act"], player=found["who"], on_request=found["how"] == "for"
            )


def _no_line(word: str) -> str:
    close = suggestion(word, (*_PLAYERS, "wait", "quit"))
    hint = f"did you mean {close}?" if close else "write a wager as 17@5"
    return f"{shown(word)} can't be done at a seat; {hint}"


def _cents(text: str) -> int:
    try:
        return read_cents(text)
    except NotationError as error:
        raise LineError(str(error)) from error


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise LineError(f"{shown(text)} is not the number of a notice")
    return int(text)


@dataclass(frozen=True, slots=True)
class _Line:
    """A kind of line: an example, its number of words, and the request it makes."""

    example: str
    least: int
    most: int
    ask: Callable[..., Awaitable[Answered]]

    async def do(self, table: TableConnection, words: list[str]) -> None:
        if not self.least <= len(words) <= self.most:
            raise LineError(f"write: {self.example}")
        await self.ask(table, *words)


_PLAYERS = {
    "withdraw": _Line("withdraw w1", 1, 1_000, lambda at, *ids: at.withdraw(*ids)),
    "increase": _Line(
        "increase w1 5", 2, 2, lambda at, name, stake: at.increase(f"{name}@{stake}")
    ),
    "clear": _Line("clear", 0, 0, lambda at: at.clear()),
    "collect": _Line(
        "collect, or collect 50",
        0,
        1,
        lambda at, *amount: at.do(Collect, *map(_cents, amount)),
    ),
    "redeem": _Line(
        "redeem CODE", 1, 8, lambda at, *code: at.do(Redeem, " ".join(code))
    ),
    "buy-in": _Line("buy-in 100", 1, 1, lambda at, sum_: at.do(AskBuyIn, _cents(sum_))),
    "leave": _Line("leave", 0, 0, lambda at: at.do(Leave)),
}
_STAFFS = {
    "outcome": _Line("outcome 17", 1, 1, lambda at, number: at.outcome(number)),
    "confirm lights": _Line(
        "confirm lights", 0, 0, lambda at: at.do(ConfirmLightsSeen)
    ),
    "ball was": _Line(
        "ball was 17, or ball was nowhere",
        1,
        1,
        lambda at, place: at.do(BallWas, None if place == "nowhere" else place),
    ),
    "confirm ball": _Line("confirm ball", 0, 0, lambda at: at.do(ConfirmBallStated)),
    "accept": _Line(
        "accept 3", 1, 1, lambda at, one: at.do(ReplyToNotice, _count(one), True)
    ),
    "dismiss": _Line(
        "dismiss 3", 1, 1, lambda at, one: at.do(ReplyToNotice, _count(one), False)
    ),
}
"""Lines of staff that are not acts of a transcript; acts go to the house unchanged."""
