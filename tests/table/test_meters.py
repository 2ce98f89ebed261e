"""The meters, and the house's own book."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import (
    close_gaming_day,
    expire_vouchers,
    report_lost,
)
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.log.notes import Note, log_key
from croupier.journal.log.publishing import last_ends, origin_of
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import VoucherState
from croupier.ledger import money
from croupier.ledger.commands import CashOut, IssueVoucher, RedeemVoucher
from croupier.rules.commands import CorrectOutcome
from croupier.rules.wheel import Number
from tests.journal.stored import checkpoints
from tests.table.a_table import ANNA, DEALER, NOON, SUPERVISOR, Played

A_DAY_MS = 24 * 60 * 60 * 1000


def test_meters_count_by_day_and_wager_type_and_follow_corrections(
    store: Store,
) -> None:
    played = Played(store)
    played.buy_in("Anna", 100_000)
    played.play_round("17", ["Anna: place 17 10 as w1", "Anna: place black 20 as w2"])
    played.done(CashOut("Anna", 5_000))
    played.say("Dealer: place your bets", "Anna: place 3 10 as w1", "Dealer: spin 2")
    played.say("Dealer: settle")
    day = DEFAULT_HOUSE.gaming_day(NOON)
    first = dict(played.table.state.meters)

    played.done(CorrectOutcome(1, Number("18")), DEALER, SUPERVISOR)

    assert first == {
        f"{day}/bought_in": 100_000,
        f"{day}/cashed_out": 5_000,
        f"{day}/rounds": 1,
        f"{day}/voids": 1,
        f"{day}/staked": 3_000,
        f"{day}/staked/straight_up": 1_000,
        f"{day}/staked/black": 2_000,
        f"{day}/won": 37_000,
        f"{day}/won/straight_up": 35_000,
        f"{day}/won/black": 2_000,
        f"{day}/hold": -37_000,
        f"{day}/hold/straight_up": -35_000,
        f"{day}/hold/black": -2_000,
    }
    after = played.table.state.meters
    assert after[f"{day}/rounds"] == 1
    assert after[f"{day}/hold"] == 3_000
    assert after[f"{day}/won"] == 0
    assert after[f"{day}/staked"] == 3_000


def _voucher(played: Played, cents: int) -> str:
    issued = played.done(IssueVoucher("Anna", cents), ANNA).events[0]
    assert isinstance(issued, money.VoucherIssued)
    return issued.code


def test_a_voucher_can_expire_and_be_reported_lost(store: Store) -> None:
    played = Played(store)
    played.buy_in("Anna", 10_000)
    lost, late, good = (_voucher(played, cents) for cents in (1_000, 2_000, 3_000))
    now = NOON
    record = HouseRecord(store, lambda: now)

    report_lost(record, SUPERVISOR, lost)
    played.done(RedeemVoucher("Ben", good))
    refused = played.refused(RedeemVoucher("Ben", lost))
    now = played.now_ms = NOON + 31 * A_DAY_MS
    expired = played.refused(RedeemVoucher("Ben", late))
    count = expire_vouchers(record, SUPERVISOR)

    states = {row.code: row.state for row in store.vouchers()}
    assert states == {
        lost: VoucherState.EXPIRED,
        late: VoucherState.EXPIRED,
        good: VoucherState.REDEEMED,
    }
    assert count == 2
    assert "can't be redeemed" in str(refused.refusal.reason)
    assert "can't be redeemed" in str(expired.refusal.reason)
    assert store.balances(HOUSE_STREAM) == {"vouchers": -3_000, "expired": 3_000}
    vouchers = [store.balances(s).get("vouchers", 0) for s in ("t1", HOUSE_STREAM)]  # type: ignore[call-overload]
    assert sum(vouchers) == 0
    with pytest.raises(JournalError):
        report_lost(record, SUPERVISOR, good)


def test_a_gaming_day_closes_once_and_signs_the_log_of_the_house(
    store: Store,
) -> None:
    played = Played(store)
    played.play_round("5")
    record = HouseRecord(store, lambda: NOON)
    key = Ed25519PrivateKey.generate()

    closed = close_gaming_day(record, SUPERVISOR, key)

    assert closed.gaming_day == DEFAULT_HOUSE.gaming_day(NOON)
    [checkpoint] = checkpoints(store)
    note, last = Note.read(checkpoint), last_ends(store)
    assert log_key(origin_of(store, ""), key.public_key()).has_signed(note)
    assert last is not None
    assert len(closed.head) == len(last[1].house_head) == 64
    assert {head.stream for head in last[1].streams} == {"t1", HOUSE_STREAM}
    with pytest.raises(JournalError):
        close_gaming_day(record, SUPERVISOR)


@pytest.mark.parametrize(
    ("hour_utc", "day"),
    [(21, "2026-11-15"), (22, "2026-11-16"), (23, "2026-11-16")],
)
def test_a_gaming_day_begins_at_its_hour_in_the_houses_time_zone(
    hour_utc: int, day: str
) -> None:
    midnight_utc = 1_794_700_800_000  # 2026-11-15 00:00 in UTC

    found = DEFAULT_HOUSE.gaming_day(midnight_utc + hour_utc * 3_600_000)

    assert found == day


def test_meters_count_the_stake_at_risk(store: Store) -> None:
    """Of a stake over the maximum, only the maximum is at risk (v3 5.16, A10)."""
    played = Played(store, "mbs-roulette-v3")
    over = ["Anna: lay 17 15000 as w1", "Anna: lay 20 15000 as w2"]
    played.play_round("17", over)

    staked = [
        cents
        for name, cents in played.table.state.meters.items()
        if name.endswith("/staked")
    ]

    assert staked == [2 * 1_000_000]
