"""A round found in play: what the ball did, who says so, and which clause follows."""

from __future__ import annotations

import pytest

from croupier.journal.events import table as hap
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.rules import commands as do
from croupier.rules.clause import Rule
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from tests.simulation.invariants import Follower
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    SUPERVISOR,
    OneTable,
)

GAMES = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "mbs-fast-action-v2",
    "rws-triple-zero",
)


def _replayed(table: OneTable) -> Follower:
    """From event 1, with every invariant of the simulation."""
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

    assert table.table.state.interruption is not None
    for command in (do.AnnounceOutcome(Number("17")), do.Settle(), do.NoMoreBets()):
        assert "what did the ball do?" in str(table.refusal(command).reason)
    assert "what did the ball do?" in str(table.refusal(ask.BuyIn("Anna", 1)).reason)
    assert table.table.state.series.current.settled is None


@pytest.mark.parametrize("game", GAMES)
def test_an_interruption_is_recorded_once_however_often_the_table_dies(
    game: str,
) -> None:
    table = OneTable(game).bought_in(100_000).opened()

    for _ in range(3):
        table.reopen()
    table.do(ask.StateBall(None))
    table.reopen()

    kinds = [row.kind for row in table.store.events("t1")]
    assert kinds.count("TableInterrupted") == 1
    assert table.table.state.interruption is not None
    assert table.table.state.interruption.stated == hap.BallStated(DEALER, None)


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
def test_after_the_close_the_documents_clause_is_applied_when_two_have_spoken(
    game: str, at_rest: str | None
) -> None:
    table = OneTable(game).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.reopen()

    table.do(ask.StateBall(Number(at_rest) if at_rest else None))
    confirmed = table.do(ask.ConfirmBall(), SUPERVISOR)

    current = table.table.state.series.current
    assert table.table.state.interruption is None
    assert current.phase is INTERRUPTED[game, at_rest]
    assert current.facts.at_rest == at_rest
    assert isinstance(confirmed.events[0], hap.BallConfirmed)


@pytest.mark.parametrize("game", GAMES)
def test_an_interrupted_round_can_be_brought_to_its_end(game: str) -> None:
    table = OneTable(game).bought_in(1_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    table.reopen()

    table.do(ask.StateBall(Number("17")))
    table.do(ask.ConfirmBall(), SUPERVISOR)
    if table.table.state.series.current.phase is Phase.HELD:
        table.do(do.DecideOutcome(Number("17")), MBS_MANAGER)
    else:
        table.do(do.AnnounceOutcome(Number("17")))
    table.do(do.Settle())

    assert table.table.state.series.current.phase is Phase.ENDED
    assert table.credit() >= 36_000
    _replayed(table)


def test_triple_zero_returns_the_stakes_when_the_ball_was_nowhere() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.place("w1", "17", 1_000)
    table.reopen()

    table.do(ask.StateBall(None))
    table.do(ask.ConfirmBall(), SUPERVISOR)
    settled = table.do(do.Settle())

    assert table.entries_of(settled) == [("layout", -1_000), ("seat:Anna", 1_000)]


def test_who_states_does_not_confirm_and_a_player_does_neither() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.reopen()

    table.refusal(ask.StateBall(None), ANNA)
    table.refusal(ask.ConfirmBall(), SUPERVISOR)
    table.do(ask.StateBall(None))
    table.refusal(ask.ConfirmBall(), DEALER)
    table.refusal(ask.ConfirmBall(), ANNA)
    table.refusal(ask.ConfirmBall(), Person("Dealer", Role.PIT_SUPERVISOR))

    table.do(ask.ConfirmBall(), SUPERVISOR)


def test_the_dealer_may_restate_until_somebody_confirms() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.close_betting()
    table.reopen()

    table.do(ask.StateBall(None))
    table.do(ask.StateBall(Number("17")))
    table.do(ask.ConfirmBall(), SUPERVISOR)

    assert table.table.state.series.current.facts.at_rest == "17"


def test_a_recorded_ball_is_not_stated_away() -> None:
    table = OneTable().bought_in(1_000).opened()
    table.close_betting()
    table.do(do.ReportBallAtRest(Number("17")))
    table.reopen()

    table.refusal(ask.StateBall(None))
    table.refusal(ask.StateBall(Number("18")))

    table.do(ask.StateBall(Number("17")))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spun", [False, True])
def test_a_virtual_wheel_answers_for_itself(game: str, spun: bool) -> None:
    table = OneTable(game, virtual_wheel=True).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()
    if spun:
        table.do(ask.SpinVirtualWheel())
    rested = table.table.state.series.current.facts.at_rest

    table.reopen()

    assert table.table.state.interruption is None
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
    table.refusal(ask.DrawNow())
    assert table.table.state.series.current.facts.bonus_numbers == drawn
