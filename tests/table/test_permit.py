"""The house's own refusals are judged with the command, in the table's turn."""

from __future__ import annotations

from croupier.journal.events.table import ActRefused, RefusedAct
from croupier.journal.store import Store
from croupier.journal.tables import VoucherState
from croupier.journal.verification import verify
from croupier.ledger import money
from croupier.ledger.accounts import seat
from croupier.ledger.commands import BuyIn, IssueVoucher, RedeemVoucher
from croupier.rules.clause import Clause, Refusal
from croupier.rules.commands import IncreaseWager, PlaceWager, WithdrawWager
from croupier.rules.reasons import PlainReason
from croupier.table import Accepted, Refused, Submission, Table
from croupier.table.answers import event_of
from croupier.table.commands import DrawNow, Together
from croupier.table.state import TableState
from tests.robustness.checker import seen
from tests.table.a_table import ANNA, DEALER, NOON, Played, placing

LIMIT_CENTS = 500
CLAUSE = Clause("House rules", "7.2")
BARRED = Refusal(CLAUSE, PlainReason.RECORDED(text="Anna stakes too much"))


class StakeLimit:
    """A permit that limits Anna's stakes in a round, and notes each call."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, int]] = []
        """The command's id, its kind, and Anna's credit at that moment."""

    def permit(self, state: TableState, submission: Submission) -> Refusal | None:
        command = submission.command
        credit = state.balance(seat("Anna"))
        self.asked.append((submission.command_id, type(command).__name__, credit))
        if not isinstance(command, PlaceWager) or state.series.last == 0:
            return None
        wagers = state.series.current.board.in_order()
        staked = sum(each.stake_cents for each in wagers if each.player == "Anna")
        return BARRED if staked + (command.stake_cents or 0) > LIMIT_CENTS else None


def _opened(store: Store) -> tuple[Played, StakeLimit]:
    house = StakeLimit()
    played = Played(store, permit=house.permit)
    played.buy_in("Anna", 10_000)
    played.say("Dealer: place your bets")
    house.asked.clear()
    return played, house


def test_a_refusal_of_the_house_is_recorded_with_its_clause(
    store: Store,
) -> None:
    played, _ = _opened(store)
    state, balances = seen(played.table.state), store.balances("t1")
    submission = Submission("too much", (ANNA,), placing("w1", cents=501))

    [answer] = played.table.handle([submission])
    head = played.table.head.sequence
    [again] = Table(store, "t1", clock=lambda: NOON).handle([submission])

    assert answer == again == Refused("too much", BARRED, head)
    assert seen(played.table.state) == state
    assert store.balances("t1") == balances
    row = next(row for row in store.events("t1") if row.command_id == "too much")
    event = event_of(row)
    acts = (RefusedAct("PlaceWager", "17", 501),)
    assert event == ActRefused(ANNA, acts, CLAUSE, BARRED.reason)
    assert verify(store).is_clean


def test_the_permit_sees_earlier_commands_of_the_same_commit(
    store: Store,
) -> None:
    played, house = _opened(store)
    commands = [
        ("a", placing("w1", cents=300)),
        ("b", placing("w2", cents=300)),
        ("c", placing("w3", cents=200)),
        ("d", placing("w4", cents=100)),
    ]

    answers = played.table.handle(
        [Submission(name, (ANNA,), command) for name, command in commands]
    )

    kinds = [type(answer) for answer in answers]
    assert kinds == [Accepted, Refused, Accepted, Refused]
    assert house.asked == [
        ("a", "PlaceWager", 10_000),
        ("b", "PlaceWager", 9_700),
        ("c", "PlaceWager", 9_700),
        ("d", "PlaceWager", 9_500),
    ]


def test_the_permit_is_asked_for_each_part_after_the_earlier_parts(
    store: Store,
) -> None:
    played, house = _opened(store)
    parts = (
        placing("w1", cents=300),
        IncreaseWager("w1", "Anna", 100),
        WithdrawWager("w1", "Anna"),
        placing("w2", cents=500),
    )
    submission = Submission("whole", (ANNA,), Together(parts))

    [answer] = played.table.handle([submission])

    assert isinstance(answer, Accepted)
    assert house.asked == [
        ("whole", "PlaceWager", 10_000),
        ("whole", "IncreaseWager", 9_700),
        ("whole", "WithdrawWager", 9_600),
        ("whole", "PlaceWager", 10_000),
    ]


def test_a_part_that_the_house_refuses_refuses_all(store: Store) -> None:
    played, _ = _opened(store)
    state, head = seen(played.table.state), played.table.head
    parts = (placing("w1", cents=300), placing("w2", cents=300))

    answer = played.refused(Together(parts), ANNA)

    assert answer.refusal == BARRED
    assert seen(played.table.state) == state
    [row] = store.events("t1", after=head.sequence)
    acts = (RefusedAct("PlaceWager", "17", 300),) * 2
    assert event_of(row) == ActRefused(ANNA, acts, CLAUSE, BARRED.reason)
    played.done(Together(parts[:1]), ANNA)


def test_the_permit_is_asked_first_and_once_for_each_command(store: Store) -> None:
    played, house = _opened(store)
    submissions = [
        Submission("both", (ANNA,), placing("w1", cents=10**9)),
        Submission("draw", (DEALER,), DrawNow()),
        Submission("buy", (DEALER,), BuyIn("Anna", 100)),
        Submission("buy", (DEALER,), BuyIn("Anna", 100)),
    ]

    before = played.table.head.sequence
    first = played.table.handle(submissions)
    again = played.table.handle(submissions)

    assert first == again
    assert first[0] == Refused("both", BARRED, before + 1)
    assert [(name, kind) for name, kind, _ in house.asked] == [
        ("both", "PlaceWager"),
        ("draw", "DrawNow"),
        ("buy", "BuyIn"),
    ]


def test_the_permit_is_not_asked_for_the_tables_own_records(store: Store) -> None:
    _opened(store)
    house = StakeLimit()

    table = Table(store, "t1", clock=lambda: NOON, permit=house.permit)

    assert table.state.is_interrupted
    assert house.asked == []


def test_a_voucher_whose_redemption_the_house_refuses_is_not_claimed(
    store: Store,
) -> None:
    first = Played(store)
    first.buy_in("Anna", 1_000)
    issued = first.done(IssueVoucher("Anna", 700), ANNA).events[0]
    assert isinstance(issued, money.VoucherIssued)
    refuses = True

    def permit(_: TableState, submission: Submission) -> Refusal | None:
        is_redeeming = isinstance(submission.command, RedeemVoucher)
        return BARRED if refuses and is_redeeming else None

    second = Played(store, stream="t2", permit=permit)

    answer = second.refused(RedeemVoucher("Anna", issued.code), ANNA)
    found = store.voucher(issued.code)
    refuses = False

    assert answer.refusal == BARRED
    assert found is not None
    assert found.state is VoucherState.OUTSTANDING
    second.done(RedeemVoucher("Anna", issued.code), ANNA)
    assert second.credit("Anna") == 700
