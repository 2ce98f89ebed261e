"""The lines that `croupier client` reads: what a Player or the staff ask."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from croupier.rules.notation import NotationError, read_cents, shown, suggestion

if TYPE_CHECKING:
    from croupier.protocol.answers import Answered, TableView
    from croupier.protocol.client import TableConnection

PHASES = ("awaiting", "betting", "closed", "decided", "void", "held", "ended")
_ALSO = {"settled": "ended"}
_MOST_PASSED = 100
_WHO = re.compile(r"(?P<how>for|as)? ?(?P<who>[^:@]{1,40}): (?P<act>.+)")

_Do = Callable[["TableConnection", list[str]], Awaitable["Answered"]]


class LineError(Exception):
    """The line is none that can be read; the message says what would be."""


class ClientScript:
    """Does one line after another."""

    def __init__(self, table: TableConnection, *, is_seat: bool) -> None:
        self._table = table
        self._is_seat = is_seat
        self._passed: deque[str] = deque(maxlen=_MOST_PASSED)
        self._phase = table.view.phase
        table.watch(self._watch)

    async def do(self, line: str) -> None:
        """Raises `LineError`, or `HouseError` where the house does not do it."""
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
        """Until the betting is open, or another phase has come since the last wait."""
        [name] = _expected(words, 1, "wait betting")
        phase = _ALSO.get(name, name)
        if phase not in PHASES:
            known = ", ".join((*PHASES, *_ALSO))
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

    # What a Player asks

    async def _play(self, words: list[str]) -> None:
        command = _PLAYERS.get(words[0])
        if command is not None:
            await command(self._table, words[1:])
            return
        for word in words:
            if "@" not in word and not word.startswith("complete_maximum"):
                raise LineError(_no_line(word))
        await self._table.wager(*words)

    # What the staff ask

    async def _deal(self, words: list[str], line: str) -> None:
        start = " ".join(words[:2])
        for name in (start, words[0]):
            if name in _STAFFS:
                rest = words[len(name.split()) :]
                await _STAFFS[name](self._table, rest)
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
    return f"{shown(word)} is nothing to do at a seat; {hint}"


def _expected(words: list[str], count: int, example: str) -> list[str]:
    if len(words) != count:
        raise LineError(f"write: {example}")
    return words


def _cents(text: str) -> int:
    try:
        return read_cents(text)
    except NotationError as error:
        raise LineError(str(error)) from error


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise LineError(f"{shown(text)} is not the number of a notice")
    return int(text)


async def _withdraw(table: TableConnection, words: list[str]) -> Answered:
    if not words:
        raise LineError("write: withdraw w1")
    return await table.withdraw(*words)


async def _increase(table: TableConnection, words: list[str]) -> Answered:
    name, stake = _expected(words, 2, "increase w1 5")
    return await table.increase(f"{name}@{stake}")


async def _rebet(table: TableConnection, words: list[str]) -> Answered:
    _expected(words, 0, "rebet")
    return await table.rebet()


async def _clear(table: TableConnection, words: list[str]) -> Answered:
    _expected(words, 0, "clear")
    return await table.clear()


async def _collect(table: TableConnection, words: list[str]) -> Answered:
    if not words:
        return await table.collect()
    [amount] = _expected(words, 1, "collect, or collect 50")
    return await table.collect(_cents(amount))


async def _redeem(table: TableConnection, words: list[str]) -> Answered:
    [code] = _expected(words, 1, "redeem CODE")
    return await table.redeem(code)


async def _buy_in(table: TableConnection, words: list[str]) -> Answered:
    [amount] = _expected(words, 1, "buy-in 100")
    return await table.ask_buy_in(_cents(amount))


async def _leave(table: TableConnection, words: list[str]) -> Answered:
    _expected(words, 0, "leave")
    return await table.leave()


async def _outcome(table: TableConnection, words: list[str]) -> Answered:
    [number] = _expected(words, 1, "outcome 17")
    return await table.outcome(number)


async def _lights(table: TableConnection, words: list[str]) -> Answered:
    _expected(words, 0, "confirm lights")
    return await table.confirm_lights()


async def _ball_was(table: TableConnection, words: list[str]) -> Answered:
    [at_rest] = _expected(words, 1, "ball was 17, or ball was nowhere")
    return await table.ball_was(None if at_rest == "nowhere" else at_rest)


async def _confirm_ball(table: TableConnection, words: list[str]) -> Answered:
    _expected(words, 0, "confirm ball")
    return await table.confirm_ball()


async def _accept(table: TableConnection, words: list[str]) -> Answered:
    [notice] = _expected(words, 1, "accept 3")
    return await table.answer_notice(_count(notice), accept=True)


async def _dismiss(table: TableConnection, words: list[str]) -> Answered:
    [notice] = _expected(words, 1, "dismiss 3")
    return await table.answer_notice(_count(notice), accept=False)


_PLAYERS: dict[str, _Do] = {
    "withdraw": _withdraw,
    "increase": _increase,
    "rebet": _rebet,
    "clear": _clear,
    "collect": _collect,
    "redeem": _redeem,
    "buy-in": _buy_in,
    "leave": _leave,
}
_STAFFS: dict[str, _Do] = {
    "outcome": _outcome,
    "confirm lights": _lights,
    "ball was": _ball_was,
    "confirm ball": _confirm_ball,
    "accept": _accept,
    "dismiss": _dismiss,
}
"""Beside the acts of a transcript, which go to the house as they are."""
