"""A correction moves the money of the Player of that time (A37, v3 1.1.1)."""

from __future__ import annotations

import pytest

from croupier.journal.store import Store
from croupier.ledger import money
from croupier.ledger.commands import (
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    EndStay,
    IssueVoucher,
    PayOwed,
)
from croupier.rules.commands import (
    CorrectOutcome,
    DecideRound,
    DecideWager,
    GiveTo,
    IssueColour,
    MarkerPlace,
    PlaceWager,
    ReturnColour,
    ValueMarker,
)
from croupier.rules.events import ColourReturned
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Table
from croupier.table.commands import Submission
from tests.table.a_table import DEALER, NOON, SUPERVISOR, Played

CASHIER = Person("Carl", Role.CASHIER)
SYSTEM = Person("system", Role.SYSTEM)
MANAGER = Person("Mia", Role.TABLE_GAMES_SHIFT_MANAGER)
TERMINALS = ("T1", "T2")


@pytest.fixture
def played(store: Store) -> Played:
    return Played(store, is_anonymous=lambda seat: seat in TERMINALS)


def balance(played: Played, account: str) -> int:
    return played.store.balances("t1").get(account, 0)  # type: ignore[call-overload,no-any-return]


def place(
    played: Played, seat: str, area: str, cents: int, wager_id: str = "w1"
) -> None:
    terminal = seat if seat in TERMINALS else "T9"
    wager = PlaceWager(
        wager_id, seat, read_wager(area), cents, electronic=True, terminal=terminal
    )
    played.done(wager, Person(seat, Role.PLAYER))


def play(played: Played, number: str, seat: str, area: str, cents: int = 1_000) -> None:
    """Play a whole round with one wager."""
    played.say("Dealer: place your bets")
    place(played, seat, area, cents)
    for answer in played.say(
        "Dealer: spin",
        "Dealer: no more bets",
        f"Dealer: outcome {number}",
        "Dealer: settle",
    ):
        assert isinstance(answer, Accepted), answer


def correct(played: Played, number: str, round_number: int = 1) -> None:
    command = CorrectOutcome(round_number, Number(number))
    played.done(command, DEALER, SUPERVISOR)


def won_and_left(played: Played) -> None:
    """A Player wins 350.00 at T1 in round 1, and leaves with all 360.00."""
    played.buy_in("T1", 1_000)
    play(played, "17", "T1", "17")
    played.done(CashOut("T1", 36_000), CASHIER)


def test_a_stay_is_from_the_first_credit_to_the_last_cash_out(played: Played) -> None:
    first = played.done(BuyIn("T1", 1_000), CASHIER)
    again = played.done(BuyIn("T1", 1_000), CASHIER)
    part = played.done(CashOut("T1", 500), CASHIER)
    rest = played.done(IssueVoucher("T1", 1_500), CASHIER)
    second = played.done(BuyIn("T1", 700), CASHIER)

    assert first.events == (
        money.StayBegun(CASHIER, "T1", 1),
        money.BoughtIn(CASHIER, "T1", 1_000),
    )
    assert again.events == (money.BoughtIn(CASHIER, "T1", 1_000),)
    assert part.events == (money.CashedOut(CASHIER, "T1", 500),)
    assert rest.events[-1] == money.StayEnded(CASHIER, "T1", 1, 0)
    assert second.events[0] == money.StayBegun(CASHIER, "T1", 2)


def test_wagers_at_stake_keep_a_stay(played: Played) -> None:
    played.buy_in("T1", 2_000)
    played.say("Dealer: place your bets")
    place(played, "T1", "17", 1_000)

    out = played.done(CashOut("T1", 1_000), CASHIER)
    more = played.done(BuyIn("T1", 300), CASHIER)

    assert [type(event) for event in (*out.events, *more.events)] == [
        money.CashedOut,
        money.BoughtIn,
    ]
    assert played.table.state.stay_at("T1") == 1


def test_new_credit_at_an_empty_seat_begins_a_new_stay(
    played: Played,
) -> None:
    played.buy_in("T1", 1_000)
    play(played, "17", "T1", "18")

    next_one = played.done(BuyIn("T1", 500), CASHIER)

    assert next_one.events[:2] == (
        money.StayEnded(CASHIER, "T1", 1, 0),
        money.StayBegun(CASHIER, "T1", 2),
    )


def test_the_next_player_is_not_charged_for_the_last_one(played: Played) -> None:
    won_and_left(played)
    played.buy_in("T1", 50_000)
    play(played, "5", "T1", "red")

    correct(played, "18")

    assert played.credit("T1") == 50_000 + 1_000
    assert balance(played, "claim:1@T1") == -36_000
    assert balance(played, "claim:T1") == balance(played, "claim:2@T1") == 0


def test_the_next_player_is_not_paid_the_last_ones_money(
    played: Played,
) -> None:
    played.buy_in("T1", 3_000)
    play(played, "18", "T1", "17")
    played.done(CashOut("T1", 2_000), CASHIER)
    played.buy_in("T1", 500)

    correct(played, "17")

    assert (played.credit("T1"), balance(played, "owed:1@T1")) == (500, 36_000)
    too_much = played.refused(PayOwed("1@T1", 36_001), CASHIER)
    assert "less than that is kept for 1@T1" in str(too_much.refusal.reason)
    played.done(PayOwed("1@T1", 36_000), CASHIER)
    assert balance(played, "owed:1@T1") == 0
    assert balance(played, "cash") == -3_000 + 2_000 - 500 + 36_000


def test_money_of_an_ended_stay_is_kept_even_at_an_empty_seat(
    played: Played,
) -> None:
    played.buy_in("T1", 3_000)
    play(played, "18", "T1", "17")
    played.done(CashOut("T1", 2_000), CASHIER)

    correct(played, "17")
    played.buy_in("T1", 500)

    assert (played.credit("T1"), balance(played, "owed:1@T1")) == (500, 36_000)


def test_a_correction_during_the_stay_moves_the_seats_credit(played: Played) -> None:
    played.buy_in("T1", 3_000)
    play(played, "18", "T1", "17")

    correct(played, "17")

    assert (played.credit("T1"), balance(played, "owed:1@T1")) == (38_000, 0)


def test_a_correction_there_and_back_leaves_nothing(played: Played) -> None:
    won_and_left(played)
    played.buy_in("T1", 500)

    correct(played, "18")
    correct(played, "17")

    assert played.credit("T1") == 500
    assert balance(played, "claim:1@T1") == balance(played, "owed:1@T1") == 0


def test_a_claim_is_set_off_against_what_the_same_player_wins(played: Played) -> None:
    played.buy_in("T1", 1_000)
    play(played, "17", "T1", "17")
    played.say("Dealer: place your bets")
    place(played, "T1", "red", 6_000)
    played.done(CashOut("T1", 30_000), CASHIER)
    correct(played, "18")
    assert balance(played, "claim:1@T1") == -36_000

    for answer in played.say("Dealer: spin", "Dealer: no more bets"):
        assert isinstance(answer, Accepted)
    settled = played.say("Dealer: outcome 5", "Dealer: settle")[-1]

    assert isinstance(settled, Accepted)
    assert balance(played, "claim:1@T1") == -30_000
    assert played.credit("T1") == 6_000


def test_a_claim_is_set_off_against_what_a_named_player_cashes_out(
    played: Played,
) -> None:
    played.buy_in("Anna", 1_000)
    play(played, "17", "Anna", "17")
    played.done(CashOut("Anna", 36_000), CASHIER)
    correct(played, "18")
    played.buy_in("Anna", 50_000)

    out = played.done(CashOut("Anna", 40_000), CASHIER)
    rest = played.done(CashOut("Anna", 10_000), CASHIER)

    assert out.events == (
        money.ClaimSetOff(CASHIER, "Anna", "Anna", 36_000),
        money.CashedOut(CASHIER, "Anna", 4_000),
    )
    assert rest.events == (money.CashedOut(CASHIER, "Anna", 10_000),)
    assert balance(played, "claim:Anna") == played.credit("Anna") == 0


def test_a_voucher_is_for_the_credit_left_after_a_claim(played: Played) -> None:
    played.buy_in("Anna", 1_000)
    play(played, "17", "Anna", "17")
    played.done(CashOut("Anna", 36_000), CASHIER)
    correct(played, "18")
    played.buy_in("Anna", 36_500)
    anna = Person("Anna", Role.PLAYER)

    [set_off] = played.done(IssueVoucher("Anna", 10_000), anna).events
    *_, issued = played.done(IssueVoucher("Anna", 26_500), anna).events

    assert set_off == money.ClaimSetOff(anna, "Anna", "Anna", 10_000)
    assert isinstance(issued, money.VoucherIssued)
    assert issued.cents == 500
    assert [voucher.cents for voucher in played.store.vouchers()] == [500]


def test_a_named_player_has_no_stays(played: Played) -> None:
    bought = played.done(BuyIn("Anna", 1_000), CASHIER)
    play(played, "17", "Anna", "18")
    again = played.done(BuyIn("Anna", 1_000), CASHIER)

    correct(played, "18")

    assert len(bought.events) == len(again.events) == 1
    assert played.credit("Anna") == 37_000


def test_a_stay_that_is_ended_keeps_its_credit_and_what_it_has_at_stake(
    played: Played,
) -> None:
    played.buy_in("T1", 3_000)
    played.say("Dealer: place your bets")
    place(played, "T1", "17", 1_000)

    ended = played.done(EndStay("T1"), SYSTEM)
    played.buy_in("T1", 400)
    for answer in played.say(
        "Dealer: spin", "Dealer: no more bets", "Dealer: outcome 17", "Dealer: settle"
    ):
        assert isinstance(answer, Accepted), answer

    assert ended.events == (money.StayEnded(SYSTEM, "T1", 1, 2_000),)
    assert (played.credit("T1"), balance(played, "owed:1@T1")) == (400, 38_000)
    played.refused(EndStay("T2"), SYSTEM)
    played.refused(EndStay("T1"), Person("T1", Role.PLAYER))


def test_stays_are_known_after_a_restart_and_from_a_snapshot(store: Store) -> None:
    played = Played(
        store, is_anonymous=lambda seat: seat in TERMINALS, snapshot_every=1
    )
    won_and_left(played)
    played.buy_in("T1", 500)
    play(played, "5", "T1", "red", 100)

    opened = Table(store, "t1", clock=lambda: NOON)
    command = CorrectOutcome(1, Number("18"))
    opened.handle([Submission("x", (DEALER, SUPERVISOR), command)])

    assert opened.state.stay_at("T1") == 2
    assert played.credit("T1") == 600
    assert balance(played, "claim:1@T1") == -36_000


def test_a_wager_given_to_another_seat_pays_the_player_who_sat_there_then(
    played: Played,
) -> None:
    played.buy_in("T1", 2_000)
    played.buy_in("T2", 1_000)
    played.say("Dealer: place your bets")
    place(played, "T1", "17", 1_000, "a")
    place(played, "T2", "red", 1_000, "b")
    played.say("Dealer: spin", "Dealer: no more bets", "Dealer: outcome 17")
    played.say("Dealer: settle")
    played.buy_in("T2", 700)

    given = DecideRound(1, DecideWager("a", GiveTo("T2")))
    played.done(given, MANAGER)

    assert (played.credit("T2"), balance(played, "owed:1@T2")) == (700, 36_000)
    assert balance(played, "claim:1@T1") == 0
    assert played.credit("T1") == 1_000


def test_a_wager_given_to_a_player_without_wagers_is_kept_for_them(
    played: Played,
) -> None:
    played.buy_in("T1", 2_000)
    play(played, "17", "T1", "17")
    played.buy_in("T2", 700)

    played.done(DecideRound(1, DecideWager("w1", GiveTo("T2"))), MANAGER)

    assert (played.credit("T2"), balance(played, "owed:T2")) == (700, 36_000)


def colour(played: Played, player: str, chips: int) -> None:
    marker, place_ = ValueMarker.MARKER, MarkerPlace.BANK
    played.done(IssueColour("blue", player, 500, marker, place_))
    played.done(BuyColourChips(player, "blue", chips), CASHIER)


def test_a_returned_colours_account_is_cleared(store: Store) -> None:
    played = Played(store, "mbs-roulette-v3")
    colour(played, "Anna", 20)

    returned = played.done(ReturnColour("blue", "Anna"))

    assert returned.events == (
        money.ColourChipsBoughtBack(DEALER, "Anna", "blue", 20, 10_000),
        ColourReturned(DEALER, "blue", "Anna"),
    )
    assert balance(played, "colour:blue") == balance(played, "cash") == 0


def test_the_next_holder_of_a_colour_is_not_touched_by_a_correction(
    store: Store,
) -> None:
    played = Played(store, "mbs-roulette-v3")
    colour(played, "Anna", 2)
    played.play_round("17", ["Anna: lay 17 2 blue as w1"])
    played.done(ReturnColour("blue", "Anna"))
    colour(played, "Ben", 4)

    correct(played, "18")

    assert balance(played, "colour:blue") == 2_000
    assert balance(played, "claim:Anna") == -36_000
    correct(played, "17")
    assert balance(played, "claim:Anna") == balance(played, "owed:Anna") == 0
    assert balance(played, "colour:blue") == 2_000


def test_missing_chips_of_a_returned_colour_become_a_claim(store: Store) -> None:
    played = Played(store, "mbs-roulette-v3")
    colour(played, "Anna", 2)
    played.play_round("17", ["Anna: lay 17 2 blue as w1"])
    played.done(BuyBackColourChips("Anna", "blue", 72), CASHIER)
    correct(played, "18")

    played.done(ReturnColour("blue", "Anna"))

    assert balance(played, "colour:blue") == 0
    assert balance(played, "claim:Anna") == -36_000
