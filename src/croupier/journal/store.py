"""The store of a journal: what SQLite and PostgreSQL both do, and how they fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, Self

from croupier.errors import CroupierError
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

HOUSE_STREAM = "house"


class JournalError(CroupierError):
    """The journal can't do what was asked; the message says why, in a sentence."""


class NotAJournal(JournalError):
    """The file or database is none of ours, or is damaged."""


class NoSuchJournal(JournalError):
    """There is no journal at the address, and none was to be made."""


class WriterConflict(JournalError):
    """Another writer has this stream now; nothing of this batch was written."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} is written by somebody else now")


class StreamMoved(JournalError):
    """Others have written the stream since this was decided; nothing was written."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} has been written meanwhile: ask again")


class JournalFailed(JournalError):
    """Disk or database failed: what was not acknowledged may or may not be there."""


class DiskFull(JournalFailed):
    """There is no room for another commit; there may be soon."""


class ServerAway(JournalFailed):
    """The database's server can't be reached just now; it may be soon."""


class ServerReplaced(ServerAway):
    """The servers that answer are none to write to: a standby was promoted since."""


class JournalReplaced(JournalFailed):
    """The journal that was opened is gone, or another lies in its place."""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """Events of one stream that were acknowledged, and that the journal lacks."""

    stream: str
    first: int
    last: int
    batches: Sequence[StreamBatch]
    """Those of them that this process has written lately."""

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"{self.count} of {self.stream} from {self.first}"


class AcknowledgedMissing(JournalReplaced):
    """The server that answers lacks events that this process has acknowledged."""

    def __init__(self, parts: Sequence[MissingPart]) -> None:
        total = sum(part.count for part in parts)
        streams = ", ".join(map(str, parts))
        super().__init__(
            f"{total} acknowledged events are not in the journal any more ({streams}):"
            " a server was promoted that lacks them"
        )
        self.parts = parts


class JournalFrozen(JournalError):
    """The journal is only read; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Store(Protocol):
    """Durable storage: `append` returns only when everything is on disk.

    It can be read as of one moment, and filled in one commit.
    """

    @property
    def frozen(self) -> Reason | None:
        """Why nothing is written any more, if that is so."""

    @property
    def timeline(self) -> int:
        """The PostgreSQL server's timeline, which each promotion raises; else 0."""

    @property
    def rival(self) -> str | None:
        """Which servers of the address can be written, if they are several."""

    def freeze(self, reason: Reason) -> None:
        """Write nothing from now on, to whatever is asked: `JournalFrozen` is raised.

        Who claims a stream gets the epoch that it has, and claims of vouchers stay.
        """

    def claim_stream(self, stream: str) -> int:
        """Return a new epoch for a writer of the stream; older ones write no more."""

    def join_stream(self, stream: str) -> int:
        """Return the epoch of the stream's writers, who go on beside a new one."""

    def epochs(self) -> dict[str, int]:
        """Return the epoch of each stream's last claim."""

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        """Write all in one commit; return None or why it was left out for each batch.

        Raises `JournalFailed` where the commit itself failed.
        """

    def head(self, stream: str) -> HeadRow | None: ...

    def heads(self) -> list[HeadRow]: ...

    def events(
        self, stream: str, *, after: int = 0, round_number: int | None = None
    ) -> Iterator[EventRow]:
        """Yield events in order, of one round where it is named."""

    def few_events(self, stream: str, first: int, last: int) -> list[EventRow]:
        """Return the events from one sequence number to another, in order."""

    def entries(
        self, stream: str, *, after: int = 0
    ) -> Iterator[tuple[int, int, Entry]]: ...

    def balances(self, stream: str) -> dict[Account, int]: ...

    def streams_of_account(self, account: Account) -> list[HeadRow]:
        """Return the ends of all streams in which an account has ever moved."""

    def entry_sums(self, stream: str, *, after: int) -> dict[Account, int]:
        """Return what the entries after an event sum to, by account."""

    def answer(self, stream: str, command_id: str) -> AnswerRow | None: ...

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        """Return those of the commands that have been answered before."""

    def snapshot(self, stream: str) -> SnapshotRow | None:
        """Return the latest snapshot of a stream."""

    def voucher(self, code: str) -> VoucherRow | None: ...

    def open_vouchers(self, most: int) -> list[VoucherRow]:
        """Return so many of those that are outstanding or claimed, by their codes."""

    def voucher_events(self, code: str) -> list[EventRow]:
        """Return the events of all streams that concern a voucher of 16 characters."""

    def vouchers(self) -> Iterator[VoucherRow]: ...

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        """Claim a voucher for a stream, durably; return None where that can't be.

        With an epoch, only while that writer still has the stream.
        """

    def release_vouchers(self, holder: str) -> int:
        """Make unused claims of the stream outstanding again; return how many."""

    def handled_by(self, name: str, since_ms: int) -> list[EventRow]:
        """Return the payments of a person at all tables since then, in order.

        A longer name that begins like theirs may be among them.
        """

    def settlements(self, stream: str, *, after: int = 0) -> Iterator[EventRow]:
        """Yield the `RoundSettled` of a stream, in order."""

    def latest_settlements(self, stream: str, count: int) -> list[EventRow]:
        """Return the last of them, in order."""

    def keep_secret(self, value: str) -> str:
        """Keep a secret outside the chain and every export; return its digest."""

    def secret(self, digest: str) -> str | None:
        """Return the secret with that digest, or None if it is not there or changed."""

    def drop_secret(self, digest: str) -> None: ...

    def check_identity(self) -> None:
        """Raise `JournalReplaced` unless the address leads to what was opened."""

    def lacks_standby(self) -> bool:
        """Return whether another server could keep every commit too, and none does."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Read as of one moment inside, while others go on writing."""

    def all_or_nothing(self) -> AbstractContextManager[None]:
        """Make whatever is written inside one commit; an exception undoes it."""

    def rows_of(
        self, table: StoredTable, stream: str | None = None, *, after: int = 0
    ) -> Iterator[Row]:
        """Yield every row as it is stored, text by its code points; constant memory.

        With a stream, its rows alone: those after an event, where they are of events.
        Only inside `at_one_moment` or `all_or_nothing`. Raises `NotAJournal` where a
        row can't be read.
        """

    def heads_after(self, number: int) -> Iterator[tuple[int, str]]:
        """Yield the published heads with higher numbers; where `rows_of` may be."""

    def last_head(self) -> tuple[int, str] | None:
        """Return the published head of the highest number; where `rows_of` may be."""

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        """Yield every stream that a table has rows of; where and as `rows_of`."""

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        """Insert rows of the `written` columns; only inside `all_or_nothing`."""

    def damage(self) -> Iterator[str]:
        """Yield what the database itself finds wrong with its pages and indexes."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
