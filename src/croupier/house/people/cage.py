"""The cage's own drawer: vouchers paid in cash, by one person or by two.

A payment is booked in the house's stream, whose `cash` is the cage's drawer. A table's
drawer is not touched.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from croupier.house.people import proposals
from croupier.house.people.authority import Caller, HouseAct, person_of
from croupier.house.people.limited_accounts import check_are_two
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.records.house_record import HouseRecord, IdUsed, NotDone
from croupier.journal.events.house import Proposed
from croupier.journal.events.plan import SensitiveAct
from croupier.journal.events.table import SumConfirmed
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.vouchers import redeemable
from croupier.ledger.commands import PayVoucher
from croupier.ledger.money import VoucherPaid, masked_code
from croupier.ledger.posting import entries_of
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table.answers import Accepted, stored_answer
from croupier.table.reasons import TableReason
from croupier.table.thresholds import (
    HANDLED_FOR_MS,
    HandledSums,
    Movement,
    confirmed_sum,
    handled,
    movement_of,
    reason_against,
)


def pay_voucher(
    record: HouseRecord,
    by: Caller,
    turn: AbstractContextManager[object],
    code: str,
    sent_id: str,
) -> Accepted:
    """Pay a voucher from the cage's drawer; a repeated id gets the first answer.

    `turn` is the payment turn of the house. Raises `NotDone` above a threshold.
    """
    by.must(HouseAct.PAY_FROM_CAGE)
    command_id = f"s:{by.name}:{sent_id}"
    with record.lock, turn:
        answer = stored_answer(record.store, HOUSE_STREAM, command_id)
        if answer is None:
            paid = _payment(record, person_of(by), code)
            reason = _reason_against(record, paid)
            if reason is not None:
                raise NotDone(reason)
            _claim(record, paid)
            record.write(paid, command_id=command_id)
            answer = stored_answer(record.store, HOUSE_STREAM, command_id)
        assert isinstance(answer, Accepted)
        [first, *_] = answer.events
        if not isinstance(first, VoucherPaid) or first.code != code:
            raise IdUsed
        return answer


def propose_payment(
    record: HouseRecord, identity: IdentityCheck, *, by: Caller, proof: Proof, code: str
) -> Proposed:
    """Propose the payment of a voucher that takes two people."""
    by.must(HouseAct.PAY_FROM_CAGE)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    with record.lock:
        person = person_of(by)
        paid = _payment(record, person, code)
        return proposals.record_proposed(
            record,
            by=by.name,
            position=person.role.value,
            acting=person.acting,
            table=HOUSE_STREAM,
            act=PayVoucher(code),
            effect=tuple(sorted(entries_of(paid, None, lambda _: 0))),
        )


def payment_by_two(
    record: HouseRecord, proposed: Proposed, second: Caller
) -> tuple[VoucherPaid, SumConfirmed]:
    """Claim the voucher; return the events of its payment by two people."""
    assert isinstance(proposed.act, PayVoucher)
    second.must(HouseAct.PAY_FROM_CAGE)
    check_are_two(record.state, proposed.by, second.name)
    first = Person(proposed.by, Role(proposed.position), proposed.acting)
    paid = _payment(record, first, proposed.act.code)
    _claim(record, paid)
    confirmed = confirmed_sum(_movement(paid), person_of(second), record.settings)
    return paid, confirmed


def _payment(record: HouseRecord, by: Person, code: str) -> VoucherPaid:
    """Return the event that pays a voucher; raise `NotDone` if it can't be paid."""
    record.store.release_vouchers(HOUSE_STREAM)
    voucher = redeemable(record.store, code, record.settings.gaming_day(record.now()))
    if voucher is None:
        raise NotDone(TableReason.VOUCHER_NOT_REDEEMABLE(code=masked_code(code)))
    return VoucherPaid(by, voucher.cents, code)


def _claim(record: HouseRecord, paid: VoucherPaid) -> None:
    if record.store.claim_voucher(paid.code, HOUSE_STREAM, record.epoch) is None:
        raise NotDone(TableReason.VOUCHER_REDEEMED())


def _movement(paid: VoucherPaid) -> Movement:
    movement = movement_of(paid)
    assert movement is not None
    return movement


def _reason_against(record: HouseRecord, paid: VoucherPaid) -> Reason | None:
    """Return the reason to refuse one person the payment, or None."""

    def handled_by(name: str) -> HandledSums:
        rows = record.store.handled_by(name, record.now() - HANDLED_FOR_MS)
        return handled(rows, name, HOUSE_STREAM)

    return reason_against(_movement(paid), record.settings, handled_by)
