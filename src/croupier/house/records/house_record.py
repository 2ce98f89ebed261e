"""The house's record: what is decided is written first, and only then is it so.

Its lock is held from a check to the record of what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from secrets import token_hex
from threading import RLock, get_ident
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec

from croupier.errors import CroupierError
from croupier.house.reasons import HouseReason
from croupier.house.records.house_snapshot import (
    read_house_snapshot,
    write_house_snapshot,
)
from croupier.house.records.house_state import HouseState, apply
from croupier.journal.events import house as ev
from croupier.journal.events.codec import UnreadableEvent, decode
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.events.table import GamingDayClosed, SnapshotTaken
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalFailed,
    JournalFrozen,
    NotAJournal,
    Store,
    StreamMoved,
)
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.table.house import Append, HouseBook

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


T = TypeVar("T")
Clock = Callable[[], int]
"""Milliseconds since 1970."""
FloorEventListener = Callable[[HouseEvent], None]


class NotDone(CroupierError):
    """The house does not do that; `reason` says why, and the text in a sentence."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class RulesForbid(NotDone):
    """An act that a table would refuse, with the clause that does."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class NotThere(NotDone):
    """Nothing and nobody of that name or number is in the house."""


class Denied(NotDone):
    """It is not theirs to do, or nobody knows who they are."""


class RefusedTooOften(NotDone):
    """Too many commands of one sender were refused: nothing is judged for a while."""

    def __init__(self, seconds: int) -> None:
        super().__init__(HouseReason.REFUSED_TOO_OFTEN(seconds=seconds))
        self.seconds = seconds


class IdUsed(NotDone):
    """The id of a command stands for another one, or for another sender's."""

    def __init__(self) -> None:
        super().__init__(HouseReason.ID_USED_BEFORE())


_NOTICED = (
    ev.LoggedOn
    | ev.LoggedOff
    | ev.LogOnFailed
    | ev.LockedOut
    | ev.AuthorityRefused
    | ev.ClockChanged
    | ev.DeviceLost
    | ev.DeviceBack
    | ev.ServerStarted
    | ev.ServerStopped
    | ev.TableTaken
)
"""Events that also happen in a house that is only read; its log has them."""
SNAPSHOT_EVERY = 2_000
"""Events between two snapshots, at least."""
_TRIES = 5
"""So often an act is decided anew that others have overtaken."""


def _random_id() -> str:
    return token_hex(16)


class HouseRecord:
    """State and journal of the house, changed by one person's act at a time.

    With `sharing`, other processes write the same stream: whoever takes the lock has
    the house's turn, and has read what the others have written.
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
        self._new_id = new_id
        self._sharing = sharing
        shares = sharing is not None and store.frozen is None
        self.lock = HouseLock(*((self._begin, self._end) if shares else (None, None)))
        """Held from a check to the record of what was found: an act is one step."""
        self._reading = RLock()
        self.listeners: list[FloorEventListener] = []
        self.is_current: Callable[[], bool] = lambda: True
        """Whether this process knows the house as it stands: its follower tells."""
        self._snapshot_every = snapshot_every
        self._reader = _HouseReader(store)
        self._has_written = False
        """Whether who has the lock now has written something."""
        self._is_unsure = False
        """Whether a commit failed of which nobody knows if it is on disk."""
        self._reader.read_all()
        self.book = HouseBook(
            store,
            clock=clock,
            settings=self.settings,
            append=append,
            is_shared=shares,
            incarnation=self.state.incarnation,
        )

    @property
    def state(self) -> HouseState:
        return self._reader.state

    @property
    def settings(self) -> HouseSettings:
        """The settings of the house that tables and days need."""
        return self.state.house or DEFAULT_HOUSE

    def act(self, act: Callable[[], T]) -> T:
        """Return what an act comes to, run as one step where others write too.

        It is run again where they overtook it before it had written anything.
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
        """Take the house's turn, and read what was written before it."""
        assert self._sharing is not None
        self._sharing.take_turn()
        try:
            self._follow()
        except BaseException:
            self._sharing.end_turn()
            raise
        self.book.decided_on = self._reader.read_to
        self._has_written = False

    def _end(self) -> None:
        assert self._sharing is not None
        self._sharing.end_turn()

    def follow(self) -> None:
        """Read what other processes have written, if any do."""
        if self._sharing is not None:
            self._follow()

    def write(self, *events: HouseEvent, command_id: str | None = None) -> None:
        """Commit events together; the state follows, then the listeners hear of it.

        Raises `JournalFailed` where they are not written, or nobody can tell: then the
        journal is read before anything else is decided.
        """
        command_id = command_id or self._new_id()
        self.act(lambda: self._write(command_id, events))

    def _write(self, command_id: str, events: Sequence[HouseEvent]) -> None:
        with self.lock:
            if self.store.frozen is not None:
                self._keep_unwritten(events, self.store.frozen)
                return
            self.catch_up()
            try:
                self.book.record(command_id, events, self._snapshot_after(events))
            except JournalFailed:
                self._is_unsure = True
                self.catch_up()
                if not self.book.finds_recorded(command_id):
                    raise
            else:
                self._follow()
            self._has_written = True

    def _keep_unwritten(self, events: Sequence[HouseEvent], why: Reason) -> None:
        """Keep in memory who logs on and what is noticed, where nothing is written."""
        if not all(isinstance(event, _NOTICED) for event in events):
            raise JournalFrozen(why)
        with self._reading:
            self._reader.fold(events, self.clock())
            self._tell(events)

    def _snapshot_after(
        self, events: Sequence[HouseEvent]
    ) -> Callable[[int], str] | None:
        """Return what writes the house after these events, when one is due."""
        if self._reader.since_snapshot + len(events) < self._snapshot_every:
            return None
        self._follow()  # the book may have written days and vouchers by itself
        state = self.state

        def body(at_ms: int) -> str:
            after = state
            for event in events:
                after = apply(after, event, at_ms)
            return write_house_snapshot(after)

        return body

    def catch_up(self) -> None:
        """Read what is on disk, where a commit has failed and may be there."""
        with self.lock:
            if self._is_unsure:
                self._follow()
                self._is_unsure = False

    def close_gaming_day(
        self,
        by: Person,
        key: Ed25519PrivateKey | None,
        day: str | None = None,
        report: str = "",
    ) -> GamingDayClosed:
        """Close the day that runs, or a past one, as the book does."""
        with self.lock:
            self.catch_up()
            try:
                closed = self.book.close_gaming_day(by, key, day, report)
            except JournalFailed:
                self._is_unsure = True
                raise
            self._follow()
            return closed

    def sign_closed_day(self, key: Ed25519PrivateKey) -> None:
        """Sign the last gaming day's close, where the house stopped before it could."""
        with self.lock:
            if self.state.closed_day is not None:
                self.book.sign_close(self.state.closed_day, key)

    def _follow(self) -> None:
        """Follow what has been written since; then the listeners hear of it."""
        with self._reading:
            events = list(self._reader.read())
            self.book.settings = self.settings
            self.book.incarnation = self.state.incarnation
            self._tell(events)

    def _tell(self, events: Sequence[HouseEvent]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)


def read_house_state(store: Store) -> HouseState:
    """Return the house as far as it is written."""
    reader = _HouseReader(store)
    reader.read_all()
    return reader.state


class _HouseReader:
    """Folds the house's stream, from its last snapshot on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.state = HouseState()
        self.read_to = self._snapshot_at = 0
        snapshot, state = store.snapshot(HOUSE_STREAM), None
        with suppress(msgspec.MsgspecError):  # changed by hand: the events still are
            state = None if snapshot is None else read_house_snapshot(snapshot.body)
        if snapshot is not None and state is not None:
            self.state = state
            self.read_to = self._snapshot_at = snapshot.sequence

    @property
    def since_snapshot(self) -> int:
        """The count of events read since the last snapshot."""
        return self.read_to - self._snapshot_at

    def read_all(self) -> None:
        """Fold what has not been read, however much it is."""
        for _ in self.read():
            pass

    def fold(self, events: Sequence[HouseEvent], at_ms: int) -> None:
        """Fold what stands in no journal."""
        for event in events:
            self.state = apply(self.state, event, at_ms)

    def read(self) -> Iterator[HouseEvent]:
        """Fold what has not been read, and yield the house's own events of it."""
        for row in self._store.events(HOUSE_STREAM, after=self.read_to):
            try:
                event = decode(row.schema, row.kind, row.body)
            except UnreadableEvent as error:
                raise NotAJournal(
                    f"the house can't be read: {HOUSE_STREAM} {row.sequence} is no"
                    f" event of this croupier ({error}): run the newer one that wrote"
                    " it, or restore a backup that verifies"
                ) from error
            self.read_to = row.sequence
            if isinstance(event, HouseEvent | GamingDayClosed):
                self.state = apply(self.state, event, row.at_ms)
            if isinstance(event, HouseEvent):
                yield event
            elif isinstance(event, SnapshotTaken):
                self._snapshot_at = event.at_sequence


class HouseLock:
    """One thread's at a time, as often as it likes.

    Where other processes write the house too, the thread that takes it first takes the
    house's turn with it, and lets go of that last.
    """

    def __init__(
        self, begin: Callable[[], None] | None, end: Callable[[], None] | None
    ) -> None:
        self._own = RLock()
        self._begin, self._end = begin, end
        self._depth = 0
        self._holder: int | None = None

    @property
    def is_mine(self) -> bool:
        """Whether this thread has it."""
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
