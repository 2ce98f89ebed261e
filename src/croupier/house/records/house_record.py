"""The house's record: a decision takes effect once its events are committed.

A thread holds the lock from a check until the result is recorded. If other processes
write the stream too, a thread of its own reads their events.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from secrets import token_hex
from threading import Event, RLock, Thread, get_ident
from typing import Self, TypeVar

from croupier.errors import CroupierError
from croupier.house.reasons import HouseReason
from croupier.house.records.house_snapshot import (
    HouseReader,
    folded,
    write_house_snapshot,
)
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.events.table import GamingDayClosed, SumConfirmed
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import (
    HOUSE_STREAM,
    Append,
    JournalError,
    JournalFailed,
    JournalFrozen,
    NotAJournal,
    Store,
    StreamMoved,
    WriterConflict,
)
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.money import MoneyEvent
from croupier.ledger.posting import entries_of
from croupier.rules.clause import Refusal
from croupier.rules.reasons import Reason
from croupier.table.batches import BatchBuilder
from croupier.table.judgements import TableRecord
from croupier.table.reasons import StreamError, TableReason

_log = logging.getLogger(__name__)
T = TypeVar("T")
Clock = Callable[[], int]
"""Milliseconds since 1970."""
RecordedEvent = HouseEvent | GamingDayClosed | SumConfirmed | MoneyEvent


class NotDone(CroupierError):
    """The house refuses the request; `reason` says why, the text in English."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class RulesForbid(NotDone):
    """A table would refuse the act; `refusal` has the clause."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class NotThere(NotDone):
    """The house has no person or thing of that name or number."""


class Denied(NotDone):
    """The caller may not do that, or is unknown."""


class RefusedTooOften(NotDone):
    """Too many commands of one sender were refused; it must wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(HouseReason.REFUSED_TOO_OFTEN(seconds=seconds))
        self.seconds = seconds


class IdUsed(NotDone):
    """The command's id was used before, by another command or sender."""

    def __init__(self) -> None:
        super().__init__(HouseReason.ID_USED_BEFORE())


SNAPSHOT_EVERY = 2_000
"""The least number of events between two snapshots."""
BEHIND_S = 5.0
"""A process that has not read the stream for this long refuses to decide."""
_READ_EVERY_S = 1.0
"""The longest wait between two reads of the stream."""
_TRIES = 5
"""Attempts at an act that other processes overtake."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def _random_id() -> str:
    return token_hex(16)


class HouseRecord:
    """State and journal of the house, changed by one person's act at a time.

    With `sharing`, other processes write the same stream: a thread that takes the lock
    takes the house's turn, and first reads their events.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        append: Append | None = None,
        snapshot_every: int = SNAPSHOT_EVERY,
        sharing: HouseSharing | None = None,
        *,
        new_id: Callable[[], str] = _random_id,
    ) -> None:
        self.store = store
        self.clock = clock
        self._append = append
        self._new_id = new_id
        self._sharing = sharing
        shares = sharing is not None and store.frozen is None
        self.lock = HouseLock(*((self._begin, self._end) if shares else (None, None)))
        """Held from a check until the result is recorded."""
        self._reading = RLock()
        self.listeners: list[Callable[[HouseEvent], None]] = []
        self._follower: Thread | None = None
        self._followed, self._ends = 0.0, Event()
        """The time of the last complete read, and the signal to stop."""
        self._snapshot_every = snapshot_every
        self._reader = HouseReader(store)
        self._has_written = False
        """The thread that holds the lock has written something."""
        self._is_unsure = False
        """A commit failed and may be on disk all the same."""
        self._decided_on: int | None = None
        """The last event known when the act began, if others write too."""
        self._reader.read_all()
        self.state: HouseState = self._reader.state
        self.epoch = (store.join_stream if shares else store.claim_stream)(HOUSE_STREAM)
        """This writer's epoch of the house's stream."""
        if not shares:  # others may be about to redeem their claims
            store.release_vouchers(HOUSE_STREAM)

    @property
    def settings(self) -> HouseSettings:
        return self.state.house or DEFAULT_HOUSE

    def act(self, act: Callable[[], T]) -> T:
        """Run an act under the lock and return its result.

        It runs again if other processes wrote before it had written anything.
        """
        if self._sharing is None or self.lock.is_mine:
            return act()
        for _ in range(_TRIES):
            try:
                with self.lock:
                    return act()
            except StreamMoved:
                if self._has_written:
                    raise
        raise StreamMoved(HOUSE_STREAM)

    def _begin(self) -> None:
        """Take the house's turn, and read the events before it."""
        assert self._sharing is not None
        self._sharing.take_turn()
        try:
            self._follow()
        except BaseException:
            self._sharing.end_turn()
            raise
        self._decided_on = self._reader.head.sequence
        self._has_written = False

    def _end(self) -> None:
        assert self._sharing is not None
        self._sharing.end_turn()

    # Following other processes

    def follow(self) -> None:
        """Read the events of other processes, if the house is shared."""
        if self._sharing is not None:
            self._follow()

    def begin_following(
        self,
        failed: Callable[[JournalError], None],
        lost: Callable[[JournalError], None],
    ) -> None:
        """Start a thread that follows a shared house until `close`.

        The thread calls `failed` with each error. If the stream can't be read, for
        example because a newer croupier wrote it, it calls `lost` and ends.
        """
        if self._sharing is None:
            return
        self._followed = time.monotonic()
        self._follower = Thread(
            target=self._keep_following,
            args=(self._sharing, failed, lost),
            name="house follower",
            daemon=True,
        )
        self._follower.start()

    def _keep_following(
        self,
        sharing: HouseSharing,
        failed: Callable[[JournalError], None],
        lost: Callable[[JournalError], None],
    ) -> None:
        while not self._ends.is_set():
            try:
                sharing.wait(_READ_EVERY_S)
                self.follow()
                self._followed = time.monotonic()
            except NotAJournal as error:
                lost(error)
                return
            except JournalError as error:
                failed(error)
                self._ends.wait(_READ_EVERY_S)
            except Exception:  # noqa: BLE001 - without it, acts are decided on old state
                _log.exception("the house could not be followed")
                self._ends.wait(_READ_EVERY_S)

    @property
    def lag_s(self) -> float | None:
        return None if self._follower is None else time.monotonic() - self._followed

    def is_current(self) -> bool:
        """Return whether this process has read the others' records recently enough."""
        return (self.lag_s or 0) <= BEHIND_S

    async def hear_of(self, is_known: Callable[[HouseState], bool]) -> None:
        """Read the stream at once unless `is_known` holds already.

        Another process may just have recorded the fact. A journal that can't be read is
        no error here.
        """
        if self._follower is not None and not is_known(self.state):
            with suppress(JournalError):
                await asyncio.to_thread(self.follow)

    def close(self) -> None:
        """Stop following the stream; this takes up to a second."""
        self._ends.set()
        if self._follower is not None:
            self._follower.join()

    # Writing

    def write(self, *events: RecordedEvent, command_id: str | None = None) -> None:
        """Commit events together, update the state, then call the listeners.

        Raises `JournalFailed` if the events are not written, or if that is unknown: the
        journal is then read before the next decision.
        """
        command_id = command_id or self._new_id()
        self.act(lambda: self._write(command_id, events))

    def note(self, *events: HouseEvent, command_id: str | None = None) -> None:
        """Commit a log-on or a noticed event; a read-only house keeps it in memory."""
        if self.store.frozen is None:
            self.write(*events, command_id=command_id)
            return
        with self.lock, self._reading:
            self._reader.fold(events, self.clock())
            self.state = self._reader.state
            self._tell(events)

    def _write(self, command_id: str, events: Sequence[RecordedEvent]) -> None:
        with self.lock:
            if self.store.frozen is not None:
                raise JournalFrozen(self.store.frozen)
            self.catch_up()
            try:
                self._commit(command_id, events)
            except JournalFailed:
                self._is_unsure = True
                self.catch_up()
                answer = self.store.answer(HOUSE_STREAM, command_id)
                if answer is None:
                    raise
                self._decide_on(answer.last)
            else:
                self._follow()
            self._has_written = True

    def _commit(self, command_id: str, events: Sequence[RecordedEvent]) -> None:
        with self._reading:
            last, state = self._reader.head, self.state
            since_snapshot = self._reader.since_snapshot
        if self._decided_on not in {None, last.sequence}:
            raise StreamMoved(HOUSE_STREAM)
        if self.is_recorded(command_id):
            raise StreamError(TableReason.RECORDED_ALREADY())
        balances = self.store.balances(HOUSE_STREAM)
        posted = list(_posted(events, balances))
        clock_ms = self.clock()
        at_ms = max(clock_ms, self._reader.at_ms)
        builder = BatchBuilder(
            stream=HOUSE_STREAM,
            epoch=self.epoch,
            head=last,
            document="house",
            terms="",
            at_ms=at_ms,
            clock_ms=clock_ms,
            day=self.settings.gaming_day(at_ms),
        )
        builder.add(command_id, posted)
        builder.keep_clock(0)
        if since_snapshot + len(events) >= self._snapshot_every:
            after = folded(state, events, at_ms)
            builder.keep_snapshot(write_house_snapshot(after), balances, 0)
        [problem] = (self._append or self.store.append)(
            [builder.build(lambda a: balances.get(a, 0))]
        )
        if problem is not None:
            raise self._moved(problem)
        self._decide_on(builder.sequence)

    def _decide_on(self, sequence: int) -> None:
        if self._decided_on is not None:
            self._decided_on = sequence

    def _moved(self, problem: JournalError) -> JournalError:
        """Return `StreamMoved` for a conflict with a process that shares the stream."""
        is_theirs = self.store.epochs().get(HOUSE_STREAM) != self.epoch
        is_shared = self._decided_on is not None and not is_theirs
        if isinstance(problem, WriterConflict) and is_shared:
            return StreamMoved(HOUSE_STREAM)
        return problem

    def now(self) -> int:
        """Return the time to record, which never goes back, unlike the clock."""
        return max(self.clock(), self._reader.at_ms)

    def is_recorded(self, command_id: str) -> bool:
        return self.store.answer(HOUSE_STREAM, command_id) is not None

    def catch_up(self) -> None:
        """Read the journal if a failed commit may be in it."""
        with self.lock:
            if self._is_unsure:
                self._follow()
                self._is_unsure = False

    def _follow(self) -> None:
        with self._reading:
            events = list(self._reader.read())
            self.state = self._reader.state
            self._tell(events)

    def _tell(self, events: Sequence[HouseEvent]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)


def _posted(
    events: Sequence[RecordedEvent], balances: dict[Account, int]
) -> Iterator[TableRecord]:
    """Yield each event with its entries, and add these to the balances."""
    for event in events:
        entries: tuple[Entry, ...] = ()
        if isinstance(event, MoneyEvent):
            entries = entries_of(event, None, lambda a: balances.get(a, 0))
        for account, cents in entries:
            balances[account] = balances.get(account, 0) + cents
        yield TableRecord(0, event, entries)


def read_house_state(store: Store) -> HouseState:
    reader = HouseReader(store)
    reader.read_all()
    return reader.state


class HouseLock:
    """A reentrant lock that also takes and ends the turn of a shared house."""

    def __init__(
        self, begin: Callable[[], None] | None, end: Callable[[], None] | None
    ) -> None:
        self._own = RLock()
        self._begin, self._end = begin, end
        self._depth = 0
        self._holder: int | None = None

    @property
    def is_mine(self) -> bool:
        return self._holder == get_ident()

    def __enter__(self) -> Self:
        self._own.acquire()
        try:
            if not self._depth and self._begin is not None:
                self._begin()
        except BaseException:
            self._own.release()
            raise
        self._depth += 1
        self._holder = get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        try:
            if not self._depth:
                self._holder = None
                if self._end is not None:
                    self._end()
        finally:
            self._own.release()
