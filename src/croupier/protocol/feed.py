"""A table as the house tells of it: its views, kept as they come.

Laws of this file:
- nothing is derived: what a message says takes the place of what was there;
- a terminal reports by itself when it showed “place your bets” and “no more bets”,
  once a round each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from secrets import token_hex
from typing import Any, TypeVar

from msgspec.structs import replace

from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.answers import FromHouse, TableSnapshot
from croupier.protocol.changes import apply_changes, merge
from croupier.protocol.errors import HouseError
from croupier.protocol.websocket import ConnectionOptions, ReconnectingSocket

T = TypeVar("T")
ViewT = TypeVar("ViewT", say.SeatView, say.StaffView)
_SHOWS = {"betting": "place your bets", "closed": "no more bets"}
"""The announcement that a terminal shows from a phase on."""
_PONG_WITHIN_S = 2.0


class TableFeed:
    """A place at a table: its view, its seat, its messages."""

    def __init__(
        self,
        url: str,
        hello: msg.Hello,
        options: ConnectionOptions,
        clock: Callable[[], int],
    ) -> None:
        """Not connected yet: `connect` opens and closes it."""
        self._hello, self._clock = hello, clock
        self.link = ReconnectingSocket(url, hello, self._heard, options)
        self._task: asyncio.Task[None] | None = None
        self._snapshot: say.TableSnapshot | None = None
        self._welcome = asyncio.Event()
        self._ears: set[UnreadMessages] = set()
        self._watchers: list[Callable[[say.TableView], None]] = []
        self._pongs: set[asyncio.Future[None]] = set()
        self._ahead_ms = 0
        self.token = token_hex(6)
        """This connection's own: no other id begins with it."""
        self._count = 0
        self.joined_in: int | None = None
        """The round whose betting was under way when we came."""
        self.wagers_before: tuple[say.WagerView, ...] = ()
        """Own wagers of the last round that had some."""
        self._reported: set[tuple[int, str]] = set()
        self._reports: set[asyncio.Task[say.Answered]] = set()

    async def open(self) -> None:
        """Connect; returns with the first snapshot. Raises `HouseError`."""
        self._task = asyncio.create_task(self.link.run())
        self._task.add_done_callback(lambda _: self._ended())
        await self._welcome.wait()
        if self._snapshot is None:
            assert self.link.over is not None
            raise self.link.over

    async def close(self) -> None:
        """Leave the table; whoever still waits for an answer gets `HouseEnded`."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        for report in tuple(self._reports):
            report.cancel()
        if self._task is not None and not self._task.cancelled():
            self._task.result()  # a mistake of ours is told, not hidden

    # What is known

    @property
    def view(self) -> say.TableView:
        """The table as of the last message."""
        return self._known.view

    @property
    def seat(self) -> say.SeatView | None:
        """A terminal's own seat."""
        return self._known.seat

    @property
    def staff(self) -> say.StaffView | None:
        """The state that only the staff see."""
        return self._known.staff

    @property
    def stakes(self) -> say.StakesView | None:
        """The stakes on the layout that boards and staff see."""
        return self._known.stakes

    @property
    def wagers(self) -> tuple[say.WagerView, ...]:
        """The wagers that this place sees: a seat its own, the staff everybody's."""
        shown = self.seat or self.staff
        return shown.wagers if shown else ()

    @property
    def settled(self) -> tuple[say.SettledWagerView, ...]:
        """The settled wagers of the round that this place sees."""
        shown = self.seat or self.staff
        return shown.settled if shown else ()

    @property
    def sequence(self) -> int:
        """The place in the table's journal that the last message came from."""
        return self._known.sequence

    @property
    def currency(self) -> str:
        return self._known.currency

    @property
    def is_demonstration(self) -> bool:
        return self._known.money == "demonstration"

    @property
    def connections(self) -> int:
        """The count of the house's welcomes: 1, and 1 more each time back."""
        return self.link.connections

    @property
    def seconds_left(self) -> float | None:
        """Until the countdown closes the betting, by the house's clock."""
        closes_at_ms = self.view.closes_at_ms
        if closes_at_ms is None:
            return None
        return max(0.0, (closes_at_ms - self._clock() - self._ahead_ms) / 1000)

    @property
    def own_wagers(self) -> tuple[say.WagerView, ...]:
        return self.seat.wagers if self.seat else ()

    @property
    def _known(self) -> say.TableSnapshot:
        assert self._snapshot is not None, "not connected yet"
        return self._snapshot

    async def messages(self) -> AsyncIterator[say.FromHouse]:
        """Yield a snapshot, then every message, until the end; raise why it ended.

        Who reads so slowly that too many wait gets a snapshot instead of them.
        """
        ear = UnreadMessages(lambda: self._known)
        self._ears.add(ear)
        try:
            yield self._known
            while self.link.over is None or ear.has_some:
                message = await ear.next()
                if message is not None:
                    yield message
            if self._task is not None and not self._task.cancelled():
                raise self.link.over
        finally:
            self._ears.discard(ear)

    def watch(self, watcher: Callable[[say.TableView], None]) -> None:
        """Have the view after each message, at once and in order."""
        self._watchers.append(watcher)

    async def until(self, is_so: Callable[[say.TableView], bool]) -> say.TableView:
        """Return the first view that is so, which may be the present one."""
        found: asyncio.Future[say.TableView] = asyncio.Future()

        def look(view: say.TableView) -> None:
            if not found.done() and is_so(view):
                found.set_result(view)

        look(self.view)
        self._watchers.append(look)
        try:
            return await self._or_over(found)
        finally:
            self._watchers.remove(look)

    async def caught_up(self) -> None:
        """Until what the house has said so far is heard: answers come before events."""
        pong: asyncio.Future[None] = asyncio.Future()
        self._pongs.add(pong)
        try:
            self.link.send(msg.Ping(self._clock()))
            async with asyncio.timeout(_PONG_WITHIN_S):
                await self._or_over(pong)
        except TimeoutError:
            pass
        finally:
            self._pongs.discard(pong)

    async def _or_over(self, promised: asyncio.Future[T]) -> T:
        """Return what was promised, unless the connection ends first."""
        assert self._task is not None
        either: set[asyncio.Future[Any]] = {promised, self._task}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if promised.done():
            return promised.result()
        promised.cancel()
        assert self.link.over is not None
        raise self.link.over

    def new_id(self) -> str:
        """Return an id for a command; no other connection ever has the same."""
        self._count += 1
        return f"{self.token}-{self._count}"

    # What is heard

    def _heard(self, message: say.FromHouse) -> None:
        if self._snapshot is None and not isinstance(message, say.TableSnapshot):
            return
        self._keep(message)
        for ear in self._ears:
            ear.put(message)
        for watcher in tuple(self._watchers):
            watcher(self.view)
        if isinstance(message, say.Pong):
            for pong in self._pongs:
                if not pong.done():
                    pong.set_result(None)
        self._report_shown()
        self._welcome.set()

    def _keep(self, message: say.FromHouse) -> None:
        """Keep what a message says in place of what was known."""
        at_ms = getattr(message, "at_ms", None)
        if at_ms is not None:
            self._ahead_ms = at_ms - self._clock()
        before = self._snapshot
        if isinstance(message, say.TableSnapshot):
            if before is None and message.view.phase == "betting":
                self.joined_in = message.view.round
            self._snapshot = message
        else:
            self._snapshot = updated(self._known, message)
        wagers = before.seat.wagers if before is not None and before.seat else ()
        is_over = self.view.phase != "betting" and not self.own_wagers
        if before is not None and (is_over or before.view.round != self.view.round):
            self.wagers_before = wagers or self.wagers_before

    def _report_shown(self) -> None:
        """Report what this terminal shows, once a round each."""
        announcement = _SHOWS.get(self.view.phase)
        key = (self.view.round, self.view.phase)
        is_terminal = self.seat is not None and self._hello.session is None
        if announcement is None or not is_terminal:
            return
        if key not in self._reported:
            this_round = {each for each in self._reported if each[0] == key[0]}
            self._reported = this_round | {key}
            message = msg.ReportAnnouncement(self.new_id(), announcement, self._clock())
            report = asyncio.create_task(self.link.ask(message, silent=True))
            self._reports.add(report)
            report.add_done_callback(self._reported_it)

    def _reported_it(self, report: asyncio.Task[say.Answered]) -> None:
        """Forget a report; one that is not taken is nothing to the Player."""
        self._reports.discard(report)
        if not report.cancelled():
            assert isinstance(report.exception(), HouseError | None)

    def _ended(self) -> None:
        self._welcome.set()
        for ear in self._ears:
            ear.end()


def updated(known: say.TableSnapshot, message: say.FromHouse) -> say.TableSnapshot:
    """Return what is known after a message: fields replaced, lists merged; pure."""
    match message:
        case say.TableSnapshot():
            return message
        case say.TableUpdate(sequence=sequence, at_ms=at_ms):
            view = apply_changes(known.view, message.view)
            rounds = merge(view.history, message.rounds, key=lambda each: each.round)
            view = replace(view, history=rounds[-say.HISTORY :])
            staff = known.staff
            if staff is not None and message.staff is not None:
                staff = apply_changes(staff, message.staff)
            return replace(
                known, sequence=sequence, at_ms=at_ms, view=view, staff=staff
            )
        case say.SeatUpdate(sequence=sequence, at_ms=at_ms) if known.seat is not None:
            seat = _with_wagers(apply_changes(known.seat, message.seat), message)
            return replace(known, sequence=sequence, at_ms=at_ms, seat=seat)
        case say.StakesUpdate(sequence=sequence, at_ms=at_ms, stakes=stakes):
            staff = known.staff and _with_wagers(known.staff, message)
            return replace(
                known, sequence=sequence, at_ms=at_ms, stakes=stakes, staff=staff
            )
        case say.Pong(sequence=sequence):
            return replace(known, sequence=sequence)
        # An answer leaves before its commit is told. One of a commit that was told is
        # a first answer, sent again: how its wagers lie now is known.
        case say.Answered(sequence=sequence) if sequence > known.sequence:
            return _answered(known, message)
    return known


def _answered(known: say.TableSnapshot, message: say.Answered) -> say.TableSnapshot:
    seat, staff = known.seat, known.staff
    if seat is not None:
        if message.seat is not None:
            seat = apply_changes(seat, message.seat)
        return replace(known, seat=_with_wagers(seat, message))
    return replace(known, staff=staff and _with_wagers(staff, message))


def _with_wagers(
    view: ViewT, message: say.SeatUpdate | say.StakesUpdate | say.Answered
) -> ViewT:
    if not message.wagers and not message.gone:
        return view
    wagers = merge(
        view.wagers, message.wagers, key=lambda each: each.id, gone=message.gone
    )
    return replace(view, wagers=wagers)


MOST_UNREAD = 5_000


class UnreadMessages:
    """Unread messages; a reader too slow gets a snapshot instead, as from the house."""

    def __init__(self, snapshot: Callable[[], TableSnapshot]) -> None:
        self._snapshot = snapshot
        self._unread: deque[FromHouse] = deque()
        self._something = asyncio.Event()
        self._is_over = False

    @property
    def has_some(self) -> bool:
        return bool(self._unread)

    def put(self, message: FromHouse) -> None:
        """Never waits; the snapshot is asked for after the message was folded."""
        if len(self._unread) >= MOST_UNREAD:
            self._unread.clear()
            message = self._snapshot()
        self._unread.append(message)
        self._something.set()

    def end(self) -> None:
        self._is_over = True
        self._something.set()

    async def next(self) -> FromHouse | None:
        """None: it is over, and everything has been read."""
        while not self._unread:
            if self._is_over:
                return None
            self._something.clear()
            await self._something.wait()
        return self._unread.popleft()
