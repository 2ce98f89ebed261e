"""Acts on the house's own stream: vouchers that expire or are lost, days that close."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from croupier.house.records.house_record import HouseRecord
from croupier.journal.chain import house_head
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.log.publishing import last_ends, publish
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import VoucherState
from croupier.journal.vouchers import is_as_recorded
from croupier.ledger import money
from croupier.rules.operator import Person
from croupier.table.answers import Accepted, stored_answer
from croupier.table.reasons import StreamError, TableReason

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def day_id(day: str) -> str:
    """Return the command id for beginning a day at a table, or closing it."""
    return f"day:{day}"


def expire_vouchers(record: HouseRecord, by: Person) -> int:
    """Give the house the vouchers past their last day; return their number."""
    with record.lock:
        record.store.release_vouchers(HOUSE_STREAM)  # of a commit that failed
        today = record.settings.gaming_day(record.now())
        late = [
            voucher
            for voucher in record.store.vouchers()
            if voucher.state in {VoucherState.OUTSTANDING, VoucherState.LOST}
            and voucher.expires < today
        ]
        taken = [each for each in late if _take(record, each.code, each.state)]
        for voucher in taken:
            event = money.VoucherExpired(by, voucher.cents, voucher.code)
            record.write(event, command_id=f"expired:{voucher.code}")
        return len(taken)


def report_lost(record: HouseRecord, by: Person, code: str) -> None:
    """Bar a voucher from being redeemed; its money stays owed."""
    with record.lock:
        record.store.release_vouchers(HOUSE_STREAM)  # of a commit that failed
        if not _take(record, code, VoucherState.OUTSTANDING):
            masked = money.masked_code(code)
            raise StreamError(TableReason.VOUCHER_NOT_OUTSTANDING(code=masked))
        event = money.VoucherReportedLost(by, code)
        record.write(event, command_id=f"lost:{code}")


def _take(record: HouseRecord, code: str, state: VoucherState) -> bool:
    """Claim an issued voucher, so that it can't be redeemed; return if that worked."""
    store = record.store
    found = store.voucher(code)
    if found is None or not is_as_recorded(store, found):
        return False
    if state is VoucherState.LOST:
        return True
    return store.claim_voucher(code, HOUSE_STREAM, record.epoch) is not None


def close_gaming_day(
    record: HouseRecord,
    by: Person,
    key: Ed25519PrivateKey | None = None,
    day: str | None = None,
    report: str = "",
) -> GamingDayClosed:
    """Close a gaming day with one hash over all streams, and sign the log.

    The default is the current day; a past day can still be closed. The report is part
    of the signed event. If the close is recorded but not signed, it is signed now and
    returned. Raises `StreamError` if the day is closed or has not begun.
    """
    with record.lock:
        record.catch_up()
        store, today = record.store, record.settings.gaming_day(record.now())
        day = day or today
        if day > today:
            raise StreamError(TableReason.DAY_NOT_BEGUN(day=day))
        if key is not None and sign_close(record, day, key):
            answer = stored_answer(store, HOUSE_STREAM, day_id(day))
            assert isinstance(answer, Accepted)
            return cast(GamingDayClosed, answer.events[0])
        if record.is_recorded(day_id(day)):
            raise StreamError(TableReason.DAY_CLOSED(day=day))
        closed = GamingDayClosed(by, day, house_head(store.heads()), report)
        record.write(closed, command_id=day_id(day))
        if key is not None:
            publish(store, key, record.now(), record.state.incarnation)
        return closed


def sign_last_close(record: HouseRecord, key: Ed25519PrivateKey) -> None:
    """Sign the close of the last gaming day if the house stopped before it could."""
    with record.lock:
        if record.state.closed_day is not None:
            sign_close(record, record.state.closed_day, key)


def sign_close(record: HouseRecord, day: str, key: Ed25519PrivateKey) -> bool:
    """Sign a recorded close that no checkpoint covers; return whether it signed."""
    close = record.store.answer(HOUSE_STREAM, day_id(day))
    if close is None or _signed_to(record.store) >= close.last:
        return False
    publish(record.store, key, record.now(), record.state.incarnation)
    return True


def _signed_to(store: Store) -> int:
    """Return the last event of the house's stream in the log's list of ends."""
    last = last_ends(store)
    streams = () if last is None else last[1].streams
    ends = [end.sequence for end in streams if end.stream == HOUSE_STREAM]
    return max(ends, default=0)
