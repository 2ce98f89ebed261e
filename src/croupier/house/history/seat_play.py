"""The rounds of a seat, and the changes of its credit by others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import msgspec
from msgspec import Struct

from croupier.house.history.event_details import explanation_of
from croupier.house.history.past_rounds import (
    CORRECTING,
    IN_BRIEF,
    RoundShown,
    read_round,
)
from croupier.journal.events.codec import JournalEvent
from croupier.journal.store import Store
from croupier.journal.tables import EventRow
from croupier.ledger import accounts
from croupier.protocol.answers import StatedReason
from croupier.rules.events import (
    OutcomeDecided,
    RoundBegun,
    RoundSettled,
    SettledWager,
    WagerIncreased,
    WagerPlaced,
)
from croupier.rules.operator import Role
from croupier.table.answers import event_of

_PLACED = WagerPlaced.__name__
_SETTLED = RoundSettled.__name__
_BEGUN = (RoundBegun.__name__,)


@dataclass(frozen=True, slots=True)
class SeatStay:
    """A Player at a seat: a named one, or the anonymous one of a stay (A37)."""

    seat: str
    number: int | None
    """None for a named Player."""
    began_ms: int


def rounds_played(
    store: Store, table: str, stay: SeatStay, *, before: int | None, count: int
) -> tuple[list[RoundShown], bool]:
    """Return the rounds of a stay, latest first, and whether there are more."""
    found: list[RoundShown] = []
    after = store.sequence_before(table, stay.began_ms)
    player = msgspec.json.encode(stay.seat).decode()
    rounds = store.rounds_with(table, [_SETTLED], after=after, containing=player)
    for number in reversed(rounds):
        if before is None or number < before:
            if len(found) == count:
                return found, True
            found += _played(store, table, number, stay, player)
    return found, False


def rounds_of_player(
    store: Store, player: str, *, since_ms: int, before_ms: int, count: int
) -> tuple[list[RoundShown], bool]:
    """Return a named Player's latest rounds at all tables, and whether there are more.

    They were settled after `since_ms` and began before `before_ms`.
    """
    stay, found, has_more = SeatStay(player, None, since_ms), [], False
    for end in store.streams_of_account(accounts.seat(player)):
        after = store.sequence_before(end.stream, before_ms)
        later = next(store.events(end.stream, after=after, kinds=_BEGUN), None)
        before = None if later is None else later.round_number
        rounds, more = rounds_played(
            store, end.stream, stay, before=before, count=count
        )
        found += rounds
        has_more = has_more or more
    found.sort(key=lambda each: each.began_ms, reverse=True)
    return found[:count], has_more or len(found) > count


def _played(
    store: Store, table: str, number: int, stay: SeatStay, player: str
) -> Iterator[RoundShown]:
    """Yield the round with the stay's own wagers, if it had settled ones.

    A wager belongs to the stay that placed it, or to the one that a ruling named.
    """
    stays: dict[str, int | None] = {}
    took_part = False

    def noted() -> Iterator[EventRow]:
        kinds = (*IN_BRIEF, _PLACED)
        for row in store.events(table, round_number=number, kinds=kinds):
            if row.kind == _PLACED and player in row.body:
                placed = cast(WagerPlaced, event_of(row))
                stays[placed.wager_id] = placed.stay
            yield row

    def owns(wager: SettledWager) -> bool:
        nonlocal took_part
        placed_by = stays.get(wager.wager_id, stay.number)
        is_own = wager.player == stay.seat and placed_by == stay.number
        took_part = took_part or is_own
        return is_own

    played = read_round(noted(), owns)
    if played is not None and took_part:
        yield played


class CreditChange(Struct, frozen=True):
    """One change of a seat's credit, with its event, reason and clause."""

    sequence: int
    """The number of the event that explains it, in the table's journal."""
    event: str
    """Such as `BoughtIn`; `RoundSettled` stands for a first settlement."""
    round: int | None
    at_ms: int
    before_cents: int
    after_cents: int
    clause: str | None = None
    reason: StatedReason | None = None
    because: str = ""
    """The staff's own words, or empty."""
    number_before: str | None = None
    number_after: str | None = None
    """The winning number of a round; None if it is void."""


def credit_changes(
    store: Store, table: str, stay: SeatStay, *, after: int, until: int, cents: int
) -> list[CreditChange]:
    """Return the changes of a stay's credit that the Player did not make, oldest first.

    `cents` is the credit after the event `until`.
    """
    began = max(after, store.sequence_before(table, stay.began_ms))
    account = accounts.seat(stay.seat)
    moves = store.events_of_account(table, account, after=began, until=until)
    return [
        _explained(store, row, cents - since, cents - since + moved)
        for row, moved, since in moves
        if not _is_own(event_of(row))
    ]


def _is_own(event: JournalEvent) -> bool:
    by = getattr(event, "by", None)
    return isinstance(event, WagerIncreased) or getattr(by, "role", None) is Role.PLAYER


def _explained(store: Store, row: EventRow, before: int, after: int) -> CreditChange:
    event = event_of(row)
    if isinstance(event, RoundSettled):
        return _of_round(store, row, event, before, after)
    return CreditChange(
        row.sequence,
        row.kind,
        row.round_number or None,
        row.at_ms,
        before,
        after,
        because=getattr(event, "reason", ""),
    )


def _of_round(
    store: Store, row: EventRow, settled: RoundSettled, before: int, after: int
) -> CreditChange:
    """Return the change by a settlement, with the round's reason."""
    why, former = row, None
    rows = store.events(
        row.stream,
        round_number=row.round_number,
        kinds=(*CORRECTING, _SETTLED),
        until=row.sequence - 1,
    )
    for each in rows:
        if each.kind in CORRECTING:
            why = each
        else:
            former = cast(RoundSettled, event_of(each))
    is_void = settled.winning_number is None
    is_told = former or is_void or why.kind == OutcomeDecided.__name__
    clause, reason, because = explanation_of(event_of(why if is_told else row))
    return CreditChange(
        why.sequence if former else row.sequence,
        why.kind if former else row.kind,
        row.round_number,
        row.at_ms,
        before,
        after,
        clause,
        reason,
        because,
        former.winning_number if former else None,
        settled.winning_number,
    )
