"""Above the house's thresholds, staff move money only with a second person."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from croupier.journal import reading
from croupier.journal.events.plan import DEFAULT_HOUSE, ThresholdAct, Thresholds
from croupier.journal.events.table import SumConfirmed
from croupier.journal.store import Store
from croupier.ledger import money
from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    Fill,
    IssueVoucher,
    Payment,
    PayVoucher,
    TakeCredit,
)
from croupier.rules.commands import IssueColour, MarkerPlace, ReturnColour, ValueMarker
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Refused, Submission, Table
from croupier.table.commands import BeginGamingDay
from croupier.table.thresholds import (
    HANDLED_EVENTS,
    Movement,
    handled,
    movement_of,
)
from tests.table.a_table import ANNA, DEALER, NOON, SUPERVISOR, Played

LIMIT = 100_000
HOUSE = replace(
    DEFAULT_HOUSE,
    thresholds=Thresholds(
        buy_in_cents=LIMIT,
        cash_out_cents=LIMIT,
        voucher_cents=LIMIT,
        fill_cents=LIMIT,
        adjustment_cents=LIMIT,
        hand_pay_cents=LIMIT,
        float_count_cents=LIMIT,
    ),
    sums_by_person=Thresholds(
        buy_in_cents=3 * LIMIT,
        cash_out_cents=3 * LIMIT,
        voucher_cents=3 * LIMIT,
        fill_cents=3 * LIMIT,
        adjustment_cents=3 * LIMIT,
        hand_pay_cents=3 * LIMIT,
        float_count_cents=3 * LIMIT,
    ),
)
CASHIER = Person("Carl", Role.CASHIER)
DAY_MS = 24 * 60 * 60 * 1000


def _played(store: Store, game: str = "rws-triple-zero", **options: object) -> Played:
    return Played(store, game, house=HOUSE, **options)


def _confirmations(answer: Accepted) -> list[SumConfirmed]:
    return [each for each in answer.events if isinstance(each, SumConfirmed)]


def _with_credit(store: Store) -> Played:
    """Return a table at which Anna and the float have ten times the threshold."""
    played = _played(store)
    for command in (BuyIn("Anna", 10 * LIMIT), Fill(10 * LIMIT)):
        played.done(command, CASHIER, SUPERVISOR)
    return played


@pytest.mark.parametrize(
    "command",
    [
        BuyIn("Anna", LIMIT + 1),
        CashOut("Anna", LIMIT + 1),
        IssueVoucher("Anna", LIMIT + 1),
        Fill(LIMIT + 1),
        TakeCredit(LIMIT + 1),
        CountFloat(money.Count.CLOSING, 11 * LIMIT + 1),
        CountFloat(money.Count.OPENING, 9 * LIMIT - 1),
    ],
)
def test_above_the_threshold_a_second_person_confirms(
    store: Store, command: Payment
) -> None:
    played = _with_credit(store)

    refusal = played.refused(command).refusal
    played.refused(command, DEALER, DEALER)
    played.refused(command, DEALER, ANNA)
    done = played.done(command, DEALER, SUPERVISOR)

    assert str(refusal.reason) == (
        "a second person must confirm it: Dealer alone moves at most 1000.00 in 24"
        " hours for one seat, Player, voucher or float; this makes 1000.01"
    )
    [confirmed] = _confirmations(done)
    assert (confirmed.initiator, confirmed.authoriser) == (DEALER, SUPERVISOR)
    assert (confirmed.cents, confirmed.threshold_cents) == (LIMIT + 1, LIMIT)


def test_a_large_voucher_is_paid_by_two_and_looked_at_first(store: Store) -> None:
    played = _with_credit(store)
    [large, _] = played.done(
        IssueVoucher("Anna", LIMIT + 1), CASHIER, SUPERVISOR
    ).events
    small = [played.done(IssueVoucher("Anna", LIMIT), ANNA).events[0] for _ in range(2)]
    assert isinstance(large, money.VoucherIssued)
    pay = PayVoucher(large.code)

    refusal = played.refused(pay, CASHIER).refusal
    shown = played.table.preview(Submission("look", (CASHIER, SUPERVISOR), pay))
    for each in small:
        assert isinstance(each, money.VoucherIssued)
        played.done(PayVoucher(each.code), CASHIER)
    done = played.done(pay, CASHIER, SUPERVISOR)

    assert refusal.reason.code == "second_person_needed"
    assert isinstance(shown, tuple)
    assert sum(e.cents for r in shown for e in r.entries if e.account == "cash") == (
        LIMIT + 1
    )
    [confirmed] = _confirmations(done)
    assert confirmed.whose == money.masked_code(large.code)
    assert (confirmed.act, confirmed.cents) == ("cash_out", LIMIT + 1)


def test_small_payments_add_up_to_the_threshold(store: Store) -> None:
    played = _played(store)
    played.done(BuyIn("Anna", LIMIT))

    played.refused(BuyIn("Anna", 1))

    played.done(BuyIn("Anna", 1), CASHIER)
    played.done(BuyIn("Ben", LIMIT))
    played.done(BuyIn("Anna", 5_000), DEALER, SUPERVISOR)
    played.refused(BuyIn("Anna", 1))


def test_a_sum_counts_for_24_hours_across_gaming_days(store: Store) -> None:
    played = _played(store)
    played.done(BuyIn("Anna", LIMIT))

    played.now_ms += DAY_MS - 1
    played.done(BeginGamingDay("2027-01-17"), Person("house", Role.SYSTEM))
    played.refused(BuyIn("Anna", 1))
    played.now_ms += 1
    played.done(BuyIn("Anna", LIMIT))
    played.refused(BuyIn("Anna", 1))


@pytest.mark.parametrize("other_table", [False, True])
def test_the_sums_of_all_seats_and_tables_count_for_the_person(
    store: Store, other_table: bool
) -> None:
    """An attendant's fourth voucher of 1,000.00 takes two people, for any Player."""
    played = _played(store)
    other = _played(store, stream="t2") if other_table else played
    for name in ("Anna", "Ben", "Cleo", "Dora"):
        for table in (played, other):
            table.done(BuyIn(name, 2 * LIMIT), CASHIER, SUPERVISOR)
    for name in ("Anna", "Ben", "Cleo"):
        played.done(IssueVoucher(name, LIMIT), CASHIER)

    refusal = other.refused(IssueVoucher("Dora", 1), CASHIER).refusal

    assert str(refusal.reason) == (
        "a second person must confirm it: Carl alone moves at most 3000.00 in 24 hours"
        " at all tables; this makes 3000.01"
    )
    other.done(IssueVoucher("Dora", LIMIT), CASHIER, SUPERVISOR)
    other.done(IssueVoucher("Dora", LIMIT), SUPERVISOR)
    played.now_ms = other.now_ms = NOON + DAY_MS
    other.done(BuyIn("Dora", LIMIT), CASHIER)
    other.done(IssueVoucher("Dora", LIMIT), CASHIER)


def test_each_float_has_a_sum_of_its_own_and_the_person_one_of_all(
    store: Store,
) -> None:
    tables = [_played(store, stream=f"t{n}") for n in range(4)]
    for each in tables[:3]:
        each.done(Fill(LIMIT), CASHIER)
        reason = each.refused(TakeCredit(1), CASHIER).refusal.reason
        assert reason.code == "second_person_needed"

    reason = tables[3].refused(Fill(1), CASHIER).refusal.reason

    assert reason.code == "person_sum_reached"


def test_no_payment_elsewhere_comes_between_the_sum_and_the_commit(
    store: Store,
) -> None:
    """A table that reads the sum has the turn until its payment is on disk."""
    turn = _Turn()
    played = _played(store, payment_turn=turn)
    other = _played(store, stream="t2", payment_turn=turn)
    first = played.table.judge([Submission("first", (CASHIER,), BuyIn("Anna", LIMIT))])
    assert turn.depth == 1
    assert first.batch is not None
    store.append([first.batch])
    played.table.conclude(first, None)
    assert turn.depth == 0
    other.refused(BuyIn("Anna", 1), CASHIER)


class _Turn:
    """Counts its holders."""

    depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


@pytest.mark.parametrize("difference", [LIMIT, -LIMIT])
def test_small_differences_of_counts_add_up(store: Store, difference: int) -> None:
    played = _with_credit(store)
    closing = money.Count.CLOSING
    played.done(CountFloat(closing, 10 * LIMIT + difference))
    played.done(CountFloat(closing, 10 * LIMIT + difference))

    played.refused(CountFloat(closing, 10 * LIMIT))

    played.done(CountFloat(closing, 10 * LIMIT), DEALER, SUPERVISOR)


def test_a_claim_that_is_paid_counts_with_the_buy_ins(store: Store) -> None:
    event = money.ClaimPaid(CASHIER, "Anna", LIMIT)

    movement = movement_of(event)

    assert movement == Movement(ThresholdAct.BUY_IN, CASHIER, "Anna", LIMIT)
    assert movement_of(money.VoucherRedeemed(CASHIER, "Anna", LIMIT, "A" * 16)) is None


def test_the_index_of_payments_has_every_event_that_counts(store: Store) -> None:
    """The names test JSON's escapes, and one name begins like the other."""
    name = 'Dé",na'
    person, other = Person(name, Role.CASHIER), Person('Dé"', Role.CASHIER)
    played = _played(store)
    played.done(BuyIn("Anna", LIMIT), person)
    played.done(BuyIn("Ben", LIMIT), other)
    played.done(BuyIn("Ben", 5), person, SUPERVISOR)

    rows = store.handled_by(name, NOON - 1)

    assert [row.kind for row in rows if name in row.body.replace('\\"', '"')] == [
        "BoughtIn",
        "BoughtIn",
        "SumConfirmed",
    ]
    assert handled(rows, name, "t1") == {
        ("buy_in", "Anna"): LIMIT,
        ("buy_in", "Ben"): 0,
    }
    assert store.handled_by(name, NOON) == []
    listed = set(re.findall(r"'(\w+)'", reading._HANDLED))
    assert listed == {kind.__name__ for kind in HANDLED_EVENTS}


def test_small_sums_of_one_commit_count_too(store: Store) -> None:
    played = _played(store)

    answers = played.table.handle(
        [
            Submission(f"at-once-{n}", (DEALER,), BuyIn("Anna", LIMIT // 2))
            for n in range(4)
        ]
    )

    assert [type(each) for each in answers] == [Accepted, Accepted, Refused, Refused]


def test_a_payment_by_two_does_not_count_for_either(store: Store) -> None:
    played = _played(store)
    played.done(BuyIn("Anna", 5 * LIMIT), DEALER, SUPERVISOR)

    played.done(BuyIn("Anna", LIMIT))

    played.refused(BuyIn("Anna", 1))


@pytest.mark.parametrize("snapshot_every", [1, 2_000])
def test_sums_are_known_after_a_restart(store: Store, snapshot_every: int) -> None:
    played = _played(store, snapshot_every=snapshot_every)
    played.play_round("17")
    played.done(BuyIn("Anna", LIMIT))

    played.table = Table(store, "t1", clock=lambda: NOON, house=HOUSE)

    played.refused(BuyIn("Anna", 1))


def test_a_players_own_voucher_counts_by_itself(
    store: Store,
) -> None:
    played = _with_credit(store)
    for _ in range(3):
        played.done(IssueVoucher("Anna", LIMIT), ANNA)

    refusal = played.refused(IssueVoucher("Anna", LIMIT + 1), ANNA).refusal

    assert str(refusal.reason) == (
        "a voucher above 1000.00 is issued by two of the staff: ask an attendant"
    )


def test_an_adjustment_above_the_threshold_is_an_event_of_its_own(
    store: Store,
) -> None:
    played = _played(store)
    two = (DEALER, SUPERVISOR)

    small = played.done(Adjust("Anna", LIMIT, "a mistake"), *two)
    more = played.done(Adjust("Anna", -1, "a mistake"), *two)

    assert _confirmations(small) == []
    assert [each.act for each in _confirmations(more)] == ["adjustment"]


def test_colour_chips_go_back_by_two_where_they_are_worth_more(store: Store) -> None:
    played = _played(store, "mbs-roulette-v3")
    marker, place = ValueMarker.MARKER, MarkerPlace.BANK
    played.done(IssueColour("blue", "Anna", 500, marker, place))
    two = (DEALER, SUPERVISOR)
    played.refused(BuyColourChips("Anna", "blue", 201))
    played.done(BuyColourChips("Anna", "blue", 201), *two)

    played.refused(ReturnColour("blue", "Anna"))

    bought = played.done(BuyBackColourChips("Anna", "blue", 201), *two)
    assert isinstance(bought.events[0], money.ColourChipsBoughtBack)


def test_without_thresholds_one_person_may_move_any_sum(store: Store) -> None:
    played = Played(store)

    done = played.done(BuyIn("Anna", 10**12))

    assert [type(each) for each in done.events] == [money.BoughtIn]
