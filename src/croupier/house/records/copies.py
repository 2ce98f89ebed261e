"""Copies of a house: checks that a journal is the house, and the switch to a copy.

A restored backup, a replaced server and an edited journal all look like the house. The
checkpoints that have left the house tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import dropwhile
from secrets import token_hex

import structlog

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    HouseRecord,
    NotThere,
    now_ms,
    read_house_state,
)
from croupier.house.records.house_state import HouseState
from croupier.house.records.start_check import has_signed
from croupier.journal.events.house import HouseRestored, HouseRetired
from croupier.journal.log.notes import Checkpoint, Note
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.stores import open_leased
from croupier.rules.notation import shown

_log = structlog.get_logger("croupier.copies")
_INSTEAD = (
    "serve the newest copy, or make this one the house with croupier house restore"
)


class OtherCopy(JournalError):
    """This journal is not the house; the message says why, and the remedy."""


@contextmanager
def house_not_served(database: str, *staff: str) -> Iterator[HouseRecord]:
    """Open the record of a house that no server has open; the names must be staff."""
    with open_leased(database) as (store, _):
        check_copy(store, {})
        record = HouseRecord(store, now_ms)
        check_staff(record.state, *staff)
        yield record


def check_staff(state: HouseState, *names: str) -> None:
    """Raise `NotThere` for a name that is not on the staff."""
    for each in names:
        if each not in state.staff:
            raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(each)))


def check_copy(store: Store, checkpoints: Mapping[str, Sequence[Note]]) -> None:
    """Raise `OtherCopy` if the checkpoints show that this journal is not the house.

    `checkpoints` maps each file to the checkpoints in it, in order. They must be read
    before the journal, since other nodes go on signing.
    """
    state = read_house_state(store)
    if state.retired is not None:
        raise OtherCopy(
            f"another copy of this journal is the house now, as {state.retired}:"
            " serve that one"
        )
    if store.epochs().get(HOUSE_STREAM) == 0:
        raise OtherCopy(
            "this journal was filled from a backup or an export:"
            " croupier house restore makes it the house"
        )
    for name, signed in checkpoints.items():
        if not signed and state.signing_keys:
            _log.warning("no checkpoints to compare the journal with", file=name)
        _check_file(store, state, name, signed)


def _check_file(
    store: Store, state: HouseState, name: str, signed: Sequence[Note]
) -> None:
    """Compare the journal with a file; skip checkpoints before the last restore."""
    named = [(each.checkpoint.incarnation, each) for each in signed]
    unknown = {each for each, _ in named} - {state.incarnation, *state.former}
    if unknown:
        raise OtherCopy(
            f"another copy of this journal was restored: {name} has checkpoints of it,"
            f" signed as {min(unknown)}; {_INSTEAD}"
        )
    current = list(dropwhile(lambda e: e[0] != state.incarnation, named))
    if any(each != state.incarnation for each, _ in current):
        raise OtherCopy(
            f"a former copy of this house has signed checkpoints since it was restored"
            f" ({name}): stop that copy, then croupier house restore"
        )
    for _, each in current:
        if not has_signed(state, each.checkpoint.origin, each):
            raise OtherCopy(
                f"{name} has a checkpoint signed with a key that this journal does not"
                f" know: {_INSTEAD}"
            )
        expect_contained(store, name, each.checkpoint)


def expect_contained(store: Store, name: str, checkpoint: Checkpoint) -> None:
    """Raise `OtherCopy` unless the log begins with the checkpoint's entries."""
    log = StoredLog(store)
    if checkpoint.size > log.size:
        raise OtherCopy(
            f"this journal is older than the house: {name} proves {checkpoint.size}"
            f" entries of its log, and here it has {log.size}; {_INSTEAD}"
        )
    if log.root(checkpoint.size) != checkpoint.root:
        raise OtherCopy(
            f"this journal is not what the house has signed: {name} proves another log"
            f" of {checkpoint.size} entries; it was edited, or another copy was served:"
            f" {_INSTEAD}"
        )


def restore_house(
    record: HouseRecord,
    by: str,
    why: str,
    checkpoints: Sequence[Note],
    before: HouseRecord | None,
) -> HouseRestored:
    """Make this journal the house under a new incarnation, and retire the old one."""
    state, incarnation = record.state, token_hex(8)
    former = [each.checkpoint.incarnation for each in checkpoints]
    known = [state.incarnation, *state.former, *former]
    if state.retired is not None:
        known.append(state.retired)
    if before is not None:
        known.append(before.state.incarnation)
        before.write(HouseRetired(by, incarnation))
    missing = _missing(record.store, checkpoints)
    restored = HouseRestored(by, incarnation, tuple(dict.fromkeys(known)), missing, why)
    record.write(restored)
    return restored


def expect_same_house(store: Store, other: Store) -> None:
    """Raise `OtherCopy` unless both journals are copies of one house."""
    first = store.few_events(HOUSE_STREAM, 1, 1)
    if first != other.few_events(HOUSE_STREAM, 1, 1):
        raise OtherCopy("the database to retire holds another house: nothing is done")


def _missing(store: Store, checkpoints: Sequence[Note]) -> int:
    """Return the number of entries that the checkpoints cover and this log lacks."""
    covered = [each.checkpoint.size for each in checkpoints]
    return max(0, max(covered, default=0) - store.log_size())
