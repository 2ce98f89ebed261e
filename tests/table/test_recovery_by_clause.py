"""After a crash (A38) betting is over, and the table invents no fact."""

from __future__ import annotations

import pytest

from croupier.journal.events.table import BallStated
from croupier.ledger.commands import CashOut, IssueVoucher, PayOwed
from croupier.rules import commands as play
from croupier.rules.events import BallSpun
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import Refused
from croupier.table.commands import (
    AnswerNotice,
    AnyCommand,
    ConfirmBall,
    ConfirmLights,
    DrawNow,
    StateBall,
)
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

SEVENTEEN, EIGHTEEN = Number("17"), Number("18")
MBS = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "mbs-fast-action-v2",
)


def _placing(wager_id: str) -> play.PlaceWager:
    return play.PlaceWager(wager_id, "Anna", read_wager("17"), 1_000, electronic=True)


def _kinds(table: OneTable) -> list[str]:
    return [row.kind for row in table.store.events("t1", round_number=1)]


def _standing(table: OneTable) -> str | None:
    standing = table.table.state.series.current.standing
    return None if standing is None else standing.clause.number


def _betting() -> OneTable:
    table = OneTable().bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    return table


def test_recovery_closes_the_betting_before_anything_else() -> None:
    table = _betting()

    table.reopen()

    assert table.table.state.series.current.phase is Phase.CLOSED
    assert _kinds(table)[-3:] == [
        "TableInterrupted",
        "NoMoreBetsAnnounced",
        "LayoutFrozen",
    ]
    assert table.refusal(_placing("w2"), ANNA).clause.number == "3.5"
    increase = play.IncreaseWager("w1", "Anna", 500)
    assert table.refusal(increase, ANNA).clause.number == "3.5"
    withdraw = play.WithdrawWager("w1", "Anna")
    assert table.refusal(withdraw, ANNA).clause.number == "5.7"


def test_without_a_spin_the_last_rounds_compartment_is_no_outcome() -> None:
    table = _betting()
    table.reopen()

    table.do(StateBall(SEVENTEEN))
    table.do(ConfirmBall(), SUPERVISOR)

    assert (table.table.state.series.current.phase, _standing(table)) == (
        Phase.VOID,
        "5.1.2",
    )
    kinds = _kinds(table)
    assert "BallSpun" not in kinds
    assert "BallAtRest" not in kinds
    table.do(play.Settle())
    assert table.credit() == 10_000


def test_a_spin_that_both_people_state_counts() -> None:
    table = _betting()
    table.reopen()

    table.do(StateBall(SEVENTEEN, spun=True))
    confirmed = table.do(ConfirmBall(), SUPERVISOR)

    current = table.table.state.series.current
    assert current.phase is Phase.CLOSED
    assert current.facts.compartment == SEVENTEEN
    by = [each.by for each in confirmed.events if isinstance(each, BallSpun)]
    assert by == [DEALER]
    table.do(play.AnnounceOutcome(SEVENTEEN))
    table.do(play.Settle())
    assert table.credit() == 10_000 + 35_000


def test_a_spin_stated_without_a_rest_is_void() -> None:
    table = _betting()
    table.reopen()

    table.do(StateBall(None, spun=True))
    table.do(ConfirmBall(), SUPERVISOR)

    assert _standing(table) == "5.1.2"


def _sensed(table: OneTable, fact: str, number: Number | None = None) -> None:
    table.do(play.ReportSensor(fact, number), Person("wheel", Role.SENSOR))


@pytest.mark.parametrize("answer", [None, EIGHTEEN])
def test_an_answer_against_the_sensor_holds_the_round(answer: Number | None) -> None:
    table = _betting()
    table.do(play.SpinBall())
    _sensed(table, "at_rest", SEVENTEEN)
    table.reopen()

    table.do(StateBall(answer))
    table.do(ConfirmBall(), SUPERVISOR)

    assert table.table.state.series.current.phase is Phase.HELD
    assert _standing(table) == "5.10"
    against = table.refusal(play.DecideOutcome(EIGHTEEN), RWS_MANAGER)
    assert against.clause.number == "3.7"


def test_an_answer_with_the_sensor_concludes_the_round() -> None:
    table = _betting()
    table.do(play.SpinBall())
    _sensed(table, "at_rest", SEVENTEEN)
    table.reopen()

    table.do(StateBall(SEVENTEEN))
    table.do(ConfirmBall(), SUPERVISOR)
    table.do(play.AnnounceOutcome(SEVENTEEN))

    assert table.table.state.series.current.phase is Phase.DECIDED


def test_one_person_can_not_contradict_a_rest_that_the_dealer_recorded() -> None:
    table = _betting()
    table.close_betting()
    table.do(play.ReportBallAtRest(SEVENTEEN))
    table.reopen()

    assert table.refusal(StateBall(EIGHTEEN)).clause.number == "3.7"


NO_SPIN = {
    "mbs-roulette-v2": (Phase.HELD, "A12"),
    "mbs-roulette-v3": (Phase.VOID, "5.11.1"),
    "mbs-complete-bet-v2": (Phase.HELD, "A12"),
    "mbs-fast-action-v2": (Phase.VOID, "5.12.1"),
}


@pytest.mark.parametrize("game", MBS)
def test_no_spin_at_an_interrupted_table_goes_by_its_own_document(game: str) -> None:
    table = OneTable(game).bought_in(10_000).opened()
    table.do(play.SpinBall())
    table.reopen()

    table.do(play.AnnounceNoSpin())

    phase = table.table.state.series.current.phase
    assert (phase, _standing(table)) == NO_SPIN[game]
    assert not table.table.state.is_interrupted


def test_no_spin_after_the_drop_has_no_power_failure_to_cite() -> None:
    table = OneTable("mbs-roulette-v3").bought_in(10_000).opened()
    table.do(play.SpinBall())
    table.do(play.ReportBallDropped())
    table.reopen()

    table.do(play.AnnounceNoSpin())

    assert _standing(table) == "5.12"


@pytest.mark.parametrize("game", MBS)
def test_an_interrupted_mbs_table_cites_no_reading_of_triple_zero(game: str) -> None:
    table = OneTable(game).bought_in(10_000).opened()
    table.reopen()

    refusals = [
        table.refusal(play.Settle()),
        table.refusal(_placing("w2"), ANNA),
        table.refusal(ConfirmBall(), SUPERVISOR),
    ]

    own = {"mbs-roulette-v3": "5.11.2", "mbs-fast-action-v2": "5.12.2"}
    expected = own.get(game, "A12")
    assert [each.clause.number for each in refusals] == [expected] * 3


def test_an_interrupted_triple_zero_table_takes_only_statements_of_the_ball() -> None:
    table = _betting()
    table.reopen()

    assert table.refusal(play.AnnounceNoSpin()).clause.number == "A20"


@pytest.mark.parametrize("game", ["rws-triple-zero", "mbs-roulette-v3"])
def test_credit_that_is_not_at_stake_is_paid_out_while_interrupted(game: str) -> None:
    table = OneTable(game).bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    table.reopen()

    table.do(CashOut("Anna", 4_000))
    table.do(IssueVoucher("Anna", 5_000), ANNA)

    assert table.credit() == 0
    table.refusal(CashOut("Anna", 1))
    assert table.table.state.is_interrupted


def test_a_held_late_bet_is_found_at_recovery() -> None:
    """A28: a wager placed after the drop waits for a decision, not for the ball."""
    table = _betting()
    table.do(play.SpinBall())
    table.do(play.ReportBallDropped())
    table.place("w2", "18", 1_000)

    table.reopen()

    assert _standing(table) == "5.10"
    assert not table.table.state.is_interrupted


def test_the_statement_is_recorded_with_its_spin() -> None:
    table = _betting()
    table.reopen()

    stated = table.do(StateBall(SEVENTEEN, spun=True))

    assert stated.events == (BallStated(DEALER, SEVENTEEN, spun=True),)


def test_a_player_neither_states_nor_says_no_spin() -> None:
    table = OneTable("mbs-roulette-v3").opened()
    table.reopen()

    table.refusal(play.AnnounceNoSpin(), Person("Anna", Role.PLAYER))
    table.refusal(StateBall(None), ANNA)

    assert table.table.state.is_interrupted


@pytest.mark.parametrize("name", ["Dealer", "Pit Supervisor"])
def test_a_person_with_a_wager_in_the_round_may_not_state_the_ball(name: str) -> None:
    """A42, which also covers confirming."""
    table = OneTable()
    table.do(play.PlaceYourBets(), Person("Dora", Role.DEALER))
    player = Person(name, Role.PLAYER)
    table.bought_in(10_000, player)
    table.place("w1", "17", 1_000, player)
    table.reopen()
    stating = table.ask(StateBall(None))
    confirming = table.ask(ConfirmBall(), SUPERVISOR)

    refused = stating if name == "Dealer" else confirming
    assert isinstance(refused, Refused)
    assert refused.refusal.clause.number == "A42"


def test_a_person_with_a_wager_may_not_confirm_lights_or_answer_a_notice() -> None:
    table = OneTable("mbs-fast-action-v2")
    other = Person("Dora", Role.DEALER)
    table.do(play.PlaceYourBets(), other)
    player = Person("Dealer", Role.PLAYER)
    table.bought_in(10_000, player)
    table.place("w1", "17", 1_000, player)
    table.do(play.SpinBall(), other)
    table.do(play.NoMoreBets(), other)
    table.do(DrawNow(), other)

    assert table.refusal(ConfirmLights()).clause.number == "A42"
    answer = AnswerNotice("…", None, accepted=False)
    assert table.refusal(answer).clause.number == "A42"
    table.do(ConfirmLights(), other)


WORDS: dict[str, tuple[str, AnyCommand]] = {
    "answers a notice": (
        "rws-triple-zero",
        AnswerNotice("…", None, accepted=False),
    ),
    "issues a colour": ("mbs-roulette-v3", play.IssueColour("blue", "Ben", 100)),
}


@pytest.mark.parametrize("word", WORDS)
def test_staff_who_answered_or_issued_in_a_round_may_not_bet_in_it(word: str) -> None:
    """A42; a round recalled from the journal still names the person."""
    game, command = WORDS[word]
    zoe = Person("Zoe", Role.PLAYER)
    table = OneTable(game, snapshot_every=5).bought_in(10_000).bought_in(10_000, zoe)
    table.opened()
    table.place("w1", "17", 1_000)
    table.do(command, Person("Zoe", Role.DEALER, acting=True))
    late = play.PlaceWager("w2", "Zoe", read_wager("17"), 1_000, electronic=True)
    refused = table.refusal(late, zoe)
    table.conclude("17")
    table.opened()
    table.place("w1", "17", 1_000, zoe)
    table.conclude("17")
    to_zoe = play.DecideRound(1, play.DecideWager("w1", play.GiveTo("Zoe")))
    not_given = table.refusal(to_zoe, _decider(game))
    table.reopen()

    recalled = table.refusal(to_zoe, _decider(game))

    cited = {each.clause.number for each in (refused, not_given, recalled)}
    assert cited == {"A42"}


def _decider(game: str) -> Person:
    return RWS_MANAGER if game == "rws-triple-zero" else MBS_MANAGER


def test_a_payment_of_kept_money_is_judged_while_the_table_is_interrupted() -> None:
    table = _betting()
    table.reopen()

    refusal = table.refusal(PayOwed("Anna", 1))

    assert "what did the ball do?" not in str(refusal.reason)
