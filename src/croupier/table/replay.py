"""Replay of a journal: the latest state of a table, and its past rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from typing import cast

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import HouseSettings
from croupier.journal.events.table import OperationEvent, TableOpened
from croupier.journal.store import JournalError, NotAJournal, Store
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account
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

_STAFF_ACTS = frozenset({ColourIssued, ColourReturned, *STAFF_WORDS})
"""Acts of staff beside play: the round keeps only the person who acted (A42)."""


@dataclass(frozen=True, slots=True)
class Recovered:
    state: TableState
    events_since_snapshot: int


def recover(store: Store, stream: str, house: HouseSettings) -> Recovered:
    with _replaying(stream):
        return _recovered(store, stream, house)


@contextmanager
def _replaying(stream: str) -> Iterator[None]:
    """Raise `NotAJournal` if recorded events are too damaged to replay."""
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
    return Recovered(state, count)


def _reaching_back(
    store: Store, state: TableState | None, row: EventRow
) -> TableState | None:
    """Recall the round of an event if it is older than the snapshot."""
    number = row.round_number
    series = None if state is None else state.series
    if series is None or number >= series.last or series.find(number) is not None:
        return state
    past = recall_round(store, row.stream, series.game, number, until=row.sequence - 1)
    return changed(state, series=series.remembering(past))


def _replayed(
    state: TableState | None, row: EventRow, house: HouseSettings
) -> TableState:
    event = event_of(row)
    if state is None:
        if not isinstance(event, TableOpened):
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
    last = inf if until is None else until
    with _replaying(stream):
        rows = store.events(stream, round_number=number)
        known = takewhile(lambda row: row.sequence <= last, rows)
        state = _replayed_round(game, map(event_of, known))
    if state is None:
        raise StreamError(TableReason.NO_ROUND(stream=stream, round=number))
    return state


def _replayed_round(game: Game, events: Iterable[JournalEvent]) -> RoundOfPlay | None:
    """Return the round after its events, or None if its beginning is missing."""
    state: RoundOfPlay | None = None
    for event in events:
        if isinstance(event, RoundBegun):
            state = fresh_round(game, event)
        elif state is None:
            continue
        elif type(event) in _STAFF_ACTS:
            state = apply_beside(state, event)
        elif not isinstance(event, MoneyEvent | OperationEvent | HouseEvent):
            state = apply(state, cast(RoundEvent, event))
    return state
