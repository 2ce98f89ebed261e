"""Sessions whose figures are known from the books, and from a plain linear system."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.lab.sessions import STRATEGIES, session
from croupier.lab.sessions.solvers.exact_solver import TooLong, solve_by_elimination
from croupier.lab.sessions.strategy import with_rules
from tests.lab.sessions.questions import asked, chain_of, ends_of, quiet

V3 = "mbs-roulette-v3"
P, Q = Fraction(18, 37), Fraction(19, 37)


@pytest.mark.parametrize(("bankroll", "target"), [(1, 2), (5, 10), (30, 37), (50, 60)])
def test_the_ruin_of_the_gambler(bankroll: int, target: int) -> None:
    result = session(V3, "red@1", bankroll=bankroll, target=target)

    r = Q / P
    reached = (1 - r**bankroll) / (1 - r**target)
    assert result.is_exact
    assert result.reached.value == reached
    assert result.ruined.value == 1 - reached
    assert result.rounds_played.value == (bankroll - target * reached) / (Q - P)
    assert result.staked_cents.value == 100 * result.rounds_played.value


@pytest.mark.parametrize(("lost", "won"), [(1, 1), (5, 10), (30, 7), (49, 10)])
def test_a_stop_loss_is_the_ruin_of_a_smaller_bankroll(lost: int, won: int) -> None:
    result = session(V3, "red@1", bankroll=50, target=50 + won, stop_loss=lost)

    small = session(V3, "red@1", bankroll=lost, target=lost + won)
    reached = (1 - (Q / P) ** lost) / (1 - (Q / P) ** (lost + won))
    assert result.reached.value == reached
    assert result.stopped.value == result.stopped_by_loss.value == 1 - reached
    assert result.ruined.value == 0
    assert result.rounds_played == small.rounds_played
    assert set(result.bankrolls) == {(50 - lost) * 100, (50 + won) * 100}


def test_a_stop_loss_of_the_whole_bankroll_is_ruin() -> None:
    words: dict[str, Any] = {"bankroll": 7, "target": 12, "strategy": "fibonacci"}
    bound = session(V3, "red@1", stop_loss=7, **words)

    assert bound.bankrolls == session(V3, "red@1", **words).bankrolls
    assert bound.stopped.value == bound.stopped_by_loss.value == 0
    assert bound.ruined.value > 0


def test_the_stop_loss_and_the_strategy_both_leave_the_table() -> None:
    result = session(
        V3,
        "red@1",
        bankroll=15,
        target=20,
        strategy="martingale",
        over_bankroll="stop",
        stop_loss=13,
    )

    # A series that breaks after n won ones leaves n units.
    broken = [(1 - Q**4) ** won * Q**4 for won in range(5)]
    assert result.ruined.value == broken[0]
    assert result.stopped_by_loss.value == sum(broken[1:3])
    assert result.stopped.value == sum(broken[1:])


@pytest.mark.parametrize("losses", [1, 2, 3, 6])
def test_a_martingale_to_a_target_one_unit_away(losses: int) -> None:
    bankroll = 2**losses - 1

    result = session(
        V3, "red@1", bankroll=bankroll, target=bankroll + 1, strategy="martingale"
    )

    assert result.ruined.value == Q**losses
    assert result.rounds_played.value == (1 - Q**losses) / P
    staked = sum(2**lost * Q**lost for lost in range(losses))
    assert result.staked_cents.value == 100 * staked


def test_a_martingale_that_stops_if_it_can_not_double() -> None:
    result = session(
        V3,
        "red@1",
        bankroll=15,
        target=20,
        strategy="martingale",
        over_bankroll="stop",
    )

    # Five series of at most four losses: 15 to 19 units pay for no fifth stake.
    assert result.reached.value == (1 - Q**4) ** 5
    assert result.ruined.value == Q**4  # in the first series nothing is left
    assert result.stopped.value == 1 - result.reached.value - result.ruined.value


def test_three_wins_in_a_row_for_paroli() -> None:
    result = session(V3, "red@1", bankroll=1, target=8, strategy="paroli")

    assert result.reached.value == P**3


def test_an_elimination_can_be_too_long() -> None:
    chain = chain_of(asked(STRATEGIES["martingale"], rounds=None))

    with pytest.raises(TooLong):
        solve_by_elimination(chain, quiet, allowed=10)


def test_rules_for_the_bankroll_change_the_ends() -> None:
    """A martingale on three units: what is done about the third stake of four."""
    requests = {
        rule: asked(
            with_rules(STRATEGIES["martingale"], None, rule),
            bankroll=4,
            target=5,
            rounds=None,
        )
        for rule in ("stake-allowed", "start-again", "stop")
    }

    ends = {
        rule: ends_of(chain_of(each), solve_by_elimination(chain_of(each), quiet))
        for rule, each in requests.items()
    }

    # After two losses one unit is left, and the strategy asks for four.
    assert ends["stop"] == {("reached", 500): 1 - Q**2, ("stopped", 100): Q**2}
    assert ends["stake-allowed"]["ruined", 0] < ends["stop"]["stopped", 100]
    assert ends["start-again"]["ruined", 0] < ends["stop"]["stopped", 100]
    assert ends["start-again"]["reached", 500] > ends["stop"]["reached", 500]
