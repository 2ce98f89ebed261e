"""The vouchers of the house, folded from the events of all its streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.store import Store
from croupier.journal.stream_check import RowCursor
from croupier.journal.tables import (
    VOUCHERS,
    EventRow,
    Row,
    VoucherRow,
    VoucherState,
)
from croupier.ledger import money
from croupier.rules.reasons import Reason

ISSUED = "issued"
_ENDS = frozenset({(), ("redeemed",), ("expired",), ("lost",), ("lost", "expired")})
"""The ends that a voucher may have: a lost one still expires."""


class VoucherFact(NamedTuple):
    """One event's statement about a voucher."""

    code: str
    said: str
    """`issued`, or the voucher's new state."""
    cents: int
    """0 if the event names none."""
    expires: str
    stream: str
    sequence: int
    at_ms: int


def compare_vouchers(
    events: Iterable[EventRow],
    stored: RowCursor,
    streams: set[str],
    findings: Findings,
    judge: Callable[[list[VoucherFact]], None] | None = None,
) -> int:
    """Compare the stored vouchers with the events; return how many claims are open.

    Both are in the order of codes. `judge` is also called with the facts of each.
    """
    claims = 0
    for _, group in groupby(_facts(events), key=attrgetter("code")):
        said = list(group)
        if judge is not None:
            judge(said)
        expected = _folded(said, findings)
        for row in _below(stored, expected.code):
            _add(findings, row[0], VerificationProblem.VOUCHER_WITHOUT_EVENT())
        if stored.next is None or stored.next[0] != expected.code:
            _add(findings, expected.code, VerificationProblem.VOUCHER_MISSING())
            continue
        claims += _compare_one(stored.take(), expected, streams, findings)
    for row in stored.rest():
        _add(findings, row[0], VerificationProblem.VOUCHER_WITHOUT_EVENT())
    return claims


def compare_open_voucher(
    stored: VoucherRow,
    events: Iterable[EventRow],
    streams: set[str],
    findings: Findings,
) -> None:
    """Compare a voucher that can still be paid with the events that name it."""
    facts = [fact for fact in _facts(events) if fact.code == stored.code]
    if not facts:
        _add(findings, stored.code, VerificationProblem.VOUCHER_WITHOUT_EVENT())
        return
    values = (*stored[:2], stored.state.value, *stored[3:])
    _compare_one(values, _folded(facts, findings), streams, findings)


def recorded_voucher(store: Store, event: EventRow) -> VoucherRow | None:
    """Return the voucher that an event names as all events describe it.

    None if no event has issued it yet.
    """
    said = _said(decode(event.schema, event.kind, event.body))
    assert said is not None
    events = store.voucher_events(said[0])
    facts = [fact for fact in _facts(events) if fact.code == said[0]]
    if all(fact.said != ISSUED for fact in facts):
        return None
    return _folded(facts, Findings())


def is_as_recorded(store: Store, voucher: VoucherRow) -> bool:
    """Return whether the streams hold the events for this row.

    A row by itself is no money: a process that may write the table could add one.
    """
    events = store.voucher_events(voucher.code)
    ends = {row.stream: store.head(row.stream) for row in events}
    for row in events:
        end = ends[row.stream]
        if end is None or not 0 < row.sequence <= end.sequence:
            return False
    findings = Findings()
    compare_open_voucher(voucher, events, {voucher.holder}, findings)
    return not findings.total


def redeemable(store: Store, code: str, today: str) -> VoucherRow | None:
    """Return the voucher if it can be redeemed on that gaming day."""
    found = store.voucher(code)
    if (
        found is None
        or found.state is not VoucherState.OUTSTANDING
        or found.expires < today
        or not is_as_recorded(store, found)
    ):
        return None
    return found


def _add(findings: Findings, code: str, problem: Reason) -> None:
    findings.add(
        Finding(FindingKind.JOURNAL_VOUCHERS, money.masked_code(code), None, problem)
    )


def _said(event: JournalEvent) -> tuple[str, str, int, str] | None:
    """Return code, statement, cents and expiry; None if it concerns no voucher."""
    match event:
        case money.VoucherIssued(code=code, cents=cents, expires=expires):
            return code, ISSUED, cents, expires
        case (
            money.VoucherRedeemed(code=code, cents=cents)
            | money.VoucherPaid(code=code, cents=cents)
        ):
            return code, VoucherState.REDEEMED.value, cents, ""
        case money.VoucherExpired(code=code, cents=cents):
            return code, VoucherState.EXPIRED.value, cents, ""
        case money.VoucherReportedLost(code=code):
            return code, VoucherState.LOST.value, 0, ""
    return None


def _facts(events: Iterable[EventRow]) -> Iterator[VoucherFact]:
    """Yield the facts of events; those that can't be read are skipped."""
    for row in events:
        with suppress(UnreadableEvent):
            said = _said(decode(row.schema, row.kind, row.body))
            if said is not None:
                yield VoucherFact(*said, row.stream, row.sequence, row.at_ms)


def _folded(facts: Sequence[VoucherFact], findings: Findings) -> VoucherRow:
    """Return the voucher that the events describe; report contradictions."""
    code = facts[0].code
    issued = [fact for fact in facts if fact.said == ISSUED]
    ended = [fact for fact in facts if fact.said != ISSUED]
    if len(issued) != 1:
        _add(findings, code, VerificationProblem.VOUCHER_ISSUED(count=len(issued)))
    if tuple(fact.said for fact in ended) not in _ENDS:
        said = ", ".join(f"{fact.said} at {fact.stream}" for fact in ended)
        _add(findings, code, VerificationProblem.VOUCHER_ENDED(ends=said))
    origin = issued[0] if issued else facts[0]
    if any(fact.cents not in {0, origin.cents} for fact in ended):
        _add(findings, code, VerificationProblem.VOUCHER_AMOUNTS())
    row = VoucherRow(
        code, origin.cents, VoucherState.OUTSTANDING, origin.expires, origin.stream, ""
    )
    if not ended:
        return row
    return row._replace(state=VoucherState(ended[-1].said), holder=ended[-1].stream)


def _below(stored: RowCursor, code: str) -> Iterator[Row]:
    while stored.next is not None and stored.next[0] < code:
        yield stored.take()


def _compare_one(
    row: Row, expected: VoucherRow, streams: set[str], findings: Findings
) -> bool:
    """Report each difference; return whether the voucher is an open claim."""
    stored = dict(zip(VOUCHERS.columns, row, strict=True))
    wanted = expected._asdict() | {"state": expected.state.value}
    claimed = (
        stored["state"] == VoucherState.CLAIMED.value
        and expected.state is VoucherState.OUTSTANDING
        and stored["holder"] in streams
    )
    if claimed:
        wanted |= {"state": stored["state"], "holder": stored["holder"]}
    for name, value in wanted.items():
        if stored[name] != value:
            problem = VerificationProblem.VOUCHER_DIFFERS(
                column=name, found=repr(stored[name]), expected=repr(value)
            )
            _add(findings, expected.code, problem)
    return claimed
