"""The rounds that a seat has played, from the journal, with what corrected them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

import msgspec
from msgspec import Struct

from croupier.house.connection import views
from croupier.house.records.past_rounds import sequence_before
from croupier.journal.events.codec import JournalEvent
from croupier.journal.store import Store
from croupier.journal.tables import EventRow
from croupier.protocol.answers import (
    SettledWagerView,
    StatedReason,
    TotalsView,
    stated,
)
from croupier.rules import events as ev
from croupier.rules.clause import Clause
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of


class RoundCorrection(Struct, frozen=True):
    """Why a round that was settled is settled otherwise, and what that changed."""

    event: str
    """Such as `OutcomeCorrected` or `WagerRuled`."""
    at_ms: int
    clause: str | None
    reason: StatedReason | None
    because: str
    """The reason given by the people who did it; empty: none."""
    number_before: str | None
    number_after: str | None
    net_before_cents: int
    net_after_cents: int


class PlayedRound(Struct, frozen=True):
    """A settled round as it stands, with the wagers of one seat."""

    round: int
    document: str
    settled_ms: int
    winning_number: str | None
    """None: the round was void."""
    wagers: tuple[SettledWagerView, ...]
    totals: TotalsView
    corrections: tuple[RoundCorrection, ...]
    """Oldest first."""
    sequence: int
    """The place of the settlement in the table's journal."""
    seal: str
    """The hash of that event, which covers all before it: it proves a receipt."""


@dataclass(frozen=True, slots=True)
class SeatStay:
    """A Player at a seat: a named one, or the anonymous one of a stay (A37)."""

    seat: str
    number: int | None
    """None for a named Player."""
    began_ms: int


def rounds_played(
    store: Store, stream: str, stay: SeatStay, *, before: int | None, count: int
) -> tuple[list[PlayedRound], bool]:
    """Return the latest rounds of a stay first, and whether there are more."""
    after = sequence_before(store, stream, stay.began_ms)
    numbers: dict[int, None] = {}
    for row in store.settlements(stream, after=after):
        if before is None or row.round_number < before:
            settled = cast(ev.RoundSettled, event_of(row))
            if any(wager.player == stay.seat for wager in settled.wagers):
                numbers[row.round_number] = None
    found: list[PlayedRound] = []
    for number in sorted(numbers, reverse=True):
        if len(found) == count:
            return found, True
        played = _played(number, store.events(stream, round_number=number), stay)
        if played is not None:
            found.append(played)
    return found, False


CORRECTING = frozenset(
    kind.__name__
    for kind in (
        ev.OutcomeCorrected,
        ev.OutcomeDecided,
        ev.BonusNumbersCorrected,
        ev.BallRestated,
        ev.RoundVoided,
        ev.WagerRuled,
    )
)
"""By these a round that was settled is settled anew."""


@dataclass(slots=True)
class _Reader:
    """Reads the events of one round, for one stay."""

    stay: SeatStay
    stays: dict[str, int | None] = field(default_factory=dict)
    """By wager that the seat placed, the stay that it is of."""
    why: tuple[EventRow, JournalEvent] | None = None
    """The last event that can correct a round."""
    settled: PlayedRound | None = None
    took_part: bool = False
    """A wager of the stay was settled, though it may be somebody else's now."""

    def read(self, number: int, row: EventRow) -> None:
        if row.kind == ev.WagerPlaced.__name__:
            self._note_wager(row)
        elif row.kind in CORRECTING:
            self.why = row, event_of(row)
        elif row.kind == ev.RoundSettled.__name__:
            self._settle(number, row, cast(ev.RoundSettled, event_of(row)))

    def _note_wager(self, row: EventRow) -> None:
        # Most rows of a large table are of others, and need no decoding.
        if msgspec.json.encode(self.stay.seat).decode() in row.body:
            placed = cast(ev.WagerPlaced, event_of(row))
            if placed.player == self.stay.seat:
                self.stays[placed.wager_id] = placed.stay

    def _settle(self, number: int, row: EventRow, event: ev.RoundSettled) -> None:
        own = [wager for wager in event.wagers if self._is_own(wager)]
        self.took_part = self.took_part or bool(own)
        before, totals = self.settled, views.totals_of(own)
        corrections = before.corrections if before else ()
        if before is not None and self.why is not None:
            corrections += (_correction(*self.why, before, event, totals),)
        self.settled = PlayedRound(
            round=number,
            document=row.document,
            settled_ms=row.at_ms,
            winning_number=event.winning_number,
            wagers=views.settled_shown(own),
            totals=totals,
            corrections=corrections,
            sequence=row.sequence,
            seal=row.hash,
        )

    def _is_own(self, wager: ev.SettledWager) -> bool:
        """Return whether it is of this stay, placed by it or ruled to be its own."""
        if wager.player != self.stay.seat:
            return False
        return self.stays.get(wager.wager_id, self.stay.number) == self.stay.number


def _played(
    number: int, rows: Iterable[EventRow], stay: SeatStay
) -> PlayedRound | None:
    reader = _Reader(stay)
    for row in rows:
        reader.read(number, row)
    return reader.settled if reader.took_part else None


def _correction(
    row: EventRow,
    why: JournalEvent,
    before: PlayedRound,
    settled: ev.RoundSettled,
    totals: TotalsView,
) -> RoundCorrection:
    clause, reason, because = explanation_of(why)
    return RoundCorrection(
        event=row.kind,
        at_ms=row.at_ms,
        clause=clause,
        reason=reason,
        because=because,
        number_before=before.winning_number,
        number_after=settled.winning_number,
        net_before_cents=before.totals.net_cents,
        net_after_cents=totals.net_cents,
    )


def explanation_of(why: JournalEvent) -> tuple[str | None, StatedReason | None, str]:
    """Return the clause, the reason and the people's own words of an event."""
    clause, reason = getattr(why, "clause", None), getattr(why, "reason", None)
    number = clause.number if isinstance(clause, Clause) else None
    said = stated(reason, number) if isinstance(reason, Reason) else None
    return number, said, getattr(why, "because", "")
