"""Own strategies agree with the enumeration of all sequences of outcomes.

The built-in ones are held against a second program in `tests/figures`.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.lab.sessions import STRATEGIES, Shortfall, read_strategy
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.solvers.exact_solver import solve_exactly
from croupier.lab.sessions.solvers.float_solver import solve_in_floats
from tests.lab.sessions.own_strategies import TABLE, Counting, Plain
from tests.lab.sessions.questions import Tree, asked, chain_of, ends_of, quiet


def assert_same_as_the_tree(request: SessionRequest) -> None:
    assert request.rounds is not None
    tree = Tree(request)
    chain = chain_of(request)

    exact = solve_exactly(chain, request.rounds, [], quiet)
    floats = solve_in_floats(chain, request.rounds, [], quiet)

    assert ends_of(chain, exact) == tree.ends
    assert sum(tree.ends.values()) == 1
    assert exact.rounds == tree.rounds
    assert exact.units * request.wager.stake_cents == tree.staked_cents
    found = ends_of(chain, floats)
    for key, chance in tree.ends.items():
        off = abs(found.get(key, Fraction(0)) - chance)
        assert off <= floats.relative_error * chance + floats.lost_mass


def test_strategies_of_ones_own() -> None:
    assert_same_as_the_tree(asked(Plain(), bankroll=4, target=9, rounds=9))
    assert_same_as_the_tree(asked(read_strategy(TABLE), bankroll=3, rounds=9))


def test_a_bankroll_that_no_unit_divides() -> None:
    request = asked(STRATEGIES["martingale"], wager="red@3", bankroll=16, target=26)

    assert_same_as_the_tree(request)


def test_a_strategy_that_counts_the_rounds() -> None:
    assert_same_as_the_tree(asked(Counting(), bankroll=6, target=9, rounds=8))


def test_a_strategy_that_leaves_above_the_stop_loss() -> None:
    class Leaves:
        """Two units, then three, then it goes; sooner where it can't pay."""

        start = 2
        over_bankroll = Shortfall.START_AGAIN

        def stake(self, state: int) -> int:
            return state if state < 4 else 0

        def after(self, state: int, net: Fraction) -> int:
            return state + 1

    assert_same_as_the_tree(asked(Leaves(), bankroll=6, rounds=5, stop_loss=4))
