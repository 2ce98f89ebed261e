"""The vouchers of the house, folded from the events of all its streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from croupier.journal.events.codec import JournalEvent
from croupier.journal.findings import Findings, RowCursor
from croupier.journal.tables import VOUCHERS, Row, VoucherRow, VoucherState
from croupier.ledger import money

_ISSUED = "issued"
_ENDS = frozenset({(), ("redeemed",), ("expired",), ("lost",), ("lost", "expired")})
"""What may become of a voucher: one that was lost still expires."""


class _Fact(NamedTuple):
    """What one event says of a voucher."""

    code: str
    said: str
    """That it was issued, or which state it went into."""
    cents: int
    expires: str
    stream: str
    sequence: int


class VoucherFold:
    """Gathers what events say, on disk: a house may have issued millions."""

    def __init__(self) -> None:
        self._facts = apsw.Connection("")
        self._facts.execute("CREATE TABLE facts (code, said, cents, expires, s, n)")
        self._facts.execute("BEGIN")

    def note(self, stream: str, sequence: int, event: JournalEvent) -> None:
        """Remember the event if it concerns a voucher."""
        said = _said(event)
        if said is not None:
            code, state, cents, expires = said
            fact = _Fact(code, state, cents, expires, stream, sequence)
            self._facts.execute("INSERT INTO facts VALUES (?,?,?,?,?,?)", fact)

    def compare(self, stored: RowCursor, streams: set[str], findings: Findings) -> int:
        """Hold the stored vouchers against the events; returns the open claims."""
        claims = 0
        for expected in self._expected(findings):
            for row in _below(stored, expected.code):
                findings.add(VOUCHERS, row[0], None, "no event knows this voucher")
            if stored.next is None or stored.next[0] != expected.code:
                findings.add(VOUCHERS, expected.code, None, "the voucher is missing")
                continue
            claims += _compare_one(stored.take(), expected, streams, findings)
        for row in stored.rest():
            findings.add(VOUCHERS, row[0], None, "no event knows this voucher")
        return claims

    def _expected(self, findings: Findings) -> Iterator[VoucherRow]:
        sql = "SELECT * FROM facts ORDER BY code, s, n"
        facts = (_Fact(*row) for row in self._facts.execute(sql))
        for code, group in groupby(facts, key=itemgetter(0)):
            yield _folded(code, list(group), findings)


def _said(event: JournalEvent) -> tuple[str, str, int, str] | None:
    """Code, what is said, cents and expiry; 0 cents where the event names none."""
    match event:
        case money.VoucherIssued(code=code, cents=cents, expires=expires):
            return code, _ISSUED, cents, expires
        case money.VoucherRedeemed(code=code, cents=cents):
            return code, VoucherState.REDEEMED.value, cents, ""
        case money.VoucherExpired(code=code, cents=cents):
            return code, VoucherState.EXPIRED.value, cents, ""
        case money.VoucherReportedLost(code=code):
            return code, VoucherState.LOST.value, 0, ""
    return None


def _folded(code: str, facts: Sequence[_Fact], findings: Findings) -> VoucherRow:
    """The voucher that the events describe; they must agree with each other."""
    issued = [fact for fact in facts if fact.said == _ISSUED]
    ended = [fact for fact in facts if fact.said != _ISSUED]
    if len(issued) != 1:
        findings.add(VOUCHERS, code, None, f"it was issued {len(issued)} times")
    if tuple(fact.said for fact in ended) not in _ENDS:
        said = ", ".join(f"{fact.said} at {fact.stream}" for fact in ended)
        findings.add(VOUCHERS, code, None, f"it came to more than one end: {said}")
    origin = issued[0] if issued else facts[0]
    if any(fact.cents not in {0, origin.cents} for fact in ended):
        findings.add(VOUCHERS, code, None, "its events name different amounts")
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
    """Whether it is an open claim; a difference is a finding."""
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
            problem = f"{name} is {stored[name]!r}, the events say {value!r}"
            findings.add(VOUCHERS, expected.code, None, problem)
    return claimed
