"""The auditor's opinion of a voucher: issued once, used once, whole and in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from croupier.audit.journal.problems import AuditProblem, ProblemPlace, finding_of
from croupier.journal.findings import Finding
from croupier.journal.tables import VoucherState
from croupier.journal.vouchers import ISSUED, VoucherFact
from croupier.ledger.money import masked_code

_REDEEMED = VoucherState.REDEEMED.value
_USES = frozenset({_REDEEMED, VoucherState.EXPIRED.value})
_LONGEST_DAY = timedelta(days=2)
"""The longest time from the end of a date in UTC to the end of that gaming day."""


def judge_voucher(facts: list[VoucherFact]) -> Iterator[Finding]:
    """Judge one voucher: issued once, and redeemed or expired once."""
    facts = sorted(
        facts, key=lambda said: (said.said != ISSUED, said.at_ms, said.stream)
    )
    issued = [said for said in facts if said.said == ISSUED]
    uses = [said for said in facts if said.said in _USES]
    for again in issued[1:]:
        yield _finding(again, AuditProblem.VOUCHER_ISSUED_AGAIN)
    for again in uses[1:]:
        yield _finding(again, AuditProblem.VOUCHER_USED_AGAIN, state=uses[0].said)
    if not issued:
        for said in facts:
            yield _finding(said, AuditProblem.VOUCHER_NEVER_ISSUED)
        return
    lost = next((said for said in facts if said.said == VoucherState.LOST.value), None)
    for said in uses:
        yield from _used(issued[0], said, lost)


def _used(
    issued: VoucherFact, used: VoucherFact, lost: VoucherFact | None
) -> Iterator[Finding]:
    if used.cents != issued.cents:
        problem, sums = AuditProblem.VOUCHER_ISSUED_FOR, (issued.cents, used.cents)
        yield _finding(used, problem, sums, expected=issued.cents)
    if used.said != _REDEEMED:
        return
    if lost is not None and lost.at_ms < used.at_ms:
        yield _finding(used, AuditProblem.VOUCHER_WAS_LOST)
    if _is_late(issued.expires, used.at_ms):
        yield _finding(used, AuditProblem.VOUCHER_LAST_DAY, day=issued.expires)


def _is_late(expires: str, at_ms: int) -> bool:
    """Return whether its last gaming day was over in every time zone."""
    try:
        last = date.fromisoformat(expires)
        moment = datetime.fromtimestamp(at_ms / 1_000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return True
    return moment > last + _LONGEST_DAY


def _finding(
    said: VoucherFact,
    problem: AuditProblem,
    sums: tuple[int, int] | None = None,
    /,
    **values: object,
) -> Finding:
    place = (said.stream, said.sequence, None)
    found = finding_of(place, problem, None, sums, **values)
    reason = ProblemPlace.OF_VOUCHER(
        voucher=masked_code(said.code), reason=found.reason
    )
    return replace(found, reason=reason)
