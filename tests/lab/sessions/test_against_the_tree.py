"""Every solver agrees with the enumeration of all sequences of outcomes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from croupier.lab.sessions import STRATEGIES, Shortfall, read_strategy
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.solvers.exact_solver import solve_exactly
from croupier.lab.sessions.solvers.float_solver import solve_in_floats
from croupier.lab.sessions.strategy import with_rules
from tests.lab.sessions.questions import Tree, asked, chain_of, ends_of, quiet
from tests.lab.sessions.test_strategies import TABLE, Plain


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


RULES = list(Shortfall)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("limits", [(), ("* 1 4",)], ids=["no limits", "1 to 4"])
def test_every_strategy_on_an_even_chance(name: str, limits: tuple[str, ...]) -> None:
    strategy = STRATEGIES[name]
    over = "stake-allowed" if name == "labouchere" and limits else None
    strategy = with_rules(strategy, over, None)

    assert_same_as_the_tree(asked(strategy, rounds=9, limits=limits))


@pytest.mark.parametrize(("over_maximum", "over_bankroll"), [*product(RULES, RULES)])
@pytest.mark.parametrize("name", ["martingale", "d-alembert", "oscars-grind"])
def test_every_rule_for_stakes_that_are_not_allowed(
    name: str, over_maximum: Shortfall, over_bankroll: Shortfall
) -> None:
    strategy = with_rules(STRATEGIES[name], over_maximum, over_bankroll)

    assert_same_as_the_tree(
        asked(strategy, bankroll=7, target=12, rounds=9, limits=("* 1 3",))
    )


@pytest.mark.parametrize(
    ("game", "wager", "bankroll", "target"),
    [
        ("mbs-roulette-v2", "17@1", 5, 60),
        ("mbs-roulette-v3", "dozen:1@2", 9, 20),
        ("mbs-roulette-v3", "17@1 + dozen:2@1", 8, 40),
        ("mbs-roulette-v3", "red@1 + black@1", 6, 9),
        ("mbs-complete-bet-v2", "tiers@1", 20, 60),
        ("mbs-complete-bet-v2", "orphelins@1", 12, 40),
        ("mbs-fast-action-v2", "S@1", 3, 50),
        ("mbs-fast-action-v2", "bonus_win@1", 4, 9),
        ("rws-triple-zero", "grand_series@1", 21, 40),
        ("rws-triple-zero", "green@2", 7, 40),
    ],
)
@pytest.mark.parametrize("name", ["flat", "martingale", "paroli"])
def test_wagers_of_every_game(
    game: str, wager: str, bankroll: int, target: int, name: str
) -> None:
    request = asked(
        STRATEGIES[name],
        game=game,
        wager=wager,
        bankroll=bankroll,
        target=target,
        rounds=5,
    )

    assert_same_as_the_tree(request)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_session_without_a_target(name: str) -> None:
    strategy = STRATEGIES[name]

    assert_same_as_the_tree(asked(strategy, target=None, bankroll=6, rounds=8))


def test_strategies_of_ones_own() -> None:
    assert_same_as_the_tree(asked(Plain(), bankroll=4, target=9, rounds=9))
    assert_same_as_the_tree(asked(read_strategy(TABLE), bankroll=3, rounds=9))


def test_a_bankroll_that_no_unit_divides() -> None:
    request = asked(STRATEGIES["martingale"], wager="red@3", bankroll=16, target=26)

    assert_same_as_the_tree(request)


class Counting:
    """Never in the same state twice: as many states as rounds."""

    start = 0

    def stake(self, state: int) -> int:
        return 1 + state % 3

    def after(self, state: int, net: Fraction) -> int:
        return state + 1


def test_a_strategy_that_counts_the_rounds() -> None:
    assert_same_as_the_tree(asked(Counting(), bankroll=6, target=9, rounds=8))


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("stop_loss", [1, 3, 5, 6])
@pytest.mark.parametrize("target", [None, 11])
def test_a_stop_loss_for_every_strategy(
    name: str, stop_loss: int, target: int | None
) -> None:
    assert_same_as_the_tree(
        asked(
            STRATEGIES[name], bankroll=6, target=target, rounds=8, stop_loss=stop_loss
        )
    )


@pytest.mark.parametrize(("over_maximum", "over_bankroll"), [*product(RULES, RULES)])
@pytest.mark.parametrize("name", ["martingale", "oscars-grind"])
def test_a_stop_loss_under_every_rule(
    name: str, over_maximum: Shortfall, over_bankroll: Shortfall
) -> None:
    strategy = with_rules(STRATEGIES[name], over_maximum, over_bankroll)

    assert_same_as_the_tree(
        asked(
            strategy,
            wager="dozen:1@2",
            bankroll=15,
            target=24,
            rounds=7,
            limits=("* 1 6",),
            stop_loss=9,
        )
    )


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
