"""A store whose disk is slow and fails, whose process dies, whose stream is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Self, TypeVar

from croupier.journal.store import JournalError, JournalFailed, Store
from croupier.journal.tables import (
    AnswerRow,
    EventRow,
    HeadRow,
    Row,
    SnapshotRow,
    StoredTable,
    StreamBatch,
    VoucherRow,
)
from croupier.ledger.accounts import Account, Entry
from croupier.rules.reasons import Reason
from tests.simulation.seeded import Dice, SimulatedClock

T = TypeVar("T")


class ProcessDied(BaseException):
    """Everything in memory is gone; nobody may catch it but the simulation."""


@dataclass(frozen=True)
class Faults:
    """One in so many writes; 0: never."""

    fails_before: int = 400
    fails_after: int = 400
    dies_before: int = 1_200
    dies_after: int = 1_200
    rival: int = 600
    slow: int = 20


NO_FAULTS = Faults(0, 0, 0, 0, 0, 0)


class FaultyStore:
    """Passes everything on to a store; some writes go wrong around it.

    `committed` is told of every batch that the inner store has taken, answered or not.
    """

    def __init__(
        self,
        inner: Store,
        dice: Dice,
        clock: SimulatedClock,
        committed: Callable[[StreamBatch], None],
    ) -> None:
        self.inner = inner
        self.faults = Faults()
        self.injected: Counter[str] = Counter()
        self.rivals: set[str] = set()
        """Streams that a second writer has claimed since they were last opened."""
        self._dice = dice
        self._clock = clock
        self._committed = committed

    def reopened(self, inner: Store) -> None:
        """The process has been started again."""
        self.inner = inner

    def _before(self) -> None:
        faults, dice = self.faults, self._dice
        if dice.is_one_in(faults.slow):
            self.injected["slow"] += 1
            self._clock.pass_by(dice.below(2_000))
        if dice.is_one_in(faults.fails_before):
            self._fail("failed before")
        if dice.is_one_in(faults.dies_before):
            self._die("died before")

    def _after(self) -> None:
        if self._dice.is_one_in(self.faults.fails_after):
            self._fail("failed after")
        if self._dice.is_one_in(self.faults.dies_after):
            self._die("died after")

    def _fail(self, how: str) -> None:
        self.injected[how] += 1
        raise JournalFailed("the simulated disk failed")

    def _die(self, how: str) -> None:
        self.injected[how] += 1
        raise ProcessDied

    def _around(self, write: Callable[[], T]) -> T:
        self._before()
        result = write()
        self._after()
        return result

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        self._before()
        if self._dice.is_one_in(self.faults.rival):
            self.injected["rival"] += 1
            self.rivals.add(batches[0].stream)
            self.inner.claim_stream(batches[0].stream)
        results = self.inner.append(batches)
        for batch, problem in zip(batches, results, strict=True):
            if problem is None:
                self._committed(batch)
        self._after()
        return results

    @property
    def frozen(self) -> Reason | None:
        return self.inner.frozen

    @property
    def timeline(self) -> int:
        return self.inner.timeline

    @property
    def rival(self) -> str | None:
        return self.inner.rival

    def freeze(self, reason: Reason) -> None:
        self.inner.freeze(reason)

    def claim_stream(self, stream: str) -> int:
        return self._around(lambda: self.inner.claim_stream(stream))

    def join_stream(self, stream: str) -> int:
        return self._around(lambda: self.inner.join_stream(stream))

    def epochs(self) -> dict[str, int]:
        return self.inner.epochs()

    def lacks_standby(self) -> bool:
        return self.inner.lacks_standby()

    def check_identity(self) -> None:
        self.inner.check_identity()

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        return self._around(lambda: self.inner.claim_voucher(code, holder, epoch))

    def release_vouchers(self, holder: str) -> int:
        return self._around(lambda: self.inner.release_vouchers(holder))

    def head(self, stream: str) -> HeadRow | None:
        return self.inner.head(stream)

    def heads(self) -> list[HeadRow]:
        return self.inner.heads()

    def events(
        self, stream: str, *, after: int = 0, round_number: int | None = None
    ) -> Iterator[EventRow]:
        return self.inner.events(stream, after=after, round_number=round_number)

    def few_events(self, stream: str, first: int, last: int) -> list[EventRow]:
        return self.inner.few_events(stream, first, last)

    def settlements(self, stream: str, *, after: int = 0) -> Iterator[EventRow]:
        return self.inner.settlements(stream, after=after)

    def latest_settlements(self, stream: str, count: int) -> list[EventRow]:
        return self.inner.latest_settlements(stream, count)

    def entries(
        self, stream: str, *, after: int = 0
    ) -> Iterator[tuple[int, int, Entry]]:
        return self.inner.entries(stream, after=after)

    def balances(self, stream: str) -> dict[Account, int]:
        return self.inner.balances(stream)

    def handled_by(self, name: str, since_ms: int) -> list[EventRow]:
        return self.inner.handled_by(name, since_ms)

    def streams_of_account(self, account: Account) -> list[HeadRow]:
        return self.inner.streams_of_account(account)

    def entry_sums(self, stream: str, *, after: int) -> dict[Account, int]:
        return self.inner.entry_sums(stream, after=after)

    def answer(self, stream: str, command_id: str) -> AnswerRow | None:
        return self.inner.answer(stream, command_id)

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        return self.inner.answered(stream, command_ids)

    def snapshot(self, stream: str) -> SnapshotRow | None:
        return self.inner.snapshot(stream)

    def voucher(self, code: str) -> VoucherRow | None:
        return self.inner.voucher(code)

    def open_vouchers(self, most: int) -> list[VoucherRow]:
        return self.inner.open_vouchers(most)

    def voucher_events(self, code: str) -> list[EventRow]:
        return self.inner.voucher_events(code)

    def vouchers(self) -> Iterator[VoucherRow]:
        return self.inner.vouchers()

    def keep_secret(self, value: str) -> str:
        return self._around(lambda: self.inner.keep_secret(value))

    def secret(self, digest: str) -> str | None:
        return self.inner.secret(digest)

    def drop_secret(self, digest: str) -> None:
        self._around(lambda: self.inner.drop_secret(digest))

    def at_one_moment(self) -> AbstractContextManager[None]:
        return self.inner.at_one_moment()

    def all_or_nothing(self) -> AbstractContextManager[None]:
        return self.inner.all_or_nothing()

    def rows_of(
        self, table: StoredTable, stream: str | None = None, *, after: int = 0
    ) -> Iterator[Row]:
        return self.inner.rows_of(table, stream, after=after)

    def heads_after(self, number: int) -> Iterator[tuple[int, str]]:
        return self.inner.heads_after(number)

    def last_head(self) -> tuple[int, str] | None:
        return self.inner.last_head()

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        return self.inner.streams_of(table)

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        self._around(lambda: self.inner.load(table, rows))

    def damage(self) -> Iterator[str]:
        return self.inner.damage()

    def close(self) -> None:
        self.inner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
