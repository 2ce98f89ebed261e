"""Replay of a journal: a table as it was left, and any past round in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from croupier.games import game_of_document
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import HouseSettings
from croupier.journal.store import JournalError, NotAJournal, Store
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account, Entry, is_seat
from croupier.ledger.money import MoneyEvent
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.events import (
    ColourIssued,
    ColourReturned,
    RoundBegun,
    RoundEvent,
)
from croupier.rules.game import Game
from croupier.rules.round import RoundOfPlay, apply
from croupier.rules.series import apply_beside, fresh_round
from croupier.table.answers import event_of
from croupier.table.reasons import StreamError, TableReason
from croupier.table.state import (
    STAFF_WORDS,
    TableState,
    advance,
    opened,
    read_snapshot,
)

OfRound = RoundBegun | RoundEvent | ColourIssued | ColourReturned | hap.OperationEvent
_STAFF_ACTS = frozenset({ColourIssued, ColourReturned, *STAFF_WORDS})
"""Acts beside the round: it keeps nothing of them but who acted (A42)."""


@dataclass(frozen=True, slots=True)
class Recovered:
    state: TableState
    events_since_snapshot: int
    is_at_rest: bool
    """Whether no round was found in play."""


def recover(store: Store, stream: str, house: HouseSettings) -> Recovered:
    """Return the table as its last committed event left it."""
    with _replaying(stream):
        return _recovered(store, stream, house)


@contextmanager
def _replaying(stream: str) -> Iterator[None]:
    """Raise `NotAJournal` if recorded events can't be replayed: they are damaged."""
    try:
        yield
    except JournalError:
        raise
    except Exception as error:
        raise NotAJournal(
            f"{stream} is damaged: its events can't be replayed"
            f" ({type(error).__name__}: {error}); croupier journal verify says more"
        ) from error


def _recovered(store: Store, stream: str, house: HouseSettings) -> Recovered:
    snapshot = store.snapshot(stream)
    state: TableState | None = None
    after = 0
    if snapshot is not None:
        state = read_snapshot(snapshot.body)
        after = snapshot.sequence
        game = state.series.game
        last = recall_round(store, stream, game, state.series.last, until=after)
        series = state.series
        warned = series.warned_in(series.last)
        last = changed(last, colours=series.colours, warned=warned)
        state = changed(state, series=series.remembering(last))
    count = 0
    for row in store.events(stream, after=after):
        state = _replayed(_reaching_back(store, state, row), row, house)
        count += 1
    if state is None:
        raise StreamError(TableReason.NO_EVENTS(stream=stream))
    state = changed(state, balances=_balances(store, stream))
    return Recovered(state, count, state.is_at_rest)


def _reaching_back(
    store: Store, state: TableState | None, row: EventRow
) -> TableState | None:
    """Recall the round of an event that reaches back behind the snapshot."""
    number = row.round_number
    if (
        state is None
        or number >= state.series.last
        or state.series.find(number) is not None
    ):
        return state
    game = state.series.game
    past = recall_round(store, row.stream, game, number, until=row.sequence - 1)
    return changed(state, series=state.series.remembering(past))


def _replayed(
    state: TableState | None, row: EventRow, house: HouseSettings
) -> TableState:
    event = event_of(row)
    if state is None:
        if not isinstance(event, hap.TableOpened):
            raise NotAJournal(str(TableReason.OPENING_MISSING(stream=row.stream)))
        return opened(event)
    day = state.day(house.gaming_day(row.at_ms))
    return advance(state, row.round_number, event, (), day)


def _balances(store: Store, stream: str) -> BucketMap[Account, int]:
    balances: BucketMap[Account, int] = BucketMap()
    for account, cents in store.balances(stream).items():
        balances = balances.with_entry(account, cents)
    return balances


def recall_round(
    store: Store, stream: str, game: Game, number: int, until: int | None = None
) -> RoundOfPlay:
    """Replay a past round from its own events."""
    with _replaying(stream):
        state = replayed_round(game, _until(until, round_events(store, stream, number)))
    if state is None:
        raise StreamError(TableReason.NO_ROUND(stream=stream, round=number))
    return state


def round_events(
    store: Store, stream: str, number: int, after: int = 0
) -> Iterator[tuple[int, OfRound]]:
    """Yield the events that make a round what it is, with their places."""
    for row in store.events(stream, after=after, round_number=number):
        event = event_of(row)
        of_other = isinstance(event, MoneyEvent | hap.OperationEvent | HouseEvent)
        if type(event) in _STAFF_ACTS or not of_other:
            yield row.sequence, cast(OfRound, event)


def _until(
    last: int | None, events: Iterator[tuple[int, OfRound]]
) -> Iterator[OfRound]:
    for sequence, event in events:
        if last is not None and sequence > last:
            return
        yield event


def replayed_round(game: Game, events: Iterable[OfRound]) -> RoundOfPlay | None:
    """Return the round after these events, or None where none begins it."""
    state: RoundOfPlay | None = None
    for event in events:
        if isinstance(event, RoundBegun):
            state = fresh_round(game, event)
        elif state is not None and type(event) in _STAFF_ACTS:
            state = apply_beside(state, event)
        elif state is not None:
            state = apply(state, cast(RoundEvent, event))
    return state


@dataclass(frozen=True, slots=True)
class RecalledEvent:
    """An event as it was recorded, with the entries it made."""

    sequence: int
    at_ms: int
    event: JournalEvent
    entries: tuple[Entry, ...]
    hash: str


@dataclass(frozen=True, slots=True)
class RecalledRound:
    stream: str
    document: str
    number: int
    state: RoundOfPlay
    """As it stands now, after every correction."""
    events: tuple[RecalledEvent, ...]
    """Acts, refusals, announcements, settlement and corrections, in order."""
    credit_before: dict[Account, int]
    credit_after: dict[Account, int]
    """Of every seat, before the round's first event and after its last so far."""


def recall(store: Store, stream: str, number: int) -> RecalledRound:
    """Return the round in full; raise `StreamError` where there is none."""
    rows = list(store.events(stream, round_number=number))
    if number < 1 or not rows:
        raise StreamError(TableReason.NO_ROUND(stream=stream[:60], round=number))
    first, last = rows[0].sequence, rows[-1].sequence
    entries: dict[int, list[Entry]] = {row.sequence: [] for row in rows}
    after = dict(store.balances(stream))
    before = dict(after)
    for sequence, _, entry in store.entries(stream, after=first - 1):
        before[entry.account] -= entry.cents
        if sequence > last:
            after[entry.account] -= entry.cents
        if sequence in entries:
            entries[sequence].append(entry)
    events = tuple(
        RecalledEvent(
            row.sequence,
            row.at_ms,
            event_of(row),
            tuple(entries[row.sequence]),
            row.hash,
        )
        for row in rows
    )
    document = rows[0].document
    state = recall_round(store, stream, game_of_document(document), number)
    return RecalledRound(
        stream, document, number, state, events, _seats(before), _seats(after)
    )


def _seats(balances: dict[Account, int]) -> dict[Account, int]:
    return {a: cents for a, cents in sorted(balances.items()) if is_seat(a)}
