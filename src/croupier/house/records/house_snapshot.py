"""Folding of the house's stream: from its last snapshot, or from its first event.

A start ignores a snapshot of another version of the state and folds the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

import msgspec

from croupier.house.records.house_state import HouseState, apply
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.table import GamingDayClosed, SnapshotTaken
from croupier.journal.findings import VerificationProblem
from croupier.journal.store import HOUSE_STREAM, NotAJournal, Store
from croupier.journal.tables import GENESIS, EventRow, HeadRow
from croupier.journal.verification import StreamFold
from croupier.rules.reasons import Reason

_VERSION = 1
"""It changes with the fields of `HouseState` or their folding."""


class _Snapshot(msgspec.Struct):
    version: int
    state: HouseState
    seated: tuple[tuple[tuple[str, str], str], ...]
    """`HouseState.seated` as pairs, since JSON keys are texts."""


class _Versioned(msgspec.Struct):
    version: int


_versions = msgspec.json.Decoder(_Versioned)
_decoder = msgspec.json.Decoder(_Snapshot)


def write_house_snapshot(state: HouseState) -> str:
    kept = _Snapshot(_VERSION, replace(state, seated={}), (*state.seated.items(),))
    return msgspec.json.encode(kept).decode()


def read_house_snapshot(body: str) -> HouseState | None:
    """Return the state, or None if another version wrote it."""
    if _versions.decode(body).version != _VERSION:
        return None
    kept = _decoder.decode(body)
    return replace(kept.state, seated=dict(kept.seated))


def folded(state: HouseState, events: Iterable[JournalEvent], at_ms: int) -> HouseState:
    """Return the state after events of the house's stream; money events are skipped."""
    for event in events:
        if isinstance(event, HouseEvent | GamingDayClosed):
            state = apply(state, event, at_ms)
    return state


class HouseReader:
    """Folds the house's stream, from its last snapshot on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.state = HouseState()
        self.head, self.at_ms = HeadRow(HOUSE_STREAM, 0, GENESIS), 0
        """The last event read, and its time."""
        self._snapshot_at = 0
        snapshot, state = store.snapshot(HOUSE_STREAM), None
        with suppress(msgspec.MsgspecError):  # changed by hand: fold the events
            state = None if snapshot is None else read_house_snapshot(snapshot.body)
        if snapshot is not None and state is not None:
            self.state, self._snapshot_at = state, snapshot.sequence
            self.head = self.head._replace(sequence=snapshot.sequence)

    @property
    def since_snapshot(self) -> int:
        return self.head.sequence - self._snapshot_at

    def read_all(self) -> None:
        for _ in self.read():
            pass

    def fold(self, events: Iterable[HouseEvent], at_ms: int) -> None:
        self.state = folded(self.state, events, at_ms)

    def read(self) -> Iterator[HouseEvent]:
        """Fold the new events, and yield the house's own among them."""
        for row in self._store.events(HOUSE_STREAM, after=self.head.sequence):
            try:
                event = decode(row.schema, row.kind, row.body)
            except UnreadableEvent as error:
                raise NotAJournal(
                    f"the house can't be read: {HOUSE_STREAM} {row.sequence} is no"
                    f" event of this croupier ({error}): run the newer one that wrote"
                    " it, or restore a backup that verifies"
                ) from error
            self.head = HeadRow(row.stream, row.sequence, row.hash)
            self.at_ms = row.at_ms
            self.state = folded(self.state, (event,), row.at_ms)
            if isinstance(event, HouseEvent):
                yield event
            elif isinstance(event, SnapshotTaken):
                self._snapshot_at = event.at_sequence


def house_folds() -> Mapping[str, StreamFold]:
    return {HOUSE_STREAM: HouseFold()}


class HouseFold:
    """Folds the house's events from the first, and compares its snapshots."""

    def __init__(self) -> None:
        self.state = HouseState()

    def note(
        self, row: EventRow, event: JournalEvent, snapshot: str | None
    ) -> Reason | None:
        """Fold an event; return the fault, or None."""
        try:
            self.state = folded(self.state, (event,), row.at_ms)
            if snapshot is not None:
                kept = read_house_snapshot(snapshot)
                if kept is not None and kept != self.state:
                    return VerificationProblem.SNAPSHOT_OTHERWISE()
        except Exception as error:  # noqa: BLE001 - any error would fail a start
            text = f"{type(error).__name__}: {error}"
            return VerificationProblem.EVENT_NOT_FOLDED(text=text)
        return None
