"""The cashier takes and pays money at a table, and does not play."""

from __future__ import annotations

import pytest

from croupier.journal.store import Store
from croupier.ledger import money
from croupier.rules import commands as do
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Refused, Table, recall
from croupier.table import commands as ask
from croupier.transcript import TranscriptError, read_line
from tests.simulation.invariants import seen
from tests.simulation.one_table import OneTable
from tests.table.a_table import ANNA, BEN, DEALER, NOON, SUPERVISOR, Played

CASHIER = Person("Carl", Role.CASHIER)
OTHER_CASHIER = Person("Cora", Role.CASHIER)
GAMES = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "mbs-fast-action-v2",
    "rws-triple-zero",
)
MONEY: dict[str, ask.AnyCommand] = {
    "bought in": ask.BuyIn("Anna", 1_000),
    "cashed out": ask.CashOut("Anna", 500),
    "filled": ask.Fill(10_000),
    "credit taken": ask.TakeCredit(5_000),
    "counted": ask.CountFloat(money.Count.OPENING, 0),
    "a voucher issued": ask.IssueVoucher("Anna", 500),
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

    assert str(played.refused(ask.CashOut("Anna", 1), CASHIER).refusal.reason) == (
        "Anna has 0.00 of credit"
    )


@pytest.mark.parametrize("name", MONEY)
def test_a_player_still_does_not(played: Played, name: str) -> None:
    state = played.table.state

    reasons = [
        str(played.refused(MONEY[name], person).refusal.reason)
        for person in ([BEN] if name == "a voucher issued" else [ANNA, BEN])
    ]

    assert all("may not do that" in reason for reason in reasons)
    assert played.table.state == state


def test_a_voucher_goes_from_a_cashier_to_a_cashier(played: Played) -> None:
    [issued] = played.done(ask.IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)

    player = played.refused(ask.RedeemVoucher("Anna", issued.code), BEN)
    played.done(ask.RedeemVoucher("Ben", issued.code), OTHER_CASHIER)

    assert "may not do that for Anna" in str(player.refusal.reason)
    assert (played.credit("Anna"), played.credit("Ben")) == (9_300, 700)


def test_a_voucher_is_paid_once_whoever_brings_it(played: Played) -> None:
    [issued] = played.done(ask.IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)
    pay = ask.PayVoucher(issued.code)

    player = played.refused(pay, ANNA)
    played.done(pay, OTHER_CASHIER)
    again = played.refused(pay, CASHIER)
    seat = played.refused(ask.RedeemVoucher("Ben", issued.code), CASHIER)

    assert "may not do that" in str(player.refusal.reason)
    assert again.refusal.reason == seat.refusal.reason
    assert again.refusal.reason.code == "voucher_not_redeemable"
    assert issued.code not in str(again.refusal.reason)
    assert (played.credit("Anna"), played.credit("Ben")) == (9_300, 0)


def test_what_became_of_a_voucher_is_found_by_its_code(
    store: Store, played: Played
) -> None:
    [issued] = played.done(ask.IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)

    played.done(ask.PayVoucher(issued.code), CASHIER)

    kinds = [row.kind for row in store.voucher_events(issued.code)]
    assert kinds == ["VoucherIssued", "VoucherPaid"]


def test_of_two_in_one_commit_one_is_paid(played: Played) -> None:
    [issued] = played.done(ask.IssueVoucher("Anna", 700), CASHIER).events
    assert isinstance(issued, money.VoucherIssued)
    pay, redeem = ask.PayVoucher(issued.code), ask.RedeemVoucher("Ben", issued.code)

    answers = played.table.handle(
        [
            ask.Submission("first", (CASHIER,), pay),
            ask.Submission("second", (CASHIER,), redeem),
        ]
    )

    assert [type(each) for each in answers] == [Accepted, Refused]


class Repeating:
    """Chance that says the same twice before it says something else."""

    def __init__(self) -> None:
        self._said = iter([b"same same!", b"same same!", b"otherwise!"])

    def read(self, count: int) -> bytes:
        return next(self._said)[:count]


def test_no_code_is_issued_twice(store: Store) -> None:
    played = Played(store, entropy=Repeating())
    played.buy_in("Anna", 1_000)

    [first] = played.done(ask.IssueVoucher("Anna", 300), CASHIER).events
    [second] = played.done(ask.IssueVoucher("Anna", 400), CASHIER).events

    assert isinstance(first, money.VoucherIssued)
    assert isinstance(second, money.VoucherIssued)
    assert first.code != second.code
    assert {voucher.cents for voucher in store.vouchers()} == {300, 400}


def test_a_cashier_sells_colour_chips_and_takes_them_back(store: Store) -> None:
    played = Played(store, "mbs-roulette-v3")
    marker, place = do.ValueMarker.MARKER, do.MarkerPlace.BANK
    issue = do.IssueColour("blue", "Anna", 500, marker, place)
    assert isinstance(played.ask(issue, CASHIER), Refused)
    played.done(issue)

    played.done(ask.BuyColourChips("Anna", "blue", 20), CASHIER)
    played.done(ask.BuyBackColourChips("Anna", "blue", 5), CASHIER)

    assert store.balances("t1")["colour:blue"] == 15 * 500  # type: ignore[index]


def test_a_cashier_is_paid_what_a_player_owes(store: Store) -> None:
    played = Played(store)
    played.buy_in("Anna", 1_000)
    played.play_round("17", ["Anna: place 17 10 as w1"])
    played.done(ask.CashOut("Anna", 36_000), CASHIER)
    played.done(do.CorrectOutcome(1, Number("5")), DEALER, SUPERVISOR)

    assert isinstance(played.ask(ask.PayClaim("Anna", 1), ANNA), Refused)
    played.done(ask.PayClaim("Anna", 36_000), CASHIER)

    assert store.balances("t1")["claim:Anna"] == 0  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
def test_a_cashier_does_nothing_of_a_round(game: str) -> None:
    """Each act is refused to the cashier, and then done by whom it belongs to."""
    table = OneTable(game, "* 1 10000").bought_in(10_000)
    electronic = game in {"rws-triple-zero", "mbs-fast-action-v2"}
    wager = do.PlaceWager("w1", "Anna", read_wager("17"), 500, electronic=electronic)
    acts: list[tuple[ask.AnyCommand, Person]] = [
        (ask.ChangeTerms(("* 1 500",), ()), SUPERVISOR),
        (ask.CloseTable(), SUPERVISOR),
        (ask.ReopenTable(), SUPERVISOR),
        (do.PlaceYourBets(), DEALER),
        (wager, ANNA),
        (do.IncreaseWager("w1", "Anna", 100), ANNA),
        (ask.Together((do.IncreaseWager("w1", "Anna", 100),)), ANNA),
        (do.WithdrawWager("w1", "Anna"), ANNA),
        (do.SpinBall(), DEALER),
        (do.NoMoreBets(), DEALER),
    ]
    for command, person in acts:
        _refused_then_done(table, command, person)
    if game == "mbs-fast-action-v2":
        table.do(ask.DrawNow())
        _refused_then_done(table, ask.ConfirmLights(), DEALER)
    _refused_then_done(table, do.ReportBallAtRest(Number("17")), DEALER)
    _refused_then_done(table, do.AnnounceOutcome(Number("17")), DEALER)
    _refused_then_done(table, do.Settle(), DEALER)


def _refused_then_done(
    table: OneTable, command: ask.AnyCommand, person: Person
) -> None:
    state = seen(table.table.state)
    for cashier in (CASHIER, Person(person.name, Role.CASHIER)):
        table.refusal(command, cashier)
        assert seen(table.table.state) == state
    table.do(command, person)


def test_a_cashier_neither_corrects_nor_voids(played: Played) -> None:
    played.play_round("17")
    acts: list[tuple[ask.AnyCommand, tuple[Person, ...]]] = [
        (do.CorrectOutcome(1, Number("5")), (CASHIER,)),
        (do.CorrectOutcome(1, Number("5")), (CASHIER, SUPERVISOR)),
        (do.CorrectOutcome(1, Number("5")), (CASHIER, OTHER_CASHIER)),
        (do.VoidRounds((1,), Irregularity.BALL_BROKE), (CASHIER,)),
    ]

    for command, people in acts:
        played.refused(command, *people)

    settled = [each.event for each in recall(played.store, "t1", 1).events]
    assert [type(event).__name__ for event in settled].count("RoundSettled") == 1


def test_a_cashier_has_no_say_after_an_interruption(store: Store) -> None:
    first = Played(store)
    first.say("Dealer: place your bets", "Dealer: spin")
    table = Table(store, "t1", clock=lambda: NOON)

    def ask_of(name: str, command: ask.AnyCommand, person: Person) -> bool:
        [answer] = table.handle([ask.Submission(name, (person,), command)])
        return not isinstance(answer, Refused)

    assert not ask_of("a", ask.StateBall(Number("5")), CASHIER)
    assert ask_of("b", ask.StateBall(Number("5")), DEALER)
    assert not ask_of("c", ask.ConfirmBall(), CASHIER)
    assert ask_of("d", ask.ConfirmBall(), SUPERVISOR)


@pytest.mark.parametrize("people", [(CASHIER, SUPERVISOR), (SUPERVISOR, CASHIER)])
def test_a_cashier_adjusts_credit_with_a_second_person(
    played: Played, people: tuple[Person, Person]
) -> None:
    [adjusted] = played.done(ask.Adjust("Anna", 250, "miscounted"), *people).events

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
    played.refused(ask.Adjust("Anna", 250, "miscounted"), *people)

    assert played.credit("Anna") == 10_000


def test_what_a_cashier_did_is_read_back_after_a_restart(played: Played) -> None:
    first = played.done(ask.BuyIn("Ben", 400), CASHIER)
    submission = ask.Submission(first.command_id, (CASHIER,), ask.BuyIn("Ben", 400))

    opened = Table(played.store, "t1", clock=lambda: NOON)

    assert opened.handle([submission]) == [first]
    assert played.credit("Ben") == 400


def test_transcripts_know_no_cashier(played: Played) -> None:
    """There a Player may have that name, as any other."""
    game = played.table.state.series.game

    [person] = read_line(game, "Cashier: place red 10 as w1").act.people

    assert person.role is Role.PLAYER
    with pytest.raises(TranscriptError, match="is not a position"):
        read_line(game, "Carl acting Cashier: place your bets")
