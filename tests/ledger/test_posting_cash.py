"""The entries of chips, colours, vouchers, the float and adjustments, typed by hand."""

from __future__ import annotations

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import expire_vouchers, report_lost
from croupier.journal.tables import VoucherRow, VoucherState
from croupier.ledger import money
from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    CountFloat,
    Fill,
    IssueVoucher,
    PayVoucher,
    RedeemVoucher,
    TakeCredit,
)
from croupier.rules import commands
from croupier.rules.notation import read_wager
from tests.simulation.one_table import (
    ANNA,
    BEN,
    DEALER,
    SUPERVISOR,
    OneTable,
)

V3 = "mbs-roulette-v3"


def test_cash_chips_come_from_the_players_hand_and_go_back_to_it() -> None:
    table = OneTable(V3).opened()
    laid = table.do(commands.PlaceWager("w1", "Anna", read_wager("red"), 1_000), ANNA)

    settled = table.conclude("1")

    assert table.entries_of(laid) == [("chips", -1_000), ("layout", 1_000)]
    assert table.entries_of(settled) == [
        ("layout", -1_000),
        ("house", -1_000),
        ("chips", 2_000),
    ]


def test_chips_above_the_maximum_are_paid_to_the_maximum_only() -> None:
    table = OneTable(V3, "straight_up 5 500").opened()
    table.do(commands.PlaceWager("w1", "Anna", read_wager("17"), 60_000), ANNA)

    settled = table.conclude("17")

    assert table.entries_of(settled) == [
        ("layout", -60_000),
        ("house", -1_750_000),
        ("chips", 1_810_000),
    ]


def test_chips_above_the_maximum_are_collected_to_the_maximum_only() -> None:
    table = OneTable(V3, "straight_up 5 500").opened()
    table.do(commands.PlaceWager("w1", "Anna", read_wager("17"), 60_000), ANNA)

    settled = table.conclude("18")

    assert table.entries_of(settled) == [
        ("layout", -60_000),
        ("house", 50_000),
        ("chips", 10_000),
    ]


def test_colour_chips_are_bought_wagered_won_and_bought_back() -> None:
    table = OneTable(V3)
    issued = table.do(commands.IssueColour("blue", "Anna", 500))
    table.opened()
    colour = commands.PlaceWager(
        "w1", "Anna", read_wager("red"), None, colour="blue", colour_chips=3
    )

    bought = table.do(BuyColourChips("Anna", "blue", 20))
    laid = table.do(colour, ANNA)
    settled = table.conclude("1")
    back = table.do(BuyBackColourChips("Anna", "blue", 23))

    assert table.entries_of(issued) == []
    assert table.entries_of(bought) == [("cash", -10_000), ("colour:blue", 10_000)]
    assert table.entries_of(laid) == [("colour:blue", -1_500), ("layout", 1_500)]
    assert table.entries_of(settled) == [
        ("layout", -1_500),
        ("house", -1_500),
        ("colour:blue", 3_000),
    ]
    assert table.entries_of(back) == [("colour:blue", -11_500), ("cash", 11_500)]


def test_a_voucher_takes_credit_from_one_table_to_another() -> None:
    here = OneTable().bought_in(10_000)
    there = OneTable(V3, stream="t2", open_store=here.open_store)

    issued = here.do(IssueVoucher("Anna", 6_000), ANNA)
    [voucher] = issued.events
    assert isinstance(voucher, money.VoucherIssued)
    redeemed = there.do(RedeemVoucher("Ben", voucher.code), BEN)

    assert here.entries_of(issued) == [("seat:Anna", -6_000), ("vouchers", 6_000)]
    assert there.entries_of(redeemed) == [("vouchers", -6_000), ("seat:Ben", 6_000)]


def test_a_voucher_of_one_table_is_paid_in_cash_at_another() -> None:
    here = OneTable().bought_in(10_000)
    there = OneTable(V3, stream="t2", open_store=here.open_store)
    [voucher] = here.do(IssueVoucher("Anna", 6_000), ANNA).events
    assert isinstance(voucher, money.VoucherIssued)

    paid = there.do(PayVoucher(voucher.code))

    assert paid.events == (money.VoucherPaid(DEALER, 6_000, voucher.code),)
    assert there.entries_of(paid) == [("vouchers", -6_000), ("cash", 6_000)]
    assert here.store.voucher(voucher.code) == VoucherRow(
        voucher.code, 6_000, VoucherState.REDEEMED, voucher.expires, "t1", "t2"
    )


def test_a_lost_voucher_stays_owed_until_it_expires() -> None:
    table = OneTable().bought_in(10_000)
    [voucher] = table.do(IssueVoucher("Anna", 6_000), ANNA).events
    assert isinstance(voucher, money.VoucherIssued)
    record = HouseRecord(table.store, table.clock)

    report_lost(record, SUPERVISOR, voucher.code)
    owed = list(table.store.entries("house"))
    table.clock.pass_by(40 * 86_400_000)
    expire_vouchers(record, SUPERVISOR)

    assert owed == []
    assert [entry for _, _, entry in table.store.entries("house")] == [
        ("vouchers", -6_000),
        ("expired", 6_000),
    ]


def test_the_float_is_counted_filled_and_credited_against_the_cage() -> None:
    table = OneTable()

    opening = table.do(CountFloat(money.Count.OPENING, 500_000))
    filled = table.do(Fill(200_000))
    taken = table.do(TakeCredit(50_000))
    short = table.do(CountFloat(money.Count.CLOSING, 640_000))
    right = table.do(CountFloat(money.Count.CLOSING, 640_000))

    assert table.entries_of(opening) == [("float", -500_000), ("cage", 500_000)]
    assert table.entries_of(filled) == [("float", -200_000), ("cage", 200_000)]
    assert table.entries_of(taken) == [("cage", -50_000), ("float", 50_000)]
    assert table.entries_of(short) == [("float", 10_000), ("cage", -10_000)]
    assert table.entries_of(right) == []


def test_an_adjustment_goes_either_way() -> None:
    table = OneTable()

    more = table.do(Adjust("Anna", 700, "miscounted"), DEALER, SUPERVISOR)
    less = table.do(Adjust("Anna", -200, "miscounted"), DEALER, SUPERVISOR)

    assert table.entries_of(more) == [("adjustments", -700), ("seat:Anna", 700)]
    assert table.entries_of(less) == [("adjustments", 200), ("seat:Anna", -200)]
