"""The client's copy of a table: its views, as the house sends them.

Laws of this file:
- nothing is derived: the fields of a message replace the old ones;
- a terminal reports “place your bets” and “no more bets” by itself, each once a round,
  when it shows them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from secrets import token_hex
from typing import Any, TypeVar

from msgspec.structs import replace

from croupier.protocol import answers
from croupier.protocol.answers import FromHouse
from croupier.protocol.changes import apply_changes, merge
from croupier.protocol.errors import HouseError
from croupier.protocol.messages import Hello, Ping, ReportAnnouncement
from croupier.protocol.websocket import ReconnectingSocket

T = TypeVar("T")
ViewT = TypeVar("ViewT", answers.SeatView, answers.StaffView)
_SHOWS = {"betting": "place your bets", "closed": "no more bets"}
"""By phase, the announcement that a terminal begins to show."""
_PONG_WITHIN_S = 2.0
MOST_UNREAD = 5_000
"""Unread messages of one reader; a slower reader gets a snapshot instead."""


class TableFeed:
    """A connection to a table: its views and messages."""

    def __init__(
        self,
        url: str,
        table: str,
        hello: Hello,
        patience_s: float | None,
        clock: Callable[[], int],
    ) -> None:
        """Make a feed that is not connected; `connect` opens and closes it."""
        self._hello, self._clock = hello, clock
        self.link = ReconnectingSocket(url, table, hello, self._heard, patience_s)
        self._task: asyncio.Task[None] | None = None
        self._snapshot: answers.TableSnapshot | None = None
        self._welcome = asyncio.Event()
        self._unread: list[asyncio.Queue[FromHouse | None]] = []
        """The unread messages of each reader; None marks the end."""
        self._watchers: list[Callable[[answers.TableView], None]] = []
        self._pongs: set[asyncio.Future[None]] = set()
        self.token = token_hex(6)
        """The beginning of this connection's ids, which no other has."""
        self._count = 0
        self.joined_in: int | None = None
        """The round whose betting was open when we connected."""
        self._reported: set[tuple[int, str]] = set()
        self._reports: set[asyncio.Task[answers.Answered]] = set()

    async def open(self) -> None:
        """Connect; returns with the first snapshot. Raises `HouseError`."""
        self._task = asyncio.create_task(self.link.run())
        self._task.add_done_callback(lambda _: self._ended())
        await self._welcome.wait()
        if self._snapshot is None:
            assert self.link.over is not None
            raise self.link.over

    async def close(self) -> None:
        """Leave the table; callers that wait for an answer get `HouseEnded`."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        for report in tuple(self._reports):
            report.cancel()
        if self._task is not None and not self._task.cancelled():
            self._task.result()  # raise a mistake of ours

    # The views

    @property
    def view(self) -> answers.TableView:
        return self._known.view

    @property
    def seat(self) -> answers.SeatView | None:
        return self._known.seat

    @property
    def staff(self) -> answers.StaffView | None:
        return self._known.staff

    @property
    def stakes(self) -> answers.StakesView | None:
        return self._known.stakes

    @property
    def sequence(self) -> int:
        return self._known.sequence

    @property
    def own_wagers(self) -> tuple[answers.WagerView, ...]:
        return self.seat.wagers if self.seat else ()

    @property
    def _known(self) -> answers.TableSnapshot:
        assert self._snapshot is not None, "not connected yet"
        return self._snapshot

    async def messages(self) -> AsyncIterator[answers.FromHouse]:
        """Yield a snapshot, then every message; raise `HouseError` at the end.

        If too many wait, the reader gets a snapshot instead of them.
        """
        unread: asyncio.Queue[FromHouse | None] = asyncio.Queue()
        self._unread.append(unread)
        if self.link.over is not None:
            unread.put_nowait(None)
        try:
            yield self._known
            while (message := await unread.get()) is not None:
                yield message
            if self._task is not None and not self._task.cancelled():
                assert self.link.over is not None
                raise self.link.over
        finally:
            self._unread.remove(unread)

    def watch(self, watcher: Callable[[answers.TableView], None]) -> None:
        self._watchers.append(watcher)

    async def until(
        self, is_so: Callable[[answers.TableView], bool]
    ) -> answers.TableView:
        """Wait for a view that meets the condition; the present one counts, too."""
        found: asyncio.Future[answers.TableView] = asyncio.Future()

        def look(view: answers.TableView) -> None:
            if not found.done() and is_so(view):
                found.set_result(view)

        look(self.view)
        self._watchers.append(look)
        try:
            return await self._or_over(found)
        finally:
            self._watchers.remove(look)

    async def caught_up(self) -> None:
        """Wait until all messages sent so far have arrived, at most two seconds."""
        pong: asyncio.Future[None] = asyncio.Future()
        self._pongs.add(pong)
        try:
            self.link.send(Ping(self._clock()))
            async with asyncio.timeout(_PONG_WITHIN_S):
                await self._or_over(pong)
        except TimeoutError:
            pass
        finally:
            self._pongs.discard(pong)

    async def _or_over(self, promised: asyncio.Future[T]) -> T:
        """Return the result, or raise the `HouseError` if the connection ends first."""
        assert self._task is not None
        either: set[asyncio.Future[Any]] = {promised, self._task}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if promised.done():
            return promised.result()
        promised.cancel()
        assert self.link.over is not None
        raise self.link.over

    def new_id(self) -> str:
        self._count += 1
        return f"{self.token}-{self._count}"

    # Messages

    def _heard(self, message: answers.FromHouse) -> None:
        if self._snapshot is None and not isinstance(message, answers.TableSnapshot):
            return
        self._keep(message)
        for unread in self._unread:
            if unread.qsize() < MOST_UNREAD:
                unread.put_nowait(message)
                continue
            while not unread.empty():
                unread.get_nowait()
            unread.put_nowait(self._known)
        for watcher in tuple(self._watchers):
            watcher(self.view)
        if isinstance(message, answers.Pong):
            for pong in self._pongs:
                if not pong.done():
                    pong.set_result(None)
        self._report_shown()
        self._welcome.set()

    def _keep(self, message: answers.FromHouse) -> None:
        """Update the views with a message."""
        if isinstance(message, answers.TableSnapshot):
            if self._snapshot is None and message.view.phase == "betting":
                self.joined_in = message.view.round
            self._snapshot = message
        else:
            self._snapshot = updated(self._known, message)

    def _report_shown(self) -> None:
        """Report an announcement that this terminal shows, once a round."""
        announcement = _SHOWS.get(self.view.phase)
        key = (self.view.round, self.view.phase)
        is_terminal = self.seat is not None and self._hello.session is None
        if announcement is None or not is_terminal:
            return
        if key not in self._reported:
            this_round = {each for each in self._reported if each[0] == key[0]}
            self._reported = this_round | {key}
            message = ReportAnnouncement(self.new_id(), announcement, self._clock())
            report = asyncio.create_task(self.link.ask(message, silent=True))
            self._reports.add(report)
            report.add_done_callback(self._reported_it)

    def _reported_it(self, report: asyncio.Task[answers.Answered]) -> None:
        """Forget a report; a Player need not know if it failed."""
        self._reports.discard(report)
        if not report.cancelled():
            assert isinstance(report.exception(), HouseError | None)

    def _ended(self) -> None:
        self._welcome.set()
        for unread in self._unread:
            unread.put_nowait(None)


def updated(
    known: answers.TableSnapshot, message: answers.FromHouse
) -> answers.TableSnapshot:
    """Return the views after a message: fields replaced, lists merged; pure."""
    if isinstance(message, answers.TableSnapshot):
        return message
    if isinstance(
        message, answers.TableUpdate | answers.SeatUpdate | answers.StakesUpdate
    ):
        known = replace(known, sequence=message.sequence, at_ms=message.at_ms)
    seat, staff = known.seat, known.staff
    match message:
        case answers.TableUpdate():
            view = apply_changes(known.view, message.view)
            rounds = merge(view.history, message.rounds, key=lambda each: each.round)
            view = replace(view, history=rounds[-answers.HISTORY :])
            if staff is not None and message.staff is not None:
                staff = apply_changes(staff, message.staff)
            return replace(known, view=view, staff=staff)
        case answers.SeatUpdate() if seat is not None:
            seat = apply_changes(seat, message.seat)
            return replace(known, seat=_with_wagers(seat, message))
        case answers.StakesUpdate(stakes=stakes):
            staff = staff and _with_wagers(staff, message)
            return replace(known, stakes=stakes, staff=staff)
        case answers.Pong(sequence=sequence):
            return replace(known, sequence=sequence)
        # An answer comes before the messages of its commit. If those came first, the
        # answer is a repetition, and its wagers may be out of date.
        case answers.Answered(sequence=sequence) if sequence > known.sequence:
            if seat is not None and message.seat is not None:
                seat = apply_changes(seat, message.seat)
            seat = seat and _with_wagers(seat, message)
            staff = staff if seat else staff and _with_wagers(staff, message)
            return replace(known, seat=seat, staff=staff)
    return known


def _with_wagers(
    view: ViewT, message: answers.SeatUpdate | answers.StakesUpdate | answers.Answered
) -> ViewT:
    if not message.wagers and not message.gone:
        return view
    wagers = merge(
        view.wagers, message.wagers, key=lambda each: each.id, gone=message.gone
    )
    return replace(view, wagers=wagers)
