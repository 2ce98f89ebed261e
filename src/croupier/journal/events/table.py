"""The events of a table besides play and money: refusals, interruptions, reports."""

from __future__ import annotations

import msgspec

from croupier.rules.cents import write_cents
from croupier.rules.clause import Clause
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number


class OperationEvent(msgspec.Struct, frozen=True):
    """An event of a table's stream that is neither play nor money."""


class TableOpened(OperationEvent, frozen=True):
    """A table began a stream of its own, or was opened again for play."""

    by: Person
    game: str
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    virtual_wheel: bool


class TableClosed(OperationEvent, frozen=True):
    by: Person


class TermsChanged(OperationEvent, frozen=True):
    """Limits and settings that the next round will be judged by."""

    by: Person
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    was: tuple[str, ...]
    """The limits and settings before it, in the same words."""


class RefusedAct(msgspec.Struct, frozen=True):
    """A refused act as it was asked; a wager keeps its area and sum, for disputes."""

    kind: str
    """The type of the command, such as `PlaceWager`."""
    wager: str | None = None
    cents: int | None = None
    """The stake on each piece, if the act named a sum that can be staked."""

    def __str__(self) -> str:
        sum_ = None if self.cents is None else write_cents(self.cents)
        return " ".join(filter(None, (self.kind, self.wager, sum_)))


class ActRefused(OperationEvent, frozen=True):
    """An act that was judged and changed nothing."""

    by: Person
    acts: tuple[RefusedAct, ...]
    """One act, or several that were asked for together."""
    clause: Clause
    reason: Reason


class TableInterrupted(OperationEvent, frozen=True):
    """The table stopped in the middle of a round: staff must say what happened."""

    at_sequence: int


class BallStated(OperationEvent, frozen=True):
    """The Dealer's statement about the ball."""

    by: Person
    at_rest: Number | None
    """None: the ball is not at rest."""
    spun: bool = False
    """True if the ball was spun in this round, though no spin is on record (A38)."""


class BallConfirmed(OperationEvent, frozen=True):
    """A second person agreed; the document's clause is applied now."""

    by: Person


class SnapshotTaken(OperationEvent, frozen=True):
    """A snapshot was stored; its digest is part of the chain from here on."""

    at_sequence: int
    digest: str
    balances: str
    """A digest of the stream's balances at that event."""


class ClockBehind(OperationEvent, frozen=True):
    """The clock's own time at a commit that is recorded under a later time.

    Time on record never goes back within a stream. If the clock does, the commit gets
    the time of the previous commit, and ends with this event or a snapshot after it.
    """

    clock_ms: int


class AnnouncementShown(OperationEvent, frozen=True):
    """A terminal's own report of when it showed an announcement."""

    terminal: str
    announcement: str
    shown_at_ms: int


class LightReported(OperationEvent, frozen=True):
    """The layout device has lit a number."""

    device: str
    number: Number


class LightsConfirmed(OperationEvent, frozen=True):
    """The Dealer has seen every Bonus Number lit, at a table without a device."""

    by: Person


class NoticeAnswered(OperationEvent, frozen=True):
    """The answer to a proposal of a device or terminal: done, or dismissed."""

    by: Person
    notice: str
    clause: str | None
    accepted: bool


class InterpretationRecorded(OperationEvent, frozen=True):
    """A decided question about the rules (Triple Zero 5.10 b)."""

    by: Person
    clause: Clause
    question: str
    answer: str
    rounds: tuple[int, ...]
    """The rounds it was decided for."""


class SumConfirmed(OperationEvent, frozen=True):
    """A second person confirmed the movement of money recorded before this event."""

    initiator: Person
    authoriser: Person
    act: str
    """The name of its threshold in the house file."""
    whose: str
    """A seat, a Player, or empty for the float."""
    cents: int
    threshold_cents: int | None
    """The house's threshold, above which a second person must confirm."""


class GamingDayBegun(OperationEvent, frozen=True):
    """From here on the table's events belong to that gaming day, or to a later one.

    The previous day was closed here: nothing is added to it.
    """

    gaming_day: str


class GamingDayClosed(OperationEvent, frozen=True):
    by: Person
    gaming_day: str
    head: str
    """The house head at the close."""
    report: str
    """The figures of the day as JSON."""


OPERATION_EVENTS = frozenset(OperationEvent.__subclasses__())
