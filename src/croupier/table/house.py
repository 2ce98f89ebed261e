"""The house's records besides its tables: vouchers, gaming days, its own events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, cast

from croupier.journal.events import table as hap
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.heads import BadHead, house_head, publish, read_head
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalError,
    Store,
    StreamMoved,
    WriterConflict,
)
from croupier.journal.tables import HeadRow, StreamBatch, VoucherState
from croupier.journal.vouchers import is_as_recorded
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.posting import entries_of
from croupier.rules.operator import Person
from croupier.table.answers import Accepted, stored_answer
from croupier.table.batches import BatchBuilder, time_on_record
from croupier.table.judgements import TableRecord
from croupier.table.reasons import StreamError, TableReason

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


_DOCUMENT = "house"
Append = Callable[[Sequence[StreamBatch]], list[JournalError | None]]


class HouseBook:
    """The house's records besides its tables; one writer at a time.

    Where other processes write the stream too, `decided_on` is the event that an act
    was decided on, and nothing is written after a later one.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], int],
        settings: HouseSettings = DEFAULT_HOUSE,
        append: Append | None = None,
        is_shared: bool = False,
        incarnation: str = "",
    ) -> None:
        self._store = store
        self._append = append or store.append
        self._lock = Lock()
        """From reading the stream's end to the commit that follows it."""
        self._clock = clock
        self.settings = settings
        self.incarnation = incarnation
        """Part of the heads that it signs."""
        self.decided_on: int | None = None
        take = store.join_stream if is_shared else store.claim_stream
        self._epoch = take(HOUSE_STREAM)
        self._recorded = (0, 0)
        """The last event whose time is known, and that time."""
        if not is_shared:  # others may be about to redeem theirs
            self._let_go()

    @property
    def epoch(self) -> int:
        """Of this writer of the house's stream."""
        return self._epoch

    def expire_vouchers(self, by: Person) -> int:
        """Give the house the vouchers past their last day; return how many."""
        self._let_go()
        today = self.settings.gaming_day(self._now())
        late = [
            voucher
            for voucher in self._store.vouchers()
            if voucher.state in {VoucherState.OUTSTANDING, VoucherState.LOST}
            and voucher.expires < today
        ]
        taken = [each for each in late if self._take(each.code, each.state)]
        for voucher in taken:
            event = money.VoucherExpired(by, voucher.cents, voucher.code)
            self._write(f"expired:{voucher.code}", event)
        return len(taken)

    def report_lost(self, by: Person, code: str) -> None:
        """Bar a voucher from being redeemed; its money stays owed."""
        self._let_go()
        if not self._take(code, VoucherState.OUTSTANDING):
            raise StreamError(
                TableReason.VOUCHER_NOT_OUTSTANDING(code=money.masked_code(code))
            )
        self._write(f"lost:{code}", money.VoucherReportedLost(by, code))

    def close_gaming_day(
        self,
        by: Person,
        key: Ed25519PrivateKey | None = None,
        day: str | None = None,
        report: str = "",
    ) -> hap.GamingDayClosed:
        """End the day with one head over all streams; a key signs the next one.

        Without a day it is the one that runs; a past one can still be closed. Its
        report is part of the event, and so of the head that is published. A close that
        is on record but not signed yet is signed now, and returned as it was.
        """
        today = self.settings.gaming_day(self._now())
        day = day or today
        if day > today:
            raise StreamError(TableReason.DAY_NOT_BEGUN(day=day))
        if key is not None and self.sign_close(day, key):
            answer = stored_answer(self._store, HOUSE_STREAM, close_id(day))
            assert isinstance(answer, Accepted)
            return cast(hap.GamingDayClosed, answer.events[0])
        if self.is_recorded(close_id(day)):
            raise StreamError(TableReason.DAY_CLOSED(day=day))
        head = house_head(self._store.heads())
        closed = hap.GamingDayClosed(by, day, head, report)
        self._write(close_id(day), closed)
        if key is not None:
            publish(self._store, key, self._now(), self.incarnation)
        return closed

    def sign_close(self, day: str, key: Ed25519PrivateKey) -> bool:
        """Sign a day's close that is on record, and that no published head covers.

        Returns whether that was so.
        """
        close = self._store.answer(HOUSE_STREAM, close_id(day))
        if close is None or self._signed_to() >= close.last:
            return False
        publish(self._store, key, self._now(), self.incarnation)
        return True

    def _signed_to(self) -> int:
        """Return the last event of the house's stream that a published head covers."""
        with self._store.at_one_moment():
            last = self._store.last_head()
        try:
            streams = read_head(last[1] if last is not None else "").streams
        except BadHead:  # or none at all: whoever verifies the journal names it
            return 0
        ends = [head.sequence for head in streams if head.stream == HOUSE_STREAM]
        return max(ends, default=0)

    def _let_go(self) -> None:
        """Let go of vouchers that were claimed for a commit that failed."""
        self._store.release_vouchers(HOUSE_STREAM)

    def _take(self, code: str, state: VoucherState) -> bool:
        """Claim a voucher that was issued: nobody else may redeem it from here on."""
        found = self._store.voucher(code)
        if found is None or not is_as_recorded(self._store, found):
            return False
        if state is VoucherState.LOST:
            return True
        return self._store.claim_voucher(code, HOUSE_STREAM, self._epoch) is not None

    def record(
        self,
        command_id: str,
        events: Sequence[HouseEvent],
        snapshot: Callable[[int], str] | None = None,
    ) -> None:
        """Record what happened in the house, in one commit.

        `snapshot` is given the time on record, and returns the house after the events.
        """
        with self._lock:
            self._append_events(command_id, events, snapshot)

    def is_recorded(self, command_id: str) -> bool:
        return self._store.answer(HOUSE_STREAM, command_id) is not None

    def finds_recorded(self, command_id: str) -> bool:
        """Return whether a commit that failed is on disk, and so is decided on."""
        answer = self._store.answer(HOUSE_STREAM, command_id)
        if answer is not None and self.decided_on is not None:
            self.decided_on = answer.last
        return answer is not None

    def _write(
        self,
        command_id: str,
        *events: money.MoneyEvent | hap.GamingDayClosed | HouseEvent,
    ) -> None:
        with self._lock:
            self._append_events(command_id, events, None)

    def _append_events(
        self,
        command_id: str,
        events: Sequence[money.MoneyEvent | hap.GamingDayClosed | HouseEvent],
        snapshot: Callable[[int], str] | None,
    ) -> None:
        head = self._head()
        if self.decided_on is not None and head.sequence != self.decided_on:
            raise StreamMoved(HOUSE_STREAM)
        if self.is_recorded(command_id):
            raise StreamError(TableReason.RECORDED_ALREADY())
        balances = self._store.balances(HOUSE_STREAM)
        posted: list[TableRecord] = []
        for event in events:
            entries: tuple[Entry, ...] = ()
            if isinstance(event, money.MoneyEvent):
                entries = entries_of(event, None, lambda a: balances.get(a, 0))
            for account, cents in entries:
                balances[account] = balances.get(account, 0) + cents
            posted.append(TableRecord(0, event, entries))
        builder = self._builder(head)
        builder.add(command_id, posted)
        builder.keep_clock(0)
        if snapshot is not None:
            builder.keep_snapshot(snapshot(builder.at_ms), balances, 0)
        [problem] = self._append([builder.build(_getter(balances))])
        if problem is not None:
            raise self._moved(problem)
        self._recorded = (builder.sequence, builder.at_ms)
        if self.decided_on is not None:
            self.decided_on = builder.sequence

    def _moved(self, problem: JournalError) -> JournalError:
        """Return what it means that nothing was written: others write here too."""
        is_theirs = self._store.epochs().get(HOUSE_STREAM) != self._epoch
        is_shared = self.decided_on is not None and not is_theirs
        if isinstance(problem, WriterConflict) and is_shared:
            return StreamMoved(HOUSE_STREAM)
        return problem

    def _now(self) -> int:
        """Return the time that goes on record: it never goes back, as clocks may."""
        return max(self._clock(), self._recorded_ms(self._head()))

    def _head(self) -> HeadRow:
        head = self._store.head(HOUSE_STREAM)
        assert head is not None
        return head

    def _recorded_ms(self, head: HeadRow) -> int:
        """Return the time of the stream's last event."""
        if self._recorded[0] != head.sequence:
            self._recorded = (head.sequence, time_on_record(self._store, head))
        return self._recorded[1]

    def _builder(self, head: HeadRow) -> BatchBuilder:
        clock_ms = self._clock()
        now = max(clock_ms, self._recorded_ms(head))
        return BatchBuilder(
            stream=HOUSE_STREAM,
            epoch=self._epoch,
            head=head,
            document=_DOCUMENT,
            terms="",
            at_ms=now,
            clock_ms=clock_ms,
            day=self.settings.gaming_day(now),
        )


def begin_id(day: str) -> str:
    """Return the id under which a table records that a day has begun."""
    return f"day:{day}"


def close_id(day: str) -> str:
    """Return the id under which the close of a day is recorded."""
    return f"day:{day}"


def _getter(balances: dict[Account, int]) -> Callable[[Account], int]:
    return lambda account: balances.get(account, 0)
