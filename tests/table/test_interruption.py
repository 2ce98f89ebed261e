"""An interrupted round: the staff state the ball, and a clause decides the rest."""

from __future__ import annotations

import pytest

from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.events.table import BallConfirmed, BallStated
from croupier.ledger.commands import BuyIn
from croupier.rules.clause import Rule
from croupier.rules.commands import (
    AnnounceOutcome,
    DecideOutcome,
    NoMoreBets,
    ReportBallAtRest,
    Settle,
)
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table.commands import ConfirmBall, DrawNow, SpinVirtualWheel, StateBall
from tests.golden_tables import GAMES
from tests.robustness.checker import Follower
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    SUPERVISOR,
    OneTable,
)


def _replayed(table: OneTable) -> Follower:
    """Replay from event 1, with every invariant of the simulation."""
    follower = Follower(table.stream, DEFAULT_HOUSE)
    follower.follow(table.store)
    follower.check(table.store, table.table)
    return follower


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("closed", [False, True])
def test_in_the_middle_of_a_round_a_table_opens_interrupted(
    game: str, closed: bool
) -> None:
    table = OneTable(game).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    if closed:
        table.close_betting()

    table.reopen()

    assert table.table.state.is_interrupted
    for command in (AnnounceOutcome(Number("17")), Settle(), NoMoreBets()):
        assert "what did the ball do?" in str(table.refusal(command).reason)
    assert "what did the ball do?" in str(table.refusal(BuyIn("Anna", 1)).reason)
    assert table.table.state.series.current.settled is None


@pytest.mark.parametrize("game", GAMES)
def test_an_interruption_is_recorded_once_over_several_crashes(
    game: str,
) -> None:
    table = OneTable(game).bought_in(100_000).opened()

    for _ in range(3):
        table.reopen()
    table.do(StateBall(None))
    table.reopen()

    kinds = [row.kind for row in table.store.events("t1")]
    assert kinds.count("TableInterrupted") == 1
    assert table.table.state.is_interrupted
    assert table.table.state.ball_stated == BallStated(DEALER, None)


INTERRUPTED = {
    ("mbs-roulette-v2", None): Phase.HELD,
    ("mbs-roulette-v2", "17"): Phase.HELD,
    ("mbs-complete-bet-v2", None): Phase.HELD,
    ("mbs-complete-bet-v2", "17"): Phase.HELD,
    ("mbs-roulette-v3", None): Phase.CLOSED,
    ("mbs-roulette-v3", "17"): Phase.CLOSED,
    ("mbs-fast-action-v2", None): Phase.CLOSED,
    ("mbs-fast-action-v2", "17"): Phase.CLOSED,
    ("rws-triple-zero", None): Phase.VOID,
    ("rws-triple-zero", "17"): Phase.CLOSED,
}
"""Silent documents hold (A12, A20); v3 5.11 and Fast Action 5.12 go on; Triple Zero
5.1 concludes with an outcome and is void without one."""


@pytest.mark.parametrize(("game", "at_rest"), INTERRUPTED)
def test_after_the_close_the_documents_clause_applies_once_two_have_stated_the_ball(
    game: str, at_rest: str | None
) -> None:
    table = OneTable(game).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.reopen()

    table.do(StateBall(Number(at_rest) if at_rest else None))
    confirmed = table.do(ConfirmBall(), SUPERVISOR)

    current = table.table.state.series.current
    assert not table.table.state.is_interrupted
    assert current.phase is INTERRUPTED[game, at_rest]
    assert current.facts.at_rest == at_rest
    assert isinstance(confirmed.events[0], BallConfirmed)


@pytest.mark.parametrize("game", GAMES)
def test_an_interrupted_round_can_be_brought_to_its_end(game: str) -> None:
    table = OneTable(game).bought_in(1_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.reopen()

    table.do(StateBall(Number("17")))
    table.do(ConfirmBall(), SUPERVISOR)
    if table.table.state.series.current.phase is Phase.HELD:
        table.do(DecideOutcome(Number("17")), MBS_MANAGER)
    else:
        table.do(AnnounceOutcome(Number("17")))
    table.do(Settle())

    assert table.table.state.series.current.phase is Phase.ENDED
    assert table.credit() >= 36_000
    _replayed(table)


def test_triple_zero_returns_the_stakes_when_the_ball_was_nowhere() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.place("w1", "17", 1_000)
    table.reopen()

    table.do(StateBall(None))
    table.do(ConfirmBall(), SUPERVISOR)
    settled = table.do(Settle())

    assert table.entries_of(settled) == [("layout", -1_000), ("seat:Anna", 1_000)]


def test_the_person_who_stated_does_not_confirm_and_a_player_does_neither() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.reopen()

    table.refusal(StateBall(None), ANNA)
    table.refusal(ConfirmBall(), SUPERVISOR)
    table.do(StateBall(None))
    table.refusal(ConfirmBall(), DEALER)
    table.refusal(ConfirmBall(), ANNA)
    table.refusal(ConfirmBall(), Person("Dealer", Role.PIT_SUPERVISOR))

    table.do(ConfirmBall(), SUPERVISOR)


def test_the_dealer_may_restate_the_ball_until_it_is_confirmed() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.close_betting()
    table.reopen()

    table.do(StateBall(None))
    table.do(StateBall(Number("17")))
    table.do(ConfirmBall(), SUPERVISOR)

    assert table.table.state.series.current.facts.at_rest == "17"


def test_a_statement_can_not_contradict_a_recorded_ball() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.close_betting()
    table.do(ReportBallAtRest(Number("17")))
    table.reopen()

    table.refusal(StateBall(None))
    table.refusal(StateBall(Number("18")))

    table.do(StateBall(Number("17")))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spun", [False, True])
def test_a_virtual_wheel_answers_for_itself(game: str, spun: bool) -> None:
    table = OneTable(game, virtual_wheel=True).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    if spun:
        table.do(SpinVirtualWheel())
    rested = table.table.state.series.current.facts.at_rest

    table.reopen()

    assert not table.table.state.is_interrupted
    assert table.table.state.series.current.facts.at_rest == rested
    assert (rested is not None) == spun
    stated = [r for r in table.store.events("t1") if r.kind == "BallStated"]
    assert len(stated) == 1


def test_a_draw_is_never_drawn_again() -> None:
    table = OneTable("mbs-fast-action-v2", virtual_wheel=True).opened()
    table.close_betting()
    drawn = table.table.state.series.current.facts.bonus_numbers

    table.reopen()

    assert table.table.state.series.game.provides(Rule.BONUS_DRAW)
    table.refusal(DrawNow())
    assert table.table.state.series.current.facts.bonus_numbers == drawn
