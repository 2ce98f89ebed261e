"""Bad input is refused in one sentence; nothing changes but the refusal's record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.journal.events.table import ActRefused
from croupier.journal.store import JournalError
from croupier.ledger import money
from croupier.ledger.accounts import claim
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
    RedeemVoucher,
    TakeCredit,
)
from croupier.rules.clause import Refusal
from croupier.rules.commands import (
    CorrectOutcome,
    IncreaseWager,
    IssueColour,
    PlaceWager,
    SpinBall,
    VoidRounds,
    WithdrawWager,
)
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table.answers import Accepted, Refused, event_of
from croupier.table.commands import (
    AnyCommand,
    ChangeTerms,
    CloseTable,
    ReportShown,
    Submission,
)
from tests.robustness.checker import seen
from tests.simulation.one_table import (
    ANNA,
    BEN,
    DEALER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

TRIPLE, V3 = "rws-triple-zero", "mbs-roulette-v3"
NO_AMOUNTS: dict[str, Any] = {
    "zero": 0,
    "negative": -100,
    "2^63": 2**63,
    "more than there is": 10**15 + 1,
    "more digits than are written": 10**5_000,
    "NaN": float("nan"),
    "infinite": float("inf"),
    "a float": 100.0,
    "a bool": True,
    "a text": "100",
    "nothing": None,
}


@pytest.fixture
def table() -> OneTable:
    """Anna has 900.00 left of 1,000.00; her wager w1 lies on 17."""
    table = OneTable(TRIPLE, "* 1 10000").bought_in(100_000).opened()
    table.place("w1", "17", 10_000)
    return table


def refused(table: OneTable, command: AnyCommand, *people: Person) -> Refusal:
    """Return the refusal; check that it is one sentence and nothing has changed."""
    state, head = seen(table.table.state), table.table.head
    balances = table.store.balances(table.stream)
    vouchers = list(table.store.vouchers())

    refusal = table.refusal(command, *people)

    assert seen(table.table.state) == state
    assert table.store.balances(table.stream) == balances
    assert list(table.store.vouchers()) == vouchers
    [row] = table.store.events(table.stream, after=head.sequence)
    event = event_of(row)
    assert isinstance(event, ActRefused)
    assert (event.clause, event.reason) == (refusal.clause, refusal.reason)
    assert_is_one_sentence(str(refusal.reason))
    return refusal


def assert_is_one_sentence(text: str) -> None:
    assert 8 < len(text) < 200
    assert text.isprintable()
    assert "Traceback" not in text


def placing(cents: Any, wager_id: str = "w2", player: str = "Anna") -> PlaceWager:
    return PlaceWager(wager_id, player, read_wager("17"), cents, electronic=True)


AMOUNTS: dict[str, tuple[Callable[[Any], AnyCommand], Person]] = {
    "placed": (placing, ANNA),
    "added": (lambda cents: IncreaseWager("w1", "Anna", cents), ANNA),
    "bought in": (lambda cents: BuyIn("Anna", cents), DEALER),
    "cashed out": (lambda cents: CashOut("Anna", cents), DEALER),
    "on a voucher": (lambda cents: IssueVoucher("Anna", cents), ANNA),
    "filled": (Fill, DEALER),
    "taken": (TakeCredit, DEALER),
    "counted": (lambda cents: CountFloat(money.Count.OPENING, cents), DEALER),
    "of a claim": (lambda cents: PayClaim("Anna", cents), DEALER),
}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (name, what)
        for name in NO_AMOUNTS
        for what in AMOUNTS
        if (name, what) != ("zero", "counted")
    ],
)
def test_an_invalid_amount_is_refused(table: OneTable, name: str, what: str) -> None:
    command, person = AMOUNTS[what]

    refused(table, command(NO_AMOUNTS[name]), person)


def test_an_empty_float_can_be_counted(table: OneTable) -> None:
    answer = table.ask(CountFloat(money.Count.CLOSING, 0), DEALER)

    assert isinstance(answer, Accepted)


@pytest.mark.parametrize(
    "command",
    [
        BuyIn("A\nB", 100),
        BuyIn("A" * 1_001, 100),
        BuyIn("\ud800", 100),
        ReportShown("T1", "No More Bets", float("nan")),  # type: ignore[arg-type]
        CountFloat("x", 100),  # type: ignore[arg-type]
    ],
    ids=["a line break", "a long text", "a surrogate", "no time", "no count"],
)
def test_values_that_would_not_read_back_are_refused(
    table: OneTable, command: AnyCommand
) -> None:
    refused(table, command, DEALER)


@pytest.mark.parametrize("name", [name for name in NO_AMOUNTS if name != "negative"])
def test_an_adjustment_by_an_invalid_amount_is_refused(
    table: OneTable, name: str
) -> None:
    adjusting = Adjust("Anna", NO_AMOUNTS[name], "miscounted")

    refusal = refused(table, adjusting, DEALER, SUPERVISOR)

    assert str(refusal.reason) == "an adjustment is whole cents, not zero"


@pytest.mark.parametrize("chips", NO_AMOUNTS.values(), ids=NO_AMOUNTS.keys())
def test_an_invalid_number_of_chips_is_refused(chips: Any) -> None:
    table = OneTable(V3)
    table.do(IssueColour("blue", "Anna", 500))

    refused(table, BuyColourChips("Anna", "blue", chips))
    refused(table, BuyBackColourChips("Anna", "blue", chips))


def test_an_unknown_player_has_no_credit_to_wager(table: OneTable) -> None:
    zoe = Person("Zoe", Role.PLAYER)

    refusal = refused(table, placing(100, player="Zoe"), zoe)

    assert str(refusal.reason) == "Zoe has 0.00 of credit"


def test_a_player_acts_only_for_themselves(table: OneTable) -> None:
    refused(table, placing(100, player="Anna"), BEN)
    refused(table, WithdrawWager("w1", "Anna"), BEN)
    refused(table, WithdrawWager("w1", "Ben"), BEN)
    refused(table, IssueVoucher("Anna", 100), BEN)
    refused(table, BuyIn("Anna", 100), ANNA)
    refused(table, CloseTable(), ANNA)


def test_a_wager_of_another_table_is_not_here(table: OneTable) -> None:
    other = OneTable(TRIPLE, stream="t2", open_store=table.open_store)
    other.bought_in(1_000).opened()

    refused(other, IncreaseWager("w1", "Anna", 100), ANNA)
    refused(other, WithdrawWager("w1", "Anna"), ANNA)


def test_credit_of_another_table_is_not_here(table: OneTable) -> None:
    other = OneTable(TRIPLE, stream="t2", open_store=table.open_store).opened()

    refused(other, placing(100), ANNA)


def test_a_wager_above_the_credit_is_refused_to_the_cent(table: OneTable) -> None:
    refused(table, placing(90_001), ANNA)

    table.place("w2", "17", 90_000)

    assert table.credit() == 0


def test_a_cash_out_above_the_credit_is_refused_to_the_cent(table: OneTable) -> None:
    refusal = refused(table, CashOut("Anna", 90_001))
    table.do(CashOut("Anna", 90_000))

    assert str(refusal.reason) == "Anna has 900.00 of credit"
    assert table.credit() == 0


def test_a_voucher_above_the_credit_is_refused_to_the_cent(table: OneTable) -> None:
    refused(table, IssueVoucher("Anna", 90_001), ANNA)

    table.do(IssueVoucher("Anna", 90_000), ANNA)


def _issued(table: OneTable) -> str:
    [event] = table.do(IssueVoucher("Anna", 5_000), ANNA).events
    assert isinstance(event, money.VoucherIssued)
    return event.code


def test_a_voucher_is_redeemed_once_in_the_house(table: OneTable) -> None:
    code = _issued(table)
    other = OneTable(TRIPLE, stream="t2", open_store=table.open_store)

    other.do(RedeemVoucher("Ben", code), BEN)

    refused(table, RedeemVoucher("Anna", code), ANNA)
    refused(other, RedeemVoucher("Ben", code), BEN)


def test_a_voucher_twice_in_one_commit_is_redeemed_once(table: OneTable) -> None:
    code = _issued(table)
    twice = [
        Submission(f"again {n}", (BEN,), RedeemVoucher("Ben", code)) for n in (1, 2)
    ]

    first, second = table.table.handle(twice)

    assert isinstance(first, Accepted)
    assert isinstance(second, Refused)
    assert table.credit("Ben") == 5_000


@pytest.mark.parametrize("code", ["", "X", "AAAAAAAAAAAAAAAA", "a" * 5_000, "'; --"])
def test_an_unknown_voucher_is_refused(table: OneTable, code: str) -> None:
    refused(table, RedeemVoucher("Anna", code), ANNA)


def test_a_voucher_is_redeemed_on_its_last_day_and_not_after(table: OneTable) -> None:
    first, second = _issued(table), _issued(table)

    table.clock.pass_by(30 * 86_400_000)
    table.do(RedeemVoucher("Anna", first), ANNA)
    table.clock.pass_by(86_400_000)

    refused(table, RedeemVoucher("Anna", second), ANNA)


ADJUST = Adjust("Anna", 500, "miscounted")


@pytest.mark.parametrize(
    ("people", "command"),
    [
        pytest.param((SUPERVISOR,), ADJUST, id="one person"),
        pytest.param((SUPERVISOR, SUPERVISOR), ADJUST, id="one person twice"),
        pytest.param(
            (SUPERVISOR, Person("Pit Supervisor", Role.PIT_MANAGER)),
            ADJUST,
            id="one name in two positions",
        ),
        pytest.param((DEALER, SUPERVISOR, BEN), ADJUST, id="three people"),
        pytest.param((DEALER, BEN), ADJUST, id="a Player"),
        pytest.param((DEALER, SUPERVISOR), Adjust("Anna", 500, ""), id="no reason"),
        pytest.param(
            (DEALER, SUPERVISOR), Adjust("Anna", 500, " \t"), id="a blank reason"
        ),
        pytest.param(
            (DEALER, SUPERVISOR),
            Adjust("Anna", -90_001, "miscounted"),
            id="more than the credit",
        ),
    ],
)
def test_an_adjustment_needs_two_people_a_reason_and_the_credit(
    table: OneTable, people: tuple[Person, ...], command: Adjust
) -> None:
    refused(table, command, *people)


def test_a_claim_is_not_paid_beyond_what_is_owed(table: OneTable) -> None:
    table.conclude("17")
    table.do(CashOut("Anna", table.credit()))
    table.correct(1, "18")
    owed = -table.table.state.balance(claim("Anna"))

    refused(table, PayClaim("Anna", owed + 1))
    refused(table, PayClaim("Ben", 1))
    table.do(PayClaim("Anna", owed))

    assert owed == 360_000
    assert table.table.state.balance(claim("Anna")) == 0


@pytest.mark.parametrize("number", [0, -1, 2, 10**18])
def test_a_round_that_never_was_is_not_corrected_or_voided(
    table: OneTable, number: int
) -> None:
    table.conclude("17")

    correcting = CorrectOutcome(number, Number("18"))
    refused(table, correcting, DEALER, SUPERVISOR)
    refused(table, VoidRounds((number,), Irregularity.BALL_BROKE), RWS_MANAGER)


def test_no_rounds_at_all_are_not_voided(table: OneTable) -> None:
    refused(table, VoidRounds((), Irregularity.BALL_BROKE), RWS_MANAGER)


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (("* 1",), ()),
        (("* 100 1",), ()),
        (("* 1 2", "* 1 2"), ()),
        (("jackpot 1 2",), ()),
        ((), ("colour pink",)),
        ((), ("",)),
        ((), ()),
        (("straight_up 1 100", "red 1 100"), ()),
        (("* 1 100", "bonus_win 1 100"), ()),
        (("* 1 100",), ("area_maximum bonus_win 100",)),
    ],
)
def test_unreadable_or_incomplete_terms_are_refused(
    table: OneTable, limits: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    refused(table, ChangeTerms(limits, settings))


ODD_IDS = (
    "",
    "a\nb",
    "\x00",
    "x" * 101,
    "\ud800",
    "table:opened",
    "table:interrupted:5",
)


@pytest.mark.parametrize("command_id", ODD_IDS, ids=repr)
def test_an_odd_id_of_a_command_is_refused_and_leaves_no_trace(
    table: OneTable, command_id: str
) -> None:
    head, state = table.table.head, table.table.state

    with pytest.raises(JournalError) as refusal:
        table.send(command_id, SpinBall())

    assert_is_one_sentence(str(refusal.value))
    assert table.table.head == table.store.head("t1") == head
    assert table.table.state is state
    table.do(SpinBall())


def test_an_id_stands_for_its_first_command_only(
    table: OneTable,
) -> None:
    first = table.send("same", BuyIn("Ben", 700))

    second = table.send("same", BuyIn("Ben", 900))

    assert second == first
    assert table.credit("Ben") == 700


def test_ids_of_two_tables_do_not_meet(table: OneTable) -> None:
    other = OneTable(TRIPLE, stream="t2", open_store=table.open_store)

    answers = [each.send("same", BuyIn("Ben", 700)) for each in (table, other)]

    assert all(isinstance(answer, Accepted) for answer in answers)
    assert (table.credit("Ben"), other.credit("Ben")) == (700, 700)
