"""Sessions whose figures are known from the books, and from a plain linear system."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.lab.sessions import STRATEGIES, session
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.solver import _longest
from croupier.lab.sessions.solvers.exact_solver import TooLong, solve_by_elimination
from croupier.lab.sessions.solvers.linear_solver import solve_linear
from croupier.lab.sessions.strategy import with_rules
from croupier.odds import round_result
from tests.lab.sessions.questions import Ends, Tree, asked, chain_of, ends_of, quiet

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

    # A series that breaks after so many won ones leaves as many units.
    broken = [(1 - Q**4) ** won * Q**4 for won in range(5)]
    assert result.ruined.value == broken[0]
    assert result.stopped_by_loss.value == sum(broken[1:3])
    assert result.stopped.value == sum(broken[1:])


@pytest.mark.parametrize("losses", [1, 2, 3, 6])
def test_a_martingale_that_wants_one_unit(losses: int) -> None:
    bankroll = 2**losses - 1

    result = session(
        V3, "red@1", bankroll=bankroll, target=bankroll + 1, strategy="martingale"
    )

    assert result.ruined.value == Q**losses
    assert result.rounds_played.value == (1 - Q**losses) / P
    staked = sum(2**lost * Q**lost for lost in range(losses))
    assert result.staked_cents.value == 100 * staked


def test_a_martingale_that_wants_more_and_stops_when_it_breaks() -> None:
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


def test_one_number_of_fast_action() -> None:
    result = session("mbs-fast-action-v2", "17@1", bankroll=1, target=36)

    assert result.reached.value == Fraction(1, 40)
    assert set(result.bankrolls) == {0, 3600, 4100, 8100}


def test_flat_wagers_that_never_end_are_binomial() -> None:
    rounds = 12

    result = session(V3, "red@1", bankroll=20, rounds=rounds)

    assert result.bankrolls == {
        (20 + 2 * won - rounds) * 100: comb(rounds, won) * P**won * Q ** (rounds - won)
        for won in range(rounds + 1)
    }


@pytest.mark.parametrize(
    ("game", "wager"),
    [(V3, "17@5 + dozen:1@10"), ("mbs-fast-action-v2", "bonus_win@2 + 17@1")],
)
def test_flat_wagers_that_never_end_are_a_convolution(game: str, wager: str) -> None:
    one = round_result(game, wager.split(" + "))

    result = session(game, wager, bankroll=1000, rounds=7)

    assert result.bankrolls == {
        100_000 + int(net): chance for net, chance in one.after(7).outcomes
    }


def by_linear_equations(request: SessionRequest) -> tuple[Ends, Fraction]:
    """Every position an unknown: the ends' chances and the rounds, by elimination."""
    tree = Tree.__new__(Tree)
    tree.request = request
    first = (request.strategy.start, request.bankroll_cents)
    places: dict[Any, int] = {first: 0}
    rows: list[dict[Any, Fraction]] = []
    open_ = [first]
    while open_:
        state, cents = open_.pop(0)
        played, units = tree._next(state, cents)
        row: dict[Any, Fraction] = {places[state, cents]: Fraction(1)}
        if units is None:
            row["end", played, cents] = Fraction(1)
        else:
            row["rounds"] = Fraction(1)
            for net, chance in request.wager.result.outcomes:
                won = units * int(net)
                after = request.strategy.after(
                    played, Fraction(won, request.wager.stake_cents)
                )
                then = cents + won
                if request.target_cents is not None and then >= request.target_cents:
                    key: Any = ("end", "reached", then)
                    row[key] = row.get(key, Fraction(0)) + chance
                    continue
                if (after, then) not in places:
                    places[after, then] = len(places)
                    open_.append((after, then))
                place = places[after, then]
                row[place] = row.get(place, Fraction(0)) - chance
        rows.append(row)
    return _solved(rows)


def _solved(rows: list[dict[Any, Fraction]]) -> tuple[Ends, Fraction]:
    """The first unknown in terms of what is known, from the last row up."""
    for last in range(len(rows) - 1, -1, -1):
        pivot = rows[last].pop(last)
        rows[last] = {key: value / pivot for key, value in rows[last].items()}
        for row in rows[:last]:
            factor = row.pop(last, Fraction(0))
            for key, value in rows[last].items():
                row[key] = row.get(key, Fraction(0)) - factor * value
    ends = {
        key[1:]: chance for key, chance in rows[0].items() if isinstance(key, tuple)
    }
    return {key: chance for key, chance in ends.items() if chance}, rows[0]["rounds"]


CHAINS = [
    ("flat", "17@1", 9, 45, ()),
    ("flat", "dozen:1@2", 9, 30, ()),
    ("flat", "17@1 + dozen:2@1", 10, 25, ()),
    ("martingale", "red@1", 9, 14, ("* 1 4",)),
    ("martingale", "column:1@1", 9, 14, ("* 1 4",)),
    ("d-alembert", "red@1", 7, 12, ("* 1 3",)),
    ("fibonacci", "red@1", 7, 11, ("* 1 5",)),
    ("oscars-grind", "red@1", 5, 9, ()),
    ("1-3-2-6", "red@1", 7, 14, ()),
    ("paroli", "street:1/2/3@1", 6, 40, ()),
]


@pytest.mark.parametrize(("name", "wager", "bankroll", "target", "limits"), CHAINS)
def test_a_session_to_its_end_solves_the_linear_equations(
    name: str, wager: str, bankroll: int, target: int, limits: tuple[str, ...]
) -> None:
    request = asked(
        STRATEGIES[name],
        wager=wager,
        bankroll=bankroll,
        target=target,
        rounds=None,
        limits=limits,
    )
    chain = chain_of(request)
    ends, rounds = by_linear_equations(request)

    exact = solve_by_elimination(chain, quiet)
    floats = solve_linear(chain, _longest(chain, request.wager))

    assert ends_of(chain, exact) == ends
    assert exact.rounds == rounds
    found = ends_of(chain, floats)
    for key, chance in ends.items():
        off = abs(found.get(key, Fraction(0)) - chance)
        assert off <= floats.relative_error * chance + floats.lost_mass
    assert abs(floats.rounds - rounds) <= (
        floats.relative_error * rounds + floats.lost_rounds
    )
    assert floats.lost_mass < Fraction(1, 10**11)
    assert floats.relative_error < Fraction(1, 10**9)


def test_an_elimination_can_be_too_long() -> None:
    chain = chain_of(asked(STRATEGIES["martingale"], rounds=None))

    with pytest.raises(TooLong):
        solve_by_elimination(chain, quiet, allowed=10)


def test_rules_change_what_becomes_of_a_bankroll() -> None:
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
