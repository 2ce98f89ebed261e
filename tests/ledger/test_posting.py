"""The entries of every flow of money, typed by hand: from which account to which."""

from __future__ import annotations

import pytest

from croupier.games import find_game
from croupier.ledger.accounts import Account, Entry, check_entries
from croupier.ledger.commands import BuyIn, CashOut, PayClaim
from croupier.ledger.posting import entries_of
from croupier.rules import commands
from croupier.rules import events as rule_events
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number
from croupier.table.answers import Accepted
from tests.simulation.house import SimulatedHouse
from tests.simulation.one_table import (
    ANNA,
    BEN,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

TRIPLE, V3 = "rws-triple-zero", "mbs-roulette-v3"


def test_a_buy_in_takes_cash_for_credit() -> None:
    table = OneTable()

    bought = table.do(BuyIn("Anna", 10_000))

    assert table.entries_of(bought) == [("cash", -10_000), ("seat:Anna", 10_000)]


def test_a_cash_out_gives_cash_for_credit() -> None:
    table = OneTable().bought_in(10_000)

    cashed = table.do(CashOut("Anna", 4_000))

    assert table.entries_of(cashed) == [("seat:Anna", -4_000), ("cash", 4_000)]


def test_a_wager_lies_on_the_layout_until_it_is_settled() -> None:
    table = OneTable().bought_in(10_000).opened()

    placed = table.place("w1", "17", 1_000)
    increased = table.do(commands.IncreaseWager("w1", "Anna", 500), ANNA)
    withdrawn = table.do(commands.WithdrawWager("w1", "Anna"), ANNA)

    assert table.entries_of(placed) == [("seat:Anna", -1_000), ("layout", 1_000)]
    assert table.entries_of(increased) == [("seat:Anna", -500), ("layout", 500)]
    assert table.entries_of(withdrawn) == [("seat:Anna", 1_500), ("layout", -1_500)]


def test_a_wager_of_several_pieces_takes_each_piece() -> None:
    table = OneTable().bought_in(10_000).opened()

    placed = table.place("w1", "tiers", 100)
    increased = table.do(commands.IncreaseWager("w1", "Anna", 50), ANNA)

    assert table.entries_of(placed) == [("seat:Anna", -600), ("layout", 600)]
    assert table.entries_of(increased) == [("seat:Anna", -300), ("layout", 300)]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("17", [("layout", -1_000), ("house", -35_000), ("seat:Anna", 36_000)]),
        ("18", [("layout", -1_000), ("house", 1_000)]),
    ],
)
def test_a_settlement_pays_the_winner_and_collects_from_the_loser(
    number: str, expected: list[tuple[str, int]]
) -> None:
    table = OneTable().bought_in(10_000).opened()
    table.place("w1", "17", 1_000)

    settled = table.conclude(number)

    assert table.entries_of(settled) == expected


def test_a_settlement_makes_one_entry_for_each_account() -> None:
    table = OneTable().bought_in(10_000).bought_in(10_000, BEN).opened()
    table.place("w1", "17", 1_000)
    table.place("w2", "red", 2_000)
    table.place("w3", "black", 500, BEN)

    settled = table.conclude("17")

    assert table.entries_of(settled) == [
        ("layout", -3_500),
        ("house", -33_500),
        ("seat:Anna", 36_000),
        ("seat:Ben", 1_000),
    ]


def test_a_void_round_returns_the_stakes() -> None:
    table = OneTable().bought_in(10_000).opened()
    table.place("w1", "17", 1_000)

    voided = table.do(commands.ReportIrregularity(Irregularity.BALL_OUT_OF_WHEEL))
    settled = table.do(commands.Settle())

    assert table.entries_of(voided) == []
    assert table.entries_of(settled) == [("layout", -1_000), ("seat:Anna", 1_000)]


def test_a_wager_that_was_not_registered_moves_nothing() -> None:
    table = OneTable().bought_in(10_000).opened()
    placing = commands.PlaceWager(
        "w1", "Anna", read_wager("17"), 1_000, electronic=True, registered=False
    )

    placed = table.do(placing, ANNA)
    settled = table.conclude("17")

    assert table.entries_of(placed) == []
    assert table.entries_of(settled) == []


def test_a_ruling_returns_a_part_of_the_stake() -> None:
    table = OneTable(V3).bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.do(commands.AnnounceOutcome(Number("18")))
    table.do(commands.RuleOnWager("w1", commands.GiveAmount(300)), SUPERVISOR)

    settled = table.do(commands.Settle())

    assert table.entries_of(settled) == [
        ("layout", -1_000),
        ("house", 300),
        ("seat:Anna", 700),
    ]


def _won_and_corrected(cashed_out: int) -> tuple[OneTable, Accepted]:
    """Win 36,000 with all of 1,000 and cash out a part; then correct it to a loss."""
    table = OneTable().bought_in(1_000)
    table.play_round("17", 1_000, "17")
    if cashed_out:
        table.do(CashOut("Anna", cashed_out))
    return table, table.correct(1, "18")


REVERSED_AND_LOST = [
    ("layout", 1_000),
    ("house", 35_000),
    ("seat:Anna", -36_000),
    ("layout", -1_000),
    ("house", 1_000),
]


@pytest.mark.parametrize(
    ("cashed_out", "claims"),
    [
        (0, []),
        (10_000, [("seat:Anna", 10_000), ("claim:Anna", -10_000)]),
        (36_000, [("seat:Anna", 36_000), ("claim:Anna", -36_000)]),
    ],
)
def test_a_correction_reverses_and_settles_again_and_missing_money_becomes_a_claim(
    cashed_out: int, claims: list[tuple[str, int]]
) -> None:
    table, corrected = _won_and_corrected(cashed_out)

    assert table.entries_of(corrected) == [*REVERSED_AND_LOST, *claims]
    assert table.credit() == 0


def test_a_correction_to_a_win_pays_what_had_been_collected() -> None:
    table = OneTable().bought_in(1_000)
    table.play_round("17", 1_000, "18")

    corrected = table.correct(1, "17")

    assert table.entries_of(corrected) == [
        ("layout", 1_000),
        ("house", -1_000),
        ("layout", -1_000),
        ("house", -35_000),
        ("seat:Anna", 36_000),
    ]


def test_a_second_correction_reverses_the_first_and_its_claim() -> None:
    table, _ = _won_and_corrected(cashed_out=36_000)

    again = table.correct(1, "17")

    assert table.entries_of(again) == [
        ("layout", 1_000),
        ("house", -1_000),
        ("layout", -1_000),
        ("house", -35_000),
        ("seat:Anna", 36_000),
        ("seat:Anna", -36_000),
        ("claim:Anna", 36_000),
    ]
    assert table.table.state.balance(Account("claim:Anna")) == 0


def test_a_correction_before_settlement_moves_nothing_yet() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.do(commands.AnnounceOutcome(Number("18")))

    corrected = table.correct(1, "17")
    settled = table.do(commands.Settle())

    assert table.entries_of(corrected) == []
    assert table.entries_of(settled) == [
        ("layout", -1_000),
        ("house", -35_000),
        ("seat:Anna", 36_000),
    ]


def test_a_settled_round_made_void_gives_back_what_was_won_and_lost() -> None:
    table = OneTable().bought_in(1_000).bought_in(1_000, BEN).opened()
    table.place("w1", "17", 1_000)
    table.place("w2", "18", 1_000, BEN)
    table.conclude("17")
    table.do(CashOut("Anna", 35_500))

    voided = table.do(commands.VoidRounds((1,), Irregularity.BALL_BROKE), RWS_MANAGER)

    assert table.entries_of(voided) == [
        ("layout", 2_000),
        ("house", 34_000),
        ("seat:Anna", -36_000),
        ("layout", -2_000),
        ("seat:Anna", 1_000),
        ("seat:Ben", 1_000),
        ("seat:Anna", 34_500),
        ("claim:Anna", -34_500),
    ]


def test_a_claim_is_paid_in_cash() -> None:
    table, _ = _won_and_corrected(cashed_out=36_000)

    paid = table.do(PayClaim("Anna", 6_000))

    assert table.entries_of(paid) == [("cash", -6_000), ("claim:Anna", 6_000)]


MOVING = {
    "WagerPlaced",
    "WagerIncreased",
    "WagerWithdrawn",
    "RoundSettled",
    "BoughtIn",
    "CashedOut",
    "VoucherIssued",
    "VoucherRedeemed",
    "VoucherPaid",
    "VoucherExpired",
    "FloatCounted",
    "Filled",
    "CreditTaken",
    "ColourChipsBought",
    "ColourChipsBoughtBack",
    "Adjusted",
    "ClaimPaid",
    "ClaimSetOff",
    "ColourReturned",
    "StayEnded",
    "OwedPaid",
}


def test_no_other_kind_of_event_moves_money() -> None:
    house = SimulatedHouse(1)

    house.run(1_000)

    kinds: set[str] = set()
    for stream in house.followers:
        posted = {sequence for sequence, _, _ in house.store.entries(stream)}
        events = house.store.events(stream)
        kinds |= {row.kind for row in events if row.sequence in posted}
    assert kinds <= MOVING
    assert len(kinds) > 12


def test_entries_that_do_not_sum_to_zero_are_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="sum to 1"):
        check_entries([Entry(Account("cash"), 1)])


def test_a_wager_that_is_not_there_is_a_mistake_of_ours() -> None:
    nothing = RoundOfPlay(find_game(TRIPLE))

    with pytest.raises(AssertionError):
        entries_of(
            rule_events.WagerWithdrawn(ANNA, "w1", late=False), nothing, lambda _: 0
        )
