"""The cashier takes and pays money at a table, and does not play."""

from __future__ import annotations

import pytest

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
    PayClaim,
    PayVoucher,
    RedeemVoucher,
    TakeCredit,
)
from croupier.rules import commands as play
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Refused, Table
from croupier.table.commands import (
    AnyCommand,
    ChangeTerms,
    CloseTable,
    ConfirmBall,
    ConfirmLights,
    DrawNow,
    ReopenTable,
    StateBall,
    Submission,
    Together,
)
from croupier.transcript import TranscriptError, read_line
from tests.golden_tables import GAMES
from tests.robustness.checker import seen
from tests.simulation.one_table import OneTable
from tests.table.a_table import ANNA, BEN, DEALER, NOON, SUPERVISOR, Played

CASHIER = Person("Carl", Role.CASHIER)
OTHER_CASHIER = Person("Cora", Role.CASHIER)
MONEY: dict[str, AnyCommand] = {
    "bought in": BuyIn("Anna", 1_000),
    "cashed out": CashOut("Anna", 500),
    "filled": Fill(10_000),
    "credit taken": TakeCredit(5_000),
    "counted": CountFloat(money.Count.OPENING, 0),
    "a voucher issued": IssueVoucher("Anna", 500),
}


@pytest.fixture
def played(store: Store) -> Played:
    played = Played(store)
    played.buy_in("Anna", 10_000)
    return played


@pytest.mark.parametrize("game", GAMES)
def test_a_cashier_handles_money_at_every_game(store: Store, game: str) -> None:
    played = Played(store, game)

    for command in MONEY.values():
        [event] = played.done(command, CASHIER).events
        assert getattr(event, "by", None) == CASHIER

    assert str(played.refused(CashOut("Anna", 1), CASHIER).refusal.reason) == (
        "Anna has 0.00 of credit"
    )


@pytest.mark.parametrize("name", MONEY)
def test_a_player_may_not_handle_money(played: Played, name: str) -> None:
    state = played.table.state

    reasons = [
        str(played.refused(MONEY[name], person).refusal.reason)
        for person in ([BEN] if name == "a voucher issued" else [ANNA, BEN])
    ]

    assert all("may not" in reason for reason in reasons)
    assert played.table.state == state


def test_a_voucher_goes_from_a_cashier_to_a_cashier(played: Played) -> None:
    [issued] = played.done(IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)

    player = played.refused(RedeemVoucher("Anna", issued.code), BEN)
    played.done(RedeemVoucher("Ben", issued.code), OTHER_CASHIER)

    assert "may not act for Anna" in str(player.refusal.reason)
    assert (played.credit("Anna"), played.credit("Ben")) == (9_300, 700)


def test_a_voucher_is_paid_only_once_to_any_bearer(played: Played) -> None:
    [issued] = played.done(IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)
    pay = PayVoucher(issued.code)

    player = played.refused(pay, ANNA)
    played.done(pay, OTHER_CASHIER)
    again = played.refused(pay, CASHIER)
    seat = played.refused(RedeemVoucher("Ben", issued.code), CASHIER)

    assert "may not do that" in str(player.refusal.reason)
    assert again.refusal.reason == seat.refusal.reason
    assert again.refusal.reason.code == "voucher_not_redeemable"
    assert issued.code not in str(again.refusal.reason)
    assert (played.credit("Anna"), played.credit("Ben")) == (9_300, 0)


def test_the_state_of_a_voucher_is_found_by_its_code(
    store: Store, played: Played
) -> None:
    [issued] = played.done(IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)

    played.done(PayVoucher(issued.code), CASHIER)

    kinds = [row.kind for row in store.voucher_events(issued.code)]
    assert kinds == ["VoucherIssued", "VoucherPaid"]


def test_only_one_of_two_payments_in_a_commit_is_done(played: Played) -> None:
    [issued] = played.done(IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)
    pay, redeem = PayVoucher(issued.code), RedeemVoucher("Ben", issued.code)

    answers = played.table.handle(
        [
            Submission("first", (CASHIER,), pay),
            Submission("second", (CASHIER,), redeem),
        ]
    )

    assert [type(each) for each in answers] == [Accepted, Refused]


class Repeating:
    """Entropy that gives the same bytes twice, then others."""

    def __init__(self) -> None:
        self._said = iter([b"same same!", b"same same!", b"otherwise!"])

    def read(self, count: int) -> bytes:
        return next(self._said)[:count]


def test_no_code_is_issued_twice(store: Store) -> None:
    played = Played(store, entropy=Repeating())
    played.buy_in("Anna", 1_000)

    [first] = played.done(IssueVoucher("Anna", 300), CASHIER).events
    [second] = played.done(IssueVoucher("Anna", 400), CASHIER).events

    assert isinstance(first, money.VoucherIssued)
    assert isinstance(second, money.VoucherIssued)
    assert first.code != second.code
    assert {voucher.cents for voucher in store.vouchers()} == {300, 400}


def test_a_cashier_sells_colour_chips_and_takes_them_back(store: Store) -> None:
    played = Played(store, "mbs-roulette-v3")
    marker, place = play.ValueMarker.MARKER, play.MarkerPlace.BANK
    issue = play.IssueColour("blue", "Anna", 500, marker, place)
    assert isinstance(played.ask(issue, CASHIER), Refused)
    played.done(issue)

    played.done(BuyColourChips("Anna", "blue", 20), CASHIER)
    played.done(BuyBackColourChips("Anna", "blue", 5), CASHIER)

    assert store.balances("t1")["colour:blue"] == 15 * 500  # type: ignore[index]


def test_a_cashier_is_paid_what_a_player_owes(store: Store) -> None:
    played = Played(store)
    played.buy_in("Anna", 1_000)
    played.play_round("17", ["Anna: place 17 10 as w1"])
    played.done(CashOut("Anna", 36_000), CASHIER)
    played.done(play.CorrectOutcome(1, Number("5")), DEALER, SUPERVISOR)

    assert isinstance(played.ask(PayClaim("Anna", 1), ANNA), Refused)
    played.done(PayClaim("Anna", 36_000), CASHIER)

    assert store.balances("t1")["claim:Anna"] == 0  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
def test_a_cashier_may_not_act_in_a_round(game: str) -> None:
    """The table refuses each act to the cashier, and takes it from the right person."""
    table = OneTable(game, "* 1 10000").bought_in(10_000)
    electronic = game in {"rws-triple-zero", "mbs-fast-action-v2"}
    wager = play.PlaceWager("w1", "Anna", read_wager("17"), 500, electronic=electronic)
    acts: list[tuple[AnyCommand, Person]] = [
        (ChangeTerms(("* 1 500",), ()), SUPERVISOR),
        (CloseTable(), SUPERVISOR),
        (ReopenTable(), SUPERVISOR),
        (play.PlaceYourBets(), DEALER),
        (wager, ANNA),
        (play.IncreaseWager("w1", "Anna", 100), ANNA),
        (Together((play.IncreaseWager("w1", "Anna", 100),)), ANNA),
        (play.WithdrawWager("w1", "Anna"), ANNA),
        (play.SpinBall(), DEALER),
        (play.NoMoreBets(), DEALER),
    ]
    for command, person in acts:
        _refused_then_done(table, command, person)
    if game == "mbs-fast-action-v2":
        table.do(DrawNow())
        _refused_then_done(table, ConfirmLights(), DEALER)
    _refused_then_done(table, play.ReportBallAtRest(Number("17")), DEALER)
    _refused_then_done(table, play.AnnounceOutcome(Number("17")), DEALER)
    _refused_then_done(table, play.Settle(), DEALER)


def _refused_then_done(table: OneTable, command: AnyCommand, person: Person) -> None:
    state = seen(table.table.state)
    for cashier in (CASHIER, Person(person.name, Role.CASHIER)):
        table.refusal(command, cashier)
        assert seen(table.table.state) == state
    table.do(command, person)


def test_a_cashier_neither_corrects_nor_voids(played: Played) -> None:
    played.play_round("17")
    acts: list[tuple[AnyCommand, tuple[Person, ...]]] = [
        (play.CorrectOutcome(1, Number("5")), (CASHIER,)),
        (play.CorrectOutcome(1, Number("5")), (CASHIER, SUPERVISOR)),
        (play.CorrectOutcome(1, Number("5")), (CASHIER, OTHER_CASHIER)),
        (play.VoidRounds((1,), Irregularity.BALL_BROKE), (CASHIER,)),
    ]

    for command, people in acts:
        played.refused(command, *people)

    settled = played.store.events("t1", round_number=1, kinds=["RoundSettled"])
    assert len(list(settled)) == 1


def test_a_cashier_has_no_say_after_an_interruption(store: Store) -> None:
    first = Played(store)
    first.say("Dealer: place your bets", "Dealer: spin")
    table = Table(store, "t1", clock=lambda: NOON)

    def ask_of(name: str, command: AnyCommand, person: Person) -> bool:
        [answer] = table.handle([Submission(name, (person,), command)])
        return not isinstance(answer, Refused)

    assert not ask_of("a", StateBall(Number("5")), CASHIER)
    assert ask_of("b", StateBall(Number("5")), DEALER)
    assert not ask_of("c", ConfirmBall(), CASHIER)
    assert ask_of("d", ConfirmBall(), SUPERVISOR)


@pytest.mark.parametrize("people", [(CASHIER, SUPERVISOR), (SUPERVISOR, CASHIER)])
def test_a_cashier_adjusts_credit_with_a_second_person(
    played: Played, people: tuple[Person, Person]
) -> None:
    [adjusted] = played.done(Adjust("Anna", 250, "miscounted"), *people).events

    assert adjusted == money.Adjusted(*people, "Anna", 250, "miscounted")
    assert played.credit("Anna") == 10_250


@pytest.mark.parametrize(
    "people",
    [
        (CASHIER,),
        (CASHIER, CASHIER),
        (CASHIER, Person("Carl", Role.PIT_SUPERVISOR)),
        (CASHIER, ANNA),
        (ANNA, CASHIER),
        (CASHIER, SUPERVISOR, DEALER),
    ],
)
def test_a_cashier_does_not_adjust_alone_or_with_a_player(
    played: Played, people: tuple[Person, ...]
) -> None:
    played.refused(Adjust("Anna", 250, "miscounted"), *people)

    assert played.credit("Anna") == 10_000


def test_a_cashiers_payments_are_read_back_after_a_restart(played: Played) -> None:
    first = played.done(BuyIn("Ben", 400), CASHIER)
    submission = Submission(first.command_id, (CASHIER,), BuyIn("Ben", 400))

    opened = Table(played.store, "t1", clock=lambda: NOON)

    assert opened.handle([submission]) == [first]
    assert played.credit("Ben") == 400


def test_transcripts_know_no_cashier(played: Played) -> None:
    """In a transcript a Player may have that name."""
    game = played.table.state.series.game

    [person] = read_line(game, "Cashier: place red 10 as w1").act.people

    assert person.role is Role.PLAYER
    with pytest.raises(TranscriptError, match="is not a position"):
        read_line(game, "Carl acting Cashier: place your bets")
