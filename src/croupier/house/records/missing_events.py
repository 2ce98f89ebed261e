"""Acknowledged events that a promoted server lacks: a file for the staff, and an alarm.

The process that finds them writes the file and ends; the next one records the alarm.
The first line of the file counts the missing events, the others are export records.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Lock

import msgspec
import structlog

from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import EventsMissing
from croupier.journal.private_files import make_private
from croupier.journal.records import from_values, to_line
from croupier.journal.store import HOUSE_STREAM, AcknowledgedMissing, Store
from croupier.journal.tables import ENTRIES, EVENTS

_log = structlog.get_logger("croupier.missing_events")
_NAMES = "missing-events-*.jsonl"
_LONGEST_LINE = 1_000_000


class _Part(msgspec.Struct, frozen=True):
    stream: str
    first: int
    missing: int


class _Summary(msgspec.Struct, frozen=True):
    """The first line of a file."""

    house: str
    """The hash of the first event of the house's stream."""
    parts: tuple[_Part, ...]


_decoder = msgspec.json.Decoder(_Summary)


def _house_of(store: Store) -> str:
    rows = store.few_events(HOUSE_STREAM, 1, 1)
    return rows[0].hash if rows else ""


class MissingEventsFile:
    """Writes the missing events to a new file in a folder, once."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._house = _house_of(store)
        self._folder = folder
        self._lock = Lock()
        self._is_written = False

    def write(self, lost: AcknowledgedMissing, at_ms: int) -> None:
        """Write the file, readable by its owner only, and log its path."""
        with self._lock:
            if self._is_written:
                return
            self._is_written = True
            path = self._folder / _NAMES.replace("*", f"{at_ms}-{os.getpid()}")
            try:
                make_private(path)
                with path.open("wb") as file:
                    file.writelines(self._lines(lost))
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                _log.critical("the missing events are not kept", why=str(error))
            else:
                _log.critical("the missing events are kept", file=str(path.resolve()))

    def _lines(self, lost: AcknowledgedMissing) -> Iterator[bytes]:
        parts = [_Part(each.stream, each.first, each.count) for each in lost.parts]
        yield to_line(_Summary(self._house, tuple(parts)))
        for part in lost.parts:
            for batch in part.batches:
                for event in batch.events:
                    if event.sequence >= part.first:
                        yield to_line(from_values(EVENTS.name, event))
                for entry in batch.entries:
                    if entry[1] >= part.first:
                        yield to_line(from_values(ENTRIES.name, entry))


def report_missing_events(record: HouseRecord, folder: Path) -> None:
    """Record an alarm for each new file of this house."""
    for path in sorted(folder.glob(_NAMES)):
        try:
            with path.open("rb") as file:
                summary = _decoder.decode(file.readline(_LONGEST_LINE))
        except (OSError, msgspec.MsgspecError) as error:
            _log.warning("this file can't be read", file=str(path), why=str(error))
            continue
        if summary.house == _house_of(record.store):
            record.act(partial(_report, record, path, summary))


def _report(record: HouseRecord, path: Path, summary: _Summary) -> None:
    command_id = f"missing:{path.name}"
    if not record.is_recorded(command_id):
        alarms = [
            EventsMissing(each.stream, each.first, each.missing, path.name)
            for each in summary.parts
        ]
        record.write(*alarms, command_id=command_id)
