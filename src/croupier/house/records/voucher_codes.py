"""Voucher codes are money: whoever looks at the past sees only how one ends.

A code stands in full at its issue, where it is used, and where two people pay it.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import Proposed
from croupier.journal.events.table import ActRefused
from croupier.journal.events.two_person_acts import (
    ProposedAct,
    StaffAct,
    VoucherPayment,
)
from croupier.ledger import money
from croupier.rules.reasons import Reason

_OF_VOUCHERS = frozenset({"voucher_not_redeemable", "voucher_not_outstanding"})
"""Reasons that named the whole code in journals of earlier versions."""


def without_codes(event: JournalEvent) -> JournalEvent:
    """Return the event, with the code of a voucher masked."""
    match event:
        case (
            money.VoucherIssued()
            | money.VoucherRedeemed()
            | money.VoucherPaid()
            | money.VoucherExpired()
            | money.VoucherReportedLost()
        ):
            return replace(event, code=money.masked_code(event.code))
        case Proposed(act=act):
            return msgspec.structs.replace(event, act=masked_act(act))
        case ActRefused(reason=Reason(code=why) as reason) if why in _OF_VOUCHERS:
            return msgspec.structs.replace(event, reason=_masked(reason))
    return event


def masked_act(act: ProposedAct) -> ProposedAct:
    """Return what was proposed, without the code of a voucher or a digest."""
    if isinstance(act, VoucherPayment):
        return msgspec.structs.replace(act, code=money.masked_code(act.code))
    if isinstance(act, StaffAct):
        return msgspec.structs.replace(act, digest=None)
    return act


def _masked(reason: Reason) -> Reason:
    code = str(reason.values["code"])
    if code.startswith("…"):
        return reason
    return Reason(reason.code, {"code": money.masked_code(code)})
