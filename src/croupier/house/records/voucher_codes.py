"""Voucher codes are money: whoever looks at the past sees only how one ends.

A code stands in full at its issue, where it is used, and where two people pay it.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import Proposed
from croupier.journal.events.two_person_acts import (
    ProposedAct,
    StaffAct,
    VoucherPayment,
)
from croupier.ledger import money


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
    return event


def masked_act(act: ProposedAct) -> ProposedAct:
    """Return what was proposed, without the code of a voucher or a digest."""
    if isinstance(act, VoucherPayment):
        return msgspec.structs.replace(act, code=money.masked_code(act.code))
    if isinstance(act, StaffAct):
        return msgspec.structs.replace(act, digest=None)
    return act
