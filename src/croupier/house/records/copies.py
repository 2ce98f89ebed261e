"""Copies of a house: which one is the house, and how another takes its place.

A backup that was restored, a server that was replaced and a journal that was edited all
look like the house. The heads that have left the house tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from secrets import token_hex

import structlog

from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import HouseRestored, HouseRetired
from croupier.journal.heads import SignedHead
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import GENESIS, HeadRow

_log = structlog.get_logger("croupier.copies")
_INSTEAD = (
    "serve the newest copy, or make this one the house with croupier house restore"
)


class OtherCopy(JournalError):
    """This journal is not the house: the sentence says why, and what to do."""


def check_copy(store: Store, heads: Mapping[str, Sequence[SignedHead]]) -> None:
    """Raise `OtherCopy` unless this journal is the house, as far as is known.

    `heads` has, by file, the heads that have left the house, in order. They are read
    before the journal is: other nodes go on signing.
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
    for name, signed in heads.items():
        if not signed and state.signing_keys:
            _log.warning("no heads to compare the journal with", file=name)
        _check_file(store, state, name, signed)


def _check_file(
    store: Store, state: HouseState, name: str, heads: Sequence[SignedHead]
) -> None:
    """Compare a file of heads; those from before the last restore have no meaning."""
    current = list(dropwhile(lambda e: e.incarnation != state.incarnation, heads))
    unknown = {each.incarnation for each in heads} - {state.incarnation, *state.former}
    if unknown:
        raise OtherCopy(
            f"another copy of this journal was restored: {name} has heads of it,"
            f" signed as {min(unknown)}; {_INSTEAD}"
        )
    if any(each.incarnation != state.incarnation for each in current):
        raise OtherCopy(
            f"a former copy of this house has signed heads since it was restored"
            f" ({name}): stop that copy, then croupier house restore"
        )
    for head in current:
        _check_key(state, name, head)
        ends = head.streams if head is current[-1] else _house_ends(head)
        for end in ends:
            _check_end(store, name, end)
        _check_timeline(store, name, head)


def _house_ends(head: SignedHead) -> Iterable[HeadRow]:
    """Return the end of the house's stream: each start of a copy is recorded there."""
    return (end for end in head.streams if end.stream == HOUSE_STREAM)


def _check_key(state: HouseState, name: str, head: SignedHead) -> None:
    if state.signing_keys and head.key not in state.signing_keys:
        raise OtherCopy(
            f"{name} has a head signed with the key {head.key}, which this journal"
            f" does not know: {_INSTEAD}"
        )


def _check_end(store: Store, name: str, end: HeadRow) -> None:
    rows = store.few_events(end.stream, end.sequence, end.sequence)
    there = rows[0].hash if rows else GENESIS if end.sequence == 0 else None
    if there is None:
        last = store.head(end.stream)
        raise OtherCopy(
            f"this journal is older than the house: {name} proves {end.stream} up to"
            f" event {end.sequence}, and here it ends at"
            f" {0 if last is None else last.sequence}; {_INSTEAD}"
        )
    if there != end.hash:
        raise OtherCopy(
            f"this journal is not what the house has signed: {name} proves another"
            f" event {end.sequence} of {end.stream}; it was edited, or another copy was"
            f" served: {_INSTEAD}"
        )


def _check_timeline(store: Store, name: str, head: SignedHead) -> None:
    if head.timeline > store.timeline:
        raise OtherCopy(
            f"the PostgreSQL server that answers was replaced: {name} was signed on"
            f" timeline {head.timeline}, and this server is on {store.timeline}; start"
            " the server that was promoted"
        )


def restore_house(
    record: HouseRecord,
    by: str,
    why: str,
    heads: Sequence[SignedHead],
    before: HouseRecord | None,
) -> HouseRestored:
    """Make this journal the house, under a new incarnation; retire the one before."""
    state, incarnation = record.state, token_hex(8)
    known = [state.incarnation, *state.former, *(each.incarnation for each in heads)]
    if state.retired is not None:
        known.append(state.retired)
    if before is not None:
        known.append(before.state.incarnation)
        before.write(HouseRetired(by, incarnation))
    missing = _missing(record.store, heads)
    restored = HouseRestored(by, incarnation, tuple(dict.fromkeys(known)), missing, why)
    record.write(restored)
    return restored


def expect_same_house(store: Store, other: Store) -> None:
    """Raise `OtherCopy` unless both journals are copies of one house."""
    first = store.few_events(HOUSE_STREAM, 1, 1)
    if first != other.few_events(HOUSE_STREAM, 1, 1):
        raise OtherCopy("the database to retire holds another house: nothing is done")


def _missing(store: Store, heads: Sequence[SignedHead]) -> int:
    """Return how many events the heads cover that lie after the end of their stream."""
    covered: dict[str, int] = {}
    for end in (end for head in heads for end in head.streams):
        covered[end.stream] = max(end.sequence, covered.get(end.stream, 0))
    ends = {end.stream: end.sequence for end in store.heads()}
    return sum(max(0, last - ends.get(each, 0)) for each, last in covered.items())
