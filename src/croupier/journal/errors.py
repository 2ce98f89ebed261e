"""The errors of a journal, raised by stores and their users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.errors import CroupierError
from croupier.rules.reasons import Reason

if TYPE_CHECKING:
    from croupier.journal.tables import StreamBatch


class JournalError(CroupierError):
    """The journal can't do what was asked; the message says why, in a sentence."""


class NotAJournal(JournalError):
    """The file or database is not a journal, or is damaged."""


class NoSuchJournal(JournalError):
    """There is no journal at the address, and the caller wanted none to be made."""


class WriterConflict(JournalError):
    """Another writer has this stream now; nothing of this batch was written."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"another writer has {stream} now")


class StreamMoved(JournalError):
    """Another process wrote the stream meanwhile; nothing of this batch was written."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} has been written meanwhile: ask again")


class JournalFailed(JournalError):
    """Disk or database failed: an unacknowledged write may or may not be stored."""


class DiskFull(JournalFailed):
    """There is no room for another commit; there may be soon."""


class ServerAway(JournalFailed):
    """The database's server can't be reached just now; it may be soon."""


class ServerReplaced(ServerAway):
    """A standby was promoted: the servers that answer must not be written."""


class JournalReplaced(JournalFailed):
    """The journal that was opened is gone, or another lies in its place."""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """Acknowledged events of one stream that the journal lacks."""

    stream: str
    first: int
    last: int
    batches: Sequence[StreamBatch]
    """The batches of these events that this process still holds."""

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
